-- Owner: reports. What reports add up: one narrow row for each quote and each priced line, kept by src/features/reports/facts.
-- Without foreign keys, so that writing the facts waits for nobody's edit.

create table report_quote (
  id int primary key,
  -- how many events of the quote are in this row: another number means that the quote has changed since
  events int not null,
  status_id text not null,
  -- when it got this status
  status_since timestamptz not null,
  revision int not null,
  owner_id int not null,
  sales_rep_id int,
  region_id int,
  territory_id int,
  facility_id int,
  currn_idx int not null,
  quote_date date not null,
  valid_until date not null,
  created_at timestamptz not null,
  -- the first time each
  submitted_at timestamptz,
  approved_at timestamptz,
  sent_at timestamptz,
  -- of the decision that stands: won, lost or cancelled
  decided_at timestamptz,
  -- the last time a person did something with it, colleague or customer
  touched_at timestamptz not null,
  lost_reason text not null,
  lost_competitor text not null,
  lost_competitor_price numeric(15, 4),
  -- the levels of the waterfall, of lines that count
  list_amount numeric(17, 4) not null,
  contract_amount numeric(17, 4) not null,
  promotion_amount numeric(17, 4) not null,
  typed_amount numeric(17, 4) not null,
  net_amount numeric(17, 4) not null,
  freight_amount numeric(17, 4) not null,
  total_amount numeric(17, 4) not null,
  -- off list, in hundredths of a percent
  discount int not null,
  cost_amount numeric(17, 4) not null,
  -- the net of the lines whose cost is known, and of those whose cost is not
  costed_amount numeric(17, 4) not null,
  uncosted_amount numeric(17, 4) not null,
  uncosted_lines int not null,
  -- what lines are below the price that the rules gave
  leak_amount numeric(17, 4) not null,
  leak_lines int not null,
  rule_amount numeric(17, 4) not null,
  -- seconds in each status that it has left
  in_editing int,
  in_waiting int,
  in_processing int,
  in_need_info int,
  in_approved int,
  in_sent int,
  in_revising int
);
create index report_quote_rep on report_quote (sales_rep_id);
create index report_quote_owner on report_quote (owner_id);
create index report_quote_region on report_quote (region_id);
create index report_quote_open on report_quote (status_id) where status_id not in ('Won', 'Lost', 'Cancelled');
create index report_quote_decided on report_quote (decided_at) where decided_at is not null;
create index report_quote_day on report_quote (quote_date);

create table report_line (
  line_id int primary key,
  quote_id int not null,
  item_id int,
  -- that priced it, even if somebody changed the price
  contract_id int,
  tier_id int,
  unit text not null,
  qty numeric(15, 4) not null,
  list_amount numeric(17, 4) not null,
  -- null: no rule gave a price
  rule_amount numeric(17, 4),
  net_amount numeric(17, 4) not null,
  cost_amount numeric(17, 4),
  discount int not null,
  -- the net price of a unit; null for free goods
  net_price numeric(15, 4)
);
create index report_line_quote on report_line (quote_id);
create index report_line_contract on report_line (contract_id) where contract_id is not null;
create index report_line_item on report_line (item_id) where item_id is not null;

-- How far the facts go. One row.
create table report_state (
  one boolean primary key default true check (one),
  -- all events up to this one are in the facts
  taken_event bigint not null default 0,
  -- the newest event at the last mark, and the transactions that may still commit events before it
  mark_event bigint not null default 0,
  mark_before bigint not null default 0,
  -- the first fill: quotes up to filled_to are done, of those up to fill_until; fill_until null: not begun
  filled_to int not null default 0,
  fill_until int
);
insert into report_state default values;

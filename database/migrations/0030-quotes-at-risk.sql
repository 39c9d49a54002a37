-- Owner: risks. What changed about prices, whoever changed it, and which open quotes have another price since or soon.
-- Locks: account_price, app_user, contract_line, contract_line_price, contract_loc, contract_roster, contract_tier, eligibility_request, facility, gpo_contract, gpo_membership, item_price, item_unit, promotion, quote

-- Each row narrows down which lines of quotes a change may concern: those of the item, of the facility and those below it, of the items
-- of the contract, of the quote. Gone once it is worked out. Written by triggers, so that no way of changing a price is forgotten:
-- screens, imports, their undo.
create table price_change (
  id bigint generated always as identity primary key,
  what text not null,
  item_id int,
  facility_id int,
  contract_id int,
  quote_id int,
  -- the day from which a row of a roster or a letter counts
  day date
);

-- The lines that have another price than they were quoted with, or will have. Without foreign keys: writing it waits for nobody's edit.
create table quote_risk (
  line_id int primary key,
  quote_id int not null,
  kind text not null check (kind in ('Ends', 'Price', 'Tier', 'Eligibility', 'Superseded', 'Rejected', 'Better', 'Rebill')),
  -- the first day with the other price; of Rebill, the day on which the quote was won
  day date not null,
  -- whose price was quoted, else whose price it is now
  contract_id int,
  currn_idx int not null,
  qty numeric(14, 4) not null,
  unit text not null,
  quoted numeric(14, 4),
  -- null: there is no price then
  price numeric(14, 4),
  -- (price - quoted) × quantity; 0 when it does not count
  difference numeric(14, 2) not null default 0,
  -- an optional line, or one with a typed price, changes no total
  counts boolean not null default true,
  typed boolean not null default false,
  -- where the price came from, and where it comes from then
  was text not null default '',
  now text not null default '',
  -- who credited a won quote
  settled_by int references app_user,
  settled_at timestamptz,
  note text not null default ''
);
create index quote_risk_quote on quote_risk (quote_id);
create index quote_risk_contract on quote_risk (contract_id) where contract_id is not null;

-- What a customer was told, so that nobody tells it twice: `print` is what the lines and their new prices were.
create table quote_risk_told (
  quote_id int not null references quote,
  print text not null,
  told_by int not null references app_user,
  told_at timestamptz not null,
  primary key (quote_id, print)
);

-- Prices that begin soon are looked for by their day.
create index contract_line_price_begins on contract_line_price (valid_from);

-- Of an update only the rows whose named columns differ. Arguments: what, the columns that matter, and how they say item, facility, contract and day.
create function note_price_change() returns trigger language plpgsql as $$
  declare
    fields text := tg_argv[1];
    rows text := case tg_op
      when 'INSERT' then format('select %s from new_rows', fields)
      when 'DELETE' then format('select %s from old_rows', fields)
      else format('(select %1$s from new_rows except select %1$s from old_rows) union (select %1$s from old_rows except select %1$s from new_rows)', fields) end;
  begin
    execute format('insert into price_change (what, item_id, facility_id, contract_id, day)
      select distinct %L, %s from (%s) t', tg_argv[0], tg_argv[2], rows);
    return null;
  end $$;

do $$
  declare
    watched record;
    event text;
    line_of constant text := '(select l.%s from contract_line l where l.id = t.contract_line_id)';
  begin
    for watched in
      select * from (values
        ('item_price', 'list', 'id, item_id, unit, min_qty, price, currn_idx, valid_from, valid_to',
          't.item_id, null::int, null::int, null::date'),
        ('account_price', 'account', 'id, facility_id, item_id, unit, min_qty, price, currn_idx, valid_from, valid_to',
          't.item_id, t.facility_id, null::int, null::date'),
        ('item_unit', 'unit', 'item_id, unit, factor', 't.item_id, null::int, null::int, null::date'),
        ('promotion', 'promotion', 'id, item_id, promotion_type, buy_qty, get_qty, amount, min_qty, max_qty, uom, currn_idx, valid_from, valid_to, active',
          't.item_id, null::int, null::int, null::date'),
        ('gpo_contract', 'contract', 'id, gpo_id, currn_idx, effective_from, effective_to, extended_to, predecessor_id, state, terminated_on, open_to',
          'null::int, null::int, t.id, null::date'),
        ('contract_tier', 'tier', 'id, contract_id, tier_no, needs_loc, fallback_tier_id',
          'null::int, null::int, t.contract_id, null::date'),
        ('contract_line', 'price', 'id, contract_id, item_id, unit, valid_from, valid_to',
          't.item_id, null::int, t.contract_id, null::date'),
        ('contract_line_price', 'price', 'id, contract_line_id, tier_id, price, valid_from, valid_to',
          format(line_of, 'item_id') || ', null::int, ' || format(line_of, 'contract_id') || ', null::date'),
        ('contract_roster', 'roster', 'id, contract_id, facility_id, tier_id, covers_children, excluded, valid_from, valid_to',
          'null::int, t.facility_id, t.contract_id, t.valid_from'),
        ('contract_loc', 'letter', 'id, contract_id, tier_id, facility_id, covers_children, state, valid_from, valid_to',
          'null::int, t.facility_id, t.contract_id, t.valid_from'),
        ('gpo_membership', 'membership', 'id, facility_id, gpo_id, is_primary, valid_from, valid_to',
          'null::int, t.facility_id, null::int, null::date')
      ) w(of, what, fields, says)
    loop
      foreach event in array array['insert', 'update', 'delete'] loop
        execute format('create trigger %1$s_noted_%2$s after %2$s on %1$s referencing %3$s for each statement execute function note_price_change(%4$L, %5$L, %6$L)',
          watched.of, event,
          case event when 'insert' then 'new table as new_rows' when 'delete' then 'old table as old_rows' else 'old table as old_rows new table as new_rows' end,
          watched.what, watched.fields, watched.says);
      end loop;
    end loop;
  end $$;

-- Another parent is another place on rosters.
create function note_parent_change() returns trigger language plpgsql as $$
  begin
    insert into price_change (what, facility_id) values ('parent', new.id);
    return null;
  end $$;
create trigger facility_noted after update of parent_id on facility for each row
  when (old.parent_id is distinct from new.parent_id) execute function note_parent_change();

-- A request that is decided gives its quotes another price, or takes one away.
create function note_request_change() returns trigger language plpgsql as $$
  begin
    insert into price_change (what, quote_id) select 'request', quote_id from eligibility_request_quote where request_id = new.id;
    return null;
  end $$;
create trigger eligibility_request_noted after update of state on eligibility_request for each row
  when (old.state <> new.state) execute function note_request_change();

-- A quote that is closed is at no risk; what else is done with one at risk is worked out again. Costs the others one look into an index.
create function note_quote_change() returns trigger language plpgsql as $$
  begin
    if exists (select from quote_risk where quote_id = new.id) then
      if new.status_id in ('Won', 'Lost', 'Cancelled') then
        delete from quote_risk where quote_id = new.id and kind <> 'Rebill';
      else
        delete from quote_risk where quote_id = new.id and kind = 'Rebill';
        insert into price_change (what, quote_id) values ('quote', new.id);
      end if;
    end if;
    return null;
  end $$;
create trigger quote_noted after update of version on quote for each row execute function note_quote_change();

-- Owner: sent-reports. Reports that go out by mail, weekly or monthly, and which of them each person has got.
-- Locks: app_user

create table sent_report (
  id int generated always as identity primary key,
  report text not null,
  -- the query of the report's address, without '?': its period and filters
  address text not null,
  every text not null check (every in ('week', 'month')),
  owner_id int not null references app_user,
  -- who gets it, each with their own sight; empty: its owner
  roles text[] not null default '{}',
  -- who has one of the roles, but does not want it
  declined int[] not null default '{}',
  -- the day of the company on which it goes out next
  next_on date not null,
  last_on date,
  version int not null default 1
);
create index sent_report_owner on sent_report (owner_id);
create index sent_report_next on sent_report (next_on);

-- Written in the transaction that queues the mail, so that a person gets one mail a day, whatever is tried again.
create table sent_report_mail (
  report_id int not null references sent_report on delete cascade,
  user_id int not null references app_user,
  day date not null,
  primary key (report_id, user_id, day)
);
create index sent_report_mail_user on sent_report_mail (user_id);

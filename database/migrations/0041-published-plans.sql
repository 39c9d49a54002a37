-- Owner: territory-plans. Who asked to publish a plan, who did, and which assignments that changed, so that it can be rolled back.
-- Locks: territory_plan, territory, app_user
alter table territory_plan
  add column asked_at timestamptz,
  add column asked_by int references app_user,
  add column asked_comment text not null default '',
  add column published_at timestamptz,
  add column published_by int references app_user,
  add column rolled_back_at timestamptz,
  -- the newest assignment when it was published: newer ones were made since
  add column last_assignment_id int,
  -- the state it had before it was archived
  add column archived_from text;
create table territory_plan_write (
  plan_id int not null references territory_plan on delete cascade,
  assignment_id int not null,
  zip5 text not null,
  territory_id int not null references territory,
  -- an assignment that got a last day, or one that began
  kind text not null check (kind in ('end', 'begin')),
  valid_from date not null,
  -- before; of one that began: null
  was_to date,
  -- as written
  valid_to date,
  primary key (plan_id, assignment_id)
);
create index territory_plan_write_territory on territory_plan_write (territory_id);

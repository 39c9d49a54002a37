-- Owner: territory-plans. A plan that a job publishes or rolls back, and why that failed.
-- Locks: territory_plan, app_user
create table territory_plan_work (
  plan_id int primary key references territory_plan on delete cascade,
  action text not null check (action in ('Publish', 'RollBack')),
  -- of publishing: the day from which the plan is to hold
  effective_day date,
  asked_by int not null references app_user,
  -- ZIPs written so far, of all; how far a roll back is, nobody counts
  done int not null default 0,
  total int not null,
  tries int not null default 0,
  -- why it did not come about; '': it waits or runs. A next step of the plan removes the row.
  error text not null default ''
);
create index territory_plan_work_by on territory_plan_work (asked_by);

-- Owner: retention. How long what grows is kept is a number of months for each of five groups, no longer days for each of eight kinds.
-- A group gets the longest time of its kinds, in months of 30 days, rounded up.
-- Locks: retention
alter table retention
  -- months; null: forever
  add column mail int,
  add column history int,
  add column files int,
  add column sessions int,
  add column notices int;

with kind (name, of_group, standard, least) as (values
  ('mail', 'mail', null::int, 3), ('recordEvents', 'history', null, 12), ('imports', 'files', null, 3), ('usageFiles', 'files', null, 3),
  ('orderFiles', 'files', null, 3), ('sessions', 'sessions', 400, 2), ('notifications', 'notices', 90, 1), ('newQuoteKeys', 'notices', 30, 1)),
kept as (
  select of_group, least, case when days ? name then (days ->> name)::int else standard end as days from retention, kind),
months as (
  select of_group, case when bool_or(days is null) then null
    else least(greatest(ceil(max(days) / 30.0), max(least)), 1200)::int end as months
  from kept group by of_group)
update retention set
  mail = (select months from months where of_group = 'mail'),
  history = (select months from months where of_group = 'history'),
  files = (select months from months where of_group = 'files'),
  sessions = (select months from months where of_group = 'sessions'),
  notices = (select months from months where of_group = 'notices');

alter table retention drop column days;

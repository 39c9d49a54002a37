-- Owner: territory-plans. A plan is published without a request before. Requests to publish are dropped with their comments; their steps stay in the history.
-- Locks: api_key, app_user, territory_plan
drop trigger asked_by_by_key on territory_plan;
alter table territory_plan
  drop column asked_at,
  drop column asked_by,
  drop column asked_comment,
  drop column asked_by_key;

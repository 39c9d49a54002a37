-- Owner: api-keys. A key keeps the roles that its owner had when it was made, so that it does not gain those given later.
-- Locks: api_key

-- No default roles: a key made by the version before this one has none, and a new one replaces it.
alter table api_key add column roles text[] not null default '{}';
update api_key set roles = array(select role from user_role where user_id = owner_id order by role);

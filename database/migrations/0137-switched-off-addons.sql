-- Owner: addons. Which add-ons an administrator has switched off. Without a row an add-on is on.
create table switched_off_addon (
  name text primary key,
  at timestamptz not null
);

-- While webhooks are switched off, nothing is noted for them.
create or replace function announce(what text, about json) returns void language plpgsql as $$
declare
  now_at timestamptz := clock_timestamp();
  made bigint;
begin
  if not exists (select from webhook_endpoint where active and what = any (events))
    or exists (select from switched_off_addon where name = 'webhooks') then return; end if;
  insert into webhook_message (type, at, body) values (what, now_at,
      '{"type":' || to_json(what) || ',"timestamp":"' || to_char(now_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      || '","data":' || about || '}')
    returning id into made;
  insert into webhook_delivery (message_id, endpoint_id)
    select made, id from webhook_endpoint where active and what = any (events) order by id;
end $$;

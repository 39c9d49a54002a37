-- Owners: live. Says to every server which record changed, by kind, id and version alone, when its transaction commits.
-- Locks: app_user, approval_absence, approval_request, company, data_import, eligibility_request, mail, order_request, quote, quote_question, session, user_region, user_role, user_support

create function say_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', concat_ws(' ', tg_argv[0], new.id, new.version));
  return null;
end $$;
-- a fixed fact: of callers, or of a kind of which only some may know the ids
create function say() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', tg_argv[0]);
  return null;
end $$;
create function say_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', 'session ' || new.id);
  return null;
end $$;
-- what belongs to a quote and leaves its version as it is
create function say_of_quote() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', concat_ws(' ', 'quote', new.quote_id, 0));
  return null;
end $$;
-- many new rows are one fact
create function say_new_quotes() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from made limit 51) few) > 50 then
    perform pg_notify('quoteboard', 'quote 0 0');
  else
    perform pg_notify('quoteboard', concat_ws(' ', 'quote', id, version)) from made;
  end if;
  return null;
end $$;

create trigger say_new after insert on quote referencing new table as made for each statement execute function say_new_quotes();
create trigger say_changed after update on quote for each row when (old.version <> new.version) execute function say_changed('quote');
create trigger say_of_quote after insert or update on approval_request for each row execute function say_of_quote();
create trigger say_of_quote after insert or update on quote_question for each row execute function say_of_quote();
create trigger say_of_quote after insert or update of state, refused, settled_at on mail for each row when (new.quote_id is not null) execute function say_of_quote();
create trigger say_changed after insert or update on eligibility_request for each row execute function say_changed('eligibility');
create trigger say_changed after insert or update on order_request for each row execute function say_changed('order');
create trigger say_changed after insert or update of state on data_import for each statement execute function say('import 0 0');
create trigger say_ended after update of revoked_at on session for each row when (new.revoked_at is not null) execute function say_ended();

-- whom rights change; see callerColumns in src/features/people/auth/sessions/read-caller.server.ts
create trigger say_callers after update of active on app_user for each statement execute function say('callers');
create trigger say_callers after insert or update or delete on user_role for each statement execute function say('callers');
create trigger say_callers after insert or update or delete on user_region for each statement execute function say('callers');
create trigger say_callers after insert or update or delete on user_support for each statement execute function say('callers');
create trigger say_callers after insert or update or delete on approval_absence for each statement execute function say('callers');
create trigger say_callers after update of public_site_locked, public_site_locked_until on company for each statement execute function say('callers');

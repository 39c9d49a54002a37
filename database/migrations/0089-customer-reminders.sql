-- Owner: customer-reminders. The mail that reminds the customer before the quote expires, while it waits.
-- Locks: api_key, app_user, quote, quote_sending

-- Sent or stopped, its row goes, and the history of the quote tells of it.
create table quote_reminder (
  id int generated always as identity primary key,
  quote_id int not null unique references quote,
  -- whose recipients get it
  sending_id int not null references quote_sending,
  days int not null check (days > 0),
  text text not null,
  set_by int not null references app_user,
  set_by_key int references api_key,
  version int not null default 1
);
create trigger set_by_by_key before insert or update of set_by on quote_reminder for each row
  when (acting_key() is not null or new.set_by_key is not null) execute function keep_acting_key('set_by');
create trigger say_of_quote after insert or update on quote_reminder for each row execute function say_of_quote();
create function say_of_quote_once() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', concat_ws(' ', 'quote', old.quote_id, 0));
  return null;
end $$;
create trigger say_gone after delete on quote_reminder for each row execute function say_of_quote_once();

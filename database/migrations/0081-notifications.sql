-- Owners: notifications, mail. What concerns a person, how they want to hear of it, and mails on one quote that become one.
-- Locks: app_user, mail, quote

-- Title and place follow from the kind and from what it is about now.
create table notification (
  id int generated always as identity primary key,
  user_id int not null references app_user on delete cascade,
  kind text not null,
  quote_id int references quote,
  -- an import run, a webhook endpoint or a comment, by the kind
  about_id int,
  -- who did it, as named at that time
  by_name text not null check (length(by_name) <= 300),
  at timestamptz not null,
  read_at timestamptz,
  -- waits for the mail of the day
  for_daily boolean not null default false
);
-- Told again before it was read, it is still one.
create unique index notification_unread on notification (user_id, kind, coalesce(quote_id, 0), coalesce(about_id, 0)) where read_at is null;
create index notification_newest on notification (user_id, at desc, id desc);
create index notification_daily on notification (user_id) where for_daily;
create index notification_by_age on notification (at, id);

-- How a person wants to hear of a kind: none, bell, mail, daily. Without a row: as the company set it.
create table notification_way (
  user_id int not null references app_user on delete cascade,
  kind text not null,
  way text not null,
  primary key (user_id, kind)
);
create table notification_settings (
  id int primary key default 1 check (id = 1),
  -- {kind: way}; a kind that is not named starts by role, as src/features/operations/notifications/notification-kinds.ts says
  ways jsonb not null default '{}',
  version int not null default 1,
  -- the last day on which the mail of the day went out, and to which day quotes that expire soon were told
  mailed_day date,
  told_through date
);
insert into notification_settings default values;

alter table mail
  -- until then it waits for more about the same quote to the same person
  add column gather_until timestamptz,
  -- where its reader says how they want to hear of such things
  add column unsubscribe text not null default '';
create index mail_gathering on mail (gather_until) where gather_until is not null;

create function say_notified() returns trigger language plpgsql as $$
begin
  perform pg_notify('quoteboard', concat_ws(' ', 'notification', user_id, 0)) from (select distinct user_id from changed) told;
  return null;
end $$;
create trigger say_new after insert on notification referencing new table as changed for each statement execute function say_notified();
create trigger say_changed after update on notification referencing new table as changed for each statement execute function say_notified();

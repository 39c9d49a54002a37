-- Owner: history. What was done to the records that administrators keep: who, when, from what to what. Never changed or deleted.
create table record_event (
  id bigint generated always as identity primary key,
  -- one of RECORD_TYPES in src/features/history/record-types.ts
  record_type text not null,
  record_id int not null,
  -- what people called the record then
  record_name text not null,
  at timestamptz not null default now(),
  -- null: done by the program itself
  user_id int references app_user,
  actor text not null,
  action text not null,
  -- the record's version after the change
  version int,
  comment text not null default '',
  -- [{field, before, after}] in words
  changes jsonb not null default '[]'
);
create index record_event_record on record_event (record_type, record_id, id desc);
create index record_event_user on record_event (user_id, id desc);
create index record_event_at on record_event (at);
create trigger record_event_immutable before update or delete on record_event for each row execute function refuse_change();

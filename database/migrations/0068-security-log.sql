-- Owners: security-events, data-import. The security log, and the API key by which an import was uploaded, applied or undone.
-- Locks: api_key, app_user, data_import, record_event

-- One line: something that touches security. Lines of refusals, sign-ins and exports count what one caller does within a minute.
create table security_event (
  id bigint generated always as identity primary key,
  -- the first time of a counted line, the last time, and how often
  at timestamptz not null,
  last_at timestamptz not null,
  times int not null default 1,
  -- one of SECURITY_KINDS in src/features/operations/security-events/security-kinds.ts, and what happened
  kind text not null,
  action text not null,
  -- null: not known, or the program itself
  user_id int references app_user,
  key_id int references api_key,
  -- the name and the e-mail address at that time; a typed address of nobody is a name
  who text not null default '',
  account text not null default '',
  -- empty: a job
  address text not null default '',
  user_agent text not null default '',
  -- the calls that were refused or exported, at most 20
  calls text[] not null default '{}',
  -- a change, which the history tells: what was changed is kept there alone
  event_id bigint references record_event,
  -- the words of the names, and the address as one word
  words tsvector generated always as
    (event_words(who || ' ' || account) || case address when '' then ''::tsvector else array_to_tsvector(array[address]) end) stored
);
create index security_event_newest on security_event (at, id);
create index security_event_kind on security_event (kind, at, id);
create index security_event_words on security_event using gin (words);
-- One line tells one change, and a deleted line is found by none.
create unique index security_event_change on security_event (event_id) where event_id is not null;

-- What the history had before there was a security log.
insert into security_event (at, last_at, kind, action, user_id, who, account, event_id)
select e.at, e.at,
  case when e.record_type = 'apiKey' then 'Key'
    when e.record_type in ('user', 'region', 'approvalAbsence', 'signInRule') then 'Rights' else 'Settings' end,
  e.action, e.user_id, e.actor, coalesce(u.user_name, ''), e.id
from record_event e left join app_user u on u.id = e.user_id
where e.at > now() - interval '400 days' and e.record_type in ('apiKey', 'user', 'region', 'approvalAbsence', 'signInRule', 'company',
  'currency', 'crm', 'orderSettings', 'publicSite', 'webhook', 'approvalRule', 'approvalReminder')
order by e.id;

alter table data_import
  add column created_by_key int references api_key,
  add column applied_by_key int references api_key,
  add column undone_by_key int references api_key;

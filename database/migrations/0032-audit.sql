-- Owner: audit. Everything that was changed in one list, newest first, among millions: by time, person, kind, action and word.

-- The words of an event, for a search by their beginnings: `plain_text` as names have it everywhere, other signs part words. 'simple' keeps
-- every word as it is written. Of a very long event the first 20,000 characters.
create function event_words(text) returns tsvector language sql immutable strict parallel safe
  return to_tsvector('simple', translate(plain_text(left($1, 20000)), '!"$%&()*+/:;<=>?@[\]^_`{|}~–→', repeat(' ', 29)));

-- Fields and values of changes as text; what JSON writes as \n parts words as well.
create function change_text(jsonb) returns text language sql immutable strict parallel safe
  return regexp_replace(jsonb_path_query_array($1, '$[*].*?(@.type() == "string")')::text, '\\[nrtbf"\\]', ' ', 'g');

-- Who acted is a word of it only where no user did: a customer, the program. Users are found by their number.
alter table record_event add column words tsvector generated always as
  (event_words(record_name || ' ' || case when user_id is null then actor || ' ' else '' end || comment || ' ' || change_text(changes))) stored;
alter table quote_event add column words tsvector generated always as
  (event_words(case when user_id is null then actor || ' ' else '' end || comment || ' ' || change_text(changes))) stored;

create index record_event_newest on record_event (at, id);
create index record_event_by on record_event (user_id, at, id);
create index record_event_type on record_event (record_type, at, id);
create index record_event_action on record_event (action, at, id);
create index record_event_words on record_event using gin (words);
drop index record_event_at;
drop index record_event_user;

create index quote_event_newest on quote_event (at, id);
create index quote_event_by on quote_event (user_id, at, id);
create index quote_event_action on quote_event (action, at, id);
create index quote_event_words on quote_event using gin (words);

create index session_newest on session (created_at, id);

-- Owners: items, quotes, users, facilities, history. Texts are found with or without their accents: Clínica by 'clinica', Straße by 'strasse'.
-- Locks: app_user, facility, item, quote, quote_item, quote_name, quote_event, record_event

-- A text as it is compared in every search: small letters without accents. Most texts are ASCII and take the short way.
create function folded_text(text) returns text language sql immutable parallel safe
  return case when octet_length($1) = length($1) then lower($1)
    else replace(replace(replace(lower(translate(regexp_replace(normalize($1, NFD), '[\u0300-\u036f]', '', 'g'),
      'ØøŁłĐđı', 'OoLlDdi')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end;
-- Not strict, so that the database can put the body in place of the call; nothing is still nothing.
create or replace function plain_text(text) returns text language sql immutable parallel safe
  return translate(folded_text($1), '-.,''’#', ' ');

-- Writing a row again works out its kept text again.
update app_user set full_name = full_name where octet_length(search_text) <> length(search_text);
update facility set name = name where octet_length(search_text) <> length(search_text);
alter table quote_event disable trigger quote_event_immutable;
update quote_event set comment = comment where octet_length(words::text) <> length(words::text);
alter table quote_event enable trigger quote_event_immutable;
alter table record_event disable trigger record_event_immutable;
update record_event set comment = comment where octet_length(words::text) <> length(words::text);
alter table record_event enable trigger record_event_immutable;

-- Two names may have become one. Its quotes are then found by the older of them.
create temporary table folded_name on commit drop as
  select id, folded_text(search_text) as search_text, min(id) over (partition by folded_text(search_text)) as kept
  from quote_name;
alter table quote disable trigger quote_named;
update quote set name_id = kept from folded_name f where f.id = quote.name_id and f.id <> kept;
alter table quote enable trigger quote_named;
delete from quote_name using folded_name f where f.id = quote_name.id and f.id <> kept;
update quote_name set search_text = f.search_text
  from folded_name f where f.id = quote_name.id and f.search_text <> quote_name.search_text;
reindex index quote_facility_name;
reindex index quote_facility_acct_no;

alter table item drop column search_text;
alter table item add column search_text text generated always as (folded_text(item_number || ' ' || description)) stored;
create index item_search on item using gin (search_text gin_trgm_ops);
drop index quote_item_number;
create index quote_item_number on quote_item using gin (folded_text(item_number) gin_trgm_ops);

-- Owners: facilities, quotes. Names are found however they are punctuated: ST. MARY'S by 'st marys', Scott-White by 'scott white'.
create function plain_text(text) returns text language sql immutable strict parallel safe
  return translate(lower($1), '-.,''’#', ' ');

drop index facility_search;
alter table facility drop column search_text;
alter table facility add column search_text text generated always as
  (plain_text(acct_no || ' ' || name || ' ' || ship_to_city || ' ' || ship_to_state || ' ' || ship_to_zip)) stored;
create index facility_search on facility using gin (search_text gin_trgm_ops);

drop index quote_search;
alter table quote drop column search_text;
-- 'name#account': '%word%#%' is a word of the name, '%#%word%' of the account number, both by the one index
alter table quote add column search_text text generated always as
  (plain_text(facility_name) || '#' || plain_text(facility_acct_no)) stored;
create index quote_search on quote using gin (search_text gin_trgm_ops);
drop index quote_facility_name;
create index quote_facility_name on quote (plain_text(facility_name));
drop index quote_facility_acct_no;
create index quote_facility_acct_no on quote (plain_text(facility_acct_no));

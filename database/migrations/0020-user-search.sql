-- Owner: users. People are found by parts of name, e-mail address and phone number, among thousands: the text is kept plain, and by index.
alter table app_user add column search_text text generated always as
  (plain_text(full_name || ' ' || user_name || ' ' || phone)) stored;
create index app_user_search on app_user using gin (search_text gin_trgm_ops);

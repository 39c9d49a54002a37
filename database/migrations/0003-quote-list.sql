-- Owner: quotes. The list of quotes sorts by every column and reads what a person has written, at half a million quotes.
-- The expressions also give the planner statistics of the names that are searched.
create index quote_owner on quote (owner_id, quote_date desc, id desc);
create index quote_facility_name on quote (lower(facility_name));
create index quote_facility_acct_no on quote (lower(facility_acct_no));
create index quote_contact_name on quote (lower(contact_name));
create index quote_phone on quote (phone);
create index quote_total_amount on quote (total_amount);

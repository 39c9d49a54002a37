-- Owner: facility-finder. Finds the facilities that look like one, for each quote.
-- Locks: facility

create index facility_name_key on facility (name_key);
create index facility_street_key on facility (street_key);

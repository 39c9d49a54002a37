-- Owner: territory-map. Whom each ZIP belongs to, and the open quotes of each facility, are read from indexes alone.
-- Locks: zip_assignment, quote
create index zip_assignment_in_force on zip_assignment (zip5, valid_from desc, id desc) include (territory_id, valid_to);
drop index zip_assignment_zip;
create index quote_open_of_facility on quote (facility_id) include (total_amount, currn_idx)
  where status_id not in ('Won', 'Lost', 'Cancelled');

-- Owner: facilities. The list of 50,000 facilities in order of name or city, also from far down, without sorting them all.
create index facility_by_name on facility (lower(name), id) include (name, active);
create index facility_by_city on facility (lower(ship_to_city), id) include (ship_to_city, active);

-- Owner: territories. The list of territories counts the ZIPs each has today without reading the assignments themselves.
create index zip_assignment_of_territory on zip_assignment (territory_id) include (valid_from, valid_to);
drop index zip_assignment_territory;

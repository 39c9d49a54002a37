-- Owner: territories. Indexes of their administration: the overrides of a territory, the facilities on a ZIP, and the open quotes of a
-- territory with their value, which the list of territories adds up without reading the quotes themselves.
create index account_override_territory on account_override (territory_id);
create index facility_zip5 on facility (left(ship_to_zip, 5));
create index quote_open_of_territory on quote (territory_id) include (total_amount, currn_idx)
  where status_id not in ('Won', 'Lost', 'Cancelled');

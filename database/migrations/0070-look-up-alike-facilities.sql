-- Owner: facility-finder. Finds the facilities that look like one, for each quote.
-- Locks: facility

create index facility_name_key on facility (name_key);
create index facility_street_key on facility (street_key);

-- A JSON list of the facilities that look the same as one (as alikePairs in fitting-accounts.ts says it) and have contract or account prices of
-- their own, which do not count for it. Those that a person told apart are not among them. A function, because each read of a quote asks: its
-- plan is kept, where planning the statement took five times as long as running it.
create function alike_with_prices(own_id int) returns json language plpgsql stable as $$
declare
  own facility;
begin
  select * into own from facility where id = own_id;
  return (
    select coalesce(json_agg(b.acct_no || ' ' || b.name order by b.acct_no), '[]')
      from facility b
     where b.id <> own_id and b.active
       and ((b.name_key = own.name_key and own.name_key <> '') or (b.street_key = own.street_key and own.street_key <> ''))
       and case when b.name_key = own.name_key and own.name_key <> ''
             then (left(b.ship_to_zip, 5) = left(own.ship_to_zip, 5) and own.ship_to_zip <> '') or (b.street_key = own.street_key and own.street_key <> '')
             else left(b.ship_to_zip, 5) = left(own.ship_to_zip, 5) and own.ship_to_zip <> '' and similarity(b.name_key, own.name_key) >= 0.5 end
       and not exists (select from facility_apart p where p.first_id = least(own_id, b.id) and p.second_id = greatest(own_id, b.id))
       and (exists (select from contract_roster x where x.facility_id = b.id and not x.excluded and coalesce(x.valid_to, 'infinity') >= current_date)
         or exists (select from gpo_membership x where x.facility_id = b.id and coalesce(x.valid_to, 'infinity') >= current_date)
         or exists (select from account_price x where x.facility_id = b.id and coalesce(x.valid_to, 'infinity') >= current_date)));
end $$;

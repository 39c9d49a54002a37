// The places of the measured map: real ZIPs, territories of neighboring ZIPs, and facilities all over the country.
import zipcodes from 'zipcodes';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { builtInAreas } from '#core/territories/zip-areas/area-set.server.ts';

/** Gives the company from `fill` real places: all ZIPs that have an area, and others up to `zips` in total. */
export async function useRealPlaces(
  db: Db,
  { zips, territories }: { zips: number; territories: number },
): Promise<void> {
  const { allZips } = await builtInAreas();
  const areas = new Set(allZips.split(' '));
  const known = Object.values(zipcodes.codes).filter(({ country, zip }) => country === 'US' && /^\d{5}$/.test(zip));
  const points = known.filter(({ zip, latitude }) => latitude && !areas.has(zip)).slice(0, zips - areas.size);
  const places = [...known.filter(({ zip }) => areas.has(zip)), ...points];
  const rows = JSON.stringify(
    places.map(({ zip, city, state, latitude, longitude }) => [zip, city, state, latitude || null, longitude || null]),
  );
  await db.transaction().execute(async (trx) => {
    await sql`delete from zip_assignment`.execute(trx);
    await sql`delete from zip`.execute(trx);
    await sql`insert into zip (zip5, city, state, lat, lon)
      select r->>0, r->>1, r->>2, (r->>3)::numeric, (r->>4)::numeric from jsonb_array_elements(${rows}::jsonb) r`.execute(
      trx,
    );
    // ZIPs with consecutive numbers are neighbors. One in a hundred has no territory.
    await sql`insert into zip_assignment (zip5, territory_id, valid_from)
      select zip5, territory_id, date '2020-01-01'
        from (select zip5, ntile(${territories}::int) over (order by zip5) as territory_id from zip) z where zip5 not like '%99'`.execute(
      trx,
    );
    await sql`update territory set region_id = (id - 1) / 6 + 1`.execute(trx);
    await sql`update facility f set ship_to_zip = p.zip5, ship_to_state = p.state, ship_to_city = p.city
      from (select zip5, state, city, row_number() over (order by zip5) as n from zip) p
     where p.n = f.id::bigint * 7919 % (select count(*) from zip) + 1`.execute(trx);
  });
  await sql`vacuum analyze`.execute(db);
}

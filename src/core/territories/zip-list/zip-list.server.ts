// The built-in list of the country's ZIPs: city, state, county, and place.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { builtInFile, builtInAreas, unpacked } from '#core/territories/zip-areas/area-set.server.ts';
import { topologyOf } from '#core/territories/zip-areas/state-areas.server.ts';

export type ListedZip = {
  zip: string;
  city: string;
  state: string;
  /** '' for a ZIP without an area: a PO box or a single building. */
  county: string;
  /** In degrees. Null if unknown. */
  latitude: number | null;
  longitude: number | null;
};

/** Fills an empty ZIP list in the transaction `trx`, at the first start. If several servers start at once, only one fills it. */
export async function fillZipList(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('zip list'))`.execute(trx);
  if (await trx.selectFrom('zip').select('zip5').limit(1).executeTakeFirst()) return;
  const zips = await listedZips();
  const column = (name: keyof ListedZip) => zips.map((zip) => zip[name]);
  await sql`insert into zip (zip5, city, state, county, lat, lon)
    select * from unnest(${column('zip')}::text[], ${column('city')}::text[], ${column('state')}::text[],
      ${column('county')}::text[], ${column('latitude')}::numeric[], ${column('longitude')}::numeric[])`.execute(trx);
  await sql`analyze zip`.execute(trx);
}

/** All ZIPs of the states and territories. */
export async function listedZips(): Promise<ListedZip[]> {
  const { default: zipcodes } = await import('zipcodes');
  const counties = await countyOfZips();
  return Object.values(zipcodes.codes)
    .filter(({ country, zip }) => country === 'US' && /^\d{5}$/.test(zip))
    .map(({ zip, city, state, latitude, longitude }) => ({
      zip,
      city,
      state,
      county: counties.get(zip) ?? '',
      latitude: latitude || null,
      longitude: longitude || null,
    }));
}

type Named = { objects: { counties: { geometries: { id: string | number; properties: { name: string } }[] } } };

/** The county of each ZIP that has an area. */
async function countyOfZips(): Promise<Map<string, string>> {
  const { objects } = JSON.parse(String(await unpacked(builtInFile('us.json')))) as Named;
  const names = new Map(objects.counties.geometries.map(({ id, properties }) => [String(id), properties.name]));
  const counties = new Map<string, string>();
  for (const file of (await builtInAreas()).files) {
    const { zips } = (await topologyOf(file)).objects;
    for (const { id, properties } of zips.geometries) {
      const name = properties && 'county' in properties ? names.get(properties.county) : undefined;
      if (name) counties.set(String(id), name);
    }
  }
  return counties;
}

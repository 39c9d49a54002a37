// Answers the TazApi calls: who serves a ZIP or a facility on a day, and the ZIP at a position.
import { type RawBuilder, sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { asOfDay } from '#core/territories/territories/requested-day.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { shownAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { type AsOf, servingTerritory } from '#core/territories/territories/territory-of-zip.server.ts';
import { TERRITORY_ROLES } from '#core/territories/territories/territory-roles.ts';
import { areasOf } from '#core/territories/zip-areas/state-areas.server.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { ContactPerson, NearestZip, RepsFound, TazApi } from './find-rep.contract.ts';

export const tazApiAnswers: Answers<typeof TazApi> = {
  /** Throws 404 if the facility does not exist. */
  searchRepsForWebQuote: async ({ db, services }, { zip, facilityId, date }) => {
    const asOf = await asOfDay(db, services, date);
    const place = facilityId ? await placeOfFacility(db, facilityId) : { facility: null, zip: zip ?? '' };
    const known = await db.selectFrom('zip').select(['city', 'state']).where('zip5', '=', place.zip).executeTakeFirst();
    const assigned = await assignmentOf(db, place, asOf);
    const reps = assigned ? await repsOf(db, assigned.territory.id, asOf) : [];
    const served = reps.some(({ role }) => role === 'sales');
    return {
      date: asOf.date,
      zip: place.zip,
      city: known?.city ?? '',
      state: known?.state ?? '',
      facility: place.facility,
      why: 'none',
      reason: '',
      from: null,
      to: null,
      territory: null,
      region: null,
      ...assigned,
      reps,
      mapStates: await statesOf(db, place.zip, assigned?.territory.id, asOf),
      call: served ? [] : await whomToCall(db, assigned?.region),
    };
  },

  findNearestZip: ({ db }, position) => nearestZip(db, position),
};

async function placeOfFacility(db: Db, id: number) {
  const facility = await db
    .selectFrom('facility')
    .select(['id', 'name', 'acct_no as acctNo'])
    .select(sql<string>`left(ship_to_zip, 5)`.as('zip'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!facility) throw notFound('facility');
  const { zip, ...named } = facility;
  return { zip, facility: named };
}

/** The most states that a map loads at once on a phone. */
const MAX_STATES = 6;

async function statesOf(db: Db, zip: string, territoryId: number | undefined, asOf: AsOf): Promise<string[]> {
  const { zips } = await shownAreas(db);
  const all = JSON.stringify(Object.fromEntries(zips));
  const { rows } = await sql<{ state: string }>`
    select areas.state from (
        select unnest(string_to_array(value, ' ')) as zip5, key as state from json_each_text(${all}::json)) areas
      left join (${assignedZips(asOf, undefined)}) a on a.zip5 = areas.zip5 and a.territory_id = ${territoryId ?? null}::int
     where a.zip5 is not null or areas.zip5 = ${zip}
     group by areas.state order by bool_or(areas.zip5 = ${zip}) desc, count(*) desc, areas.state limit ${MAX_STATES}`.execute(
    db,
  );
  if (rows.length > 0) return rows.map(({ state }) => state);
  const known = await db.selectFrom('zip').select('state').where('zip5', '=', zip).executeTakeFirst();
  return known && zips.has(known.state) ? [known.state] : [];
}

type Assigned = Pick<RepsFound, 'why' | 'reason' | 'from' | 'to'> & { territory: Named; region: Named };

/** The territory by the rule of `servingTerritory`, with the days and the reason of the assignment. */
async function assignmentOf(
  db: Db,
  { zip, facility }: { zip: string; facility: { id: number } | null },
  asOf: AsOf,
): Promise<Assigned | undefined> {
  const place = facility ? { facilityId: sql`${facility.id}::int` } : { zip };
  const { rows } = await sql<Assigned>`
    select a.why, a.reason, a.valid_from as "from", a.valid_to as "to",
           json_build_object('id', t.id, 'name', t.name) as territory, json_build_object('id', r.id, 'name', r.name) as region
      from (${servingTerritory(place, asOf)}) a
      join territory t on t.id = a.territory_id
      join region r on r.id = t.region_id`.execute(db);
  return rows[0];
}

type Part = RepsFound['reps'][number];

/** The user in each role. For earlier days, this includes users who have left since. */
async function repsOf(db: Db, territoryId: number, asOf: AsOf): Promise<Part[]> {
  const person = sql<Part>`json_build_object('id', u.id, 'name', u.full_name, 'phone', u.phone, 'email', u.user_name,
    'role', tr.role, 'from', tr.valid_from, 'to', tr.valid_to)`;
  const parts = await db
    .selectNoFrom(
      TERRITORY_ROLES.map((role) =>
        sql<Part | null>`(${servingRep(sql`${territoryId}::int`, role, asOf, person)})`.as(role),
      ),
    )
    .executeTakeFirstOrThrow();
  return TERRITORY_ROLES.flatMap((role) => parts[role] ?? []);
}

/** The managers of the region, or else the users who edit territories. */
async function whomToCall(db: Db, region: Named | undefined): Promise<RepsFound['call']> {
  const people = (where: RawBuilder<boolean>) =>
    db
      .selectFrom('app_user')
      .select(['id', 'full_name as name', 'phone', 'user_name as email'])
      .where('active', '=', true)
      .where(where)
      .orderBy('full_name')
      .orderBy('id')
      .limit(5)
      .execute();
  const titled = (list: ContactPerson[], as: string) => list.map((person) => ({ ...person, as }));
  const managers = region
    ? await people(sql`id in (select user_id from user_region where region_id = ${region.id})
        and id in (select user_id from user_role where role = 'salesQuoteManager')`)
    : [];
  if (region && managers.length > 0) return titled(managers, `Manager of ${region.name}`);
  const keepers = await people(sql`id in (select user_id from user_role where role = 'salesadmin')`);
  if (keepers.length > 0) return titled(keepers, 'Sales administrator');
  return titled(
    await people(sql`id in (select user_id from user_role where role = 'systemadmin')`),
    'System administrator',
  );
}

/** How many of the nearest ZIPs to check for an area that contains the position. */
const LOOKED_AT = 25;
/** A position farther than this from every ZIP is outside the country. */
const MAX_KM = 80;
const KM_PER_DEGREE = 111.2;

/**
 * Finds the ZIP at a position: the one whose area contains it, or else the one with the nearest center. Writes nothing. Throws 422 for a position
 * outside the country, and if no ZIP has coordinates.
 */
async function nearestZip(db: Db, { lat, lon }: { lat: number; lon: number }): Promise<NearestZip> {
  const wide = Math.cos((lat / 180) * Math.PI);
  const { rows } = await sql<NearestZip & { km: number }>`
    select zip5 as zip, city, state,
      sqrt(power((lon - ${lon}::float8) * ${wide}::float8, 2) + power(lat - ${lat}::float8, 2)) * ${KM_PER_DEGREE}::float8 as km
      from zip where lat is not null and lon is not null order by km, zip5 limit ${LOOKED_AT}`.execute(db);
  const [nearest] = rows;
  if (!nearest)
    throw new HttpError(
      422,
      'No ZIP code has a place on the map yet. Enter a ZIP, or ask an administrator to import ZIP codes.',
    );
  if (nearest.km > MAX_KM) throw new HttpError(422, 'Your location is outside the country. Enter a ZIP.');
  const areas = await areasOf(await shownAreas(db), new Set(rows.map(({ zip }) => zip)));
  const { zip, city, state } = rows.find((row) => holds(areas.get(row.zip)?.geometry, lon, lat)) ?? nearest;
  return { zip, city, state };
}

function holds(geometry: { type: string; coordinates: unknown[] } | undefined, x: number, y: number): boolean {
  if (!geometry) return false;
  const polygons = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as number[][][][];
  return polygons.some((rings) => {
    let inside = false;
    for (const ring of rings) {
      let [px = 0, py = 0] = ring.at(-1) ?? [];
      for (const [cx = 0, cy = 0] of ring) {
        if (cy > y !== py > y && x < ((px - cx) * (y - cy)) / (py - cy) + cx) inside = !inside;
        [px, py] = [cx, cy];
      }
    }
    return inside;
  });
}

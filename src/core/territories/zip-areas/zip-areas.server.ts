// Returns the territory of each ZIP, with links to the area files or as GeoJSON.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { asOfDay } from '#core/territories/territories/requested-day.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import type { AsOf } from '#core/territories/territories/territory-of-zip.server.ts';
import { requireMapTool, requirePlan } from '#core/territories/territories/plan-sight.server.ts';
import { geoUrl } from './geo-files.server.ts';
import { type AreaSet, builtInAreas, shownAreas } from './area-set.server.ts';
import { areasOf } from './state-areas.server.ts';
import { type TerritoryLooks, territoryLooks } from './territory-looks.server.ts';
import { MAX_AREAS, type ZipAreas, type ZipFeatures, type ZipRefs } from './zip-areas.contract.ts';

type Asked = { asOf: AsOf; planId: number | undefined; version: AreaSet };

export const zipAreasAnswers: Answers<typeof ZipAreas> = {
  /** Throws 404 for a saved map that the caller cannot see, and 422 for too many GeoJSON areas and for a state without areas. */
  getTerrZipGeoJson: async (context, { territoryIds, states, date, mapId, format, known }) => {
    requireMapTool(context);
    const { db, services } = context;
    const plan = mapId ? await requirePlan(context, mapId) : undefined;
    const asOf = await asOfDay(db, services, date);
    const whole = await shownAreas(db);
    const request = { asOf, planId: plan?.id, version: states ? ofStates(whole, states) : whole };
    const wanted = territoryIds ? new Set(territoryIds) : undefined;
    if (format === 'geojson') return featuresOf(db, request, wanted);
    return refsOf(db, request, wanted, known);
  },
};

/** Limits a version to the files of some states. */
function ofStates(version: AreaSet, states: readonly string[]): AreaSet {
  const unknown = states.filter((state) => !version.zips.has(state));
  if (unknown.length > 0) throw new HttpError(422, `There are no ZIP areas in ${unknown.join(', ')}.`);
  return {
    ...version,
    files: version.files.filter(({ state }) => states.includes(state)),
    zips: new Map([...version.zips].filter(([state]) => states.includes(state))),
  };
}

/** The number of recent answers to cache by etag. Each takes about 600 KB. */
const KEPT = 8;
const cache = new Map<string, ZipRefs>();

/**
 * Lists all ZIPs of a territory, including those in other states or without an area, because they also belong to it. The etag is a hash of all
 * inputs. Every call reads the inputs; the cache only saves building the answer.
 */
async function refsOf(
  db: Db,
  { asOf, planId, version }: Asked,
  wanted: Set<number> | undefined,
  known: string | null | undefined,
): Promise<ZipRefs | { unchanged: true }> {
  const { rows } = await sql<{ id: number | null; zips: string }>`
    select territory_id as id, string_agg(zip5, ' ' order by zip5) as zips
      from (${assignedZips(asOf, planId)}) a group by territory_id order by territory_id`.execute(db);
  const looks = await territoryLooks(db);
  const states = version.files.map(({ state }) => state);
  const hash = createHash('sha256').update(JSON.stringify([version.sha, looks.key, states, wanted && [...wanted]]));
  for (const { id, zips } of rows) hash.update(`${id} ${zips};`);
  const etag = hash
    .update(await placesNow(db))
    .digest('base64url')
    .slice(0, 22);
  if (known === etag) return { unchanged: true };
  const refs = cache.get(etag) ?? { etag, ...(await buildAreas(db, version, rows, looks, wanted)) };
  cache.delete(etag);
  cache.set(etag, refs);
  for (const old of [...cache.keys()].slice(0, -KEPT)) cache.delete(old);
  return refs;
}

async function buildAreas(
  db: Db,
  version: AreaSet,
  rows: { id: number | null; zips: string }[],
  { looks }: TerritoryLooks,
  wanted: Set<number> | undefined,
): Promise<Omit<ZipRefs, 'etag'>> {
  const assigned = rows.filter((row): row is { id: number; zips: string } => row.id !== null);
  const taken = new Set(assigned.flatMap(({ zips }) => zips.split(' ')));
  const areas = [...version.zips.values()].join(' ').split(' ');
  return {
    geoVersion: version.sha,
    files: version.files.map(({ sha, state, areas: count, packed }) => ({
      state,
      url: geoUrl(sha, state),
      areas: count,
      approximate: packed === undefined,
    })),
    background: geoUrl((await builtInAreas()).sha, 'us'),
    territories: assigned.filter(({ id }) => wanted?.has(id) ?? true),
    looks: [...looks].map(([id, look]) => `${id} ${look}`).join(' '),
    unassigned: areas.filter((zip) => !taken.has(zip)).join(' '),
    points: await pointsOf(db, version),
  };
}

/** A hash that changes when a ZIP is added, removed, or moved. */
async function placesNow(db: Db): Promise<string> {
  const { rows } = await sql<{ places: string }>`
    select count(*) || ' ' || coalesce(sum(hashtextextended(zip5 || lat || ' ' || lon, 0)), 0) as places from zip`.execute(
    db,
  );
  return rows[0]?.places ?? '';
}

/** The ZIPs without an area in any state, with four decimals (about 11 m). */
async function pointsOf(db: Db, { allZips }: AreaSet): Promise<string> {
  const { rows } = await sql<{ points: string | null }>`
    select string_agg(zip5 || ' ' || round(lat, 4) || ' ' || round(lon, 4), ' ' order by zip5) as points
      from zip where lat is not null and lon is not null and zip5 <> all(string_to_array(${allZips}, ' '))`.execute(db);
  return rows[0]?.points ?? '';
}

async function featuresOf(
  db: Db,
  { asOf, planId, version }: Asked,
  wanted: Set<number> | undefined,
): Promise<ZipFeatures> {
  const count = version.files.reduce((sum, { areas }) => sum + areas, 0);
  // Without a choice of territories, the count is known before the query.
  if (!wanted) checkCount(count);
  const { rows } = await sql<{ zip: string; city: string; territoryId: number | null }>`
    select asked.zip, coalesce(zip.city, '') as city, a.territory_id as "territoryId"
      from unnest(string_to_array(${[...version.zips.values()].join(' ')}, ' ')) asked (zip)
      left join (${assignedZips(asOf, planId)}) a on a.zip5 = asked.zip
      left join zip on zip.zip5 = asked.zip
     where ${wanted ? sql`a.territory_id = any(${[...wanted]})` : sql`true`}
     order by asked.zip`.execute(db);
  checkCount(rows.length);
  const areas = await areasOf(version, new Set(rows.map(({ zip }) => zip)));
  return {
    type: 'FeatureCollection',
    features: rows.flatMap(({ zip, city, territoryId }) => {
      const area = areas.get(zip);
      if (!area) return [];
      const { geometry, approximate } = area;
      return [{ type: 'Feature' as const, id: zip, properties: { zip, city, territoryId, approximate }, geometry }];
    }),
  };
}

function checkCount(areas: number): void {
  if (areas <= MAX_AREAS) return;
  const [count, most] = [areas.toLocaleString('en-US'), MAX_AREAS.toLocaleString('en-US')];
  throw new HttpError(422, `That is ${count} areas. Request at most ${most} at a time, by state or territory.`);
}

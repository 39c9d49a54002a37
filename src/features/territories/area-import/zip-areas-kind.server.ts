// Imports real ZIP areas: each state in the file gets a new map file, and the other states keep theirs.
import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import { HttpError } from '#api/http-error.ts';
import type { Db } from '#db/database.server.ts';
import type { KindReport } from '#features/operations/data-import/data-import.contract.ts';
import type {
  ImportKindServer,
  ImportRun,
  Undoing,
} from '#features/operations/data-import/kinds/import-kind.server.ts';
import { moveRefusals } from '#features/operations/data-import/running/merge-rows.server.ts';
import {
  currentPin,
  filesOfPin,
  lockAreas,
  shippedFile,
  shippedVersion,
  useFiles,
} from '#features/territories/zip-areas/geo-versions.server.ts';
import { ProcessPool } from '#outside/process-pool.server.ts';
import { sizeText } from '#shared/size-text.ts';
import { stateName, US_STATES } from '#shared/us-states.ts';
import { areaRows } from './area-rows.server.ts';
import type { BuildJob, BuiltState } from './build-state.server.ts';

const pool = new ProcessPool<BuildJob, BuiltState>(new URL('./build-process.server.ts', import.meta.url), {
  size: Math.min(2, availableParallelism()),
  timeout: 300_000,
  says: 'The areas of a state could not be built.',
});

type Built = BuiltState & { state: string; isNew: boolean; read: number };
type Plan = { built: Built[]; files: Map<string, string> };

/** `compare` stores its result here for `write`. Both run in one transaction. */
const plans = new WeakMap<object, Plan>();

export const zipAreasKind: ImportKindServer = {
  kind: 'zip-areas',
  label: 'ZIP areas',
  hint: 'A GeoJSON FeatureCollection with the area of each ZIP, such as the ZCTAs of the Census; also packed (.gz). It replaces the areas of whole states on the map. Line 2 is the first feature.',
  roles: ['systemadmin', 'salesadmin'],
  rows: areaRows,
  files: 'geojson',
  tracks: [],
  compare: async (trx, run) => {
    if (run.willWrite) await lockAreas(trx);
    const twice = await findStates(trx);
    const before = await filesOfPin(trx, await currentPin(trx));
    const files = new Map(before);
    const built: Built[] = [];
    for (const state of await statesToBuild(trx)) {
      const one = await buildOne(trx, state);
      if (one.packed && one.read > 0) files.set(state, one.sha);
      built.push({ ...one, isNew: one.read > 0 && before.get(state) !== one.sha });
    }
    plans.set(trx, { built, files });
    await moveRefusals(trx, run.headingOf);
    return kindReport(built, twice);
  },
  write,
  undo,
};

/** Finds the state of each ZIP, refuses ZIPs without one, and marks repeated rows. Returns the number of repeats. */
async function findStates(trx: Db): Promise<number> {
  const { zips } = await shippedVersion();
  await sql`create index on import_row (zip5)`.execute(trx);
  await sql`update import_row r set state = k.state from (
      select unnest(string_to_array(value, ' ')) as zip5, key as state
      from json_each_text(${JSON.stringify(Object.fromEntries(zips))}::json)) k
     where k.zip5 = r.zip5`.execute(trx);
  await sql`update import_row r set state = z.state from zip z
     where r.state is null and z.zip5 = r.zip5 and z.state = any(${US_STATES.map(({ abbreviation }) => abbreviation)})`.execute(
    trx,
  );
  await sql`update import_row set reason = 'is not a ZIP code that is known here. If it is a new one, import ZIP codes first',
      bad_column = 'zip5', bad_value = zip5 where state is null`.execute(trx);
  await sql`update import_row r set reason = 'is the same area as that of ZIP ' || o.zip5 || ' on line ' || o.line,
      bad_column = 'outline', bad_value = ''
     from import_row o
    where o.west = r.west and o.south = r.south and o.east = r.east and o.north = r.north and o.outline = r.outline
      and o.zip5 <> r.zip5 and o.row_no < r.row_no and r.reason is null and o.reason is null`.execute(trx);
  const { numAffectedRows } = await sql`update import_row r set outcome = 'repeat' from import_row o
     where o.zip5 = r.zip5 and o.outline = r.outline and o.row_no < r.row_no and r.reason is null`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

async function statesToBuild(trx: Db): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select distinct state from import_row where reason is null order by state`.execute(trx);
  return rows.map(({ state }) => state);
}

/** About 9 km, in millionths of a degree. Areas farther from a state share no corners with it. */
const NEAR = 80_000;

/** Builds one state, so that memory holds the outlines of only one at a time. Refuses rows without a valid outline. */
async function buildOne(trx: Db, state: string): Promise<Omit<Built, 'isNew'>> {
  const { rows: areas } = await sql<BuildJob['areas'][number]>`
    select line, zip5 as zip, outline from import_row
     where state = ${state} and reason is null and outcome is null order by row_no`.execute(trx);
  const { rows: around } = await sql<BuildJob['areas'][number]>`
    with own as (select min(west) - ${NEAR}::int as west, min(south) - ${NEAR}::int as south, max(east) + ${NEAR}::int as east,
        max(north) + ${NEAR}::int as north from import_row where state = ${state} and reason is null)
    select line, zip5 as zip, outline from import_row r, own
     where r.state <> ${state} and r.reason is null and r.outcome is null
       and r.west <= own.east and r.east >= own.west and r.south <= own.north and r.north >= own.south order by row_no`.execute(
    trx,
  );
  const { files } = await shippedVersion();
  const shipped = files.some((file) => file.state === state) ? shippedFile(`${state}.json`) : null;
  const built = await pool.run({ areas, around, shipped });
  if (built.refused.length > 0)
    await sql`update import_row r set reason = x.reason, bad_column = 'outline', bad_value = ''
       from json_to_recordset(${JSON.stringify(built.refused)}::json) as x(line int, reason text) where x.line = r.line`.execute(
      trx,
    );
  const refused = new Set(built.refused.map(({ line }) => line));
  const read = new Set(areas.filter(({ line }) => !refused.has(line)).map(({ zip }) => zip)).size;
  return { ...built, state, read };
}

function kindReport(built: readonly Built[], repeated: number): KindReport {
  const shown = built.filter(({ read }) => read > 0);
  const sum = (of: (one: Built) => number): number => shown.reduce((all, one) => all + of(one), 0);
  const changed = shown.filter(({ isNew }) => isNew);
  const [approximate, covered] = [sum((one) => one.approximate.length), sum((one) => one.covered.length)];
  const some = (zips: readonly string[]): string =>
    zips.length > 6 ? `${zips.slice(0, 6).join(', ')} and ${zips.length - 6} more` : zips.join(', ');
  return {
    writes: changed.reduce((all, { read }) => all + read, 0),
    figures: [
      { label: 'States', count: shown.length },
      { label: 'Areas', count: sum(({ read }) => read), tone: 'good' },
      ...(repeated > 0 ? [{ label: 'Repeated', count: repeated, note: 'Areas that are in the file already.' }] : []),
      {
        label: 'Stay approximate',
        count: approximate,
        note: 'ZIPs of these states that the file does not have. Their approximate areas stay, less what the imported ones cover.',
        ...(approximate > 0 ? { tone: 'change' as const } : {}),
      },
      {
        label: 'Become points',
        count: covered,
        note: 'ZIPs that the file does not have and whose approximate area lies in imported ones. They are drawn as points and count as before.',
        ...(covered > 0 ? { tone: 'change' as const } : {}),
      },
    ],
    lists: [
      {
        title: 'States',
        headings: ['State', 'Areas', 'Stay approximate', 'Become points', 'Size'],
        rows: shown.map(({ state, read, approximate: rest, covered: points, packed }) => [
          stateName(state),
          read.toLocaleString('en-US'),
          some(rest),
          some(points),
          packed ? sizeText(packed.length) : '–',
        ]),
        total: shown.length,
      },
    ],
    notes: [
      ...(shown.length > 0 && changed.length === 0 ? ['The map shows these areas already.'] : []),
      ...(changed.length > 0 ? ['Saved maps stay on the areas that they were drawn on.'] : []),
    ],
  };
}

async function write(trx: Db, { importId, author }: ImportRun): Promise<void> {
  const plan = plans.get(trx);
  if (!plan) throw new Error('compare comes before write');
  for (const { state, sha, packed, zips, approximate, isNew } of plan.built) {
    if (!packed || !isNew) continue;
    await trx
      .insertInto('geo_file')
      .values({ sha, state, packed, zips: zips.join(' '), approximate: approximate.join(' ') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await useFiles(trx, plan.files, { userId: author.id, importId });
}

/** Restores the areas that the map showed before. The imported areas stay in the database, because saved maps may use them. */
async function undo(trx: Db, importId: number, { author }: Undoing): Promise<void> {
  await lockAreas(trx);
  const [last, before] = await trx
    .selectFrom('geo_use')
    .select(['import_id', 'version_sha'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  if (last?.import_id !== importId)
    throw new HttpError(
      409,
      'The areas were changed on the page ZIP Areas since this import. Choose there what the map shows.',
    );
  const files = await filesOfPin(trx, before?.version_sha ?? '');
  await useFiles(trx, files, { userId: author.id });
}

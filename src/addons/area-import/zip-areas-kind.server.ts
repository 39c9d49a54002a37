// Imports real ZIP areas, which replace those of an earlier file. States that the file does not contain get the built-in areas.
import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { RowKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { zip } from '#platform/data-import/reading/cell-places.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import type { ImportKindServer, ImportRun } from '#platform/data-import/kinds/import-kind.server.ts';
import { moveRefusals } from '#platform/data-import/running/merge-rows.server.ts';
import { builtInAreas, builtInFile, importedFiles, lockAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import { someOf } from '#platform/shared/first-few.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { stateName, US_STATES } from '#platform/shared/us-states.ts';
import type { BuildJob, BuiltState } from './build-state.server.ts';
import { outline, unpacked } from './outline.server.ts';

const pool = new ProcessPool<BuildJob, BuiltState>(new URL('./build-process.server.ts', import.meta.url), {
  size: Math.min(2, availableParallelism()),
  timeout: 300_000,
  says: 'The areas of a state could not be built.',
});

type Built = BuiltState & { state: string };

/** `compare` stores its result here for `write`. Both run in one transaction. */
const plans = new WeakMap<object, Built[]>();

const STAGE = { only: 'stage' } as const;

/** The rows of the file: an outline, and its ZIP under the column names of the Census and others. */
const areaRows: RowKind = {
  kind: 'zip-areas',
  singular: 'area',
  fields: {
    zip5: {
      label: 'ZIP',
      names: headings(
        'zcta 5 ce20, zcta 5 ce10, zcta 5 ce00, zcta 5 ce, zcta 5, zcta, zip, zip 5, zip_code, postal code, postcode, geoid20, geoid10, geoid, name20, name10, name, id',
      ),
      parse: zip,
    },
    outline: {
      label: 'area',
      names: headings('geometry, geom, the geom, geojson, geo json, shape, outline, area'),
      parse: outline,
    },
  },
  needs: [['zip5', 'outline']],
  otherColumns: 'ignored',
  toRecords: (values) => {
    const packed = values['outline'];
    if (typeof packed !== 'string') return { field: 'outline', refusal: new Refusal('is empty') };
    let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [outer = []] of unpacked(packed)) {
      for (const [x, y] of outer) {
        [west, east] = [Math.min(west, x), Math.max(east, x)];
        [south, north] = [Math.min(south, y), Math.max(north, y)];
      }
    }
    return [{ ...values, west, south, east, north }];
  },
  columns: {
    zip5: { type: 'text' },
    outline: { type: 'text' },
    // The bounding box, in millionths of a degree.
    west: { type: 'int' },
    south: { type: 'int' },
    east: { type: 'int' },
    north: { type: 'int' },
    // Looked up from the ZIP.
    state: { type: 'text', ...STAGE },
  },
};

export const zipAreasKind: ImportKindServer = {
  kind: 'zip-areas',
  label: 'ZIP areas',
  hint: 'A GeoJSON FeatureCollection with the area of each ZIP, such as the ZCTA file from the Census Bureau. It can be compressed (.gz) and replaces the previously imported file. In reports, line 2 is the first feature.',
  roles: ['systemadmin', 'salesadmin'],
  rows: areaRows,
  files: 'geojson',
  tracks: [],
  compare: async (trx, run) => {
    if (run.willWrite) await lockAreas(trx);
    const twice = await findStates(trx);
    const before = await importedFiles(trx);
    const built: Built[] = [];
    for (const state of await statesToBuild(trx)) {
      const area = await buildOne(trx, state);
      if (area.packed) built.push(area);
    }
    plans.set(trx, built);
    await moveRefusals(trx, run.headingOf);
    const isShown = built.length === before.size && built.every(({ state, sha }) => before.get(state) === sha);
    const gone = [...before.keys()].filter((state) => !built.some((candidate) => candidate.state === state));
    return kindReport(built, { twice, isShown, gone });
  },
  write,
  undo,
};

/** Finds the state of each ZIP, refuses ZIPs without one, and marks repeated rows. Returns the number of repeats. */
async function findStates(trx: Db): Promise<number> {
  const { zips } = await builtInAreas();
  await sql`create index on import_row (zip5)`.execute(trx);
  await sql`update import_row r set state = k.state from (
      select unnest(string_to_array(value, ' ')) as zip5, key as state
      from json_each_text(${JSON.stringify(Object.fromEntries(zips))}::json)) k
     where k.zip5 = r.zip5`.execute(trx);
  await sql`update import_row r set state = z.state from zip z
     where r.state is null and z.zip5 = r.zip5 and z.state = any(${US_STATES.map(({ abbreviation }) => abbreviation)})`.execute(
    trx,
  );
  await sql`update import_row set reason = 'is not a known ZIP code. If it is new, import ZIP codes first',
      bad_column = 'zip5', bad_value = zip5 where state is null`.execute(trx);
  await sql`update import_row r set reason = 'is the same as the area of ZIP ' || o.zip5 || ' on line ' || o.line,
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

/** Builds one state, so that memory contains the outlines of only one state at a time. Refuses rows without a valid outline. */
async function buildOne(trx: Db, state: string): Promise<Built> {
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
  const { files } = await builtInAreas();
  const builtIn = files.some((file) => file.state === state) ? builtInFile(`${state}.json`) : null;
  const built = await pool.run({ areas, around, builtIn });
  if (built.refused.length > 0)
    await sql`update import_row r set reason = x.reason, bad_column = 'outline', bad_value = ''
       from json_to_recordset(${JSON.stringify(built.refused)}::json) as x(line int, reason text) where x.line = r.line`.execute(
      trx,
    );
  return { ...built, state };
}

function kindReport(
  built: readonly Built[],
  { twice, isShown, gone }: { twice: number; isShown: boolean; gone: readonly string[] },
): KindReport {
  const areas = built.reduce((all, { zips }) => all + zips.length, 0);
  const points = built.reduce((all, entry) => all + entry.points.length, 0);
  return {
    writes: isShown ? 0 : areas,
    figures: [
      { label: 'States', count: built.length },
      { label: 'Areas', count: areas, tone: 'good' },
      ...(twice > 0
        ? [{ label: 'Repeated', count: twice, note: 'Areas that appear more than once in the file.' }]
        : []),
      {
        label: 'Shown as points',
        count: points,
        note: 'ZIPs of these states that are not in the file. The map shows them as points. Their territories do not change.',
        ...(points > 0 ? { tone: 'change' as const } : {}),
      },
    ],
    lists: [
      {
        title: 'States',
        headings: ['State', 'Areas', 'Shown as points', 'Size'],
        rows: built.map((entry) => [
          stateName(entry.state),
          entry.zips.length.toLocaleString('en-US'),
          someOf(6, entry.points),
          sizeText(entry.packed?.length ?? 0),
        ]),
        total: built.length,
      },
    ],
    notes: [
      ...(isShown && built.length > 0 ? ['The map already shows these areas.'] : []),
      ...(built.length > 0 && gone.length > 0
        ? [`The file has no areas in ${gone.map(stateName).join(', ')}. The map will show the approximate areas there.`]
        : []),
    ],
  };
}

async function write(trx: Db, { importId }: ImportRun): Promise<void> {
  const built = plans.get(trx);
  if (!built) throw new Error('compare comes before write');
  await trx.deleteFrom('geo_file').where('replaced', '=', true).execute();
  await trx.updateTable('geo_file').set({ replaced: true }).execute();
  for (const { state, sha, packed, zips } of built)
    if (packed)
      await trx
        .insertInto('geo_file')
        .values({ import_id: importId, state, sha, packed, zips: zips.join(' ') })
        .execute();
}

/** Restores the areas that this import replaced. */
async function undo(trx: Db, importId: number): Promise<void> {
  await lockAreas(trx);
  const { numDeletedRows } = await trx
    .deleteFrom('geo_file')
    .where('import_id', '=', importId)
    .where('replaced', '=', false)
    .executeTakeFirst();
  if (numDeletedRows === 0n)
    throw new HttpError(
      409,
      'The map now shows the built-in areas. To show the imported areas again, import the file again.',
    );
  await trx.updateTable('geo_file').set({ replaced: false }).execute();
}

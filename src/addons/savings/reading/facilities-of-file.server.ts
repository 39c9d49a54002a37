// Finds the facilities that the rows of a usage file name, and divides the rows among their analyses.
import { sql } from 'kysely';
import { invalid } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { cleaned, cut } from '#platform/data-import/reading/cell-values.server.ts';
import { openTable } from '#platform/data-import/reading/read-table.server.ts';
import type { Row } from '#platform/data-import/reading/table-file.server.ts';
import { type FoundTable, storedTable } from '#platform/data-import/running/upload-table.server.ts';
import type { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { isServed } from '#core/quoting/quotes/facilities-in-sight.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { MAX_FACILITIES, type NamedFacility } from '../savings.contract.ts';
import { usageReader } from './usage-row.server.ts';

/** The rows of a file that an analysis reads: those with one of these keys in the facility columns. */
export type RowsOf = { columns: { number: number | null; name: number | null }; keys: string[] };

export type UsageOptions = {
  format: string;
  sheets: string[];
  samples: string[][];
  /** The rows to read. Null means all rows, by the user's decision or by the file itself. Omitted until the item column is known. */
  rowsOf?: RowsOf | null;
};

type Counted = { key: string; number: string; name: string; rows: number };
type FacilityChoice = { rowsOf: RowsOf['columns']; facilities: (NamedFacility & { key: string })[]; more: boolean };

const LONGEST = 200;

/** Whether a row belongs to an analysis. */
export function isRowOf({ columns, keys }: RowsOf): (row: Row) => boolean {
  const known = new Set(keys);
  return (row) => known.has(namedInRow(columns, row).key);
}

function namedInRow({ number, name }: RowsOf['columns'], { cells }: Row): Omit<Counted, 'rows'> {
  const cell = (at: number | null): string => (at === null ? '' : cut(cleaned(cells[at] ?? ''), LONGEST));
  const facility = { number: cell(number), name: cell(name) };
  return { ...facility, key: `${facility.number}\n${facility.name}`.toLowerCase() };
}

/** Returns null for a file without a facility column. */
export async function facilitiesIn(
  { db, user, date }: { db: Db; user: Caller; date: IsoDate },
  file: string,
  result: FoundTable,
): Promise<FacilityChoice | null> {
  const rowsOf = {
    number: result.header.columns['facilityNo'] ?? null,
    name: result.header.columns['facility'] ?? null,
  };
  if (rowsOf.number === null && rowsOf.name === null) return null;
  const counted = new Map<string, Counted>();
  let more = false;
  const table = await openTable(file);
  try {
    const { sheet, header } = storedTable(table, result.header);
    const isRow = usageReader({ header, months: 12, isBook: !table.separated, currnIdx: 0 });
    for await (const row of sheet.rows()) {
      if (row.line <= header.line || !isRow(row)) continue;
      const named = namedInRow(rowsOf, row);
      const known = counted.get(named.key);
      if (known) known.rows++;
      else if (counted.size < MAX_FACILITIES) counted.set(named.key, { ...named, rows: 1 });
      else more = true;
      if (more) break;
    }
  } finally {
    await table.close();
  }
  const all = [...counted.values()];
  const known = await inSight(db, user, date, all);
  return { rowsOf, more, facilities: all.map((entry, at) => ({ ...entry, facility: known.get(at) ?? null })) };
}

/** The active, visible facility with the account number, or else with the name. */
async function inSight(
  db: Db,
  user: Caller,
  date: IsoDate,
  named: readonly Counted[],
): Promise<Map<number, FacilityHit>> {
  const wanted = JSON.stringify(named.map(({ number, name }, place) => ({ place, number, name })));
  const { rows } = await sql<FacilityHit & { place: number; byNumber: boolean }>`
    select k.place, f.id, f.acct_no as "acctNo", f.name, f.ship_to_city as city, f.ship_to_state as state, f.ship_to_zip as zip,
      lower(f.acct_no) in (lower(k.number), lower(k.name)) as "byNumber"
      from jsonb_to_recordset(${wanted}::jsonb) as k(place int, number text, name text)
      join facility f on f.active and (lower(f.acct_no) in (nullif(lower(k.number), ''), nullif(lower(k.name), ''))
        or lower(f.name) in (nullif(lower(k.name), ''), nullif(lower(k.number), '')))
     where ${isServed(user, date, sql`f.id`)}`.execute(db);
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return new Map(
    [...byPlace].flatMap(([place, hits]) => {
      const numbers = hits.filter(({ byNumber }) => byNumber);
      const [only, ...others] = numbers.length > 0 ? numbers : hits;
      // If the number belongs to one facility and the name to another, the number does not decide.
      const isClear = only && others.length === 0 && (numbers.length === 0 || hits.length === 1);
      if (!isClear) return [];
      const { place: _place, byNumber: _byNumber, ...facility } = only;
      return [[place, facility] as const];
    }),
  );
}

/** The rows for the analysis of a facility. `keys` null means all rows. */
export type Part = { facilityId: number; rows: RowsOf | null; notes: string[] };

/**
 * Divides a file among facilities, either as the user decided or by what is known. Throws 422 at `facilities` if the user must decide first. If a
 * file names only one facility and it is unknown, its rows belong to the chosen facility.
 */
export function facilityParts(
  result: FacilityChoice | null,
  chosen: number,
  decided: readonly (number | null)[],
): Part[] {
  if (result?.more)
    throw whichFacilities(
      `The file names more than ${MAX_FACILITIES} facilities. Split it, or assign all rows to one facility.`,
    );
  if (!result || result.facilities.length === 0) return [{ facilityId: chosen, rows: null, notes: [] }];
  const { facilities, rowsOf } = result;
  if (decided.length > 0 && decided.length !== facilities.length)
    throw whichFacilities(
      `The file names ${countOf(facilities.length, 'facility', 'facilities')}, but ${decided.length} are assigned.`,
    );
  const [only] = facilities;
  if (decided.length === 0 && facilities.length === 1 && only && only.facility === null)
    return [
      {
        facilityId: chosen,
        rows: null,
        notes: [`The file names '${facilityText(only)}'. Its rows are assigned to the facility you chose.`],
      },
    ];
  const theirs = decided.length > 0 ? decided : facilities.map(({ facility }) => facility?.id);
  const unknown = facilities.filter((_, at) => theirs[at] === undefined);
  if (unknown.length > 0)
    throw whichFacilities(`Choose a facility for these rows: ${unknown.map(facilityText).join('; ')}.`);
  if (decided.length === 0 && !theirs.includes(chosen))
    throw whichFacilities('The file does not name the facility you chose.');
  const left = facilities.filter((_, at) => theirs[at] === null);
  const ids = [...new Set(theirs.filter((id) => typeof id === 'number'))].toSorted(
    (a, b) => Number(b === chosen) - Number(a === chosen),
  );
  if (ids.length === 0) throw whichFacilities('All rows are left out. Choose a facility for some of them.');
  const notes = left.length > 0 ? [`Left out: ${left.map(facilityText).join('; ')}.`] : [];
  if (ids.length === 1 && left.length === 0) return ids.map((facilityId) => ({ facilityId, rows: null, notes }));
  return ids.map((facilityId) => {
    const own = facilities.filter((_, at) => theirs[at] === facilityId);
    return {
      facilityId,
      rows: { columns: rowsOf, keys: own.map(({ key }) => key) },
      notes: [`This analysis has only these rows of the file: ${own.map(facilityText).join('; ')}.`, ...notes],
    };
  });
}

const whichFacilities = (message: string) => invalid([{ path: 'facilities', message }]);

function facilityText({ number, name, rows }: NamedFacility): string {
  const label = [number, name].filter((text) => text !== '').join(' ');
  return `${label || 'no facility'} (${countOf(rows, 'row')})`;
}

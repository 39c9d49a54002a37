// Lists rows that are left out until a user accepts them, and stores whether a user accepts or rejects them.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { DataImport, HeldImportRow, HeldWay } from '../data-import.contract.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';

type Decided = Omit<ParsedInputOf<typeof DataImport.DecideHeldRows>, 'id'>;
type Page = Omit<ParsedInputOf<typeof DataImport.GetHeldRows>, 'id'>;

const ORDER = {
  sorts: { line: sql`data_import_held.line` },
  key: sql`data_import_held.line`,
  first: { field: 'line', dir: 'asc' as const },
};

export function heldPage(db: Db, id: number, page: Page) {
  const held = db
    .selectFrom('data_import_held')
    .select(['line', 'key', 'was', 'now', 'hint', 'way', 'way_label as wayLabel'])
    .select((eb) => [
      eb.ref('ways').$castTo<HeldWay[]>().as('ways'),
      sql<HeldImportRow['decision']>`case when applied then 'applied' when confirmed then 'accepted'
        when rejected then 'rejected' else 'open' end`.as('decision'),
    ])
    .where('import_id', '=', id);
  return pageFrom(held, page, ORDER);
}

/** Returns the number of held rows that are accepted but not applied yet, and the number of rejected ones. */
export function decidedOf(db: Db, id: number): Promise<{ accepted: number; rejected: number }> {
  return db
    .selectFrom('data_import_held')
    .select(sql<number>`(count(*) filter (where confirmed and not applied))::int`.as('accepted'))
    .select(sql<number>`(count(*) filter (where rejected))::int`.as('rejected'))
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow();
}

/** Throws 422 for a row that is accepted without one of its ways, and for an unknown way. */
export async function decideHeld(
  db: Db,
  kind: ImportKindServer,
  id: number,
  { lines, decision, way = '' }: Decided,
): Promise<void> {
  const wayLabel = await labelOf(db, kind, id, { lines, decision, way });
  await db
    .updateTable('data_import_held')
    .set({ confirmed: decision === 'accepted', rejected: decision === 'rejected', way, way_label: wayLabel })
    .where('import_id', '=', id)
    .where('applied', '=', false)
    .$if(lines !== undefined, (query) => query.where('line', '=', (eb) => eb.fn.any(eb.val(lines ?? []))))
    .$if(lines === undefined && decision !== 'open', (query) =>
      query.where('confirmed', '=', false).where('rejected', '=', false),
    )
    // Rows with ways need a separate decision each, so accepting all rows leaves them out.
    .$if(lines === undefined && decision === 'accepted', (query) => query.where(sql<boolean>`ways = '[]'`))
    .execute();
}

/** Returns the label of the chosen way or record; '' if none is chosen. */
async function labelOf(
  db: Db,
  { held }: ImportKindServer,
  id: number,
  { lines = [], decision, way = '' }: Decided,
): Promise<string> {
  const refused = (message: string) => invalid([{ path: 'way', message }]);
  if (decision !== 'accepted') {
    if (way !== '') throw refused('Only accepted rows have a choice.');
    return '';
  }
  const rows = await db
    .selectFrom('data_import_held')
    .select(['line', 'ways'])
    .where('import_id', '=', id)
    .where('line', '=', (eb) => eb.fn.any(eb.val(lines)))
    .execute();
  const picked =
    held?.pick && way !== '' && /^[1-9]\d{0,8}$/.test(way) ? await held.pick.nameOf(db, Number(way)) : null;
  const labels = rows.flatMap(({ line, ways }) => {
    const known = ways as HeldWay[];
    if (known.length === 0) return [];
    const chosen = known.find(({ value }) => value === way) ?? (picked === null ? undefined : { label: picked });
    if (!chosen) throw refused(`Decide line ${line}: ${known.map(({ label }) => label).join(' or ')}, or reject it.`);
    return [chosen.label];
  });
  if (way === '') return '';
  if (rows.length === 0) throw refused('Choose the rows it is for.');
  if (labels.length === rows.length) return labels[0] ?? '';
  if (labels.length > 0 || !held?.pick) throw refused('These rows do not offer this choice.');
  if (picked === null) throw refused('It no longer exists. Choose another one.');
  return picked;
}

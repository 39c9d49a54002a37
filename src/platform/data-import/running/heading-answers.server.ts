// Stores the users' answers about the headings of a kind of file: the field of a column, or that it is not used.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { matchHeadings, normalHeading, type Wanted } from '../reading/header-match.server.ts';
import type { StoredHeader } from './upload-table.server.ts';

/** Returns the last answer for each heading of the kind, in the form of `normalHeading`: its field, or '' for not used. */
export async function headingAnswers(db: Db, kind: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('data_import_heading')
    .select(['heading', 'field'])
    .where('kind', '=', kind)
    .execute();
  return new Map(rows.map(({ heading, field }) => [heading, field]));
}

/**
 * Stores the answers with which a file is checked. A heading that matches its field by name needs no answer and deletes an earlier one. Columns that
 * share a heading are left out, because it would be unclear which one is meant.
 */
export async function keepHeadingAnswers(
  db: Db,
  { kind, rows }: { kind: string; rows: Wanted },
  { headings, columns, unused = [] }: StoredHeader,
): Promise<void> {
  const known = new Map([...matchHeadings(headings, rows, [])].map(([field, at]) => [at, field]));
  const fields = new Map(Object.entries(columns).map(([field, at]) => [at, field]));
  const normal = headings.map(normalHeading);
  const answers: { kind: string; heading: string; field: string }[] = [];
  const plain: string[] = [];
  for (const [at, heading] of normal.entries()) {
    if (heading === '' || heading.length > 200 || normal.indexOf(heading) !== normal.lastIndexOf(heading)) continue;
    const field = fields.get(at) ?? (unused.includes(at) ? '' : undefined);
    if (field === undefined) continue;
    if (known.get(at) === field) plain.push(heading);
    else answers.push({ kind, heading, field });
  }
  if (plain.length > 0)
    await db.deleteFrom('data_import_heading').where('kind', '=', kind).where('heading', 'in', plain).execute();
  if (answers.length > 0)
    await db
      .insertInto('data_import_heading')
      // Sorted, so that two simultaneous checks do not block each other.
      .values(answers.toSorted((a, b) => (a.heading < b.heading ? -1 : 1)))
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'heading'])
          .doUpdateSet({ field: sql<string>`excluded.field`, answered_at: sql<string>`now()` }),
      )
      .execute();
}

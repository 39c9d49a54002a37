// Backs up the rows of a sent revision when the next one opens, so that discarding the new one restores them exactly (design 2).
import { sql, type Updateable } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Quote } from '#platform/db/tables.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';

/** The fields that discarding a revision leaves unchanged. All other fields are restored. */
const KEPT = new Set(['id', 'num', 'version', 'created_at', 'updated_at', 'name_id']);

export async function backUp(db: Db, quote: QuoteRecord): Promise<void> {
  await sql`
    insert into quote_revision_backup (quote_id, revision, quote, items)
    select quote.id, quote.revision, to_jsonb(quote),
           coalesce((select jsonb_agg(to_jsonb(quote_item) order by line_no, id) from quote_item where quote_id = quote.id), '[]')
    from quote where id = ${quote.id}
    on conflict (quote_id, revision) do update set quote = excluded.quote, items = excluded.items, saved_at = now()`.execute(
    db,
  );
}

/** The state of a revision when the next one opened. Undefined for the current revision. */
export async function backupOf(
  db: Db,
  quoteId: number,
  revision: number,
): Promise<{ quote: QuoteRecord; items: Line[] } | undefined> {
  const row = await db
    .selectFrom('quote_revision_backup')
    .select(['quote', 'items'])
    .where('quote_id', '=', quoteId)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return row && { quote: row.quote as QuoteRecord, items: row.items as Line[] };
}

/** Restores the lines of `revision` with their ids. Only their versions keep increasing. Returns the former quote and the fields to set. */
export async function restoreLines(
  db: Db,
  quoteId: number,
  revision: number,
): Promise<{ quote: QuoteRecord; patch: Updateable<Quote> }> {
  const backup = await backupOf(db, quoteId, revision);
  if (!backup) throw new Error(`quote ${quoteId} has no backup of revision ${revision}`);
  const { highest } = await db
    .selectFrom('quote_item')
    .select((eb) => eb.fn.coalesce(eb.fn.max('version'), eb.lit(0)).as('highest'))
    .where('quote_id', '=', quoteId)
    .executeTakeFirstOrThrow();
  await db.deleteFrom('quote_item').where('quote_id', '=', quoteId).execute();
  // Inserts a free line after its parent, which must exist first.
  await sql`
    insert into quote_item
    select line.* from quote_revision_backup as backup, jsonb_populate_recordset(null::quote_item, backup.items) as line
    where backup.quote_id = ${quoteId} and backup.revision = ${revision}
    order by line.parent_id nulls first`.execute(db);
  // A user who still has the discarded revision open must not save over these lines.
  await db
    .updateTable('quote_item')
    .set((eb) => ({ version: eb('version', '+', highest) }))
    .where('quote_id', '=', quoteId)
    .execute();
  const patch = Object.fromEntries(
    Object.entries(backup.quote)
      .filter(([field]) => !KEPT.has(field))
      .map(([field, value]) => [field, typeof value === 'object' && value !== null ? JSON.stringify(value) : value]),
  );
  return { quote: backup.quote, patch };
}

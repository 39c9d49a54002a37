// Records and reads the history of an analysis: adding, decisions, reading and pricing again, typed prices, split rows, and quotes.
import { type Selectable, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { SavingsRow as RowRecord } from '#platform/db/tables.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { type AnalysisRecord, requireAnalysis } from './analysis-sight.server.ts';
import type { Savings } from './savings.contract.ts';

/** An event lists at most this many rows, and counts the rest. */
const MAX_NAMED = 20;

type LoggedRow = Pick<
  Selectable<RowRecord>,
  'id' | 'row_no' | 'decision' | 'no_bid_reason' | 'item_id' | 'our_unit' | 'included' | 'typed_price' | 'price_reason'
>;

/** Records an event in the transaction of the change. */
export async function recordEvent(
  db: Db,
  user: Caller,
  { id, name }: Pick<AnalysisRecord, 'id' | 'name'>,
  action: RecordAction,
  changes: readonly FieldChange[],
  comment = '',
): Promise<void> {
  const named = changes.slice(0, MAX_NAMED);
  const more = changes.length - named.length;
  const also = more > 0 ? `${countOf(more, 'more row', 'more rows')} changed the same way.` : '';
  const fullComment = [comment, also].filter(Boolean).join(' ');
  await recordChange(db, user, { type: 'savingsAnalysis', id, name, action, comment: fullComment, changes: named });
}

/** The changes to these rows, in words. `before` contains the rows as they were read before the change. */
export async function rowChanges(db: Db, before: readonly LoggedRow[], currnIdx: number): Promise<FieldChange[]> {
  const ids = before.map(({ id }) => id);
  const after = await db
    .selectFrom('savings_row')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('row_no')
    .orderBy('part')
    .execute();
  const was = new Map(before.map((row) => [row.id, row]));
  const itemIds = [...before, ...after].flatMap(({ item_id: id }) => (id === null ? [] : [id]));
  const items =
    itemIds.length === 0
      ? []
      : await db
          .selectFrom('item')
          .select(['id', 'item_number'])
          .where('id', 'in', [...new Set(itemIds)])
          .execute();
  const numbers = new Map(items.map(({ id, item_number: number }) => [id, number]));
  const parts: [what: string, words: (row: LoggedRow) => string][] = [
    ['', (row) => decided(row, numbers)],
    [', included', ({ included }) => (included ? 'yes' : 'no')],
    [', price to match', (row) => priced(row, currnIdx)],
  ];
  return after.flatMap((row) => {
    const old = was.get(row.id);
    if (!old) return [];
    return parts.flatMap(([what, words]) => {
      const [then, now] = [words(old), words(row)];
      return then === now ? [] : [{ field: `Row ${row.row_no}${what}`, before: then, after: now }];
    });
  });
}

function decided(
  { decision, no_bid_reason: reason, item_id: id, our_unit: unit }: LoggedRow,
  numbers: ReadonlyMap<number, string>,
) {
  if (decision === 'no-bid') return `no bid: ${reason}`;
  if (decision === 'open') return 'open';
  return `accepted as ${id === null ? 'an item' : (numbers.get(id) ?? 'an item')} ${unit}`.trim();
}

const priced = ({ typed_price: price, price_reason: reason }: LoggedRow, currnIdx: number): string =>
  price === null ? '' : `${formatPrice(price, currnIdx)} (${reason})`;

/** Newest first. Throws 404 if the user does not see the analysis. */
export async function getAnalysisHistory(
  { db, user }: { db: Db; user: Caller },
  { id, page, pageSize }: ParsedInputOf<typeof Savings.GetAnalysisHistory>,
): Promise<OutputOf<typeof Savings.GetAnalysisHistory>> {
  await requireAnalysis(db, user, id);
  const query = db
    .selectFrom('record_event')
    .select(['id', 'at', 'actor', 'action', 'comment', 'changes'])
    .where('record_type', '=', 'savingsAnalysis')
    .where('record_id', '=', id);
  const order = { sorts: {}, key: sql`id`, first: { field: 'id', dir: 'desc' as const }, stopsCounting: true };
  const { records, ...counts } = await pageFrom(query, { page, pageSize }, order);
  return { records: records.map((event) => ({ ...event, changes: event.changes as FieldChange[] })), ...counts };
}

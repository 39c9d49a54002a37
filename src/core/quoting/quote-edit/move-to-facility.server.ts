// Moves quotes to another facility when two records of one customer are merged. Prices and texts of the quotes stay unchanged.
import type { Db } from '#platform/db/database.server.ts';
import { contentHash, latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import { recordEvents } from '#core/quoting/quotes/events/events.server.ts';
import { loadLines } from './lines/quote-lines.server.ts';

type Place = { id: number; acctNo: string; name: string };

/**
 * Moves the quotes of `from`, or only those of `ids` that are still there, and adds an event to each. Approvals remain valid, because the customer
 * and the deal are the same. Returns the ids of the moved quotes.
 */
export async function moveToFacility(
  db: Db,
  actor: { id: number; fullName: string },
  { from, to, ids, why, at }: { from: Place; to: Place; ids?: readonly number[]; why: string; at: Date },
): Promise<number[]> {
  const quotes = await db
    .selectFrom('quote')
    .selectAll()
    .where('facility_id', '=', from.id)
    .$if(ids !== undefined, (query) => query.where('id', '=', (eb) => eb.fn.any(eb.val([...(ids ?? [])]))))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (quotes.length === 0) return [];
  const approvals: { id: number; content_hash: string }[] = [];
  for (const quote of quotes) {
    if (quote.status_id !== 'Processing' && quote.status_id !== 'DiscountApproved') continue;
    const request = await latestRequest(db, quote.id, quote.revision);
    if (!request) continue;
    const lines = await loadLines(db, quote.id);
    if (request.content_hash !== contentHash(quote, lines)) continue;
    approvals.push({ id: request.id, content_hash: contentHash({ ...quote, facility_id: to.id }, lines) });
  }
  const moved = quotes.map(({ id }) => id);
  await db
    .updateTable('quote')
    .set((eb) => ({ facility_id: to.id, version: eb('version', '+', 1), updated_at: at }))
    .where('id', '=', (eb) => eb.fn.any(eb.val(moved)))
    .execute();
  for (const { id, content_hash } of approvals)
    await db.updateTable('approval_request').set({ content_hash }).where('id', '=', id).execute();
  await recordEvents(
    db,
    quotes.map(({ id, status_id, revision }) => ({
      quoteId: id,
      userId: actor.id,
      actor: actor.fullName,
      action: 'MoveFacility',
      from: status_id,
      to: status_id,
      revision,
      comment: why,
      changes: [{ field: 'Account', before: `${from.acctNo} ${from.name}`, after: `${to.acctNo} ${to.name}` }],
    })),
  );
  return moved;
}

// Makes prices firm when a request is approved, or on the first day of the approval (docs/decisions/0017).
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { recordEvents } from '#core/quoting/quotes/events/events.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { totalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { becameFirm } from './pending-requests.server.ts';

/**
 * Removes the provisional mark from every line whose request was approved for the same tier and price and is in effect today. Nothing else
 * in the quote changes, and sent documents stay unchanged. Returns the quotes. Call it in the transaction of the decision.
 */
export async function makeFirm(
  db: Db,
  services: Pick<Services, 'clock' | 'config'>,
  only: { requestId?: number; quoteId?: number } = {},
): Promise<number[]> {
  const day = today(services, await loadCompany(db));
  const { requestId = null, quoteId = null } = only;
  const { rows: results } = await sql<{ id: number }>`
    select distinct q.quote_id as id from quote_item q join eligibility_request r on r.id = q.eligibility_request_id
     where ${becameFirm(day)} and (${requestId}::int is null or r.id = ${requestId}::int)
       and (${quoteId}::int is null or q.quote_id = ${quoteId}::int)
     order by 1`.execute(db);
  const firm: number[] = [];
  for (const { id } of results) {
    const quote = await db.selectFrom('quote').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!quote) continue;
    const patch = await firmLines(db, quote, day);
    if (!patch) continue;
    await db
      .updateTable('quote')
      .set({ fallback_total: patch.fallback_total, version: quote.version + 1, updated_at: services.clock.now() })
      .where('id', '=', id)
      .execute();
    await recordEvents(db, [
      {
        quoteId: id,
        userId: null,
        actor: services.config.appTitle,
        action: 'PriceFirm',
        revision: quote.revision,
        changes: patch.changes,
      },
    ]);
    firm.push(id);
  }
  return firm;
}

/** The same for one locked quote, without an event. Returns what to write to the quote, or null when no line became firm. */
export async function firmLines(db: Db, quote: QuoteRecord, day: IsoDate) {
  const { rows: firm } = await sql<{ id: number; line_no: number; request: number }>`
    update quote_item l set eligibility_request_id = null, fallback = null, version = l.version + 1,
           price_proof = l.price_proof || jsonb_build_array(jsonb_build_object('step', 'Firm', 'source', 'Eligibility request ' || r.id,
             'ref', 'eligibility_request ' || r.id, 'amount', null, 'note', 'Approved from ' || to_char(r.firm_from, 'MM/DD/YYYY')))
      from quote_item q join eligibility_request r on r.id = q.eligibility_request_id
     where l.id = q.id and q.quote_id = ${quote.id} and ${becameFirm(day)}
     returning l.id, l.line_no, r.id as request`.execute(db);
  if (firm.length === 0) return null;
  const lines = await quoteLines(db, quote.id);
  const { fallback_total } = totalled(quote, lines).quote;
  const numbers = firm.map(({ line_no: no }) => no).toSorted((a, b) => a - b);
  const field = numbers.length === 1 ? `Price of line ${numbers[0]}` : `Prices of lines ${numbers.join(', ')}`;
  return { fallback_total, changes: [{ field, before: 'provisional', after: 'firm' }] };
}

/** Runs daily, because the first day of an approval may come after the approval itself. */
export const firmPricesJob = {
  name: 'firm-prices',
  daily: true,
  run: (services: Services) =>
    inTransaction(services.database.db, async (db) => {
      await makeFirm(db, services);
    }),
} satisfies PlainJob<Services>;

// Decides how sending and winning treat prices that depend on eligibility requests (docs/decisions/0017).
import { sql, type Updateable } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Quote } from '#platform/db/tables.ts';
import { loadProvisional } from '#core/quoting/provisional/pending-requests.server.ts';
import { acceptableTotal, notFirm } from '#core/quoting/provisional/provisional.ts';
import { firmLines } from '#core/quoting/provisional/make-firm.server.ts';
import type { FieldChange } from '#core/quoting/quotes/events/events.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { totalled, withoutRequests } from '#core/quoting/quotes/totals/total-quote.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { Work } from './action-in-progress.server.ts';
import type { QuoteState } from './workflow-facts.server.ts';

type Firmed = { patch: Updateable<Quote>; changes: FieldChange[] };

const hangs = ({ items }: Pick<QuoteState, 'items'>) => items.some(({ fallback }) => fallback !== null);

/**
 * Runs before a quote is sent, and unmarks prices that have become firm. Throws 409 when a price depends on a request that cannot be approved
 * anymore, or that was approved on other terms. The document would promise a price that the customer will not get.
 */
export async function requireOpenRequests(
  { db, state }: Pick<Work, 'db' | 'state'>,
  day: IsoDate,
): Promise<Firmed & { state: QuoteState }> {
  if (!hangs(state)) return { state, patch: {}, changes: [] };
  const provisional = await loadProvisional(db, state.quote, day);
  if (provisional?.standing === 'Refused' || provisional?.standing === 'Changed')
    throw new HttpError(409, `${provisional.text} Reprice the quote before you send it.`);
  const firmed = await firm(db, state.quote, day);
  const quote = { ...state.quote, fallback_total: firmed.fallbackTotal };
  return { ...firmed, state: { ...state, quote, items: await quoteLines(db, quote.id) } };
}

/**
 * Runs before a quote is won. Its prices must be firm, or the user must accept the prices without the requests. Otherwise throws 409 with both
 * totals.
 */
export async function firmOrFallback(
  { db, state, atFallbackPrice }: Work,
  day: IsoDate,
): Promise<Firmed & { accepted: 'shown' | 'fallback' }> {
  const { quote } = state;
  if (!hangs(state)) {
    if (atFallbackPrice) throw new HttpError(409, 'The prices of this quote are now firm. Check the totals again.');
    return { accepted: 'shown', patch: {}, changes: [] };
  }
  const provisional = await loadProvisional(db, quote, day);
  const firmed = await firm(db, quote, day);
  if (!provisional) {
    if (atFallbackPrice) throw new HttpError(409, 'The prices of this quote are now firm. Check the totals again.');
    return { accepted: 'shown', ...firmed };
  }
  if (!atFallbackPrice || acceptableTotal(provisional) === null)
    throw new HttpError(409, notFirm(provisional, quote.currn_idx));
  const settled = totalled({ ...quote, fallback_total: null }, withoutRequests(await quoteLines(db, quote.id)));
  await writeAgreedPrices(db, settled.lines);
  const { list_total, discount_total, subtotal, tax_amount, total_amount, savings, fallback_total } = settled.quote;
  return {
    accepted: 'fallback',
    patch: { list_total, discount_total, subtotal, tax_amount, total_amount, savings, fallback_total },
    changes: [
      ...firmed.changes,
      {
        field: 'Total without the eligibility request',
        before: formatAmount(quote.total_amount, quote.currn_idx),
        after: formatAmount(total_amount, quote.currn_idx),
      },
    ],
  };
}

async function firm(db: Db, quote: QuoteRecord, day: IsoDate): Promise<Firmed & { fallbackTotal: number | null }> {
  const firmed = await firmLines(db, quote, day);
  const fallbackTotal = firmed ? firmed.fallback_total : quote.fallback_total;
  return { fallbackTotal, patch: { fallback_total: fallbackTotal }, changes: firmed?.changes ?? [] };
}

/** Writes the agreed prices to the lines. */
async function writeAgreedPrices(db: Db, lines: readonly Line[]): Promise<void> {
  await sql`
    update quote_item q set system_price = r.system_price, unit_price = r.unit_price,
           discount_pct = r.discount_pct, price_source = r.price_source, price_problem = r.price_problem,
           contract_price = r.contract_price, contract_line_id = r.contract_line_id, price_ends = r.price_ends,
           quote_discount = r.quote_discount, line_total = r.line_total, version = q.version + 1,
           price_proof = case when q.fallback is null then q.price_proof else q.price_proof || jsonb_build_array(jsonb_build_object(
             'step', 'Accepted', 'source', 'Without the eligibility request', 'ref', 'eligibility_request ' || q.eligibility_request_id,
             'amount', r.unit_price, 'note', '')) end,
           eligibility_request_id = null, fallback = null
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r(id int, system_price numeric, unit_price numeric, discount_pct numeric,
        price_source text, price_problem text, contract_price numeric, contract_line_id int, price_ends date,
        quote_discount numeric, line_total numeric)
     where q.id = r.id and (q.fallback is not null or q.quote_discount <> r.quote_discount or q.line_total <> r.line_total)`.execute(
    db,
  );
}

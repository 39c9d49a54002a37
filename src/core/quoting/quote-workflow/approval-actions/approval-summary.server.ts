// Computes the effect of an approval request on the whole quote.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { isUnderFloor, quoteMargin } from '#core/quoting/quotes/totals/line-figures.server.ts';
import { counts } from '#core/quoting/quotes/totals/quote-totals.ts';
import { add, type Decimal, extend, percentBelow, subtract } from '#platform/shared/money.ts';
import type { Asked } from '#core/quoting/approvals/approval-shapes.ts';

/** The quotes `q` whose prices have been agreed: won, or approved in their current revision. */
export const AGREED = sql`(q.status_id = 'Won' or exists (select from approval_request a
  where a.quote_id = q.id and a.revision = q.revision and a.state = 'Approved'))`;

/** The effect of the request on the whole quote. `request` is the pending one, if any. */
export async function askedOf(
  db: Db,
  quote: QuoteRecord,
  lines: readonly Line[],
  request: { requestedBy: string; comment: string } | undefined,
): Promise<Asked> {
  const isPriced = (line: Line) => counts(line) && line.type !== 'free' && line.unit_price !== null;
  const isCompared = (line: Line) => isPriced(line) && line.system_price !== null;
  const atSystem = (line: Line) => extend(line.system_price ?? 0, line.qty);
  const compared = lines.filter(isCompared);
  const systemTotal = add(...compared.map(atSystem));
  const discount = subtract(systemTotal, add(...compared.map((line) => line.line_total)));
  return {
    requestedBy: request?.requestedBy ?? '',
    comment: [...new Set([request?.comment.trim(), quote.discount_pct > 0 ? quote.discount_reason : ''])]
      .filter(Boolean)
      .join('; '),
    systemTotal,
    discount,
    discountPct: percentBelow(subtract(systemTotal, discount), systemTotal),
    marginBefore: quoteMargin(lines.map((line) => (isCompared(line) ? { ...line, line_total: atSystem(line) } : line))),
    marginAfter: quoteMargin(lines),
    underFloor: lines.filter((line) => isPriced(line) && isUnderFloor(line, quote.discount_pct)).length,
    lastDiscountPct: await lastDiscount(db, quote),
  };
}

/** The discount of the facility's newest other quote that was won or approved. */
async function lastDiscount(db: Db, { id, facility_id: facilityId }: QuoteRecord): Promise<Decimal | null> {
  if (facilityId === null) return null;
  const { rows } = await sql<{ system: Decimal; net: Decimal }>`
    select sum(round(i.system_price * i.qty, 2)) as system, sum(i.line_total) as net
      from (select q.id from quote q where q.facility_id = ${facilityId} and q.id <> ${id} and ${AGREED}
             order by q.quote_date desc, q.id desc limit 1) q
      join quote_item i on i.quote_id = q.id
     where i.type in ('item', 'custom') and i.active and not i.optional and i.system_price is not null
       and i.unit_price is not null`.execute(db);
  const [result] = rows;
  return result?.system ? percentBelow(result.net, result.system) : null;
}

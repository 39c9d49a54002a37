// Creates the order request of a quote in the transaction that wins it, and withdraws it in the one that reopens it.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { announce } from '#addons/webhooks/announce.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { Won } from '#core/quoting/quote-workflow/doors.server.ts';
import { netPriceOf } from '#core/quoting/quotes/totals/net-price.ts';
import { asTotalled } from '#core/quoting/quotes/totals/total-quote.server.ts';
import { currencyOf, type Decimal } from '#platform/shared/money.ts';
import { Address } from '#platform/shared/wire.ts';
import { type Order, type OrderLine, orderKey } from './order.ts';

/**
 * Creates one request per revision. Winning it again finds the existing one. Because every won quote runs this, it does not reload what the caller
 * has read. SQL adds the other values while storing the request.
 */
export async function requestOrder(db: Db, services: Pick<Services, 'clock'>, { quote, lines }: Won): Promise<void> {
  const now = services.clock.now();
  const order = comparedOrder(quote, lines, now);
  const { rows } = await sql<{ id: number }>`
    insert into order_request (quote_id, revision, key, content, requested_at, changed_at)
    select ${quote.id}::int, ${quote.revision}::int, ${order.key}::text,
           jsonb_set(${JSON.stringify(order)}::jsonb, '{account,parentAcctNo}', to_jsonb(coalesce((
             select p.acct_no from facility p
             where p.id = (select f.parent_id from facility f where f.id = ${quote.facility_id}::int)), '')))
             || coalesce((select jsonb_build_object('salesRep', jsonb_build_object('name', full_name, 'email', user_name))
                            from app_user where id = ${quote.sales_rep_id}::int), '{}')
             || coalesce((select jsonb_build_object('replaces', o.key) from order_request o
                           where o.quote_id = ${quote.id}::int and o.revision < ${quote.revision}::int
                             and o.state in ('Sent', 'Acknowledged')
                           order by o.revision desc limit 1), '{}'),
           ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz
    on conflict (quote_id, revision) do nothing returning id`.execute(db);
  const [created] = rows;
  if (!created) return;
  const about = { id: created.id, number: order.key, revision: quote.revision, status: 'Waiting' };
  await announce(db, 'order_request.created', about);
}

/**
 * Withdraws the order of a quote that is no longer won, if it has not been fetched. An order that the ERP may have stays; the next order refers to
 * it.
 */
export async function withdrawOrder(db: Db, services: Pick<Services, 'clock'>, quoteId: number): Promise<void> {
  await db
    .updateTable('order_request')
    .set((eb) => ({ state: 'Withdrawn', changed_at: services.clock.now(), error: '', version: eb('version', '+', 1) }))
    .where('quote_id', '=', quoteId)
    .where('state', '=', 'Waiting')
    .execute();
}

/** The order as sent, except the parent's account, the sales rep and the order that it replaces. */
function comparedOrder(quote: QuoteRecord, lines: readonly Line[], wonAt: Date): Order {
  const place = (address: unknown) => ({ name: quote.facility_name, ...Address.parse(address ?? {}) });
  return {
    key: orderKey(quote.num, quote.revision),
    quoteNumber: quote.num,
    revision: quote.revision,
    wonAt: wonAt.toISOString(),
    quoteDate: quote.quote_date,
    poNumber: quote.po_number,
    signedBy: quote.won_by,
    customerReference: quote.customer_reference,
    currency: currencyOf(quote.currn_idx),
    account: { acctNo: quote.facility_acct_no, name: quote.facility_name, parentAcctNo: '' },
    billTo: place(quote.bill_to),
    shipTo: place(quote.ship_to),
    contact: { name: quote.contact_name, email: quote.contact_email, phone: quote.phone },
    salesRep: { name: '', email: '' },
    terms: { payment: quote.payment_terms, freight: quote.freight_terms },
    lines: lines.flatMap((line) => agreedLine(line, quote.discount_pct)),
    subtotal: quote.subtotal,
    freight: quote.freight_amount,
    tax: quote.tax_amount,
    total: quote.total_amount,
    replaces: '',
  };
}

/** Keeps only agreed lines: skips inactive and optional lines, sections and notes. */
function agreedLine(line: Line, discountPct: Decimal): OrderLine[] {
  const { type } = line;
  if (!line.active || line.optional || (type !== 'item' && type !== 'custom' && type !== 'free')) return [];
  return [
    {
      lineNo: line.line_no,
      lineId: line.id,
      type,
      itemNumber: line.item_number,
      customerItemNumber: line.customer_item_number,
      description: line.description,
      qty: line.qty,
      unit: line.unit,
      unitPrice: line.unit_price,
      netPrice: netPriceOf(asTotalled(line), discountPct),
      quoteDiscount: line.quote_discount,
      lineTotal: line.line_total,
      notes: line.notes,
    },
  ];
}

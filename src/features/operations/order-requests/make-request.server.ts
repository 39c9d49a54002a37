// Makes the order request of a quote in the transaction that wins it, and withdraws it in the one that reopens it.
import { sql } from 'kysely';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { announce } from '#features/operations/webhooks/announce.server.ts';
import { currencyOf } from '#shared/money.ts';
import { Address } from '#shared/wire.ts';
import { type Order, type OrderLine, orderKey } from './order.ts';

/** One request a revision: whoever wins it again finds it made. */
export async function requestOrder(db: Db, services: Pick<Services, 'clock'>, quoteId: number): Promise<void> {
  const now = services.clock.now();
  const order = await orderOf(db, quoteId, now);
  const made = await db
    .insertInto('order_request')
    .values({
      quote_id: quoteId,
      revision: order.revision,
      key: order.key,
      content: JSON.stringify(order),
      requested_at: now,
      changed_at: now,
    })
    .onConflict((conflict) => conflict.columns(['quote_id', 'revision']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return;
  const about = { id: made.id, number: order.key, revision: order.revision, status: 'Waiting' };
  await announce(db, 'order_request.created', about);
}

/** Of a quote that is not won any more: what nobody has fetched yet is not handed out. What the ERP may have stays, and the next order names it. */
export async function withdrawOrder(db: Db, services: Pick<Services, 'clock'>, quoteId: number): Promise<void> {
  await db
    .updateTable('order_request')
    .set((eb) => ({ state: 'Withdrawn', changed_at: services.clock.now(), error: '', version: eb('version', '+', 1) }))
    .where('quote_id', '=', quoteId)
    .where('state', '=', 'Waiting')
    .execute();
}

async function orderOf(db: Db, quoteId: number, wonAt: Date): Promise<Order> {
  // Two plain statements: one with joins takes longer to plan than these to run, and every won quote pays for it.
  const quote = await db
    .selectFrom('quote')
    .select(['num', 'revision', 'quote_date', 'po_number', 'won_by', 'customer_reference', 'currn_idx'])
    .select(['facility_name', 'facility_acct_no', 'bill_to', 'ship_to', 'contact_name', 'contact_email', 'phone'])
    .select(['payment_terms', 'freight_terms', 'subtotal', 'freight_amount', 'tax_amount', 'total_amount'])
    .select([
      sql<
        string | null
      >`(select p.acct_no from facility p where p.id = (select f.parent_id from facility f where f.id = quote.facility_id))`.as(
        'parent_acct_no',
      ),
      sql<
        [string, string] | null
      >`(select json_build_array(full_name, user_name) from app_user where id = quote.sales_rep_id)`.as('rep'),
      sql<string | null>`(select o.key from order_request o where o.quote_id = quote.id and o.revision < quote.revision
        and o.state in ('Sent', 'Acknowledged') order by o.revision desc limit 1)`.as('replaces'),
    ])
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const lines = await db
    .selectFrom('quote_item')
    .select(['line_no as lineNo', 'id as lineId', 'type', 'item_number as itemNumber', 'description', 'qty', 'unit'])
    .select(['unit_price as unitPrice', 'quote_discount as quoteDiscount', 'line_total as lineTotal', 'notes'])
    .where('quote_id', '=', quoteId)
    .where('type', 'in', ['item', 'custom', 'free'])
    // Lines that are switched off or offered besides were not agreed on.
    .where('active', '=', true)
    .where('optional', '=', false)
    .orderBy('line_no')
    .orderBy('id')
    .execute();
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
    account: {
      acctNo: quote.facility_acct_no,
      name: quote.facility_name,
      parentAcctNo: quote.parent_acct_no ?? '',
    },
    billTo: place(quote.bill_to),
    shipTo: place(quote.ship_to),
    contact: { name: quote.contact_name, email: quote.contact_email, phone: quote.phone },
    salesRep: { name: quote.rep?.[0] ?? '', email: quote.rep?.[1] ?? '' },
    terms: { payment: quote.payment_terms, freight: quote.freight_terms },
    lines: lines as OrderLine[],
    subtotal: quote.subtotal,
    freight: quote.freight_amount,
    tax: quote.tax_amount,
    total: quote.total_amount,
    replaces: quote.replaces ?? '',
  };
}

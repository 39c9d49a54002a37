// Tests that decisions and stored prices show what the customer pays: one quote with 12% off the whole quote, checked in every place.
import { afterAll, expect, it } from 'vitest';
import { readContent } from '#addons/crm/build-push.server.ts';
import { OrderExchange } from '#addons/orders/order-requests.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteRisks } from '#addons/quotes-at-risk/risks.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

const { server, office, read } = await startOffice();
afterAll(() => server.close());

const admin = await aUser(server.db, { roles: ['systemadmin'] });
const item = await anItem(server.db, { price: 1000, cost: 600, floor: 900 });

async function aQuoteAt(discountPct: number, statusId: string): Promise<number> {
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id, discountPct, contactName: 'Pat Buyer' },
      items: [{ itemId: item.id, qty: 10 }],
    },
    { as: office.inside },
  );
  await server.db.updateTable('quote').set({ status_id: statusId }).where('id', '=', quote.id).execute();
  return quote.id;
}
async function act(quoteId: number, action: 'RequestApproval' | 'MarkWon', as: { id: number }, more: object) {
  const { version } = (await read(quoteId)).quote;
  return server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version, ...more }, { as });
}

it('board, decision, mail, memory, risk, CRM and order agree on $880.00, 12% off', async () => {
  await aQuoteAt(10, 'Won');
  const id = await aQuoteAt(12, 'Processing');

  expect((await read(id)).items[0]).toMatchObject({
    unitPrice: 1000,
    discountPct: 0,
    netPrice: 880,
    netDiscountPct: 12,
    lineTotal: 8800,
    underFloor: true,
  });

  server.mails.length = 0;
  await act(id, 'RequestApproval', office.inside, { comment: 'Match of a competing offer.' });
  const impact = await server.ok(QuoteEdit.GetApprovalImpact, { id }, { as: office.manager });
  expect(impact.asked).toEqual({
    requestedBy: office.inside.fullName,
    comment: 'Match of a competing offer.',
    systemTotal: 10_000,
    discount: 1200,
    discountPct: 12,
    marginBefore: 40,
    marginAfter: 31.82,
    underFloor: 1,
    lastDiscountPct: 10,
  });
  expect(impact.lines).toMatchObject([
    {
      systemPrice: 1000,
      netPrice: 880,
      netDiscountPct: 12,
      underFloor: true,
      lastPrices: [{ price: 900, outcome: 'Won' }],
    },
  ]);
  await server.drain();
  expect(server.mails[0]?.text).toContain(
    `${office.inside.fullName} asks for 12% off $10,000.00 (−$1,200.00) at ${office.facility.name}: Match of a competing offer. ` +
      'Margin falls from 40.0 to 31.8%; 1 line is below the floor; last discount for this facility: 10%.',
  );
  expect(server.mails[0]?.text).toContain(`/int-quote-board/${id}?decide`);

  await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', id).execute();
  await server.db.updateTable('item_price').set({ price: 1100 }).where('item_id', '=', item.id).execute();
  await server.drain();
  const risk = await server.ok(QuoteRisks.GetQuoteRisk, { quoteId: id }, { as: admin });
  expect(risk.lines).toMatchObject([{ quoted: 880, price: 968, difference: 880 }]);

  await act(id, 'MarkWon', office.inside, { poNumber: 'PO-1' });
  const content = await readContent(server.db, server.services, id, {} as never);
  expect(content?.lines[0]?.values).toMatchObject({ netPrice: 880, netDiscountPct: 12, lineTotal: 8800 });
  const { key } = await server.ok(
    ApiKey.SaveApiKey,
    { name: 'ERP', ownerId: admin.id, scopes: ['Order:read'] },
    { as: admin },
  );
  const orders = await server.call(OrderExchange.GetOrderRequests, {}, { headers: { authorization: `Bearer ${key}` } });
  const [order] = orders.body.records.map((record) => record.order);
  expect(order?.lines).toMatchObject([{ unitPrice: 1000, netPrice: 880, quoteDiscount: 1200, lineTotal: 8800 }]);
});

it('a line discount and the quote discount count together, and optional lines pay no quote discount', async () => {
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id, discountPct: 5 },
      items: [
        { itemId: item.id, qty: 1, discountPct: 10, priceReason: 'Volume' },
        { itemId: item.id, qty: 1, optional: true },
        { type: 'custom', itemNumber: 'C-1', description: 'Made to measure', qty: 1, unit: 'EA', unitPrice: 200 },
      ],
    },
    { as: office.inside },
  );
  const list = (await read(quote.id)).items[0]?.systemPrice ?? 0;
  expect((await read(quote.id)).items).toMatchObject([
    { netPrice: list * 0.9 * 0.95, netDiscountPct: 14.5 },
    { netPrice: list, netDiscountPct: 0 },
    { netPrice: 190, netDiscountPct: 0 },
  ]);
});

// Tests what pasted rows would cost on their quote: priced like its lines, only for users who can see it, and without storing anything.
import { expect, test } from 'vitest';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

test('rows are priced as lines of the quote would be; a quote out of sight is not there', async () => {
  const server = await startTestServer();
  const [office, other] = [await aSalesOffice(server.db), await aSalesOffice(server.db)];
  const glove = await anItem(server.db, { units: { EA: 1, BX: 100 }, prices: [{ unit: 'BX', price: 9.84 }] });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id } },
    { as: office.rep },
  );
  const rows = [
    { itemId: glove.id, unit: 'BX', qty: 3 },
    { itemId: glove.id, unit: 'PALLET', qty: 1 },
  ];
  const priced = await server.ok(QuoteEdit.PricePastedItems, { quoteId: quote.id, rows }, { as: office.rep });
  expect(priced.map(({ unitPrice }) => unitPrice)).toEqual([9.84, null]);
  const { items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: quote.version }, items: [{ id: 0, ...rows[0] }] },
    { as: office.rep },
  );
  expect(items.map(({ unitPrice }) => unitPrice)).toEqual([9.84]);
  const request = { quoteId: quote.id, rows };
  expect((await server.call(QuoteEdit.PricePastedItems, request, { as: other.rep })).status).toBe(404);
  expect((await server.call(QuoteEdit.PricePastedItems, request)).status).toBe(401);
  await server.close();
});

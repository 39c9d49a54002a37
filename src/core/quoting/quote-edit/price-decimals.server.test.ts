// Tests the company's decimal places of computed unit prices, from the setting to every place that shows a price.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS, migrationsIn } from '#platform/db/migrate.server.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { CompanyAdmin } from '#core/company/company-admin/company-admin.contract.ts';
import { FacilityView } from '#core/customers/facility-admin/facility-view.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteEdit } from './quote-edit.contract.ts';

let server: TestServer;
let inside: Awaited<ReturnType<typeof aUser>>;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  inside = await aUser(server.db, { roles: ['insiderep'] });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(() => server.close());
const { act, send } = aWorkflow(() => server);

async function roundTo(pricePlaces: 2 | 4) {
  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  await server.ok(CompanyAdmin.SaveCompany, { ...company, pricePlaces }, { as: admin });
}

test('a new company starts with two places; a save without them keeps them', async () => {
  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(company.pricePlaces).toBe(2);
  await roundTo(4);
  const { pricePlaces: _left, ...rest } = (await server.ok(CompanyAdmin.GetCompany, {}, { as: admin })).company;
  expect(await server.ok(CompanyAdmin.SaveCompany, rest, { as: admin })).toMatchObject({ pricePlaces: 4 });
});

test('an existing company keeps its four places when the setting arrives', async () => {
  const migration = (await migrationsIn(MIGRATIONS)).find(({ name }) => name === '0016-price-places');
  await sql`alter table company drop column price_places`.execute(server.db);
  await sql.raw(migration?.text ?? '').execute(server.db);
  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(company.pricePlaces).toBe(4);
});

test.each([
  [2, 1.23, 1230, 1.17, 1170],
  [4, 1.2346, 1234.6, 1.1729, 1172.9],
] as const)(
  'to %i places: board, customer, PDF, price list and item search agree',
  async (places, price, total, discounted, discountedTotal) => {
    await roundTo(places);
    const item = await anItem(server.db, { units: { EA: 1, BX: 50 }, prices: [{ unit: 'BX', price: 61.73 }] });
    const facility = await aFacility(server.db);
    const lines = [
      { itemId: item.id, qty: 1000, unit: 'EA' },
      { itemId: item.id, qty: 1000, unit: 'EA', discountPct: 5, priceReason: 'Match' },
      { itemId: item.id, qty: 1, unit: 'EA', unitPrice: 1.2345, priceReason: 'Agreed' },
    ];
    const quote = {
      facilityId: facility.id,
      contactName: 'Ann Buyer',
      contactEmail: 'ann@example.org',
      taxExempt: true,
    };
    const board = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote, items: lines }, { as: inside });
    expect(board.items.map(({ unitPrice, lineTotal }) => [unitPrice, lineTotal])).toEqual([
      [price, total],
      [discounted, discountedTotal],
      [1.2345, 1.23],
    ]);
    expect(board.items.map(({ discountPct }) => discountPct)[1]).toBe(5);
    expect(board.quote.totalAmount).toBe(Math.round((total + discountedTotal + 1.23) * 100) / 100);

    const { id } = board.quote;
    expect((await act(id, 'StartProcess', inside)).status).toBe(200);
    expect(await send(id, inside)).toMatchObject({ status: 200 });
    const { docId } = (await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: inside })).quote;
    // The customer's page and the PDF both come from this document.
    const { document } = await server.ok(QuoteDoc.GetQuoteDoc, { id: docId ?? '' });
    expect(document.lines.map(({ unitPrice, amount }) => [unitPrice, amount])).toEqual(
      board.items.map(({ unitPrice, lineTotal }) => [unitPrice, lineTotal]),
    );
    expect(document.totals.totalAmount).toBe(board.quote.totalAmount);

    const [hit] = (
      await server.ok(
        FacilityView.GetFacilityPrices,
        { facilityId: facility.id, keyword: item.itemNumber },
        { as: inside },
      )
    ).records;
    expect(hit).toMatchObject({ price, listPrice: price, saving: 0 });
    const request = { itemId: item.id, unit: 'EA', facilityId: facility.id };
    const result = await server.ok(ItemSearch.SearchItemPrices, request, { as: inside });
    expect([result.resolved?.systemPrice, result.prices[0]?.amount]).toEqual([price, price]);
  },
);

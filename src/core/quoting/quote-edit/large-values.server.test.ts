// Tests large values in every number of a line and a quote: stored as typed, or refused under their field with the limit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteItemInput } from './lines/quote-item.ts';
import { QuoteEdit, QuoteInput } from './quote-edit.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const VALUES = [20, 110, 200, 1_999, 20_000, 9_999_999, 9_999_999_999, 1e12];
/**
 * Numbers that identify a record or a position, and objects of a line that contain numbers: its configuration, and a price in the unit for which it
 * was typed.
 */
const NAMES = /^(id|version|lineNo|currnIdx|configured|typedAs|.*Id)$/;

/** The fields of a schema that accept a number. */
function numbersOf(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const takesNumber = (field: unknown) => /"type":"(number|integer)"/.test(JSON.stringify(field));
  return Object.keys(properties).filter((name) => takesNumber(properties[name]) && !NAMES.test(name));
}

type Refusal = { errors?: { path: string; message: string }[]; detail: string };

/** The fault of a response that neither stores the value nor returns 422 with the field and its limit. Null when correct. */
function faultOf(status: number, body: unknown, fields: string[]): unknown {
  if (status === 200) return null;
  const { errors: [first] = [] } = body as Refusal;
  const isNamed = fields.includes(first?.path.split('.').at(-1) ?? '');
  const saysLimit = /\d|higher than the price/.test(first?.message ?? '');
  return status === 422 && isNamed && saysLimit ? null : body;
}

const aDraft = (item: { id: number }) =>
  server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 2 }] },
    { as: office.inside },
  );

const lineNumbers = numbersOf(QuoteItemInput);
const quoteNumbers = numbersOf(QuoteInput);

test('the numbers of a line and a quote are these', () => {
  expect(lineNumbers).toEqual(['qty', 'unitPrice', 'discountPct', 'discountAmount']);
  expect(quoteNumbers).toEqual(['freightAmount', 'taxRate', 'discountPct']);
});

describe.each([0.01, 10, 250_000])('on an item of $%d', (price) => {
  test.each(lineNumbers)('stores a large %s or refuses it by name', async (field) => {
    const item = await anItem(server.db, { price, cost: price / 2, units: { EA: 1, CS: 500 } });
    for (const value of [...VALUES, ...(field === 'discountPct' ? VALUES.map((entry) => -entry) : [])]) {
      const { quote, items } = await aDraft(item);
      const line = { quoteId: quote.id, id: items[0]?.id ?? 0, version: 1, priceReason: 'Agreed', [field]: value };
      const { status, body } = await server.call(QuoteEdit.SaveQuoteItem, line, { as: office.inside });
      expect(faultOf(status, body, [field, 'unitPrice'])).toBeNull();
    }
  });
});

test.each(quoteNumbers)('stores a large %s of a quote or refuses it by name', async (field) => {
  const item = await anItem(server.db, { price: 10 });
  for (const value of VALUES) {
    const { quote } = await aDraft(item);
    const { status, body } = await server.call(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, [field]: value } },
      { as: office.inside },
    );
    expect(faultOf(status, body, [field])).toBeNull();
  }
});

test('a price 20 times the system price is stored, and is no discount', async () => {
  const { quote, items } = await aDraft(await anItem(server.db, { price: 10 }));
  const { item } = await server.ok(
    QuoteEdit.SaveQuoteItem,
    { quoteId: quote.id, id: items[0]?.id ?? 0, version: 1, unitPrice: 200, priceReason: 'Rush' },
    { as: office.inside },
  );
  expect(item).toMatchObject({ unitPrice: 200, systemPrice: 10, discountPct: -1900, lineTotal: 400 });
});

test('an amount that two values make too large names a field and the limit', async () => {
  const item = await anItem(server.db, { price: 10, units: { EA: 1, CS: 5_000 } });
  const refusal = async (line: Record<string, unknown>) => {
    const { quote, items } = await aDraft(item);
    const typed = { quoteId: quote.id, id: items[0]?.id ?? 0, version: 1, unitPrice: 9_999_999_999, priceReason: 'x' };
    const { status, body } = await server.call(QuoteEdit.SaveQuoteItem, { ...typed, ...line }, { as: office.inside });
    return [status, (body as unknown as Refusal).errors?.[0]];
  };
  const limit = expect.stringContaining('99,999,999,999');
  expect(await refusal({ qty: 1_000 })).toEqual([422, { path: 'unitPrice', message: limit }]);
  const { quote, items } = await aDraft(item);
  const line = { quoteId: quote.id, id: items[0]?.id ?? 0, version: 1 };
  const dear = await server.ok(
    QuoteEdit.SaveQuoteItem,
    { ...line, qty: 1, unitPrice: 900_000_000, priceReason: 'x' },
    { as: office.inside },
  );
  const inCases = { ...line, version: dear.item.version, unit: 'CS' };
  const { status, body } = await server.call(QuoteEdit.SaveQuoteItem, inCases, { as: office.inside });
  expect([status, (body as unknown as Refusal).errors?.[0]]).toEqual([422, { path: 'unit', message: limit }]);
});

test('lines whose sum is too large name the total', async () => {
  const line = { description: 'Building', itemNumber: 'B', qty: 9, unitPrice: 9_999_999_999, priceReason: 'x' };
  const { status, body } = await server.call(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [line, line] },
    { as: office.inside },
  );
  const { errors } = body as unknown as Refusal;
  expect([status, errors]).toEqual([
    422,
    [{ path: 'totalAmount', message: expect.stringContaining('99,999,999,999') }],
  ]);
});

test('a cost that the quantity makes too large names the quantity', async () => {
  const item = await anItem(server.db, { price: 0.01, cost: 1_000_000 });
  const { quote, items } = await aDraft(item);
  const line = { quoteId: quote.id, id: items[0]?.id ?? 0, version: 1, qty: 9_000_000 };
  const { status, body } = await server.call(QuoteEdit.SaveQuoteItem, line, { as: office.inside });
  expect([status, (body as unknown as Refusal).errors?.[0]?.path]).toEqual([422, 'qty']);
});

test('a copy at today’s prices names its lines, and a price list says so instead of failing', async () => {
  const item = await anItem(server.db, { price: 10, units: { EA: 1, CS: 5_000_000 } });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 9_000_000 }] },
    { as: office.inside },
  );
  await server.db.updateTable('item_price').set({ price: 999_999 }).where('item_id', '=', item.id).execute();
  for (const prices of ['keep', 'reprice'] as const) {
    const { status, body } = await server.call(QuoteEdit.CloneQuote, { id: quote.id, prices }, { as: office.inside });
    expect([prices, status, (body as unknown as Refusal).errors?.[0]?.path]).toEqual([prices, 422, 'items']);
  }
  const looked = await server.call(
    ItemSearch.SearchItemPrices,
    { itemId: item.id, facilityId: office.facility.id, qty: 1, unit: 'CS' },
    { as: office.inside },
  );
  expect(looked.status).toBe(200);
  expect(looked.body.resolved?.problem).toContain('is too large to show per CS');
});

test('free goods of a promotion count too', async () => {
  const item = await anItem(server.db, { price: 10 });
  const promotion = await aPromotion(server.db, { itemId: item.id, type: 'BuyXGetYFree', buy: 1, get: 9_999_999_999 });
  const { quote, items } = await aDraft(item);
  const { status, body } = await server.call(
    QuoteEdit.ApplyPromotionToQuoteItem,
    { quoteItemId: items[0]?.id ?? 0, promotionId: promotion.id, version: 1 },
    { as: office.inside },
  );
  expect(faultOf(status, body, ['totalAmount'])).toBeNull();
  expect(quote.version).toBe(1);
});

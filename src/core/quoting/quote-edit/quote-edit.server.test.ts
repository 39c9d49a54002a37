// Tests the other calls of the group over HTTP: copies, repricing, templates, choices, open quotes, history, few queries per read.
import { afterAll, describe, expect, test } from 'vitest';
import type { InputOf } from '#platform/api/endpoint.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem, anItemClass, aPromotion, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import type { QuoteItemInput } from './lines/quote-item.ts';
import { QuoteEdit, type QuoteEditData } from './quote-edit.contract.ts';

const { server, office } = await startOffice();
afterAll(() => server.close());

type Who = { id: number };
const aDraft = (items: QuoteItemInput[] = [], as: Who = office.inside): Promise<QuoteEditData> =>
  server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id }, items }, { as });
const setPrice = (itemId: number, price: number) =>
  server.db.updateTable('item_price').set({ price }).where('item_id', '=', itemId).execute();
const stranger = () => aUser(server.db, { roles: ['salesrep'] });

describe('a copy', () => {
  const source = async () => {
    const [plain, dearer, gone] = [await anItem(server.db), await anItem(server.db), await anItem(server.db)];
    const data = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: {
          facilityId: office.facility.id,
          discountPct: 2,
          customerMessage: 'Hello',
          poNumber: 'PO 1',
          customerReference: 'R',
        },
        items: [
          { type: 'section', description: 'Gloves' },
          { itemId: plain.id, qty: 2 },
          { itemId: dearer.id, qty: 1 },
          { itemId: plain.id, qty: 1, discountPct: 3, priceReason: 'Volume' },
          { itemId: gone.id, qty: 1 },
          { itemNumber: 'C', description: 'Custom', qty: 1, unitPrice: 7 },
        ],
      },
      { as: office.rep },
    );
    await setPrice(dearer.id, 11);
    await server.db.updateTable('item').set({ status: 'Discontinued' }).where('id', '=', gone.id).execute();
    return data;
  };

  test('keeps the prices of its source', async () => {
    const { quote } = await source();
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices: 'keep' }, { as: office.rep });
    expect(copy.quote).toMatchObject({
      statusId: 'Editing',
      revision: 1,
      facilityName: office.facility.name,
      discountPct: 2,
      customerMessage: 'Hello',
      poNumber: '',
      customerReference: '',
      quoteDate: '2026-11-21',
      version: 1,
    });
    expect(copy.quote.num).not.toBe(quote.num);
    expect(
      copy.items.map(({ type, unitPrice, priceSource, active }) => [type, unitPrice, priceSource, active]),
    ).toEqual([
      ['section', null, '', true],
      ['item', 10, 'List', true],
      ['item', 10, 'Manual', true],
      ['item', 9.7, 'Manual', true],
      ['item', 10, 'List', false],
      ['custom', 7, 'Manual', true],
    ]);
    expect(copy.items[2]?.priceReason).toBe(`Price kept. From ${quote.num}`);
    expect(copy.events).toEqual([expect.objectContaining({ action: 'Create', comment: `From ${quote.num}` })]);
  });

  test('repriced today has no discounts', async () => {
    const { quote } = await source();
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices: 'reprice' }, { as: office.inside });
    expect(copy.quote.discountPct).toBe(0);
    expect(copy.quote.salesRep.id).toBe(office.rep.id);
    expect(copy.items.map(({ unitPrice }) => unitPrice)).toEqual([null, 10, 11, 10, 10, 7]);
  });

  test('keeps prices below which a typed discount has lost its price', async () => {
    const gone = await anItem(server.db, { price: 10 });
    const cheap = await anItem(server.db, { price: 10 });
    const priceReason = 'Match';
    const { quote } = await aDraft([
      { itemId: gone.id, qty: 1, discountPct: 10, priceReason },
      { itemId: cheap.id, qty: 1, discountAmount: 9, priceReason },
    ]);
    await server.db.deleteFrom('item_price').where('item_id', '=', gone.id).execute();
    await server.db.updateTable('item_price').set({ price: 5 }).where('item_id', '=', cheap.id).execute();
    await server.ok(QuoteEdit.RepriceQuote, { quoteId: quote.id, version: quote.version }, { as: office.rep });
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices: 'keep' }, { as: office.rep });
    expect(copy.items.map(({ unitPrice, priceSource }) => [unitPrice, priceSource])).toEqual([
      [null, ''],
      [0, 'Manual'],
    ]);
  });

  test('keeps freight and typed tax with its prices; repriced, it says what it reset', async () => {
    const { quote } = await source();
    const terms = { freightAmount: 45, freightTerms: 'Prepaid', taxRate: 8.25, taxExempt: false };
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, ...terms } },
      { as: office.inside },
    );
    const copy = (prices: 'keep' | 'reprice') =>
      server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices }, { as: office.inside });
    const stored = await copy('keep');
    expect(stored.quote).toMatchObject({ ...terms, discountPct: 2 });
    expect(stored.warnings.join()).toContain('keeps the tax of its source');
    const repriced = await copy('reprice');
    expect(repriced.quote).toMatchObject({ freightAmount: 0, discountPct: 0 });
    expect(repriced.quote.taxRate).not.toBe(8.25);
    const warning = repriced.warnings.find((candidate) => candidate.startsWith('This copy was repriced.'));
    for (const part of [
      'Quote discount 2% (now 0%)',
      'Freight $45.00 (now $0.00)',
      'Tax rate 8.25%',
      'typed prices of',
    ])
      expect(warning).toContain(part);
  });

  test.each(['keep', 'reprice'] as const)(
    '(%s) brings promotions along only when its author may apply them',
    async (prices) => {
      const [item, gift] = [await anItem(server.db), await anItem(server.db)];
      const discount = await aPromotion(server.db, { itemId: item.id, type: 'DiscountPct', amount: 20 });
      const free = await aPromotion(server.db, { itemId: gift.id, type: 'BuyXGetYFree', buy: 2, get: 1 });
      let { quote, items } = await aDraft([
        { itemId: item.id, qty: 1 },
        { itemId: gift.id, qty: 2 },
      ]);
      for (const [index, { id: promotionId }] of [discount, free].entries()) {
        const { id: quoteItemId = 0, version = 0 } = items[index] ?? {};
        const input = { quoteItemId, promotionId, version };
        ({ quote, items } = await server.ok(QuoteEdit.ApplyPromotionToQuoteItem, input, { as: office.inside }));
      }
      expect(items.map(({ unitPrice }) => unitPrice)).toEqual([8, 10, 0]);
      const copyBy = (as: Who) => server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices }, { as });
      const inside = await copyBy(office.inside);
      expect(inside.items.map(({ unitPrice }) => unitPrice)).toEqual([8, 10, 0]);
      expect(inside.items.map(({ promotionId }) => promotionId)).toEqual([discount.id, free.id, free.id]);
      expect(inside.warnings.join()).not.toContain('Promotions');
      const own = await copyBy(office.rep);
      expect(own.items.map(({ unitPrice, priceSource }) => [unitPrice, priceSource])).toEqual([
        [10, 'List'],
        [10, 'List'],
      ]);
      expect(own.items.map(({ promotionId }) => promotionId)).toEqual([null, null]);
      const says = `Promotions were not copied: ${item.itemNumber}, ${gift.itemNumber}. Please ask an IS Rep to apply them.`;
      expect(own.warnings).toContain(says);
      expect(own.events[0]?.changes).toContainEqual(
        expect.objectContaining({ field: 'Promotions', after: 'not copied' }),
      );
      const read = await server.ok(
        QuoteEdit.PopulateQuoteEditDataForSalesRep,
        { id: own.quote.id },
        { as: office.rep },
      );
      expect(read.warnings).toContain(says);
    },
  );

  test('of a quote out of sight, or by a reader, is refused', async () => {
    const { quote } = await aDraft();
    const call = (as: Who) => server.call(QuoteEdit.CloneQuote, { id: quote.id, prices: 'keep' }, { as });
    expect((await call(await stranger())).status).toBe(404);
    expect((await call(office.contracts)).status).toBe(403);
  });
});

test('repricing on request keeps typed prices and refuses a stale version', async () => {
  const item = await anItem(server.db);
  const { quote, items } = await aDraft([
    { itemId: item.id, qty: 1 },
    { itemId: item.id, qty: 1, unitPrice: 9.5, priceReason: 'Match' },
    { itemId: item.id, qty: 1 },
  ]);
  await setPrice(item.id, 12);
  const first = await server.ok(
    QuoteEdit.RepriceQuote,
    { quoteId: quote.id, version: 1, itemIds: [items[0]?.id ?? 0] },
    { as: office.inside },
  );
  expect(first.items.map(({ unitPrice }) => unitPrice)).toEqual([12, 9.5, 10]);
  const all = await server.ok(QuoteEdit.RepriceQuote, { quoteId: quote.id, version: 2 }, { as: office.inside });
  expect(all.items.map(({ unitPrice, systemPrice }) => [unitPrice, systemPrice])).toEqual([
    [12, 12],
    [9.5, 12],
    [12, 12],
  ]);
  expect(all.events[0]).toMatchObject({ action: 'Reprice' });
  const again = await server.ok(QuoteEdit.RepriceQuote, { quoteId: quote.id, version: 3 }, { as: office.inside });
  expect(again.quote.version).toBe(3);
  expect(
    (await server.call(QuoteEdit.RepriceQuote, { quoteId: quote.id, version: 2 }, { as: office.inside })).status,
  ).toBe(409);
  expect(
    (await server.call(QuoteEdit.RepriceQuote, { quoteId: quote.id, version: 3 }, { as: await stranger() })).status,
  ).toBe(404);
});

describe('templates', () => {
  test('are found by words, and add what is still on sale', async () => {
    const [item, gone] = [
      await anItem(server.db, { units: { EA: 1, BX: 10 } }),
      await anItem(server.db, { status: 'Discontinued' }),
    ];
    const template = await aQuoteTemplate(server.db, {
      name: 'Operating room starter set',
      lines: [{ section: 'Basics' }, { itemId: item.id, qty: 4, unit: 'BX' }, { itemId: gone.id }],
    });
    await aQuoteTemplate(server.db, { name: 'Operating room, old', active: false });
    const { quote } = await aDraft();
    const results = await server.ok(
      QuoteEdit.GetQuoteTemplateForQuote,
      { quoteId: quote.id, keyword: 'starter ROOM' },
      { as: office.rep },
    );
    // The item has no product, so it has no product name or pictures.
    const bare = { productName: '', imgThumbnailUrl: null };
    expect(results).toEqual([
      {
        id: template.id,
        name: template.name,
        description: '',
        own: false,
        version: 1,
        items: [
          {
            type: 'section',
            itemId: null,
            itemNumber: '',
            description: 'Basics',
            qty: 1,
            unit: '',
            gone: false,
            ...bare,
          },
          {
            type: 'item',
            itemId: item.id,
            itemNumber: item.itemNumber,
            description: item.description,
            qty: 4,
            unit: 'BX',
            gone: false,
            ...bare,
          },
          {
            type: 'item',
            itemId: gone.id,
            itemNumber: gone.itemNumber,
            description: gone.description,
            qty: 1,
            unit: 'EA',
            gone: true,
            ...bare,
          },
        ],
      },
    ]);
    const add = (items?: { itemId: number; qty: number }[], as: Who = office.rep) =>
      server.call(
        QuoteEdit.SaveQuoteTemplateForQuote,
        { quoteId: quote.id, templateId: template.id, ...(items ? { items } : {}) },
        { as },
      );
    const all = await add();
    expect(all.body.items.map(({ type, qty, unit, unitPrice }) => [type, qty, unit, unitPrice])).toEqual([
      ['section', 0, '', null],
      ['item', 4, 'BX', 100],
    ]);
    expect(all.body.events[0]).toMatchObject({ action: 'AddTemplate', comment: template.name });
    expect((await add([{ itemId: item.id, qty: 9 }])).body.items.at(-1)).toMatchObject({ qty: 9, unit: 'BX' });
    expect((await add([{ itemId: gone.id, qty: 1 }])).status).toBe(422);
    expect((await add([{ itemId: (await anItem(server.db)).id, qty: 1 }])).status).toBe(422);
    expect((await add(undefined, await stranger())).status).toBe(404);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', quote.id).execute();
    expect((await add()).status).toBe(409);
  });

  test('add named lines by their position, so that an item in two units keeps both', async () => {
    const item = await anItem(server.db, { units: { EA: 1, CS: 10 } });
    const template = await aQuoteTemplate(server.db, {
      lines: [{ section: 'Basics' }, { itemId: item.id, qty: 10, unit: 'EA' }, { itemId: item.id, qty: 2, unit: 'CS' }],
    });
    type Items = InputOf<typeof QuoteEdit.SaveQuoteTemplateForQuote>['items'];
    const added = async (items: Items) => {
      const { quote } = await aDraft();
      const input = { quoteId: quote.id, templateId: template.id, ...(items ? { items } : {}) };
      const answer = await server.call(QuoteEdit.SaveQuoteTemplateForQuote, input, { as: office.rep });
      return answer.status === 200
        ? answer.body.items.map(({ type, qty, unit }) => `${type} ${qty} ${unit}`.trim())
        : answer.status;
    };
    const itemId = item.id;
    expect(
      await added([
        { position: 1, itemId: null },
        { position: 2, itemId, qty: 10 },
        { position: 3, itemId, qty: 3 },
      ]),
    ).toEqual(['section 0', 'item 10 EA', 'item 3 CS']);
    expect(await added([{ position: 3 }])).toEqual(['item 2 CS']);
    // With the item alone, its lines are used in turn.
    expect(
      await added([
        { itemId, qty: 10 },
        { itemId, qty: 3 },
      ]),
    ).toEqual(['item 10 EA', 'item 3 CS']);
    expect(
      await added([
        { position: 2, itemId },
        { itemId, qty: 3 },
      ]),
    ).toEqual(['item 10 EA', 'item 3 CS']);
    for (const wrong of [{ position: 1, itemId }, { position: 2, itemId: null }, { position: 4, itemId }, { qty: 1 }]) {
      expect(await added([wrong])).toBe(422);
    }
  });

  test('without anything on sale add nothing, and say so', async () => {
    const gone = await anItem(server.db, { status: 'Discontinued' });
    const template = await aQuoteTemplate(server.db, { lines: [{ itemId: gone.id }] });
    const { quote } = await aDraft();
    const call = (templateId: number) =>
      server.call(QuoteEdit.SaveQuoteTemplateForQuote, { quoteId: quote.id, templateId }, { as: office.rep });
    expect((await call(template.id)).status).toBe(422);
    expect((await call(2_000_000_000)).status).toBe(404);
  });
});

describe('choices', () => {
  test("are the facility's contacts, terms and reps", async () => {
    await anItemClass(server.db, { name: 'Gloves' });
    await anItemClass(server.db, { name: 'Secret', hidden: true });
    const left = await aUser(server.db, { roles: ['csrep'], active: false });
    const body = await server.ok(
      QuoteEdit.PopulateQuoteEditLookups,
      { facilityId: office.facility.id },
      { as: office.inside },
    );
    expect(body.contacts).toEqual([expect.objectContaining({ title: 'Purchasing' })]);
    expect(body.defaults).toEqual({ salesRepId: office.rep.id, csRepId: office.cs.id, isRepId: office.inside.id });
    expect(body.paymentTerms).toContain('Net 30');
    expect(body.classes.map(({ name }) => name)).toContain('Gloves');
    expect(body.classes.map(({ name }) => name)).not.toContain('Secret');
    expect(body.csReps.map(({ id }) => id)).not.toContain(left.id);
    expect(body.currencies).toEqual([
      { id: 1007, name: 'US dollar' },
      { id: 1009, name: 'Euro' },
    ]);
  });

  test('of a rep contain no other rep', async () => {
    const elsewhere = await aFacility(server.db, { zip: '10001' });
    const body = await server.ok(QuoteEdit.PopulateQuoteEditLookups, { facilityId: elsewhere.id }, { as: office.rep });
    expect(body.salesReps).toEqual([{ id: office.rep.id, name: office.rep.fullName }]);
    expect(body.defaults).toEqual({ salesRepId: office.rep.id, csRepId: null, isRepId: null });
    expect((await server.ok(QuoteEdit.PopulateQuoteEditLookups, {}, { as: office.contracts })).contacts).toEqual([]);
  });
});

test('open quotes to add to: own first, then newest, only those this user may edit now', async () => {
  const inside = await aUser(server.db, { roles: ['insiderep'] });
  const facility = await aFacility(server.db, { name: 'Findable Clinic', zip: office.zip });
  const make = async (as: Who, status_id: string) => {
    const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: facility.id } }, { as });
    await server.db.updateTable('quote').set({ status_id }).where('id', '=', quote.id).execute();
    return quote;
  };
  const editing = await make(office.rep, 'Editing');
  const own = await make(inside, 'Processing');
  const processing = await make(office.rep, 'Processing');
  await make(office.rep, 'Won');
  const find = async (as: Who, keyword: string) =>
    (await server.ok(QuoteEdit.FindOpenQuotes, { keyword }, { as })).map(({ id }) => id);
  expect(await find(inside, 'findable')).toEqual([own.id, processing.id, editing.id]);
  expect(await find(office.rep, 'Findable')).toEqual([editing.id]);
  expect(await find(office.manager, 'Findable')).toEqual([processing.id, own.id, editing.id]);
  expect(await find(inside, String(editing.num))).toEqual([editing.id]);
  expect(await find(await stranger(), 'Findable')).toEqual([]);
});

test('the activity is read separately, as far as the reader may see it', async () => {
  const { quote } = await aDraft([], office.rep);
  const line = { quoteId: quote.id, itemNumber: 'C-1', description: 'Made to measure', qty: 2 };
  await server.ok(QuoteEdit.SaveQuoteItem, line, { as: office.rep });
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: 2, internalNotes: 'ours' } },
    { as: office.inside },
  );
  const read = (as: Who, internal: boolean) =>
    server.ok(QuoteEdit.GetQuoteActivity, { quoteId: quote.id, internal }, { as });
  const whole = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quote.id }, { as: office.inside });
  expect(await read(office.inside, true)).toEqual({ version: 3, events: whole.events, files: whole.files });
  expect(whole.events[0]?.changes).toMatchObject([{ field: 'Internal notes' }]);
  for (const [who, internal] of [
    [office.inside, false],
    [office.rep, true],
  ] as const) {
    const { events } = await read(who, internal);
    expect(events.map(({ action }) => action)).toEqual(['Edit', 'Create']);
    expect(JSON.stringify(events)).not.toContain('Internal notes');
  }
  const stranger = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(QuoteEdit.GetQuoteActivity, { quoteId: quote.id }, { as: stranger })).status).toBe(404);
});

test('reading a long quote takes a dozen queries', async () => {
  const items = await Promise.all(Array.from({ length: 20 }, () => anItem(server.db)));
  for (const item of items) await aPromotion(server.db, { itemId: item.id, type: 'DiscountPct', amount: 5 });
  const lines = Array.from({ length: 200 }, (_, index) => ({ itemId: items[index % 20]?.id ?? 0, qty: index + 1 }));
  const { quote } = await aDraft(lines);
  const read = () => server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quote.id }, { as: office.inside });
  await read();
  // Outside a transaction every query uses a new connection.
  let queries = 0;
  const count = () => void queries++;
  server.services.database.pool.on('acquire', count);
  expect((await read()).items).toHaveLength(200);
  server.services.database.pool.off('acquire', count);
  expect(queries).toBeGreaterThan(0);
  expect(queries).toBeLessThanOrEqual(12);
});

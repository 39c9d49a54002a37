// Tests promotions over HTTP: permissions, refusals, preview, concurrent saves, ending a promotion.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { anItem, anItemClass, aPromotion } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemPromotion } from './promotion-admin.contract.ts';

let server: TestServer;
let admin: { id: number };
let today: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  today = (await server.ok(ItemPromotion.PopulateItemPromotionEdit, {}, { as: admin })).promotion.validFrom;
});
afterAll(() => server.close());

const search = (criteria: object) => server.ok(ItemPromotion.searchItemPromotionAdvanced, criteria, { as: admin });
const save = (input: object) => server.ok(ItemPromotion.saveItemPromotion, input, { as: admin });

it('a promotion is made, found, changed and exported; its history says by whom', async () => {
  const itemClass = await anItemClass(server.db);
  const item = await anItem(server.db, { number: 'PRA-1', description: 'Gauze pad', classId: itemClass.id });
  const created = await save({ itemNumber: 'PRA-1', name: '=Spring', promotionAmt: 8.5, maxQty: 50, uom: 'EA' });
  expect(created).toEqual({
    id: created.id,
    name: '=Spring',
    promotionType: 'FixedPrice',
    itemNumber: 'PRA-1',
    buyXGetYFreeBuyQty: 0,
    buyXGetYFreeGetQty: 0,
    promotionAmt: 8.5,
    minQty: 0,
    maxQty: 50,
    uom: 'EA',
    currnIdx: 1007,
    validFrom: today,
    validTo: null,
    active: true,
    version: 1,
  });
  // Omitted fields keep their value. Values of another type are dropped.
  const free = { promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10, buyXGetYFreeGetQty: 1 };
  const changed = await save({ id: created.id, version: created.version, ...free });
  expect(changed).toMatchObject({ ...free, promotionAmt: 0, name: '=Spring', uom: 'EA', version: 2 });

  for (const criteria of [
    { keyword: 'gauze' },
    { keyword: 'pra-1' },
    { keyword: 'SPRING' },
    { classId: itemClass.id },
    { keyword: 'PRA-1', promotionType: 'BuyXGetYFree', state: 'Running' },
  ])
    expect(await search(criteria)).toMatchObject({
      total: 1,
      records: [{ id: created.id, description: 'Gauze pad', state: 'Running' }],
    });
  expect(await search({ keyword: 'PRA-1', promotionType: 'FixedPrice' })).toMatchObject({ total: 0, records: [] });
  expect(await search({ keyword: 'PRA-1', state: 'Ended' })).toMatchObject({ total: 0 });

  const csv = await server.call(ItemPromotion.ExportItemPromotions, { keyword: 'PRA-1' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain(
    '\'=Spring,Buy X get Y free,PRA-1,Gauze pad,"buy 10, get 1 free",0,50,EA',
  );

  const history = await server.ok(History.GetHistory, { type: 'promotion', id: created.id }, { as: admin });
  expect(history).toMatchObject([
    {
      actor: 'Ada Admin',
      action: 'Edit',
      changes: [
        { field: 'Type', before: 'Fixed price', after: 'Buy X get Y free' },
        { field: 'Offer', before: 'price $8.50', after: 'buy 10, get 1 free' },
      ],
    },
    { action: 'Create' },
  ]);
  expect(await server.ok(ItemPromotion.PopulateItemPromotionEdit, { id: created.id }, { as: admin })).toMatchObject({
    promotion: changed,
    item: { description: item.description, units: ['EA'] },
    state: 'Running',
  });
  const { classes } = await server.ok(ItemPromotion.GetItemPromotionFilters, {}, { as: admin });
  expect(classes).toContainEqual(itemClass);
});

it('states follow the days and the switch; any other type is a fixed price', async () => {
  const { id: itemId } = await anItem(server.db, { number: 'PRA-2' });
  await aPromotion(server.db, { itemId, type: 'Special', amount: 1 });
  await aPromotion(server.db, { itemId, from: addDays(today, 1) });
  await aPromotion(server.db, { itemId, to: addDays(today, -1) });
  await aPromotion(server.db, { itemId, active: false });
  const { records } = await search({ keyword: 'PRA-2', sort: { field: 'validFrom', dir: 'asc' } });
  expect(records.map(({ state }) => state).toSorted()).toEqual(['Coming', 'Ended', 'Off', 'Running']);
  for (const state of ['Coming', 'Ended', 'Off', 'Running'])
    expect(await search({ keyword: 'PRA-2', state })).toMatchObject({ total: 1, records: [{ state }] });
  expect(await search({ keyword: 'PRA-2', promotionType: 'FixedPrice' })).toMatchObject({
    records: [{ promotionType: 'Special' }],
  });
});

it('inconsistent values are refused under their field', async () => {
  await anItem(server.db, { number: 'PRA-3', units: { EA: 1, BX: 50 } });
  const refused = async (input: object) => {
    const { status, body } = await server.call(
      ItemPromotion.saveItemPromotion,
      { itemNumber: 'PRA-3', promotionAmt: 5, ...input },
      { as: admin },
    );
    return { status, paths: (body as { errors?: { path: string }[] }).errors?.map(({ path }) => path) };
  };
  const cases: [string, object][] = [
    ['itemNumber', { itemNumber: 'NO-SUCH-ITEM' }],
    ['itemNumber', { itemNumber: ' ' }],
    ['promotionAmt', { promotionAmt: 0 }],
    ['promotionAmt', { promotionType: 'DiscountPct', promotionAmt: 100.5 }],
    // Any other type is a fixed price, so 15 percent would be a price of 15.00.
    ...[
      'discountpct',
      'Discount Pct',
      'DiscountPercent',
      'Discount %',
      '% off',
      'BuyXgetYFree',
      'buy 10 get 1 free',
    ].map((promotionType): [string, object] => ['promotionType', { promotionType, promotionAmt: 15 }]),
    ['promotionAmt', { promotionAmt: -1 }],
    ['buyXGetYFreeGetQty', { promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10 }],
    ['buyXGetYFreeBuyQty', { promotionType: 'BuyXGetYFree', buyXGetYFreeGetQty: 1 }],
    ['maxQty', { minQty: 10, maxQty: 9 }],
    ['minQty', { minQty: -1 }],
    ['uom', { uom: 'CS' }],
    ['validTo', { validFrom: '11/21/2026', validTo: '11/20/2026' }],
    ['validFrom', { validFrom: 'soon' }],
  ];
  for (const [path, input] of cases)
    expect([path, await refused(input)]).toEqual([path, { status: 422, paths: [path] }]);
  expect(await search({ keyword: 'PRA-3' })).toMatchObject({ total: 0 });
  expect((await refused({ maxQty: -3, uom: 'BX' })).status).toBe(200);
});

it('a preview shows the message, a sample price and overlaps, and saves nothing', async () => {
  const item = await anItem(server.db, {
    number: 'PRA-4',
    units: { EA: 1, BX: 100 },
    prices: [{ unit: 'BX', price: 9.84 }],
  });
  const preview = (promotion: object, qty = 10, unit = '') =>
    server.ok(
      ItemPromotion.PreviewItemPromotion,
      { promotion: { itemNumber: 'PRA-4', ...promotion }, qty, unit },
      { as: admin },
    );
  expect(await preview({ promotionAmt: 8.5, uom: 'BX' })).toMatchObject({
    message:
      'Promotion for item PRA-4: price $8.50. Min. quantity 0, max. quantity unlimited, unit BX. Please ask an IS Rep to apply the discount.',
    sample: { date: today, unit: 'BX', before: 9.84, price: 8.5, total: 85, freeQty: 0 },
    overlaps: [],
  });
  expect(
    (await preview({ promotionType: 'DiscountPct', promotionAmt: 10, minQty: 20 }, 10, 'BX')).sample,
  ).toMatchObject({ price: 9.84, total: 98.4 });
  const free = { promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10, buyXGetYFreeGetQty: 1 };
  expect(await preview(free, 39, 'BX')).toMatchObject({
    message: 'Promotion for item PRA-4: buy 10, get 1 free. Min. quantity 0, max. quantity unlimited, unit any.',
    sample: { price: 9.84, freeQty: 3 },
  });
  expect(await search({ keyword: 'PRA-4' })).toMatchObject({ total: 0 });

  const itemId = item.id;
  const euro = await aPromotion(server.db, { itemId, type: 'FixedPrice', amount: 7, currnIdx: 1009, uom: 'BX' });
  const past = await aPromotion(server.db, { itemId, to: addDays(today, -1) });
  await aPromotion(server.db, { itemId, uom: 'EA' });
  await aPromotion(server.db, { itemId, active: false });
  const running = await aPromotion(server.db, { itemId, uom: 'BX' });
  const idsOf = async (promotion: object) => (await preview(promotion)).overlaps.map(({ id }) => id);
  expect(await idsOf({ promotionAmt: 8.5, uom: 'BX' })).toEqual([running.id]);
  expect(await idsOf({ promotionAmt: 8.5, uom: 'BX', validFrom: '2021-01-01', validTo: '2021-02-01' })).toEqual([
    past.id,
    running.id,
  ]);
  expect(await idsOf({ ...free, uom: 'BX', currnIdx: 1007 })).toEqual([euro.id, running.id]);
  expect(await idsOf({ id: running.id, promotionAmt: 8.5, uom: 'BX' })).toEqual([]);
});

it('the second of two administrators learns what the first changed', async () => {
  await anItem(server.db, { number: 'PRA-5' });
  const created = await save({ itemNumber: 'PRA-5', name: 'Contested', promotionAmt: 8 });
  const other = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Bea Boss' });
  await server.ok(ItemPromotion.saveItemPromotion, { ...created, promotionAmt: 7 }, { as: other });
  const late = { ...created, promotionAmt: 6 };
  expect(await server.call(ItemPromotion.saveItemPromotion, late, { as: admin })).toMatchObject({
    status: 409,
    body: {
      detail: "Bea Boss changed this promotion while you were editing it: Offer from 'price $8.00' to 'price $7.00'.",
      conflict: { changedBy: 'Bea Boss', current: { promotionAmt: 7, version: created.version + 1 } },
    },
  });
  const ending = { id: created.id, version: created.version };
  expect((await server.call(ItemPromotion.EndItemPromotion, ending, { as: admin })).status).toBe(409);
});

it('an ended promotion is no longer offered; a quote keeps its price until it is priced again', async () => {
  const { db } = server;
  const office = await aSalesOffice(db);
  const { id: itemId } = await anItem(db, { number: 'PRA-6', price: 20 });
  const { id } = await aPromotion(db, { itemId, amount: 10 });
  const { id: quoteId } = await aQuote(db, {
    facility: office.facility,
    ownerId: office.inside.id,
    salesRepId: office.rep.id,
    statusId: 'Processing',
    quoteDate: today,
  });
  const added = await server.ok(
    QuoteEdit.SaveQuoteItem,
    { quoteId, itemId, qty: 2, unit: 'EA' },
    { as: office.inside },
  );
  const { id: quoteItemId, version } = added.item;
  await server.ok(
    QuoteEdit.ApplyPromotionToQuoteItem,
    { quoteItemId, promotionId: id, version },
    { as: office.inside },
  );
  expect(await server.ok(ItemPromotion.GetItemPromotionUse, { id }, { as: admin })).toMatchObject({
    open: 1,
    sent: 0,
    won: 0,
    closed: 0,
    quotes: [{ id: quoteId, statusId: 'Processing', facilityName: office.facility.name }],
  });

  const ended = await server.ok(ItemPromotion.EndItemPromotion, { id, version: 1 }, { as: admin });
  expect(ended).toMatchObject({ active: true, validTo: addDays(today, -1) });
  const display = async () => {
    const { items } = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, { as: admin });
    return items[0];
  };
  expect(await display()).toMatchObject({ unitPrice: 18, promotionId: id, promotions: [] });
  const line = await display();
  await server.ok(
    QuoteEdit.SaveQuoteItem,
    { quoteId, id: quoteItemId, version: line?.version, qty: 3 },
    { as: office.inside },
  );
  expect(await display()).toMatchObject({ qty: 3, unitPrice: 20 });

  const twice = { id, version: ended.version };
  expect((await server.call(ItemPromotion.EndItemPromotion, twice, { as: admin })).status).toBe(409);
  const young = await aPromotion(db, { itemId, from: today });
  expect(await server.ok(ItemPromotion.EndItemPromotion, { id: young.id, version: 1 }, { as: admin })).toMatchObject({
    active: false,
    validFrom: today,
    validTo: null,
  });
  expect(await server.ok(History.GetHistory, { type: 'promotion', id: young.id }, { as: admin })).toMatchObject([
    { action: 'End', changes: [{ field: 'Active', before: 'yes', after: 'no' }] },
  ]);
});

it('an unknown one is not found', async () => {
  await anItem(server.db, { number: 'PRA-7' });
  const promotion = { itemNumber: 'PRA-7', promotionAmt: 7 };
  for (const [call, input] of [
    [ItemPromotion.PopulateItemPromotionEdit, { id: 999_999 }],
    [ItemPromotion.GetItemPromotionUse, { id: 999_999 }],
    [ItemPromotion.saveItemPromotion, { id: 999_999, version: 1, ...promotion }],
    [ItemPromotion.EndItemPromotion, { id: 999_999, version: 1 }],
  ] as const)
    expect([call.path, (await server.call(call, input, { as: admin })).status]).toEqual([call.path, 404]);
});

// Tests the ItemSearch calls over HTTP: results and their order, prices and their reasons, pictures, documents, permissions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aFile, anItem, anItemClass, aProduct, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aMembership, anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemSearch } from './items.contract.ts';

let server: TestServer;
let rep: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
  rep = await aUser(server.db, { roles: ['salesrep'] });
});
afterAll(() => server.close());

describe('SearchItemByNumber', () => {
  const numbers = async (number: string, hasRecentSaleOnly = true) => {
    const hits = await server.ok(ItemSearch.SearchItemByNumber, { number, hasRecentSaleOnly }, { as: rep });
    return hits.map((hit) => hit.itemNumber);
  };

  test('finds parts of numbers and names; sorts exact numbers first, then beginnings, selling rank, number', async () => {
    const { db } = server;
    const rank = (id: number, num: number) =>
      db.updateTable('item').set({ selling_rank_num: num }).where('id', '=', id).execute();
    await anItem(db, { number: 'AB-ZEB7', description: 'Bed' });
    await rank((await anItem(db, { number: 'A-1', description: 'Low air bed zeb7' })).id, 4.5);
    await anItem(db, { number: 'ZEB7-2', description: 'Bed' });
    await rank((await anItem(db, { number: 'ZEB7-9', description: 'Bed' })).id, 3);
    await anItem(db, { number: 'zeb7', description: 'Bed' });
    expect(await numbers('ZEB7')).toEqual(['zeb7', 'ZEB7-9', 'ZEB7-2', 'A-1', 'AB-ZEB7']);
    expect(await numbers('air zeb7')).toEqual(['A-1']);
    expect(await numbers('zeb7 no such')).toEqual([]);
  });

  test('ignores accents and case', async () => {
    await anItem(server.db, { number: 'ÄC-77', description: 'Catéter Ñandú' });
    for (const typed of ['cateter', 'CATÉTER', 'nandu', 'ac-77', 'Äc-77'])
      expect(await numbers(typed)).toEqual(['ÄC-77']);
  });

  test('fewer than three characters find nothing', async () => {
    await anItem(server.db, { number: 'QX', description: 'QX' });
    expect(await numbers('QX')).toEqual([]);
    expect(await numbers(' Q ')).toEqual([]);
    expect(await numbers('')).toEqual([]);
    await anItem(server.db, { number: 'QXW' });
    expect(await numbers('QXW')).toEqual(['QXW']);
  });

  test('treats wildcards and quotes as plain characters', async () => {
    await anItem(server.db, { number: 'WC-1', description: "100%_pure \\ o'hara" });
    await anItem(server.db, { number: 'WC-2', description: '100x pure' });
    expect(await numbers('100%')).toEqual(['WC-1']);
    expect(await numbers('%_pure')).toEqual(['WC-1']);
    expect(await numbers("o'hara")).toEqual(['WC-1']);
    expect(await numbers('pure \\')).toEqual(['WC-1']);
  });

  test('limits recent sales to the last 24 months', async () => {
    await anItem(server.db, { number: 'SOLD-ON', lastSold: '2024-11-21' });
    await anItem(server.db, { number: 'SOLD-BEFORE', lastSold: '2024-11-20' });
    await anItem(server.db, { number: 'SOLD-NEVER', lastSold: null });
    expect(await numbers('SOLD-')).toEqual(['SOLD-ON']);
    expect(await numbers('SOLD-', false)).toEqual(['SOLD-BEFORE', 'SOLD-NEVER', 'SOLD-ON']);
  });

  test('never shows hidden classes or discontinued items', async () => {
    const { db } = server;
    const [hidden, visible] = [await anItemClass(db, { hidden: true }), await anItemClass(db)];
    await anItem(db, { number: 'HID-1', classId: hidden.id });
    await anItem(db, { number: 'HID-2', classId: visible.id });
    await anItem(db, { number: 'HID-3', status: 'Discontinued' });
    expect(await numbers('HID-', false)).toEqual(['HID-2']);
  });

  test('returns the rank, and units with the base unit first', async () => {
    await anItem(server.db, {
      number: 'NEWONE',
      description: 'Glove',
      units: { EA: 1, CS: 500, BX: 50 },
      sellingRank: 'NEW',
    });
    const [hit] = await server.ok(ItemSearch.SearchItemByNumber, { number: 'NEWONE' }, { as: rep });
    expect(hit).toMatchObject({ description: 'Glove', sellingRank: 'NEW', imgThumbnailUrl: null });
    expect(hit?.units).toEqual([
      { unit: 'EA', factor: 1 },
      { unit: 'BX', factor: 50 },
      { unit: 'CS', factor: 500 },
    ]);
  });

  test('returns at most the best 200', async () => {
    const { db } = server;
    await db
      .insertInto('item')
      .values(
        Array.from({ length: 230 }, (_, index) => ({
          item_number: `MANY-${1000 + index}`,
          description: 'x',
          last_sold: '2026-01-01',
        })),
      )
      .execute();
    expect(await numbers('MANY-')).toHaveLength(200);
    const page = await server.ok(
      ItemSearch.SearchItemAdvanced,
      { keyword: 'MANY-', page: 12, pageSize: 20 },
      { as: rep },
    );
    expect(page).toMatchObject({ total: 230, pageCount: 12 });
    expect(page.records).toHaveLength(10);
    const past = await server.ok(
      ItemSearch.SearchItemAdvanced,
      { keyword: 'MANY-', page: 13, pageSize: 20 },
      { as: rep },
    );
    expect(past).toMatchObject({ total: 230, pageCount: 12, records: [] });
  });
});

describe('SearchItemAdvanced', () => {
  test('gives list prices in dollars, and the facility’s prices in its currency', async () => {
    const { db } = server;
    const facility = await aFacility(db, { currnIdx: 1009 });
    const priced = await anItem(db, {
      number: 'ADV-1',
      prices: [
        { unit: 'EA', price: 10 },
        { unit: 'EA', price: 9, currnIdx: 1009 },
      ],
    });
    await anItem(db, { number: 'ADV-2', price: 20 });
    const own = await anItem(db, { number: 'ADV-3', price: 30 });
    await db
      .insertInto('account_price')
      .values({ facility_id: facility.id, item_id: own.id, currn_idx: 1009, unit: 'EA', price: 25.5 })
      .execute();
    await aProduct(db, { itemIds: [priced.id], documents: [{ fileId: (await aFile(db, server.services.files)).id }] });
    const prices = async (facilityId: number | null) =>
      (await server.ok(ItemSearch.SearchItemAdvanced, { keyword: 'ADV-', facilityId }, { as: rep })).records.map(
        (row) => [row.itemNumber, row.price, row.currnIdx, row.hasDocs],
      );
    expect(await prices(null)).toEqual([
      ['ADV-1', 10, 1007, true],
      ['ADV-2', 20, 1007, false],
      ['ADV-3', 30, 1007, false],
    ]);
    expect(await prices(facility.id)).toEqual([
      ['ADV-1', 9, 1009, true],
      ['ADV-2', null, 1009, false],
      ['ADV-3', 25.5, 1009, false],
    ]);
    const response = await server.call(ItemSearch.SearchItemAdvanced, { facilityId: 999_999 }, { as: rep });
    expect(response.status).toBe(404);
  });

  test.each([
    ['itemNumber', 'asc', ['SRT-A', 'SRT-B', 'SRT-C']],
    ['itemNumber', 'desc', ['SRT-C', 'SRT-B', 'SRT-A']],
    ['description', 'asc', ['SRT-C', 'SRT-A', 'SRT-B']],
    ['sellingRankNum', 'desc', ['SRT-B', 'SRT-C', 'SRT-A']],
    ['lastSold', 'desc', ['SRT-C', 'SRT-A', 'SRT-B']],
    ['nonsense', 'asc', ['SRT-B', 'SRT-C', 'SRT-A']],
  ] as const)('sorts by %s %s', async (field, dir, order) => {
    const { db } = server;
    if (!(await db.selectFrom('item').select('id').where('item_number', '=', 'SRT-A').executeTakeFirst())) {
      await anItem(db, { number: 'SRT-A', description: 'bed', lastSold: '2026-02-01' });
      const b = await anItem(db, { number: 'SRT-B', description: 'Crib', lastSold: null });
      await db.updateTable('item').set({ selling_rank_num: 5 }).where('id', '=', b.id).execute();
      const c = await anItem(db, { number: 'SRT-C', description: 'Aid', lastSold: '2026-03-01' });
      await db.updateTable('item').set({ selling_rank_num: 2 }).where('id', '=', c.id).execute();
    }
    const input = { keyword: 'srt-', hasRecentSaleOnly: false, sort: { field, dir } };
    const result = await server.ok(ItemSearch.SearchItemAdvanced, input, { as: rep });
    expect(result.records.map(({ itemNumber }) => itemNumber)).toEqual(order);
  });

  test('filters by class, and remembers this person’s criteria', async () => {
    const { db } = server;
    const [beds, hidden] = [await anItemClass(db, { name: 'Beds' }), await anItemClass(db, { hidden: true })];
    const facility = await aFacility(db);
    await anItem(db, { number: 'CLS-1', classId: beds.id });
    await anItem(db, { number: 'CLS-2' });
    const me = await aUser(db);
    const first = await server.ok(ItemSearch.GetItemSearchDefaults, {}, { as: me });
    expect(first.criteria).toMatchObject({
      keyword: '',
      hasRecentSaleOnly: true,
      classId: null,
      facilityId: null,
      page: 1,
    });
    expect(first.classes).toContainEqual(beds);
    expect(first.classes.map(({ id }) => id)).not.toContain(hidden.id);

    const criteria = {
      keyword: 'cls-',
      classId: beds.id,
      hasRecentSaleOnly: false,
      facilityId: facility.id,
      pageSize: 50,
    };
    const result = await server.ok(ItemSearch.SearchItemAdvanced, criteria, { as: me });
    expect(result.records.map(({ itemNumber, className }) => [itemNumber, className])).toEqual([['CLS-1', 'Beds']]);
    expect((await server.ok(ItemSearch.GetItemSearchDefaults, {}, { as: me })).criteria).toMatchObject(criteria);
    expect((await server.ok(ItemSearch.GetItemSearchDefaults, {}, { as: await aUser(db) })).criteria.keyword).toBe('');

    await db.updateTable('item_class').set({ visible_in_web_quote: false }).where('id', '=', beds.id).execute();
    expect((await server.ok(ItemSearch.GetItemSearchDefaults, {}, { as: me })).criteria.classId).toBeNull();
    expect((await server.ok(ItemSearch.SearchItemAdvanced, criteria, { as: me })).total).toBe(0);
  });

  test('exports the whole result, safe to open in a spreadsheet', async () => {
    await anItem(server.db, {
      number: 'CSV-1',
      description: '=HYPERLINK("http://x")',
      price: 1.5,
      lastSold: '2026-10-02',
    });
    await anItem(server.db, { number: 'CSV-2', description: 'Bed, low', prices: [] });
    const response = await server.call(ItemSearch.ExportItems, { keyword: 'CSV-', pageSize: 1 }, { as: rep });
    expect(response.status).toBe(200);
    expect(response.headers['content-disposition']).toContain('items-2026-11-21.csv');
    const lines = response.bytes.toString().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFFItem #,Description,/);
    expect(lines[1]).toBe(`CSV-1,"'=HYPERLINK(""http://x"")",,EA,1.5,USD,,10/02/2026,Active`);
    expect(lines[2]).toMatch(/^CSV-2,"Bed, low",,EA,,USD,/);
    expect(lines).toHaveLength(4);
  });
});

describe('SearchItemPrices', () => {
  test('gives every current price, the one in use and why, promotions, and documents', async () => {
    const { db } = server;
    const facility = await aFacility(db);
    const item = await anItem(db, {
      number: 'LAD-1',
      units: { EA: 1, BX: 50 },
      prices: [
        { unit: 'EA', price: 0.25 },
        { unit: 'BX', price: 10 },
        { unit: 'BX', price: 9, minQty: 10 },
      ],
    });
    await anAccountPrice(db, { facilityId: facility.id, itemId: item.id, unit: 'BX', price: 8.5 });
    const gpo = await aGpo(db, { name: 'Vizient Test' });
    await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
    await aContract(db, {
      gpoId: gpo.id,
      number: 'V-9',
      to: '2027-01-31',
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, unit: 'BX', price: 8 }],
    });
    await aPromotion(db, { itemId: item.id, amount: 5, to: '2026-12-31' });
    const file = await aFile(db, server.services.files, { name: 'bed.pdf', mediaType: 'application/pdf' });
    await aProduct(db, {
      itemIds: [item.id],
      brand: 'Aero',
      description: 'Long text',
      documents: [{ fileId: file.id, title: 'Manual' }],
    });

    const result = await server.ok(
      ItemSearch.SearchItemPrices,
      { itemNumber: 'lad-1', facilityId: facility.id, qty: 12, unit: 'BX' },
      { as: rep },
    );
    expect(result.item).toMatchObject({
      itemNumber: 'LAD-1',
      unit: 'BX',
      price: 8,
      brand: 'Aero',
      longDescription: 'Long text',
      images: [],
    });
    expect(
      result.prices.map(({ source, unit, minQty, price, used, why }) => [source, unit, minQty, price, used, why]),
    ).toEqual([
      ['List', 'EA', 1, 0.25, false, 'The price per BX comes first'],
      ['List', 'BX', 1, 10, false, 'The price from 10 BX up comes first'],
      ['List', 'BX', 10, 9, false, 'The contract price takes precedence over the list price'],
      ['Account', 'BX', 1, 8.5, false, 'The contract price takes precedence over the account price'],
      ['Contract', 'BX', 1, 8, true, 'Used'],
    ]);
    expect(result.prices.at(-1)).toMatchObject({ ref: 'Contract V-9, tier 1 (Vizient Test)', to: '2027-01-31' });
    expect(result.resolved).toMatchObject({ systemPrice: 8, priceSource: 'Contract', priceEnds: '2027-01-31' });
    expect(result.promotions.map(({ message }) => message)).toEqual([
      'Promotion for item LAD-1: 5% discount. Min. quantity 0, max. quantity unlimited, unit any. Please ask an IS Rep to apply the discount.',
    ]);
    expect(result.documents).toMatchObject([{ title: 'Manual', category: 'Brochure', name: 'bed.pdf' }]);

    const list = await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep });
    expect(list.prices.map(({ source }) => source)).toEqual(['List', 'List', 'List']);
    expect(list.item).toMatchObject({ unit: 'EA', price: 0.25 });
  });

  test('refuses invalid requests', async () => {
    const { db } = server;
    const hidden = await anItem(db, { classId: (await anItemClass(db, { hidden: true })).id });
    const gone = await anItem(db, { status: 'Discontinued' });
    const status = async (input: object) =>
      (await server.call(ItemSearch.SearchItemPrices, { ...input }, { as: rep })).status;
    expect(await status({})).toBe(422);
    expect(await status({ itemId: null, itemNumber: null })).toBe(422);
    expect(await status({ itemId: gone.id, itemNumber: null, facilityId: null, qty: null, unit: null })).toBe(200);
    expect(await status({ itemNumber: 'no such number' })).toBe(404);
    expect(await status({ itemId: hidden.id })).toBe(404);
    expect(await status({ itemId: gone.id, facilityId: 999_999 })).toBe(404);
    expect(await status({ itemId: gone.id, qty: 0 })).toBe(422);
    const result = await server.ok(ItemSearch.SearchItemPrices, { itemId: gone.id }, { as: rep });
    expect(result.item.status).toBe('Discontinued');
    expect((await server.call(ItemSearch.SearchItemPrices, { itemId: gone.id })).status).toBe(401);
  });

  test('says why there is no price', async () => {
    const item = await anItem(server.db, { number: 'NOFACTOR', units: { EA: 1 }, prices: [{ unit: 'BX', price: 3 }] });
    const { resolved } = await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep });
    expect(resolved).toMatchObject({
      systemPrice: null,
      problem: 'There is no factor for the unit BX, so the price per BX cannot be converted to one per EA.',
    });
  });
});

describe('pictures and documents', () => {
  test('a thumbnail’s address opens without a token, for a limited time, and only unaltered', async () => {
    const { db, services } = server;
    const item = await anItem(db, { number: 'PIC-1' });
    const bytes = Buffer.from('picture bytes');
    const full = await aFile(db, services.files, { name: 'bed.png', mediaType: 'image/png', bytes });
    const thumb = await aFile(db, services.files, { name: 'bed-t.png', mediaType: 'image/png' });
    const { imageIds } = await aProduct(db, {
      itemIds: [item.id],
      images: [{ fileId: full.id, thumbFileId: thumb.id }],
    });
    const [hit] = await server.ok(ItemSearch.SearchItemByNumber, { number: 'PIC-1' }, { as: rep });
    const { images } = (await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep })).item;
    expect(images).toMatchObject([{ id: imageIds[0], thumbUrl: hit?.imgThumbnailUrl }]);

    const get = (url: string) => server.inject({ method: 'GET', url });
    const url = images[0]?.url ?? '';
    const picture = await get(url);
    expect(picture).toMatchObject({ status: 200, text: 'picture bytes' });
    expect(picture.headers['content-type']).toBe('image/png');
    expect(picture.headers['cache-control']).toBe('private, no-cache');
    expect((await get(url.replace(/sig=./, 'sig=!'))).status).toBe(404);
    expect((await get(url.replace(/until=\d/, 'until=9'))).status).toBe(404);
    expect((await get(url.replace('/640?', '/160?'))).status).toBe(404);
    expect((await get(images[0]?.thumbUrl ?? '')).text).toBe('content of bed-t.png');
    expect((await get(url.split('?')[0] ?? '')).status).toBe(404);
    server.setNow('2026-11-22T15:00:01Z');
    expect((await get(url)).status).toBe(404);
    server.setNow('2026-11-21T15:00:00Z');

    const sent = await server.call(ItemSearch.GetItemImage, { id: imageIds[0] ?? 0 }, { as: rep });
    expect(sent.bytes.equals(bytes)).toBe(true);
    expect(sent.headers['content-type']).toBe('image/png');
  });

  test('a picture or document whose file the store lost answers with a sentence', async () => {
    const { db, services } = server;
    const item = await anItem(db, { number: 'PIC-LOST' });
    const [picture, document] = [
      await aFile(db, services.files, { mediaType: 'image/png' }),
      await aFile(db, services.files),
    ];
    const { imageIds, documentIds } = await aProduct(db, {
      itemIds: [item.id],
      images: [{ fileId: picture.id }],
      documents: [{ fileId: document.id }],
    });
    const { images } = (await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep })).item;
    for (const id of [picture.id, document.id]) {
      const { storage_key } = await db
        .selectFrom('file')
        .select('storage_key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await services.files.remove(storage_key);
    }
    const served = await server.inject({ method: 'GET', url: images[0]?.url ?? '' });
    expect(served).toMatchObject({ status: 410, headers: { 'cache-control': 'no-store' } });
    expect(served.text).toContain('This picture is missing from the file store. Contact your system administrator.');
    expect(await server.call(ItemSearch.GetItemImage, { id: imageIds[0] ?? 0 }, { as: rep })).toMatchObject({
      status: 410,
    });
    expect(await server.call(ItemSearch.GetItemDocument, { id: documentIds[0] ?? 0 }, { as: rep })).toMatchObject({
      status: 410,
      body: { title: 'Gone', detail: expect.stringContaining('This document is missing') },
    });
    const comesBack = breakFileStore(services.config);
    try {
      expect(await server.inject({ method: 'GET', url: images[0]?.url ?? '' })).toMatchObject({ status: 503 });
    } finally {
      comesBack();
    }
  });

  test('a picture hidden from every role of a person does not exist for them', async () => {
    const { db, services } = server;
    const item = await anItem(db, { number: 'PIC-2' });
    const [secret, open] = [
      await aFile(db, services.files, { mediaType: 'image/png' }),
      await aFile(db, services.files, { mediaType: 'image/png' }),
    ];
    const { imageIds } = await aProduct(db, {
      itemIds: [item.id],
      images: [{ fileId: secret.id, hiddenRoles: ['salesrep', 'salessupport'] }, { fileId: open.id }],
    });
    const seen = async (as: { id: number }) =>
      (await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as })).item.images.map(({ id }) => id);
    const thumb = async (as: { id: number }) =>
      (await server.ok(ItemSearch.SearchItemByNumber, { number: 'PIC-2' }, { as }))[0]?.imgThumbnailUrl;
    const inside = await aUser(db, { roles: ['salesrep', 'insiderep'] });
    expect(await seen(rep)).toEqual([imageIds[1]]);
    expect(await seen(inside)).toEqual(imageIds);
    expect(await thumb(rep)).toContain(`/files/images/${imageIds[1]}/160?`);
    expect(await thumb(inside)).toContain(`/files/images/${imageIds[0]}/160?`);
    expect((await server.call(ItemSearch.GetItemImage, { id: imageIds[0] ?? 0 }, { as: rep })).status).toBe(404);
    expect((await server.call(ItemSearch.GetItemImage, { id: imageIds[0] ?? 0 }, { as: inside })).status).toBe(200);
  });

  test('a document downloads as its own file', async () => {
    const { db, services } = server;
    const item = await anItem(db);
    const file = await aFile(db, services.files, { name: 'Bedienung für Bett.pdf', mediaType: 'application/pdf' });
    const { documentIds } = await aProduct(db, { itemIds: [item.id], documents: [{ fileId: file.id }] });
    const sent = await server.call(ItemSearch.GetItemDocument, { id: documentIds[0] ?? 0 }, { as: rep });
    expect(sent.headers['content-type']).toBe('application/pdf');
    expect(sent.headers['content-disposition']).toContain(
      'attachment; filename="Bedienung f_r Bett.pdf"; filename*=UTF-8\'\'Bedienung%20f%C3%BCr',
    );
    expect((await server.call(ItemSearch.GetItemDocument, { id: 999_999 }, { as: rep })).status).toBe(404);
    expect((await server.call(ItemSearch.GetItemDocument, { id: documentIds[0] ?? 0 })).status).toBe(401);
  });
});

describe('GetItemsAtFacility', () => {
  test('answers price, source, promotions and the newest won line, in the order of the request', async () => {
    const { db } = server;
    const facility = await aFacility(db);
    const hidden = await anItemClass(db, { hidden: true });
    const [glove, gown, secret] = [
      await anItem(db, { price: 10, units: { EA: 1, BX: 10 } }),
      await anItem(db, { price: 20 }),
      await anItem(db, { classId: hidden.id }),
    ];
    await anAccountPrice(db, { facilityId: facility.id, itemId: glove.id, price: 8.5 });
    await aPromotion(db, { itemId: glove.id, type: 'DiscountPct', amount: 5 });
    const seller = await aUser(db, { roles: ['salesrep'] });
    const won = async (quoteDate: string, unitPrice: number, statusId: 'Won' | 'Lost' = 'Won', discountPct = 0) => {
      const quote = await aQuote(db, { facility, statusId, quoteDate, salesRepId: seller.id, ownerId: seller.id });
      await db.updateTable('quote').set({ discount_pct: discountPct }).where('id', '=', quote.id).execute();
      await db
        .insertInto('quote_item')
        .values({
          quote_id: quote.id,
          line_no: 1,
          item_id: glove.id,
          item_number: glove.itemNumber,
          description: glove.description,
          qty: 40,
          unit: 'BX',
          unit_price: unitPrice,
        })
        .execute();
      return quote;
    };
    await won('2026-06-01', 70);
    const newest = await won('2026-10-02', 80, 'Won', 10);
    await won('2026-11-01', 60, 'Lost');

    const input = { facilityId: facility.id, itemIds: [gown.id, glove.id, secret.id] };
    const row = { unit: 'EA', currnIdx: 1007 };
    const list = { ...row, itemId: gown.id, price: 20, priceSource: 'List', offers: [], lastWon: null };
    const account = { ...row, itemId: glove.id, price: 8.5, priceSource: 'Account', offers: ['5% discount'] };
    const lastWon = { number: String(newest.num), date: '2026-10-02', qty: 40, unit: 'BX', price: 72, currnIdx: 1007 };
    expect(await server.ok(ItemSearch.GetItemsAtFacility, input, { as: seller })).toEqual([
      list,
      { ...account, lastWon },
    ]);
    // Another rep sees the prices, but not the quotes of a colleague.
    expect(await server.ok(ItemSearch.GetItemsAtFacility, input, { as: rep })).toEqual([
      list,
      { ...account, lastWon: null },
    ]);
  });

  test('refuses an unknown facility, and more items than a page of the picker', async () => {
    const status = async (facilityId: number, itemIds: number[]) =>
      (await server.call(ItemSearch.GetItemsAtFacility, { facilityId, itemIds }, { as: rep })).status;
    const facility = await aFacility(server.db);
    expect(await status(999_999, [])).toBe(404);
    expect(await status(facility.id, [])).toBe(200);
    expect(
      await status(
        facility.id,
        Array.from({ length: 51 }, (_, index) => index + 1),
      ),
    ).toBe(422);
  });
});

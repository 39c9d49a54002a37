// Tests products over HTTP: the list and missing data, saving, many at once with undo, merging, splitting.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { aDocument, aFile, anItem, anItemClass, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Products } from './products.contract.ts';

let server: TestServer;
let admin: { id: number };
let rep: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  rep = await aUser(server.db, { roles: ['salesrep'] });
});
afterAll(() => server.close());

const search = (overrides: Record<string, unknown>) => server.ok(Products.searchProdDbItems, overrides, { as: admin });
const product = async (id: number) => (await server.ok(Products.GetProduct, { id }, { as: admin })).product;
const find = (keyword: string) =>
  server.ok(ItemSearch.SearchItemByNumber, { number: keyword, hasRecentSaleOnly: false }, { as: rep });

describe('the list', () => {
  it('finds products by words of name, brand and number, by filters, and by missing data', async () => {
    const gloves = await anItemClass(server.db, { name: 'Gloves of the list' });
    const item = await anItem(server.db);
    const file = await aFile(server.db, server.services.files);
    const full = await aProduct(server.db, {
      itemIds: [item.id],
      name: 'Listed Müller glove',
      brand: 'Handy',
      description: 'A text',
      images: [{ fileId: file.id }],
      documents: [{ fileId: file.id }],
    });
    const bare = await aProduct(server.db, { itemIds: [], name: 'Listed bare one' });
    await server.db
      .updateTable('product')
      .set({ class_id: gloves.id, manufacturer_no: 'ZZ-9' })
      .where('id', '=', full.id)
      .execute();
    const ids = async (overrides: Record<string, unknown>) => (await search(overrides)).records.map(({ id }) => id);
    expect(await ids({ keyword: 'listed' })).toEqual([bare.id, full.id]);
    expect(await ids({ keyword: 'muller handy' })).toEqual([full.id]);
    expect(await ids({ keyword: 'zz-9' })).toEqual([full.id]);
    expect(await ids({ classId: gloves.id })).toEqual([full.id]);
    expect(await ids({ brand: 'handy' })).toEqual([full.id]);
    for (const missing of ['image', 'text', 'document', 'item'] as const)
      expect(await ids({ keyword: 'listed', missing })).toEqual([bare.id]);
    expect((await search({ keyword: 'listed', sort: { field: 'items', dir: 'desc' } })).records).toMatchObject([
      { id: full.id, items: 1, documents: 1, hasText: true, hasImage: true, className: gloves.name },
      { id: bare.id, items: 0 },
    ]);
    const csv = await server.call(Products.ExportProdDbItems, { keyword: 'listed' }, { as: admin });
    expect(csv.bytes.toString('utf8')).toContain('Listed Müller glove,Handy,');
  });

  it('can be read by the contract department and changed by administrators', async () => {
    const contracts = await aUser(server.db, { roles: ['contractdept'] });
    expect((await server.call(Products.searchProdDbItems, {}, { as: contracts })).status).toBe(200);
    const edit = { id: 0, name: 'Not theirs' };
    expect((await server.call(Products.SaveProduct, edit, { as: contracts })).status).toBe(403);
    expect((await server.call(Products.searchProdDbItems, {}, { as: rep })).status).toBe(403);
  });
});

describe('one product', () => {
  it('is saved over its version, with a history, and its name and brand find its items at once', async () => {
    const item = await anItem(server.db, { description: 'GLV NTRL XS' });
    const { id } = await server.ok(
      Products.SaveProduct,
      { id: 0, name: 'Aurora Comfort', brand: 'Polaris', status: 'Active' },
      { as: admin },
    );
    await server.db.updateTable('item').set({ product_id: id }).where('id', '=', item.id).execute();
    expect(await find('aurora polaris')).toMatchObject([{ id: item.id, productName: 'Aurora Comfort' }]);
    const before = await product(id);
    const saved = await server.ok(
      Products.SaveProduct,
      { ...before, status: 'Active', name: 'Boréal Comfort' },
      { as: admin },
    );
    expect(saved).toMatchObject({ name: 'Boréal Comfort', version: 2 });
    expect(await find('aurora')).toEqual([]);
    expect(await find('boreal')).toMatchObject([{ id: item.id }]);
    const late = await server.call(Products.SaveProduct, { ...before, status: 'Active', brand: 'X' }, { as: admin });
    expect(late.status).toBe(409);
    // Users who write quotes do not see drafts.
    await server.ok(Products.SaveProduct, { ...saved, status: 'Draft', description: 'Not yet' }, { as: admin });
    expect(await find('boreal')).toEqual([]);
    expect(await find('glv ntrl')).toMatchObject([{ productName: '' }]);
    const detail = await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep });
    expect(detail.item).toMatchObject({ longDescription: '', brand: '' });
    expect(await server.ok(History.GetHistory, { type: 'product', id }, { as: admin })).toMatchObject([
      { changes: [{ field: 'Text' }, { field: 'Status', before: 'Active', after: 'Draft' }] },
      { changes: [{ field: 'Name', before: 'Aurora Comfort', after: 'Boréal Comfort' }] },
      { action: 'Create' },
    ]);
  });

  it('keeps the fields that a save leaves out', async () => {
    const [gloves, next] = [await anItemClass(server.db), await aProduct(server.db, { itemIds: [] })];
    const created = await server.ok(
      Products.SaveProduct,
      {
        id: 0,
        name: 'Kept glove',
        description: 'Words',
        brand: 'Handy',
        productType: 'Kept type',
        classId: gloves.id,
        manufacturer: 'Maker',
        manufacturerNo: 'M-1',
        status: 'Discontinued',
        replacedById: next.id,
      },
      { as: admin },
    );
    const { id } = created;
    const saved = await server.ok(Products.SaveProduct, { id, version: 1, name: 'Kept mitten' }, { as: admin });
    expect(saved).toEqual({ ...created, name: 'Kept mitten', version: 2 });
    const emptied = { id, version: 2, name: 'Kept mitten', classId: null, replacedById: null, brand: '' };
    expect(await server.ok(Products.SaveProduct, emptied, { as: admin })).toEqual({
      ...created,
      ...emptied,
      version: 3,
    });
  });

  it('can be replaced by another one, never by itself, and never in a cycle', async () => {
    const [old, next] = [
      await aProduct(server.db, { itemIds: [] }),
      await aProduct(server.db, { itemIds: [], name: 'The next' }),
    ];
    const status = (productIds: number[], replacedById: number) =>
      server.call(Products.saveItemStatus, { productIds, status: 'Discontinued', replacedById }, { as: admin });
    expect((await status([old.id], old.id)).status).toBe(422);
    expect((await status([old.id], next.id)).body).toMatchObject({ changed: 1 });
    expect((await status([next.id], old.id)).status).toBe(422);
    const item = await anItem(server.db);
    await server.db.updateTable('item').set({ product_id: old.id }).where('id', '=', item.id).execute();
    const detail = await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as: rep });
    expect(detail.item.replacedBy).toBe('The next');
    const page = await server.ok(Products.GetProduct, { id: next.id }, { as: admin });
    expect(page.replaces).toMatchObject([{ id: old.id }]);
  });
});

describe('many at once', () => {
  it('get a type, and lose it on undo except where somebody saved since', async () => {
    const [first, two] = [await aProduct(server.db, { itemIds: [] }), await aProduct(server.db, { itemIds: [] })];
    const { before, changed } = await server.ok(
      Products.saveItemProdType,
      { productIds: [first.id, two.id], productType: 'Glove' },
      { as: admin },
    );
    expect(changed).toBe(2);
    await server.ok(
      Products.SaveProduct,
      { ...(await product(two.id)), status: 'Active', name: 'Two now' },
      { as: admin },
    );
    const undone = await server.ok(
      Products.RestoreProducts,
      { products: before.map((was) => ({ ...was, status: 'Active' as const })) },
      { as: admin },
    );
    expect(undone).toEqual({ restored: 1, kept: [{ id: two.id, name: 'Two now' }] });
    expect([(await product(first.id)).productType, (await product(two.id)).productType]).toEqual(['', 'Glove']);
  });

  it('share a list of types: adding, renaming on all products, removing only unused ones', async () => {
    const { id } = await aProduct(server.db, { itemIds: [] });
    const keep = (type: Record<string, unknown>) => server.call(Products.saveItemProdType, { type }, { as: admin });
    expect((await keep({ name: 'Catheter' })).body.types).toContain('Catheter');
    await server.ok(Products.saveItemProdType, { productIds: [id], productType: 'Catheter' }, { as: admin });
    expect((await keep({ name: 'Catheter', remove: true })).status).toBe(422);
    const renamed = await keep({ name: 'Catheters', before: 'Catheter' });
    expect(renamed.body).toMatchObject({ changed: 1, types: expect.not.arrayContaining(['Catheter']) });
    expect((await product(id)).productType).toBe('Catheters');
    expect((await keep({ name: 'Other', before: 'Catheter' })).status).toBe(409);
  });
});

describe('merging and splitting', () => {
  it('moves items and documents and fills missing fields; the old address leads to the new product', async () => {
    const [a, b] = [await anItem(server.db), await anItem(server.db)];
    const file = await aFile(server.db, server.services.files);
    const into = await aProduct(server.db, { itemIds: [a.id], name: 'Kept' });
    const from = await aProduct(server.db, { itemIds: [b.id], name: 'Gone', brand: 'Brand of gone' });
    const both = await aDocument(server.db, { fileId: file.id, title: 'Of both', productIds: [into.id, from.id] });
    const only = await aDocument(server.db, { fileId: file.id, title: 'Of gone', productIds: [from.id] });
    const preview = await server.ok(Products.GetMergePreview, { fromIds: [from.id], intoId: into.id }, { as: admin });
    expect(preview).toMatchObject({
      into: { version: 1 },
      from: [{ name: 'Gone', items: 1, documents: 2 }],
      fills: [{ field: 'Brand', value: 'Brand of gone' }],
    });
    const merge = (version: number) =>
      server.call(
        Products.MergeProducts,
        { into: { id: into.id, version }, from: [{ id: from.id, version: 1 }] },
        { as: admin },
      );
    expect((await merge(0)).status).toBe(409);
    expect((await merge(1)).body).toMatchObject({ items: 1, product: { brand: 'Brand of gone', version: 2 } });
    const page = await server.ok(Products.GetProduct, { id: from.id }, { as: admin });
    expect(page).toMatchObject({ mergedFrom: { name: 'Gone' }, product: { id: into.id }, itemCount: 2 });
    expect(page.documents.map(({ title }) => title)).toEqual(['Of both', 'Of gone']);
    expect(page.documents.map(({ docId }) => docId)).toEqual([both.id, only.id]);
    expect((await search({ keyword: 'Gone' })).records.map(({ id }) => id)).not.toContain(from.id);
    expect((await search({ status: 'Merged' })).records.map(({ id }) => id)).toContain(from.id);
    expect((await merge(2)).status).toBe(409);
    // Products that were merged earlier follow a second merge.
    const last = await aProduct(server.db, { itemIds: [] });
    await server.ok(
      Products.MergeProducts,
      { into: { id: last.id, version: 1 }, from: [{ id: into.id, version: 2 }] },
      { as: admin },
    );
    expect((await product(from.id)).id).toBe(last.id);
  });

  it('refuses one of two people who merge products into each other at once', async () => {
    const [first, two] = [await aProduct(server.db, { itemIds: [] }), await aProduct(server.db, { itemIds: [] })];
    const merge = (into: number, from: number) =>
      server.call(
        Products.MergeProducts,
        { into: { id: into, version: 1 }, from: [{ id: from, version: 1 }] },
        { as: admin },
      );
    const statuses = (await Promise.all([merge(first.id, two.id), merge(two.id, first.id)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('splits items off into a new product', async () => {
    const [a, b] = [await anItem(server.db), await anItem(server.db, { description: 'Split off' })];
    const whole = await aProduct(server.db, { itemIds: [a.id, b.id], brand: 'Acme' });
    const created = await server.ok(
      Products.SplitItem,
      { productId: whole.id, version: 1, itemIds: [b.id] },
      { as: admin },
    );
    expect(created).toMatchObject({ name: 'Split off', brand: 'Acme', status: 'Active' });
    const page = await server.ok(Products.GetProduct, { id: created.id }, { as: admin });
    expect(page.items).toMatchObject([{ id: b.id }]);
    const again = await server.call(
      Products.SplitItem,
      { productId: whole.id, version: 2, itemIds: [b.id] },
      { as: admin },
    );
    expect(again.status).toBe(409);
  });
});

describe('the quotes of a product', () => {
  it('have the amount and the quantities of the lines that count, by unit', async () => {
    const { db } = server;
    const item = await anItem(db, { units: { EA: 1, CS: 100 } });
    const { id: productId } = await aProduct(db, { itemIds: [item.id] });
    const cases = await aQuote(db);
    const pieces = await aQuote(db);
    const optional = await aQuote(db);
    const line = { item_id: item.id, unit: 'EA', line_total: 50 };
    await db
      .insertInto('quote_item')
      .values([
        { ...line, quote_id: cases.id, line_no: 1, qty: 2, unit: 'CS' },
        { ...line, quote_id: cases.id, line_no: 2, qty: 5 },
        { ...line, quote_id: cases.id, line_no: 3, qty: 7, optional: true },
        { ...line, quote_id: cases.id, line_no: 4, qty: 9, active: false },
        { ...line, quote_id: pieces.id, line_no: 1, qty: 60 },
        { ...line, quote_id: optional.id, line_no: 1, qty: 60, optional: true },
      ])
      .execute();
    const sort = { field: 'qty', dir: 'desc' } as const;
    const { records } = await server.ok(Products.GetProductQuotes, { productId, sort }, { as: admin });
    const inCases = [
      { unit: 'CS', qty: 2 },
      { unit: 'EA', qty: 5 },
    ];
    expect(records).toMatchObject([
      { id: cases.id, qty: 205, quantities: inCases, amount: 100 },
      { id: pieces.id, qty: 60, quantities: [{ unit: 'EA', qty: 60 }], amount: 50 },
      { id: optional.id, qty: 0, quantities: [], amount: 0 },
    ]);
  });
});

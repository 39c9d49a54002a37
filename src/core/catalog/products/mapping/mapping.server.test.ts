// Tests mapping over HTTP: suggestions and their reasons, two users at once, undo, all exact matches, conflicts.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { anItem, anItemClass, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Products } from '../products.contract.ts';
import { ItemMapping } from './mapping.contract.ts';

let server: TestServer;
let admin: { id: number; fullName: string };
let other: { id: number; fullName: string };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  other = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(() => server.close());

const listed = (overrides: Record<string, unknown>) =>
  server.ok(ItemMapping.getNotMappedGpItems, { pageSize: 50, ...overrides }, { as: admin });
const map = (pairs: Record<string, unknown>[], more: Record<string, unknown> = {}, as = admin) =>
  server.ok(ItemMapping.mapGpItemToItmProdDbItem, { pairs: pairs as never, ...more }, { as });
const rowOf = (id: number) => server.db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('suggestions', () => {
  it('have a score and reasons, are stored, and are recomputed after a product changes', async () => {
    const beds = await anItemClass(server.db, { name: 'Beds' });
    const owner = await anItem(server.db, { description: 'Folding bed, steel frame, 200 cm' });
    const product = await aProduct(server.db, {
      itemIds: [owner.id],
      name: 'Folding bed, steel frame, 200 cm',
      brand: 'Somno',
    });
    await server.db.updateTable('product').set({ class_id: beds.id }).where('id', '=', product.id).execute();
    const item = await anItem(server.db, { description: 'Somno folding bed steel frame 200 cm', classId: beds.id });
    const longer = await anItem(server.db, { description: 'Somno folding bed steel frame 220 cm', classId: beds.id });

    const quick = await listed({ keyword: 'somno', suggest: false });
    expect(quick.records).toMatchObject([{ suggested: false, suggestions: [] }, { suggested: false }]);
    const { records, counts } = await listed({ keyword: 'somno' });
    expect(counts).toEqual({ Unmapped: 1, Suggested: 1, Ignored: 0, Conflict: 0 });
    const match = records.find(({ id }) => id === item.id);
    expect(match).toMatchObject({
      state: 'Suggested',
      suggested: true,
      suggestions: [
        {
          product: { id: product.id, items: 1 },
          reasons: expect.arrayContaining(['Same class: Beds', 'Same brand: Somno', 'Same measure: 200 cm']),
        },
      ],
    });
    expect(match?.suggestions[0]?.score).toBeGreaterThan(80);
    // The length differs, so equal words are not enough.
    expect(records.find(({ id }) => id === longer.id)).toMatchObject({ state: 'Unmapped', suggestions: [] });
    // The suggestions are stored, so they appear without another computation.
    expect((await listed({ keyword: 'somno', suggest: false })).records.find(({ id }) => id === item.id)).toEqual(
      match,
    );
    await server.ok(Products.saveItemProdType, { productIds: [product.id], productType: 'Bed' }, { as: admin });
    expect((await listed({ keyword: 'somno', suggest: false })).records[0]).toMatchObject({ suggested: false });
    await listed({ keyword: 'somno' });
    await server.db
      .updateTable('item')
      .set({ description: 'Somno something else' })
      .where('id', '=', item.id)
      .execute();
    expect((await listed({ keyword: 'somno', suggest: false })).records.find(({ id }) => id === item.id)).toMatchObject(
      {
        suggested: false,
      },
    );
  });

  it('list new and best-sold items first, and ignored ones only on request', async () => {
    const first = await anItem(server.db, { number: 'ORD-1', sellingRank: 'NEW' });
    const second = await anItem(server.db, { number: 'ORD-2' });
    const third = await anItem(server.db, { number: 'ORD-3' });
    await server.db.updateTable('item').set({ selling_rank_num: 4 }).where('id', '=', second.id).execute();
    expect((await listed({ keyword: 'ORD-' })).records.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
    const { results } = await map([{ itemId: third.id, version: 1, productId: null }], { ignoreReason: 'A service' });
    expect(results).toMatchObject([{ outcome: 'ignored' }]);
    expect((await listed({ keyword: 'ORD-' })).total).toBe(2);
    expect((await listed({ keyword: 'ORD-', state: 'Ignored' })).records).toMatchObject([
      { id: third.id, note: 'A service' },
    ]);
    expect(await server.ok(History.GetHistory, { type: 'item', id: third.id }, { as: admin })).toMatchObject([
      { action: 'Leave out' },
    ]);
  });
});

describe('mapping', () => {
  it('lets one of two people win, and tells the other who mapped the item to which product', async () => {
    const item = await anItem(server.db);
    const mine = await aProduct(server.db, { itemIds: [], name: 'Mine' });
    const theirs = await aProduct(server.db, { itemIds: [], name: 'Theirs' });
    const [first, second] = await Promise.all([
      map([{ itemId: item.id, version: 1, productId: mine.id }]),
      map([{ itemId: item.id, version: 1, productId: theirs.id }], {}, other),
    ]);
    const outcomes = [first, second].map(({ results }) => results[0]?.outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['mapped', 'refused']));
    const won = outcomes[0] === 'mapped' ? { who: admin, what: 'Mine' } : { who: other, what: 'Theirs' };
    const lost = [first, second].flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'refused'));
    expect(lost).toMatchObject([
      {
        version: 2,
        message: `${won.who.fullName} has mapped this item to ${won.what} in the meantime.`,
        undo: null,
      },
    ]);
    expect((await rowOf(item.id)).product_id).toBe(won.what === 'Mine' ? mine.id : theirs.id);
  });

  it('treats each pair separately, and can undo each one, a made product too', async () => {
    const [first, two, three] = [await anItem(server.db), await anItem(server.db), await anItem(server.db)];
    const product = await aProduct(server.db, { itemIds: [] });
    const { results } = await map([
      { itemId: first.id, version: 1, productId: product.id },
      { itemId: two.id, version: 1, productId: 'new' },
      { itemId: three.id, version: 7, productId: product.id },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['mapped', 'made', 'refused']);
    const created = results[1]?.product;
    expect(created?.name).toBe(two.description);
    expect(await rowOf(two.id)).toMatchObject({
      product_id: created?.id,
      mapping_state: 'Mapped',
      mapped_by: admin.id,
    });
    expect(await server.ok(History.GetHistory, { type: 'product', id: product.id }, { as: admin })).toMatchObject([
      { action: 'Map items', changes: [{ field: 'Items', after: first.itemNumber }] },
    ]);
    const undone = await map(results.flatMap(({ undo }) => undo ?? []));
    expect(undone.results.map(({ outcome }) => outcome)).toEqual(['unmapped', 'unmapped']);
    expect(await rowOf(first.id)).toMatchObject({ product_id: null, mapping_state: 'Unmapped', version: 3 });
    expect(
      await server.db
        .selectFrom('product')
        .select('id')
        .where('id', '=', created?.id ?? 0)
        .execute(),
    ).toEqual([]);
  });

  it('keeps a created product that gained something of its own when the creation is undone', async () => {
    const item = await anItem(server.db);
    const another = await anItem(server.db);
    const { results } = await map([{ itemId: item.id, version: 1, productId: 'new' }]);
    const created = results[0]?.product?.id ?? 0;
    await map([{ itemId: another.id, version: 1, productId: created }]);
    await map(results.flatMap(({ undo }) => undo ?? []));
    expect(await rowOf(another.id)).toMatchObject({ product_id: created });
  });

  it('restores an ignored item on undo, and maps to the product that replaced a merged one', async () => {
    const item = await anItem(server.db);
    const { results } = await map([{ itemId: item.id, version: 1, productId: null, ignoreReason: 'Freight' }]);
    const old = await aProduct(server.db, { itemIds: [] });
    const now = await aProduct(server.db, { itemIds: [] });
    await server.ok(
      Products.MergeProducts,
      { into: { id: now.id, version: 1 }, from: [{ id: old.id, version: 1 }] },
      { as: admin },
    );
    const mapped = await map([{ itemId: item.id, version: results[0]?.version, productId: old.id }]);
    expect(mapped.results).toMatchObject([{ outcome: 'mapped', product: { id: now.id } }]);
    await map(mapped.results.flatMap(({ undo }) => undo ?? []));
    expect(await rowOf(item.id)).toMatchObject({ product_id: null, mapping_state: 'Ignored', mapping_note: 'Freight' });
  });

  it('puts an item whose number changed later in conflict until somebody decides', async () => {
    const item = await anItem(server.db, { number: 'CONF-1', manufacturer: 'Acme', manufacturerNo: 'A-1' });
    const product = await aProduct(server.db, { itemIds: [item.id] });
    const rename = (manufacturer_no: string) =>
      server.db.updateTable('item').set({ manufacturer_no }).where('id', '=', item.id).execute();
    await rename('A1');
    expect((await rowOf(item.id)).mapping_state).toBe('Mapped');
    await rename('B-2');
    const { records } = await listed({ keyword: 'CONF-1', state: 'Conflict' });
    expect(records).toMatchObject([
      { product: { id: product.id }, note: 'Its manufacturer number was A1 when it was mapped.' },
    ]);
    await map([{ itemId: item.id, version: records[0]?.version, productId: product.id }]);
    expect(await rowOf(item.id)).toMatchObject({ mapping_state: 'Mapped', mapping_note: '', product_id: product.id });
  });

  it('is for catalog managers only', async () => {
    const rep = await aUser(server.db, { roles: ['salesrep'] });
    for (const call of [ItemMapping.getNotMappedGpItems, ItemMapping.GetExactMatches, ItemMapping.MapExactMatches]) {
      expect((await server.call(call, {}, { as: rep })).status).toBe(403);
    }
    expect((await server.call(ItemMapping.mapGpItemToItmProdDbItem, { pairs: [] }, { as: admin })).status).toBe(422);
  });
});

describe('all exact matches', () => {
  it('first show their effects, map clear cases, and leave items that several products claim', async () => {
    const has = await anItem(server.db, { manufacturer: 'Exa', manufacturerNo: 'EX-100' });
    const product = await aProduct(server.db, { itemIds: [has.id], name: 'Exact one' });
    const own = await aProduct(server.db, { itemIds: [], name: 'Exact two' });
    const twin = await aProduct(server.db, { itemIds: [], name: 'Exact three' });
    const numbered = (id: number, manufacturer_no: string) =>
      server.db.updateTable('product').set({ manufacturer: 'Exa', manufacturer_no }).where('id', '=', id).execute();
    await numbered(own.id, 'EX-200');
    const renumbered = await anItem(server.db, { number: 'EXA-1', manufacturer: 'EXA', manufacturerNo: 'ex-100' });
    const plain = await anItem(server.db, { number: 'EXA-2', manufacturer: 'Exa', manufacturerNo: 'EX 200' });
    const prefix = await anItem(server.db, { number: 'EXA-3', manufacturer: 'Exa', manufacturerNo: 'EX-2001' });
    const others = await anItem(server.db, { number: 'EXA-4', manufacturer: 'Other', manufacturerNo: 'EX-200' });
    const claimed = await anItem(server.db, { number: 'EXA-5', manufacturer: 'Exa', manufacturerNo: 'EX-300' });
    await numbered(twin.id, 'EX-300');
    await aProduct(server.db, {
      itemIds: [(await anItem(server.db, { manufacturer: 'Exa', manufacturerNo: 'EX-300' })).id],
    });

    const preview = await server.ok(ItemMapping.GetExactMatches, { keyword: 'EXA-' }, { as: admin });
    expect(preview).toMatchObject({
      total: 2,
      contested: 1,
      matches: [
        { itemId: renumbered.id, product: { id: product.id }, score: 100 },
        { itemId: plain.id, product: { id: own.id }, score: 95 },
      ],
    });
    expect((await rowOf(plain.id)).product_id).toBeNull();
    const done = await server.ok(ItemMapping.MapExactMatches, { keyword: 'EXA-' }, { as: admin });
    expect(done).toMatchObject({ mapped: expect.arrayContaining([{ itemId: plain.id, version: 2 }]), remaining: 0 });
    expect((await rowOf(renumbered.id)).product_id).toBe(product.id);
    for (const { id } of [prefix, others, claimed]) expect((await rowOf(id)).product_id).toBeNull();
    const { records } = await listed({ keyword: 'EXA-' });
    expect(records.find(({ id }) => id === claimed.id)).toMatchObject({
      state: 'Conflict',
      note: expect.stringContaining('Exact three'),
    });
    // The joins compare texts by the same rule as the scores.
    const { rows } = await sql<{ ours: string }>`select bare_text('NX-100/B Ä') as ours`.execute(server.db);
    expect(rows[0]?.ours).toBe('nx100ba');
    await map(done.mapped.map(({ itemId, version }) => ({ itemId, version, productId: null })));
    expect((await server.ok(ItemMapping.GetExactMatches, { keyword: 'EXA-' }, { as: admin })).total).toBe(2);
  });
});

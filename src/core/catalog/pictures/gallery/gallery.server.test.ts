// Tests the gallery over HTTP: finding, hiding, removing and restoring, order and text, and the report of missing pictures.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { aFile, anItem, anItemClass, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemImageProcess } from '../pictures.contract.ts';
import { ItemImageGallery, type Viewer } from './gallery.contract.ts';
import { placeOn } from '#core/catalog/product-pictures/places.server.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Gail Gallery' });
});
afterAll(() => server.close());

const aPictureFile = async () =>
  (await aFile(server.db, server.services.files, { mediaType: 'image/png', bytes: await aPicture() })).id;
async function aPicturedProduct(name: string, pictures: number, itemIds: number[] = []) {
  const images = await Promise.all(Array.from({ length: pictures }, async () => ({ fileId: await aPictureFile() })));
  return aProduct(server.db, { itemIds, name, images });
}
const search = (overrides: Record<string, unknown>) =>
  server.ok(ItemImageGallery.SearchItemImageAdvanced, overrides, { as: admin });
const ofProduct = async (productId: number) => {
  const [record] = (await search({ productId })).records;
  if (!record) throw new Error('no such product');
  return record;
};
const names = async (overrides: Record<string, unknown>) => (await search(overrides)).records.map(({ name }) => name);
const hide = (ids: number[], hiddenRoles: Viewer[], version?: number) =>
  server.call(ItemImageGallery.UpdateItemImageHidenRoles, { ids, hiddenRoles, version }, { as: admin });
/** Makes a quote with one line of the item and returns its id. */
async function aQuoteOf(itemId: number, statusId: 'Editing' | 'Won', qty = 1): Promise<number> {
  const { id } = await aPricedQuote(server.db, { statusId, lines: [{ qty }] });
  await server.db.updateTable('quote_item').set({ type: 'item', item_id: itemId }).where('quote_id', '=', id).execute();
  return id;
}
const status = async (url: string | null | undefined) =>
  (await server.inject({ method: 'GET', url: url ?? '/none' })).status;

describe('the gallery', () => {
  it('finds products by their words and their items’ words, by class, stage and hidden role, and those without a picture', async () => {
    const { db } = server;
    const itemClass = await anItemClass(db, { name: 'Gallery class' });
    const item = await anItem(db, { number: 'GAL-77', description: 'A stool' });
    const full = await aPicturedProduct('Gallery full', 2, [item.id]);
    const bare = await aPicturedProduct('Gallery bare', 0);
    await db.updateTable('product').set({ class_id: itemClass.id }).where('id', '=', full.id).execute();
    const meant = await db
      .insertInto('picture')
      .values({ name: 'coming.png', state: 'Uploaded', step: '', match: 'matched', size: 1, product_id: bare.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await names({ keyword: 'gallery' })).toEqual(['Gallery bare', 'Gallery full']);
    expect(await names({ keyword: 'gal-77' })).toEqual(['Gallery full']);
    expect(await names({ keyword: 'gallery', hasImage: false })).toEqual(['Gallery bare']);
    expect(await names({ keyword: 'gallery', hasImage: true })).toEqual(['Gallery full']);
    expect(await names({ classId: itemClass.id })).toEqual(['Gallery full']);
    expect(await names({ keyword: 'gallery', stage: 'filed' })).toEqual(['Gallery full']);
    expect(await names({ keyword: 'gallery', stage: 'file' })).toEqual(['Gallery bare']);
    expect(await names({ keyword: 'gallery', stage: 'waiting' })).toEqual([]);
    expect(await names({ keyword: 'gallery', sort: { field: 'pictures', dir: 'desc' } })).toEqual([
      'Gallery full',
      'Gallery bare',
    ]);
    expect(await ofProduct(bare.id)).toMatchObject({
      pictures: [],
      coming: [{ pictureId: meant.id, name: 'coming.png', stage: 'file', working: false }],
    });
    const { pictures } = await ofProduct(full.id);
    expect(pictures.map(({ id }) => id)).toEqual(full.imageIds);
    expect(await status(pictures[0]?.url)).toBe(200);
    await hide([full.imageIds[1] ?? 0], ['csrep']);
    expect(await names({ hiddenFor: 'csrep' })).toEqual(['Gallery full']);
    expect(await names({ hiddenFor: 'contractdept' })).toEqual([]);
    const csv = await server.call(ItemImageGallery.ExportItemImages, { keyword: 'gallery' }, { as: admin });
    const lines = csv.bytes.toString('utf8').trim().split('\r\n');
    expect(lines.length).toBe(4);
    expect(lines[1]).toMatch(/^Gallery bare,/);
    expect(lines[3]).toMatch(/Customer service representative/);
  });

  it('counts to a thousand; later pages hold the rest, and a page after the end holds nothing', async () => {
    await sql`insert into product (name) select 'Thousand ' || n from generate_series(1, 1021) n`.execute(server.db);
    const page = (at: number) => search({ keyword: 'thousand', page: at, pageSize: 20 });
    const { records, ...first } = await page(1);
    expect([records.length, first]).toEqual([20, { total: 1000, pageCount: 50, more: true }]);
    expect((await page(52)).records.length).toBe(1);
    expect((await page(53)).records).toEqual([]);
    const subset = sql`select id from product where name like 'Thousand %' order by id limit 21`;
    await sql`delete from product where id in (${subset})`.execute(server.db);
    const { records: none, ...whole } = await page(60);
    expect([none, whole]).toEqual([[], { total: 1000, pageCount: 50 }]);
  });

  it('is for administrators only', async () => {
    for (const role of ['contractdept', 'salesrep', 'csrep'] as const) {
      const as = { as: await aUser(server.db, { roles: [role] }) };
      expect((await server.call(ItemImageGallery.SearchItemImageAdvanced, {}, as)).status).toBe(403);
      expect((await server.call(ItemImageGallery.DeleteItemImage, { id: 1 }, as)).status).toBe(403);
    }
  });
});

describe('hiding', () => {
  it('hides a picture from the role at once, in search, item detail and picture list, and at its old address', async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'HID-1', description: 'Hidden thing' });
    const { id, imageIds } = await aPicturedProduct('Hidden product', 1, [item.id]);
    const rep = await aUser(db, { roles: ['salesrep'] });
    const cs = await aUser(db, { roles: ['csrep'] });
    const seen = async (as: { id: number }) => {
      const [hit] = await server.ok(
        ItemSearch.SearchItemByNumber,
        { number: 'HID-1', hasRecentSaleOnly: false },
        { as },
      );
      const advanced = await server.ok(
        ItemSearch.SearchItemAdvanced,
        { keyword: 'HID-1', hasRecentSaleOnly: false },
        { as },
      );
      const { images } = (await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as })).item;
      const listed = await server.ok(ItemImageProcess.GetProductImages, { id }, { as });
      return [
        hit?.imgThumbnailUrl,
        advanced.records[0]?.imgThumbnailUrl,
        images[0]?.url,
        images[0]?.largeUrl,
        listed[0]?.thumbUrl,
      ];
    };
    const old = await seen(rep);
    expect(await Promise.all(old.map(status))).toEqual(Array(5).fill(200));

    expect((await hide(imageIds, ['salesrep', 'customer'])).body).toMatchObject({
      changed: 1,
      before: [{ id: imageIds[0], version: 2, hiddenRoles: [] }],
    });
    expect(await Promise.all(old.map(status))).toEqual(Array(5).fill(404));
    expect((await seen(rep)).filter(Boolean)).toEqual([]);
    expect(await Promise.all((await seen(cs)).map(status))).toEqual(Array(5).fill(200));
    // A user with no other role does not see it in the gallery either, but may restore it.
    await hide(imageIds, ['salesadmin']);
    expect((await ofProduct(id)).pictures).toMatchObject([{ url: null, hiddenRoles: ['salesadmin'] }]);
    expect(await Promise.all(old.map(status))).toEqual(Array(5).fill(200));
  });

  it('refuses unknown roles and outdated versions, hides many, and undoes it except where somebody changed it since', async () => {
    const { imageIds, id } = await aPicturedProduct('Hide many', 3);
    const [first = 0, two = 0, three = 0] = imageIds;
    expect((await hide(imageIds, ['owner' as Viewer])).status).toBe(422);
    expect((await hide(imageIds, [], 1)).status).toBe(422);
    expect((await hide([first, 999_999], ['csrep'])).status).toBe(404);
    await hide([first], ['csrep'], 1);
    expect((await hide([first], [], 1)).body).toMatchObject({
      status: 409,
      conflict: { changedBy: 'Gail Gallery', current: { id: first, version: 2 } },
    });
    const hidden = await hide(imageIds, ['customer', 'salesrep']);
    expect(hidden.body).toMatchObject({ changed: 3 });
    await hide([two], []);
    const undone = await server.ok(
      ItemImageGallery.RestoreItemImages,
      { places: (hidden.body as { before: { id: number; version: number; hiddenRoles: Viewer[] }[] }).before },
      { as: admin },
    );
    expect(undone).toMatchObject({ restored: 2, kept: [{ id: two, problem: 'Another user has changed it since.' }] });
    const { pictures } = await ofProduct(id);
    expect(pictures.map(({ hiddenRoles }) => hiddenRoles)).toEqual([['csrep'], [], []]);
    expect(pictures.map((picture) => picture.id)).toEqual([first, two, three]);
    const [last] = await server.ok(History.GetHistory, { type: 'product', id }, { as: admin });
    expect(last).toMatchObject({
      action: 'Hide picture',
      changes: [
        { before: 'Sales representative, Customer', after: 'Customer service representative' },
        { before: 'Sales representative, Customer', after: 'no one' },
      ],
    });
  });
});

describe('removing', () => {
  it('removes a picture from one product, names the quotes that show it, and can restore it for thirty days', async () => {
    const { db } = server;
    const item = await anItem(db);
    const quoteId = await aQuoteOf(item.id, 'Editing');
    const { id, imageIds } = await aPicturedProduct('Removed from', 1, [item.id]);
    const sentId = await aQuoteOf(item.id, 'Won');
    const other = await aPicturedProduct('Stays on', 0);
    const [placeId = 0] = imageIds;
    const [placed] = (await ofProduct(id)).pictures;
    const pictureId = placed?.pictureId ?? 0;
    await placeOn(db, pictureId, other.id);
    expect((await ofProduct(id)).pictures).toMatchObject([{ alsoOn: 1 }]);
    const { medium_file_id } = await db
      .selectFrom('picture')
      .select('medium_file_id')
      .where('id', '=', pictureId)
      .executeTakeFirstOrThrow();
    const revision = await db
      .insertInto('quote_revision')
      .values({
        quote_id: sentId,
        revision: 1,
        doc_id: 'with-the-picture',
        document: '{}',
        content_hash: '',
        valid_until: '2099-01-01',
        total_amount: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('quote_revision_picture')
      .values({ quote_revision_id: revision.id, file_id: medium_file_id ?? 0 })
      .execute();
    const remove = (place: number) => server.ok(ItemImageGallery.DeleteItemImage, { id: place }, { as: admin });
    const state = async () =>
      (await db.selectFrom('picture').select('state').where('id', '=', pictureId).executeTakeFirstOrThrow()).state;

    const removed = await remove(placeId);
    expect(removed).toMatchObject({ productName: 'Removed from', version: 2, openQuotes: 1, sentQuotes: 1 });
    expect(removed.quotes.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: quoteId, sent: false },
      { id: sentId, sent: true },
    ]);
    expect(await status(placed?.url)).toBe(404);
    expect(await state()).toBe('Filed');
    // A second removal changes nothing.
    expect(await remove(placeId)).toMatchObject({ version: 2 });
    expect((await ofProduct(id)).removed).toMatchObject([{ id: placeId, url: null }]);
    expect(await names({ stage: 'removed' })).toContain('Removed from');

    const [onOther] = (await ofProduct(other.id)).pictures;
    await remove(onOther?.id ?? 0);
    expect(await state()).toBe('Removed');
    const [gone] = (await ofProduct(other.id)).removed;
    expect(await status(gone?.url)).toBe(200);

    const restore = (place: number, version: number) =>
      server.ok(ItemImageGallery.RestoreItemImages, { places: [{ id: place, version }] }, { as: admin });
    expect(await restore(placeId, 2)).toEqual({ restored: 1, kept: [] });
    expect(await state()).toBe('Filed');
    expect(await status(placed?.url)).toBe(200);
    expect((await ofProduct(other.id)).pictures).toEqual([]);
    expect(await restore(onOther?.id ?? 0, 1)).toMatchObject({ restored: 0, kept: [{ id: onOther?.id }] });
    await db
      .updateTable('product_image')
      .set({ removed_at: new Date(Date.now() - 31 * 86_400_000) })
      .where('id', '=', onOther?.id ?? 0)
      .execute();
    expect((await ofProduct(other.id)).removed).toEqual([]);
    expect(await restore(onOther?.id ?? 0, 2)).toMatchObject({
      kept: [{ problem: 'It was removed more than 30 days ago.' }],
    });
    expect(
      (await server.ok(History.GetHistory, { type: 'product', id }, { as: admin })).map(({ action }) => action),
    ).toEqual(['Restore picture', 'Remove picture']);
  });
});

describe('order and text', () => {
  it('reorders all pictures of a product, over the versions that the person read', async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'ORD-1' });
    const { id, imageIds } = await aPicturedProduct('Ordered', 3, [item.id]);
    const [a = 0, b = 0, c = 0] = imageIds;
    const order = (places: { id: number; version: number }[]) =>
      server.call(ItemImageGallery.SaveItemImageOrder, { productId: id, places }, { as: admin });
    const at = (place: number, version = 1) => ({ id: place, version });
    expect((await order([at(a), at(b)])).status).toBe(409);
    expect((await order([at(a), at(b), at(b)])).status).toBe(409);
    expect((await order([at(c), at(a), at(b)])).body).toEqual([at(c, 2), at(a, 2), at(b, 2)]);
    expect((await order([at(c), at(b), at(a)])).body).toMatchObject({
      status: 409,
      conflict: { changedBy: 'Gail Gallery', current: null },
    });
    expect((await ofProduct(id)).pictures.map((picture) => picture.id)).toEqual([c, a, b]);
    const listed = await server.ok(ItemImageProcess.GetProductImages, { id }, { as: admin });
    expect(listed[0]?.id).toBe(c);
    const two = await Promise.all([order([at(a, 2), at(c, 2), at(b, 2)]), order([at(b, 2), at(c, 2), at(a, 2)])]);
    expect(two.map(({ status: first }) => first).toSorted((x, y) => x - y)).toEqual([200, 409]);
  });

  it('saves an alternative text over the version that the person read', async () => {
    const { id, imageIds } = await aPicturedProduct('Described', 1);
    const save = (version: number, alt: string) =>
      server.call(ItemImageGallery.SaveItemImage, { id: imageIds[0] ?? 0, version, alt }, { as: admin });
    const first = { id: imageIds[0], version: 2, alt: 'A blue glove', hiddenRoles: [] };
    expect((await save(1, 'A blue glove')).body).toEqual(first);
    expect((await save(1, 'A red glove')).body).toMatchObject({
      status: 409,
      conflict: { current: { alt: 'A blue glove', version: 2 } },
    });
    const both = { ...first, alt: 'A glove', hiddenRoles: ['customer' as const] };
    expect(await server.ok(ItemImageGallery.SaveItemImage, { ...both, id: imageIds[0] ?? 0 }, { as: admin })).toEqual({
      ...both,
      version: 4,
    });
    const [visible] = await server.ok(ItemImageProcess.GetProductImages, { id }, { as: admin });
    expect(visible?.alt).toBe('A glove');
  });
});

describe('the report', () => {
  it('counts by stage and hidden role, and lists first the products whose missing picture costs most', async () => {
    const { db } = server;
    const { id: classId } = await anItemClass(db, { name: 'Class of the report' });
    const make = async (name: string, pictures: number) => {
      const item = await anItem(db, { classId });
      const created = await aPicturedProduct(name, pictures, [item.id]);
      await db.updateTable('product').set({ class_id: classId }).where('id', '=', created.id).execute();
      return { ...created, item };
    };
    const [never, sold, open, full] = [
      await make('Never sold', 0),
      await make('Sold', 0),
      await make('Open', 0),
      await make('Pictured', 2),
    ];
    await hide([full.imageIds[0] ?? 0], ['customer', 'csrep']);
    await server.ok(ItemImageGallery.DeleteItemImage, { id: full.imageIds[1] ?? 0 }, { as: admin });
    await aQuoteOf(sold.item.id, 'Won', 2);
    await aQuoteOf(open.item.id, 'Editing', 5);
    await aQuoteOf(full.item.id, 'Editing', 50);
    // Optional and inactive lines add no value.
    for (const flags of [{ optional: true }, { active: false }]) {
      const quoteId = await aQuoteOf(never.item.id, 'Editing', 90);
      await db.updateTable('quote_item').set(flags).where('quote_id', '=', quoteId).execute();
    }
    const report = await server.ok(ItemImageGallery.GetTotalImageRpt, { classId }, { as: admin });
    expect(report).toMatchObject({
      stages: { waiting: 0, upload: 0, file: 0, filed: 1, removed: 1, refused: 0 },
      products: 4,
      withoutPicture: 3,
      hidden: [
        { role: 'csrep', pictures: 1 },
        { role: 'customer', pictures: 1 },
      ],
      onlyHere: null,
    });
    expect(report.lacking.map(({ name, openQuotes, items }) => [name, openQuotes, items])).toEqual([
      ['Open', 1, 1],
      ['Sold', 0, 1],
      ['Never sold', 2, 1],
    ]);
    expect(report.lacking[0]?.openValue).toMatchObject([{ currnIdx: 1007 }]);
    expect(report.lacking[1]).toMatchObject({ openValue: [], soldValue: [{ currnIdx: 1007 }] });
    expect(report.lacking[2]).toMatchObject({ id: never.id, openValue: [], soldValue: [] });
    const csv = await server.call(ItemImageGallery.ExportTotalImageRpt, { classId }, { as: admin });
    expect(csv.bytes.toString('utf8')).toMatch(/^\uFEFFProduct,[^]*\r\nOpen,Class of the report,1,1,/);
    // All classes together have at least as many.
    const all = await server.ok(ItemImageGallery.GetTotalImageRpt, {}, { as: admin });
    expect(all.products).toBeGreaterThan(4);
    expect(all.stages.filed).toBeGreaterThan(1);
  });
});

// Tests documents over HTTP: categories, revisions, links, documents that need attention, and readers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onePagePdf, pdfOf } from '#demo/one-page-pdf.server.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemDocuments } from './documents.contract.ts';

const PDF = onePagePdf(['a document']);
let server: TestServer;
let contracts: { id: number };
let rep: { id: number };
let categories: Map<string, number>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  contracts = await aUser(server.db, { roles: ['contractdept'] });
  rep = await aUser(server.db, { roles: ['salesrep'] });
  const list = await server.ok(ItemDocuments.GetItmDocCategories, {}, { as: contracts });
  categories = new Map(list.map(({ name, id }) => [name, id]));
});
afterAll(() => server.close());

const categoryId = (name: string) => categories.get(name) ?? 0;
const save = (fields: Record<string, unknown>, file?: { name: string; bytes: Buffer }) =>
  server.call(ItemDocuments.saveItmDoc, fields, { as: contracts, ...(file ? { file } : {}) });
const pdf = (name = 'guide.pdf') => ({ name, bytes: PDF });
const aDoc = async (title: string, fields: Record<string, unknown> = {}) =>
  (await save({ id: 0, docCategoryId: categoryId('Brochure'), title, ...fields }, pdf())).body;
const list = (overrides: Record<string, unknown>) => server.ok(ItemDocuments.getItmDocs, overrides, { as: contracts });
const readBy = async (user: { id: number }, itemId: number) =>
  (await server.ok(ItemSearch.SearchItemPrices, { itemId }, { as: user })).documents;

describe('a document', () => {
  it('needs a file at first; another file makes a revision; fields alone make none', async () => {
    expect((await save({ id: 0, docCategoryId: categoryId('Brochure'), title: 'No file' })).status).toBe(422);
    const created = await save({ id: 0, docCategoryId: categoryId('Brochure') }, pdf('Bed_guide rev B.pdf'));
    expect(created.body).toMatchObject({
      title: 'Bed guide rev B',
      version: 1,
      revisions: 1,
      state: 'Current',
      revision: { name: 'Bed_guide rev B.pdf', mediaType: 'application/pdf', validFrom: '2026-11-10', validTo: null },
    });
    const { id } = created.body;
    const renamed = await save({
      id,
      version: 1,
      docCategoryId: categoryId('Brochure'),
      title: 'Bed guide',
      label: 'Rev. B',
      language: 'es',
    });
    expect(renamed.body).toMatchObject({
      title: 'Bed guide',
      version: 2,
      revisions: 1,
      language: 'es',
      revision: { label: 'Rev. B' },
    });
    const next = await save(
      { id, version: 2, docCategoryId: categoryId('Brochure'), title: 'Bed guide', label: 'Rev. C' },
      pdf('c.pdf'),
    );
    expect(next.body).toMatchObject({ revisions: 2, revision: { label: 'Rev. C', name: 'c.pdf' } });
    expect((await save({ id, version: 2, docCategoryId: categoryId('Brochure'), title: 'Late' })).status).toBe(409);
    expect((await save({ id, docCategoryId: categoryId('Brochure'), title: 'No version' })).status).toBe(422);
    const whole = await server.ok(ItemDocuments.GetItmDoc, { id }, { as: contracts });
    expect(whole.revisions.map(({ label }) => label)).toEqual(['Rev. C', 'Rev. B']);
    const old = await server.call(ItemDocuments.DownloadItmDoc, { id: whole.revisions[1]?.id ?? 0 }, { as: contracts });
    expect(old.bytes).toEqual(PDF);
    const admin = await aUser(server.db, { roles: ['salesadmin'] });
    expect(await server.ok(History.GetHistory, { type: 'document', id }, { as: admin })).toMatchObject([
      { action: 'New revision' },
      { action: 'Edit' },
      { action: 'Create' },
    ]);
  });

  it('gets its type from its bytes, whatever its name says, and is never a page or a program', async () => {
    const fields = { id: 0, docCategoryId: categoryId('Brochure') };
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    for (const [name, bytes] of [
      ['a.html', page],
      ['a.pdf', page],
      ['a.pdf', Buffer.from('text')],
      ['a.exe', PDF],
      ['a.pdf', pdfOf(['<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>'])],
    ] as const) {
      const refused = await save(fields, { name, bytes });
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'file' }] } });
    }
    const created = await save(fields, { name: 'scan.bin', bytes: PDF });
    expect(created.body.revision.mediaType).toBe('application/pdf');
    const sent = await server.call(ItemDocuments.DownloadItmDoc, { id: created.body.revision.id }, { as: contracts });
    expect(String(sent.headers['content-disposition'])).toMatch(/^attachment/);
  });

  it('keeps the fields that a save leaves out; a new revision has its own label and days', async () => {
    const input = { language: 'es', label: 'Rev. A', validFrom: '2026-10-01', validTo: '2026-12-31' };
    const created = await aDoc('Kept guide', input);
    const docCategoryId = categoryId('Clearance');
    const moved = await save({ id: created.id, version: 1, docCategoryId });
    expect(moved.body).toEqual({
      ...created,
      docCategoryId,
      category: 'Clearance',
      audience: moved.body.audience,
      version: 2,
      updatedAt: moved.body.updatedAt,
    });
    const late = await save({ id: created.id, version: 2, docCategoryId, validFrom: '2027-01-01' });
    expect(late).toMatchObject({ status: 422, body: { errors: [{ path: 'validTo' }] } });
    const next = await save({ id: created.id, version: 2, docCategoryId }, pdf('b.pdf'));
    expect(next.body).toMatchObject({
      title: 'Kept guide',
      language: 'es',
      revisions: 2,
      revision: { label: '', name: 'b.pdf', validFrom: '2026-11-10', validTo: null },
    });
  });

  it('cannot end before it begins', async () => {
    const fields = { id: 0, docCategoryId: categoryId('Brochure'), validFrom: '11/10/2026', validTo: '11/09/2026' };
    expect(await save(fields, pdf())).toMatchObject({ status: 422, body: { errors: [{ path: 'validTo' }] } });
  });
});

describe('the list', () => {
  it('says which documents end soon, have ended, are coming, or have no links', async () => {
    const soon = await aDoc('State soon', { validFrom: '2026-01-01', validTo: '2026-12-01' });
    const ended = await aDoc('State ended', { validFrom: '2026-01-01', validTo: '2026-11-09' });
    const coming = await aDoc('State coming', { validFrom: '2027-01-01' });
    const followed = await aDoc('State followed', { validFrom: '2026-01-01', validTo: '2026-12-01' });
    await save(
      {
        id: followed.id,
        version: 1,
        docCategoryId: categoryId('Brochure'),
        title: 'State followed',
        validFrom: '2026-12-02',
      },
      pdf(),
    );
    const product = await aProduct(server.db, { itemIds: [] });
    await server.ok(ItemDocuments.saveItemXDoc, { docId: soon.id, productIds: [product.id] }, { as: contracts });
    const ids = async (state: string) => (await list({ keyword: 'state', state })).records.map(({ id }) => id);
    expect(await ids('EndsSoon')).toEqual([soon.id]);
    expect(await ids('Ended')).toEqual([ended.id]);
    expect(await ids('Coming')).toEqual([coming.id]);
    expect(await ids('Current')).toEqual([followed.id]);
    expect(await ids('Unlinked')).toEqual([coming.id, ended.id, followed.id]);
    expect((await list({ docCategoryId: categoryId('Warranty') })).total).toBe(0);
    expect((await list({ keyword: 'state', sort: 'title.desc' })).records[0]?.id).toBe(soon.id);
    const csv = await server.call(ItemDocuments.ExportItmDocs, { keyword: 'state soon' }, { as: contracts });
    expect(csv.bytes.toString('utf8')).toContain('State soon,Brochure,Customer,en,');
  });
});

describe('links', () => {
  it('put one document on many products and items, once each, and are removed together', async () => {
    const doc = await aDoc('Linked');
    const products = [];
    for (let n = 0; n < 5; n++) products.push((await aProduct(server.db, { itemIds: [] })).id);
    const item = await anItem(server.db);
    const link = (productIds: number[], itemIds: number[] = []) =>
      server.ok(ItemDocuments.saveItemXDoc, { docId: doc.id, productIds, itemIds }, { as: contracts });
    expect((await link(products.slice(0, 2))).linkIds).toHaveLength(2);
    const all = await link(products, [item.id]);
    expect([all.linkIds.length, all.already]).toEqual([4, 2]);
    expect((await list({ keyword: 'linked' })).records).toMatchObject([{ products: 5, items: 1 }]);
    // One save revises the document for all of them, because links do not change its version.
    expect(
      (await save({ id: doc.id, version: 1, docCategoryId: categoryId('Brochure'), title: 'Linked' }, pdf())).status,
    ).toBe(200);
    expect(await server.ok(ItemDocuments.RemoveItemXDocs, { ids: all.linkIds }, { as: contracts })).toEqual({
      removed: 4,
    });
    const [rest] = (await server.ok(ItemDocuments.GetItmDoc, { id: doc.id }, { as: contracts })).links;
    expect(await server.ok(ItemDocuments.deleteItemXDoc, { id: rest?.id ?? 0 }, { as: contracts })).toEqual({
      removed: 1,
    });
    expect((await server.call(ItemDocuments.deleteItemXDoc, { id: rest?.id ?? 0 }, { as: contracts })).status).toBe(
      404,
    );
    const gone = { docId: doc.id, productIds: [2_000_000_000] };
    expect((await server.call(ItemDocuments.saveItemXDoc, gone, { as: contracts })).status).toBe(422);
  });
});

describe('readers', () => {
  it('get the documents for their audience that are valid today, from the item and its product', async () => {
    const item = await anItem(server.db);
    const product = await aProduct(server.db, { itemIds: [item.id] });
    const link = (docId: number, target: object) =>
      server.ok(ItemDocuments.saveItemXDoc, { docId, ...target }, { as: contracts });
    const brochure = await aDoc('A brochure');
    const clearance = await aDoc('B clearance', { docCategoryId: categoryId('Clearance') });
    const prices = await aDoc('C prices', { docCategoryId: categoryId('Price sheet') });
    const old = await aDoc('D old', { validFrom: '2020-01-01', validTo: '2021-01-01' });
    const own = await aDoc('E of the item');
    for (const { id } of [brochure, clearance, prices, old]) await link(id, { productIds: [product.id] });
    await link(own.id, { itemIds: [item.id] });
    const titles = async (user: { id: number }) => (await readBy(user, item.id)).map(({ title }) => title).toSorted();
    expect(await titles(rep)).toEqual(['A brochure', 'B clearance', 'E of the item']);
    expect(await titles(contracts)).toEqual(['A brochure', 'B clearance', 'C prices', 'E of the item']);
    const open = (id: number, as = rep) => server.call(ItemSearch.GetItemDocument, { id }, { as });
    expect((await open(brochure.id)).headers['content-disposition']).toMatch(/^attachment/);
    for (const { id } of [prices, old]) expect((await open(id)).status).toBe(404);
    expect((await open(prices.id, contracts)).status).toBe(200);
    const search = { keyword: item.itemNumber, hasRecentSaleOnly: false };
    const has = async () => (await server.ok(ItemSearch.SearchItemAdvanced, search, { as: rep })).records[0]?.hasDocs;
    expect(await has()).toBe(true);
    // A draft product shows nothing; the item's own documents stay.
    await server.db.updateTable('product').set({ status: 'Draft' }).where('id', '=', product.id).execute();
    expect(await titles(rep)).toEqual(['E of the item']);
    expect((await open(brochure.id)).status).toBe(404);
  });

  it('cannot use administration', async () => {
    for (const call of [ItemDocuments.getItmDocs, ItemDocuments.GetItmDocCategories, ItemDocuments.saveItemXDoc])
      expect((await server.call(call, {}, { as: rep })).status).toBe(403);
  });
});

describe('categories', () => {
  it('are saved over their version under unique names, and removed only while no document has them', async () => {
    const keep = (overrides: Record<string, unknown>) =>
      server.call(ItemDocuments.SaveItmDocCategory, overrides, { as: contracts });
    const created = (await keep({ id: 0, name: 'Test report', audience: 'Customer', offered: true })).body;
    expect(created).toMatchObject({ name: 'Test report', audience: 'Customer', offered: true, documents: 0 });
    expect((await keep({ id: 0, name: 'TEST REPORT', audience: 'Staff' })).status).toBe(422);
    const renamed = (await keep({ id: created.id, version: 1, name: 'Tests', audience: 'Customer' })).body;
    expect(renamed).toEqual({ ...created, name: 'Tests', version: 2 });
    // The server does not offer customers a document that is not for them.
    const staff = (await keep({ ...renamed, audience: 'Staff' })).body;
    expect(staff).toMatchObject({ audience: 'Staff', offered: false, version: 3 });
    expect((await keep({ ...created, name: 'Late' })).status).toBe(409);
    const doc = await aDoc('In the category', { docCategoryId: created.id });
    const remove = () =>
      server.call(ItemDocuments.RemoveItmDocCategory, { id: created.id, version: 3 }, { as: contracts });
    expect((await remove()).status).toBe(409);
    await save({ id: doc.id, version: 1, docCategoryId: categoryId('Brochure'), title: 'Elsewhere' });
    expect((await remove()).status).toBe(200);
  });
});

// Tests pictures on quotes: chosen at sending, frozen with the revision on page and PDF, regardless of later changes to the products.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Products } from '#core/catalog/products/products.contract.ts';
import { CompanyAdmin } from '#core/company/company-admin/company-admin.contract.ts';
import { QUOTE_LINK } from '#core/quoting/customer-reminders/reminder-day.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aDocument, aFile, anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteWorkflow } from '../workflow-calls.contract.ts';

let server: TestServer;
let cs: { id: number };
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  cs = await aUser(server.db, { roles: ['csrep'] });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(() => server.close());
beforeEach(() => server.db.updateTable('company').set({ show_pictures: false }).execute());

type HiddenFrom = ('customer' | 'csrep')[];

/** Makes an item with one picture in its sizes. */
async function aPictured(hiddenRoles: HiddenFrom = []) {
  const { db, services } = server;
  const file = async (mediaType: string, format: 'webp' | 'jpeg', width: number) =>
    (await aFile(db, services.files, { mediaType, bytes: await aPicture({ format, width, height: width }) })).id;
  const item = await anItem(db);
  const [small, large, print] = [
    await file('image/webp', 'webp', 40),
    await file('image/webp', 'webp', 60),
    await file('image/jpeg', 'jpeg', 50),
  ];
  const image = { fileId: large, thumbFileId: small, printFileId: print, hiddenRoles };
  const product = await aProduct(db, { itemIds: [item.id], images: [image] });
  return { item, product, imageId: product.imageIds[0] ?? 0, files: { small, large, print } };
}
type Pictured = Awaited<ReturnType<typeof aPictured>>;

/** Makes a quote in Processing, with a line for each item and one without an item. */
async function aQuoteOf(items: Pictured[]) {
  const { db } = server;
  const quote = await aPricedQuote(db, { statusId: 'Processing', lines: [...items.map(() => ({})), {}] });
  for (const [index, { item }] of items.entries())
    await db
      .updateTable('quote_item')
      .set({ item_id: item.id, type: 'item' })
      .where('quote_id', '=', quote.id)
      .where('line_no', '=', index + 1)
      .execute();
  return quote;
}

const init = (id: number) => server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id }, { as: cs });
async function send(quoteId: number, more: { pictures?: boolean; documentIds?: number[] } = {}): Promise<string> {
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const mail = { quoteId, version, to: ['b@example.org'], subject: 'Quote', body: `Hello\n${QUOTE_LINK}`, ...more };
  const sent = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  return sent.quote.docId ?? '';
}
const page = (id: string) => server.ok(QuoteDoc.GetQuoteDoc, { id });
const picturesOn = async (docId: string) => (await page(docId)).document.lines.map(({ picture }) => picture);
const get = (docId: string, fileId: number) => server.inject({ method: 'GET', url: paths.sentPicture(docId, fileId) });
const pdfOf = async (id: string) => (await server.call(QuoteDoc.GetQuotePdf, { id })).bytes;
const picturesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/DCTDecode/g)?.length ?? 0;
const hide = (imageId: number, hidden_roles: HiddenFrom) =>
  server.db.updateTable('product_image').set({ hidden_roles }).where('id', '=', imageId).execute();
/** Removes the file from the store but keeps its row. */
async function lose(fileId: number) {
  const { storage_key: key } = await server.db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  await server.services.files.remove(key);
}

test('a quote shows pictures if the sender or else the company says so, and again on the next revision', async () => {
  const pictured = await aPictured();
  const quote = await aQuoteOf([pictured]);
  expect((await init(quote.id)).pictures).toEqual({ shown: false, count: 1, onPageOnly: false });
  const draft = async (pictures?: 'true') =>
    (await server.call(QuoteWorkflow.GenerateQuotePdf, { id: quote.id, ...(pictures ? { pictures } : {}) }, { as: cs }))
      .bytes;
  expect(picturesIn(await draft())).toBe(0);
  expect(picturesIn(await draft('true'))).toBe(1);

  const { company } = await server.ok(CompanyAdmin.GetCompany, {}, { as: admin });
  expect(company.showPictures).toBe(false);
  await server.ok(CompanyAdmin.SaveCompany, { ...company, showPictures: true }, { as: admin });
  expect((await init(quote.id)).pictures?.shown).toBe(true);
  expect(picturesIn(await draft())).toBe(1);
  expect(await picturesOn(await send(quote.id))).toEqual([pictured.files, null]);
  expect((await init(quote.id)).pictures).toBeNull();

  const without = await aQuoteOf([pictured]);
  const docId = await send(without.id, { pictures: false });
  expect(await picturesOn(docId)).toEqual([null, null]);
  expect(picturesIn(await pdfOf(docId))).toBe(0);
  expect((await get(docId, pictured.files.small)).status).toBe(404);
  await server.db
    .updateTable('quote')
    .set({ revision: 2, status_id: 'Processing' })
    .where('id', '=', without.id)
    .execute();
  expect((await init(without.id)).pictures).toMatchObject({ shown: false, count: 1 });
});

test('pictures that are too large for a PDF are on the page only', async () => {
  const pictured = await aPictured();
  await server.db
    .updateTable('file')
    .set({ size: 15 * 1024 * 1024 + 1 })
    .where('id', '=', pictured.files.print)
    .execute();
  const quote = await aQuoteOf([pictured]);
  expect((await init(quote.id)).pictures).toMatchObject({ count: 1, onPageOnly: true });
  const docId = await send(quote.id, { pictures: true });
  expect(await picturesOn(docId)).toEqual([{ ...pictured.files, print: null }, null]);
  expect(picturesIn(await pdfOf(docId))).toBe(0);
  expect((await get(docId, pictured.files.small)).status).toBe(200);
});

test('a quote leaves out what is hidden from customers, not what is hidden from the sender', async () => {
  const [secret, ours, both] = [await aPictured(['customer']), await aPictured(['csrep']), await aPictured()];
  const draftProduct = await aPictured();
  await server.db.updateTable('product').set({ status: 'Draft' }).where('id', '=', draftProduct.product.id).execute();
  const quote = await aQuoteOf([secret, ours, both, draftProduct]);
  const docId = await send(quote.id, { pictures: true });
  expect(await picturesOn(docId)).toEqual([null, ours.files, both.files, null, null]);
  expect(picturesIn(await pdfOf(docId))).toBe(2);
  expect((await get(docId, secret.files.small)).status).toBe(404);
});

test('a picture opens under the address of the quote that shows it, and under no other', async () => {
  const [pictured, other] = [await aPictured(), await aPictured()];
  const quote = await aQuoteOf([pictured]);
  const docId = await send(quote.id, { pictures: true });
  const foreign = await send((await aQuoteOf([other])).id, { pictures: true });
  const served = await get(docId, pictured.files.small);
  expect(served).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/webp', 'cache-control': 'private, no-cache' },
  });
  expect(served.text.length).toBeGreaterThan(0);
  expect((await get(docId, pictured.files.large)).status).toBe(200);
  const again = await server.inject({
    method: 'GET',
    url: paths.sentPicture(docId, pictured.files.small),
    headers: { 'if-none-match': String(served.headers['etag']) },
  });
  expect(again.status).toBe(304);
  for (const [address, file] of [
    [foreign, pictured.files.small],
    [docId, other.files.small],
    [docId, 999_999],
    [docId, 1e12],
    ['no-such-quote', pictured.files.small],
    ['A'.repeat(22), pictured.files.small],
  ] as const)
    expect([address, file, (await get(address, file)).status]).toEqual([address, file, 404]);
  expect((await server.inject({ method: 'GET', url: `/files/quotes/${docId}/x` })).status).toBe(404);
  await server.ok(
    QuoteWorkflow.RevokePublicLink,
    { quoteId: quote.id, revision: 1, comment: 'Wrong address' },
    { as: cs },
  );
  expect((await get(docId, pictured.files.small)).status).toBe(404);
});

test('a sent quote keeps its pictures when they are hidden or removed later, on the page and in the PDF', async () => {
  const [hidden, removed] = [await aPictured(), await aPictured()];
  const quote = await aQuoteOf([hidden, removed]);
  const docId = await send(quote.id, { pictures: true });
  await hide(hidden.imageId, ['customer']);
  await server.db
    .updateTable('product_image')
    .set({ removed_at: '2026-11-10T16:00:00Z' })
    .where('id', '=', removed.imageId)
    .execute();
  expect(await picturesOn(docId)).toEqual([hidden.files, removed.files, null]);
  expect((await get(docId, hidden.files.small)).status).toBe(200);
  expect((await get(docId, removed.files.large)).status).toBe(200);
  // The server renders the PDF only now.
  expect(picturesIn(await pdfOf(docId))).toBe(2);
  expect(await picturesOn(await send((await aQuoteOf([hidden, removed])).id, { pictures: true }))).toEqual([
    null,
    null,
    null,
  ]);
});

test('a lost or damaged file leaves its place empty; the PDF is made and the log says so', async () => {
  const [lost, damaged, whole] = [await aPictured(), await aPictured(), await aPictured()];
  const docId = await send((await aQuoteOf([lost, damaged, whole])).id, { pictures: true });
  for (const file of Object.values(lost.files)) await lose(file);
  await server.db.updateTable('file').set({ size: 1 }).where('id', '=', damaged.files.print).execute();
  const warn = vi.spyOn(server.services.log, 'warn');
  const pdf = await pdfOf(docId);
  expect(picturesIn(pdf)).toBe(1);
  const logged = new Set(warn.mock.calls.map(([about]) => (about as { file: number }).file));
  expect(logged).toEqual(new Set([lost.files.print, damaged.files.print]));
  warn.mockRestore();
  expect((await get(docId, lost.files.small)).status).toBe(410);
  expect((await get(docId, whole.files.small)).status).toBe(200);
});

test('while the store is down the PDF has no pictures and is not stored', async () => {
  const docId = await send((await aQuoteOf([await aPictured()])).id, { pictures: true });
  const comesBack = breakFileStore(server.services.config);
  try {
    expect(picturesIn(await pdfOf(docId))).toBe(0);
  } finally {
    comesBack();
  }
  expect(picturesIn(await pdfOf(docId))).toBe(1);
});

test('quotes of merged products look as before, sent and open ones', async () => {
  const [stored, goes] = [await aPictured(), await aPictured()];
  const paper = await aFile(server.db, server.services.files, {
    name: 'leaflet.pdf',
    mediaType: 'application/pdf',
    bytes: Buffer.from('%PDF leaflet'),
  });
  const { revisionId } = await aDocument(server.db, {
    fileId: paper.id,
    title: 'Leaflet',
    productIds: [goes.product.id],
  });
  const [sent, open] = [await aQuoteOf([goes]), await aQuoteOf([goes])];
  const docId = await send(sent.id, { pictures: true, documentIds: [revisionId] });
  const seen = async () => ({
    page: await page(docId),
    picture: (await get(docId, goes.files.small)).text,
    large: (await get(docId, goes.files.large)).text,
    document: (await server.call(QuoteDoc.GetQuoteDocument, { docId, id: revisionId })).bytes.toString(),
    // Rendered each time from the frozen document.
    pdf: (await pdfAnew()).toString('base64'),
    board: (await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: sent.id }, { as: cs })).quote,
    lines: (await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: open.id }, { as: cs })).items.map(
      ({ itemNumber, description, qty, unit, unitPrice, lineTotal }) => [
        itemNumber,
        description,
        qty,
        unit,
        unitPrice,
        lineTotal,
      ],
    ),
  });
  const pdfAnew = async () => {
    await server.db.updateTable('quote_revision').set({ pdf_file_id: null }).where('doc_id', '=', docId).execute();
    return pdfOf(docId);
  };
  const before = await seen();
  expect(before.page.documents).toMatchObject([{ title: 'Leaflet' }]);
  expect(picturesIn(Buffer.from(before.pdf, 'base64'))).toBe(1);

  const version = 1;
  await server.ok(
    Products.MergeProducts,
    { into: { id: stored.product.id, version }, from: [{ id: goes.product.id, version }] },
    { as: admin },
  );
  expect(await seen()).toEqual(before);
  // The open quote now shows the first picture of the remaining product. The sent one keeps its own.
  expect((await init(open.id)).pictures).toMatchObject({ count: 1 });
  expect(await picturesOn(await send(open.id, { pictures: true }))).toEqual([stored.files, null]);
  expect(await picturesOn(docId)).toEqual([goes.files, null]);
});

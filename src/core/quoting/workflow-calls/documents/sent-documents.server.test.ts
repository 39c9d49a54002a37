// Tests item documents sent with a quote: offered, frozen with the revision, attached or linked, read on the customer's page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ItemDocuments } from '#core/catalog/documents/documents.contract.ts';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { QUOTE_LINK } from '#core/quoting/customer-reminders/reminder-day.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { aDocument, aFile, anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteFileUpload, QuoteWorkflow } from '../workflow-calls.contract.ts';

let server: TestServer;
let cs: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  cs = await aUser(server.db, { roles: ['csrep'] });
});
afterAll(() => server.close());

const aPdf = (name: string, size = 0) =>
  aFile(server.db, server.services.files, {
    name,
    mediaType: 'application/pdf',
    bytes: Buffer.concat([Buffer.from(`%PDF ${name}`), Buffer.alloc(size, 1)]),
  });

/** Makes a quote of one item whose product has a brochure, instructions and a price sheet. */
async function aQuoteWithDocuments() {
  const { db } = server;
  const item = await anItem(db);
  const product = await aProduct(db, { itemIds: [item.id] });
  const document = async (category: string, size = 0) =>
    aDocument(db, {
      fileId: (await aPdf(`${category}.pdf`, size)).id,
      title: `Its ${category}`,
      category,
      productIds: [product.id],
    });
  const brochure = await document('Brochure');
  const instructions = await document('Instructions for use');
  await document('Price sheet');
  const quote = await aPricedQuote(db, { statusId: 'Processing', lines: [{ qty: 1, systemPrice: 5 }] });
  await db.updateTable('quote_item').set({ item_id: item.id }).where('quote_id', '=', quote.id).execute();
  return { id: quote.id, product, brochure, instructions, document };
}

const offered = async (id: number) =>
  (await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id }, { as: cs })).documents;
async function send(quoteId: number, documentIds: number[]) {
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const mail = { quoteId, version, to: ['b@example.org'], subject: 'Quote', body: `Hello\n${QUOTE_LINK}`, documentIds };
  return server.call(QuoteWorkflow.SendEmail, mail, { as: cs });
}

describe('documents of a quote', () => {
  it('are offered if they are for customers, ticked according to their category', async () => {
    const { id, brochure, instructions } = await aQuoteWithDocuments();
    expect(await offered(id)).toMatchObject([
      { id: brochure.revisionId, title: 'Its Brochure', offered: true },
      { id: instructions.revisionId, title: 'Its Instructions for use', offered: false },
    ]);
    const all = await server.ok(QuoteFileUpload.GetQuoteItemDocuments, { id }, { as: cs });
    expect(all.map(({ category }) => category)).toEqual(['Brochure', 'Instructions for use', 'Price sheet']);
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await server.call(QuoteFileUpload.GetQuoteItemDocuments, { id }, { as: stranger })).status).toBe(404);
  });

  it('are sent frozen: a later revision or a removed link does not change them', async () => {
    const { id, brochure, instructions } = await aQuoteWithDocuments();
    const price = await server.db.selectFrom('document_revision').select('id').orderBy('id', 'desc').executeTakeFirst();
    expect(await send(id, [price?.id ?? 0])).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'documentIds' }] },
    });
    const sent = await send(id, [brochure.revisionId]);
    expect(sent.body.events[0]?.comment).toBe('To b@example.org; with Its Brochure');
    await server.drain();
    expect(server.mails.at(-1)?.attachments.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^quote-/),
      'Brochure.pdf',
    ]);
    const docId = sent.body.quote.docId ?? '';
    const page = () => server.ok(QuoteDoc.GetQuoteDoc, { id: docId });
    expect((await page()).documents).toMatchObject([{ id: brochure.revisionId, title: 'Its Brochure' }]);

    const admin = await aUser(server.db, { roles: ['salesadmin'] });
    const [category] = await server.ok(ItemDocuments.GetItmDocCategories, {}, { as: admin });
    const next = { id: brochure.id, version: 1, docCategoryId: category?.id ?? 0, title: 'Renamed' };
    const file = { name: 'next.pdf', bytes: onePagePdf(['next']) };
    await server.ok(ItemDocuments.saveItmDoc, next, { as: admin, file });
    await server.db.deleteFrom('document_link').where('document_id', '=', brochure.id).execute();
    expect((await page()).documents).toMatchObject([{ title: 'Its Brochure', name: 'Brochure.pdf' }]);
    const bytes = await server.call(QuoteDoc.GetQuoteDocument, { docId, id: brochure.revisionId });
    expect(bytes.bytes.toString()).toContain('%PDF Brochure.pdf');
    expect(String(bytes.headers['content-disposition'])).toMatch(/^attachment/);
    // Only the sent document is readable.
    const other = { docId, id: instructions.revisionId };
    expect((await server.call(QuoteDoc.GetQuoteDocument, other)).status).toBe(404);
    // A Resend is identical: it offers the sent document again, and nothing else.
    expect(await offered(id)).toMatchObject([{ id: brochure.revisionId, offered: true, name: 'Brochure.pdf' }]);
    expect((await send(id, [instructions.revisionId])).status).toBe(422);
    expect((await send(id, [brochure.revisionId])).status).toBe(200);
  });

  it('that do not fit into the email are named in it and stay on the page', async () => {
    const { id, brochure, document } = await aQuoteWithDocuments();
    const large = await document('Specification', 25 * 1024 * 1024);
    const sent = await send(id, [brochure.revisionId, large.revisionId]);
    await server.drain();
    const mail = server.mails.at(-1);
    expect(mail?.attachments.map(({ name }) => name)).toEqual([expect.stringMatching(/^quote-/), 'Brochure.pdf']);
    expect(mail?.text).toContain('too large for an email. You can find them on the quote page:\n- Its Specification');
    const { documents } = await server.ok(QuoteDoc.GetQuoteDoc, { id: sent.body.quote.docId ?? '' });
    expect(documents.map(({ title }) => title)).toEqual(['Its Brochure', 'Its Specification']);
  });
});

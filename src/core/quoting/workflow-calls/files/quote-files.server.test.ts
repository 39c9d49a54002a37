// Tests files of a quote over HTTP: accept and refuse, show and hide, and store nothing partially.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onePagePdf, pdfOf } from '#demo/one-page-pdf.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteFileUpload } from '../workflow-calls.contract.ts';

let server: TestServer;
let rep: Awaited<ReturnType<typeof aUser>>;
beforeAll(async () => {
  server = await startTestServer();
  rep = await aUser(server.db);
});
afterAll(() => server.close());

const PDF = onePagePdf(['Purchase order']);
const eventsOf = (quoteId: number) =>
  server.db
    .selectFrom('quote_event')
    .select(['action', 'changes'])
    .where('quote_id', '=', quoteId)
    .orderBy('id')
    .execute();

function upload(quoteId: number, name: string, bytes: Buffer, more: { visible?: string; as?: { id: number } } = {}) {
  return server.call(
    QuoteFileUpload.UploadQuoteFile,
    { quoteId, visibleToCustomer: more.visible ?? 'false' },
    { as: more.as ?? rep, file: { name, bytes } },
  );
}

test('a name keeps its quotation mark from the upload to the download', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const { body } = await upload(quote.id, '5".pdf', PDF);
  expect(body.name).toBe('5".pdf');
  const { headers } = await server.call(QuoteFileUpload.DownloadQuoteFile, { id: body.id }, { as: rep });
  expect(headers['content-disposition']).toBe(`attachment; filename="5_.pdf"; filename*=UTF-8''5%22.pdf`);
});

test('a file is uploaded, downloaded, shown, hidden and removed, each with an event', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const taken = await upload(quote.id, '../PO 77.pdf', PDF, { visible: 'true' });
  expect(taken.status).toBe(200);
  expect(taken.body).toEqual({
    id: expect.any(Number),
    name: 'PO 77.pdf',
    mediaType: 'application/pdf',
    size: PDF.length,
    visibleToCustomer: true,
    uploadedBy: rep.fullName,
    uploadedAt: expect.any(String),
  });
  const { files } = await server.ok(QuoteEdit.GetQuoteActivity, { quoteId: quote.id }, { as: rep });
  expect(files).toEqual([taken.body]);
  const { id } = taken.body;
  const input = await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: rep });
  expect(input.bytes.equals(PDF)).toBe(true);
  expect(input.headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-disposition': expect.stringMatching(/^attachment; filename="PO 77.pdf"/),
  });
  const hidden = await server.ok(QuoteFileUpload.ChangeQuoteFile, { id, visibleToCustomer: false }, { as: rep });
  expect(hidden).toMatchObject([{ id, visibleToCustomer: false }]);
  await server.ok(QuoteFileUpload.ChangeQuoteFile, { id, visibleToCustomer: false }, { as: rep });
  expect(await server.ok(QuoteFileUpload.ChangeQuoteFile, { id, remove: true }, { as: rep })).toEqual([]);
  expect((await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: rep })).status).toBe(404);
  expect(await eventsOf(quote.id)).toEqual([
    { action: 'Upload', changes: [{ field: 'File', before: '', after: 'PO 77.pdf (visible to the customer)' }] },
    { action: 'EditFile', changes: [{ field: 'PO 77.pdf', before: 'shown to the customer', after: 'internal' }] },
    { action: 'RemoveFile', changes: [{ field: 'File', before: 'PO 77.pdf', after: '' }] },
  ]);
});

test.each([
  ['page.html', '<html>'],
  ['logo.svg', '<svg onload="alert(1)"/>'],
  ['invoice.pdf', 'MZ\u0090\u0000'],
  ['invoice.pdf', 'just words'],
  ['empty.txt', ''],
  ['form.pdf', pdfOf(['<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>']).toString('latin1')],
])('%s is refused in a sentence', async (name, content) => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const refused = await upload(quote.id, name, Buffer.from(content));
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({ detail: expect.stringContaining(name), errors: [{ path: 'file' }] });
  expect(await eventsOf(quote.id)).toEqual([]);
});

test('too large a file is refused as too large', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const refused = await upload(quote.id, 'large.pdf', Buffer.concat([PDF, Buffer.alloc(25 * 1024 * 1024)]));
  expect(refused.status).toBe(413);
});

test('users who do not see the quote see no file of it', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const { id } = (await upload(quote.id, 'po.pdf', PDF)).body;
  const stranger = await aUser(server.db);
  expect((await upload(quote.id, 'po.pdf', PDF, { as: stranger })).status).toBe(404);
  expect((await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: stranger })).status).toBe(404);
  expect((await server.call(QuoteFileUpload.ChangeQuoteFile, { id, remove: true }, { as: stranger })).status).toBe(404);
  const contracts = await aUser(server.db, { roles: ['contractdept'] });
  expect((await upload(quote.id, 'po.pdf', PDF, { as: contracts })).status).toBe(403);
  expect((await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: contracts })).status).toBe(200);
});

test('a failing store fails the upload in plain words and leaves nothing', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const { id } = (await upload(quote.id, 'first.pdf', PDF)).body;
  const comesBack = breakFileStore(server.services.config);
  try {
    const failed = await upload(quote.id, 'po.pdf', PDF);
    expect(failed.status).toBe(503);
    expect(failed.body).toMatchObject({
      detail: 'po.pdf could not be stored right now. Nothing was saved; try again in a moment.',
    });
    expect((await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: rep })).status).toBe(503);
  } finally {
    comesBack();
  }
  const rows = await server.db.selectFrom('quote_file').select('id').where('quote_id', '=', quote.id).execute();
  expect(rows).toEqual([{ id }]);
  expect((await upload(quote.id, 'po.pdf', PDF)).status).toBe(200);
});

test('a file lost by the store is reported as lost', async () => {
  const quote = await aQuote(server.db, { salesRepId: rep.id });
  const { id } = (await upload(quote.id, 'po.pdf', PDF)).body;
  const { storage_key } = await server.db
    .selectFrom('file')
    .innerJoin('quote_file', 'quote_file.file_id', 'file.id')
    .select('storage_key')
    .where('quote_file.id', '=', id)
    .executeTakeFirstOrThrow();
  await server.services.files.remove(storage_key);
  expect(await server.call(QuoteFileUpload.DownloadQuoteFile, { id }, { as: rep })).toMatchObject({
    status: 410,
    body: { detail: 'This file is missing from the file store. Contact your system administrator.' },
  });
});

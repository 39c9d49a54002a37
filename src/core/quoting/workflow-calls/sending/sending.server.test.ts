// Tests sending over HTTP: the revision is frozen once, and the mail goes out once with the PDF that all readers get.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { QUOTE_LINK } from '#core/quoting/customer-reminders/reminder-day.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { breakFileStore } from '#testing/break-file-store.server.ts';
import { aFile } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { losingCommits } from '#testing/lost-commit.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteFileUpload, QuoteWorkflow } from '../workflow-calls.contract.ts';
import { sendRevisionJob } from './sending.server.ts';

let server: TestServer;
let cs: Awaited<ReturnType<typeof aUser>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Chris Service' });
});
afterAll(() => server.close());

const aReadyQuote = (input: Parameters<typeof aPricedQuote>[1] = {}) =>
  aPricedQuote(server.db, { statusId: 'Processing', ...input });
const versionOf = async (id: number) =>
  (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
const revisionsOf = (id: number) =>
  server.db.selectFrom('quote_revision').selectAll().where('quote_id', '=', id).orderBy('revision').execute();
async function sendingIdOf(quoteId: number): Promise<number> {
  const { id } = await server.db
    .selectFrom('quote_sending')
    .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
    .select('quote_sending.id')
    .where('quote_id', '=', quoteId)
    .executeTakeFirstOrThrow();
  return id;
}

async function send(quoteId: number, more: Record<string, unknown> = {}) {
  const mail = {
    quoteId,
    version: await versionOf(quoteId),
    to: ['buyer@example.org'],
    subject: 'Your quote',
    body: `Hello\n${QUOTE_LINK}`,
    ...more,
  };
  return server.call(QuoteWorkflow.SendEmail, mail, { as: cs });
}
async function mailsOf(action: () => Promise<unknown>) {
  await server.drain();
  const before = server.mails.length;
  await action();
  await server.drain();
  return server.mails.slice(before);
}
const pdfOf = (id: number) => server.call(QuoteWorkflow.GenerateQuotePdf, { id }, { as: cs });

test('sending freezes the revision and emails its PDF and its page', async () => {
  const quote = await aReadyQuote({
    lines: [
      { qty: 3, systemPrice: 19.99 },
      { qty: 1, systemPrice: 5, optional: true },
    ],
  });
  const mails = await mailsOf(async () => {
    const sent = await send(quote.id, {
      to: ['a@example.org', 'b@example.org', 'A@Example.org'],
      cc: ['c@example.org', 'a@example.org', 'B@EXAMPLE.ORG'],
    });
    expect(sent.status).toBe(200);
    expect(sent.body.quote).toMatchObject({ statusId: 'SentToCustomer', docId: expect.stringMatching(/^[\w-]{22}$/) });
    expect(sent.body.events[0]).toMatchObject({
      action: 'Send',
      from: 'Processing',
      to: 'SentToCustomer',
      comment: 'To a@example.org, b@example.org; copy to c@example.org',
    });
  });
  const [revision] = await revisionsOf(quote.id);
  expect(revision).toMatchObject({ revision: 1, total_amount: 59.97, valid_until: '2027-01-01', sent_by: cs.id });
  const document = QuoteDocument.parse(revision?.document);
  expect(document).toMatchObject({
    number: String(quote.num),
    lines: [
      { qty: 3, unitPrice: 19.99, amount: 59.97, optional: false },
      { qty: 1, amount: 5, optional: true },
    ],
    totals: { linesTotal: 59.97, totalAmount: 59.97 },
    terms: { version: 1 },
  });
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({
    to: ['a@example.org', 'b@example.org'],
    cc: ['c@example.org'],
    subject: 'Your quote',
  });
  expect(mails[0]?.text).toBe(`Hello\n${server.services.config.publicUrl}/quote-doc/${revision?.doc_id}`);
  expect(mails[0]?.attachments.map(({ name }) => name)).toEqual([`quote-${quote.num}.pdf`]);
  expect(mails[0]?.attachments[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
});

test('the lines that the customer reads are numbered 1, 2, 3', async () => {
  const { db } = server;
  const quote = await aReadyQuote({ lines: [{}, {}, {}, {}, {}] });
  const change = (lineNo: number, values: { active?: boolean; type?: 'section' }) =>
    db.updateTable('quote_item').set(values).where('quote_id', '=', quote.id).where('line_no', '=', lineNo).execute();
  await change(2, { active: false });
  await change(3, { type: 'section' });
  await send(quote.id);
  const [revision] = await revisionsOf(quote.id);
  const lines = QuoteDocument.parse(revision?.document).lines.filter(({ type }) => type !== 'section');
  expect(lines.map(({ lineNo, itemNumber }) => [lineNo, itemNumber.split('-').at(-1)])).toEqual([
    [1, '1'],
    [2, '4'],
    [3, '5'],
  ]);
});

test('the address goes below a text without a placeholder, and a subject is one line', async () => {
  const quote = await aReadyQuote();
  const [mail] = await mailsOf(() => send(quote.id, { body: 'Hello', subject: 'Your\nquote' }));
  const [revision] = await revisionsOf(quote.id);
  expect(mail?.text).toBe(
    `Hello\n\nRead the quote online: ${server.services.config.publicUrl}/quote-doc/${revision?.doc_id}`,
  );
  expect(mail?.subject).toBe('Your quote');
});

test('nothing later changes the sent revision', async () => {
  const quote = await aReadyQuote();
  await send(quote.id);
  const first = await pdfOf(quote.id);
  await server.db
    .updateTable('quote')
    .set({ facility_name: 'Renamed', total_amount: 1 })
    .where('id', '=', quote.id)
    .execute();
  await server.db.updateTable('quote_item').set({ unit_price: 1 }).where('quote_id', '=', quote.id).execute();
  const [mail] = await mailsOf(() => send(quote.id));
  expect(mail?.attachments[0]?.bytes.equals(first.bytes)).toBe(true);
  expect((await pdfOf(quote.id)).bytes.equals(first.bytes)).toBe(true);
});

describe('once', () => {
  test('a second send of the same version is refused', async () => {
    const quote = await aReadyQuote();
    const version = await versionOf(quote.id);
    const mails = await mailsOf(async () => {
      const both = await Promise.all([send(quote.id, { version }), send(quote.id, { version })]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });
    expect(mails).toHaveLength(1);
    expect(await revisionsOf(quote.id)).toHaveLength(1);
  });

  test('the job sends one email however often it runs', async () => {
    const quote = await aReadyQuote();
    const mails = await mailsOf(async () => {
      await send(quote.id);
      const sendingId = await sendingIdOf(quote.id);
      await sendRevisionJob.run(server.services, { sendingId });
      await sendRevisionJob.run(server.services, { sendingId });
    });
    expect(mails).toHaveLength(1);
  });

  test('a job that cannot store the PDF does so later, with one email', async () => {
    const quote = await aReadyQuote();
    const comesBack = breakFileStore(server.services.config);
    const refused = await mailsOf(() => send(quote.id)).finally(comesBack);
    expect(refused).toHaveLength(0);
    const [waiting] = await server.db
      .selectFrom('quote_sending')
      .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
      .select(['quote_sending.id', 'pdf_file_id'])
      .where('quote_id', '=', quote.id)
      .execute();
    expect(waiting?.pdf_file_id).toBeNull();
    const sendingId = waiting?.id ?? 0;
    expect(await mailsOf(() => sendRevisionJob.run(server.services, { sendingId }))).toHaveLength(1);
    expect(await mailsOf(() => sendRevisionJob.run(server.services, { sendingId }))).toHaveLength(0);
  });

  test('a PDF whose commit was not confirmed stays in the store, and the email carries it', async () => {
    const quote = await aReadyQuote();
    const comesBack = breakFileStore(server.services.config);
    await mailsOf(() => send(quote.id)).finally(comesBack);
    const sendingId = await sendingIdOf(quote.id);
    const database = { ...server.services.database, db: losingCommits(server.services.database.db) };
    await expect(sendRevisionJob.run({ ...server.services, database }, { sendingId })).rejects.toThrow(
      'Connection terminated unexpectedly',
    );
    const [revision] = await revisionsOf(quote.id);
    const { storage_key } = await server.db
      .selectFrom('file')
      .select('storage_key')
      .where('id', '=', revision?.pdf_file_id ?? 0)
      .executeTakeFirstOrThrow();
    const pdf = await server.services.files.get(storage_key);
    const [mail] = await mailsOf(() => sendRevisionJob.run(server.services, { sendingId }));
    expect(mail?.attachments[0]?.bytes.equals(pdf)).toBe(true);
  });
});

describe('refused', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ to: [] }, 'Enter at least one recipient'],
    [{ to: ['nobody'] }, 'This is not an email address'],
    [{ cc: ['a@example.org', 'x@'] }, 'This is not an email address'],
    [{ to: ['a@example.org\r\nbcc: b@example.org'] }, 'This is not an email address'],
    [{ subject: '  ' }, 'This field is required'],
    [{ body: '' }, 'This field is required'],
    [{ attachmentIds: [999_999] }, 'A selected file is no longer on the quote.'],
  ])('%j: %s', async (more, message) => {
    const quote = await aReadyQuote();
    const mails = await mailsOf(async () => {
      const refused = await send(quote.id, more);
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ detail: expect.stringContaining(message) });
    });
    expect(mails).toEqual([]);
    expect(await revisionsOf(quote.id)).toEqual([]);
  });

  test('a quote that would be expired, or is incomplete', async () => {
    const expired = await aReadyQuote({ validUntil: '2026-11-09' });
    expect((await send(expired.id)).body).toMatchObject({ status: 422, errors: [{ path: 'validUntil' }] });
    const lastDay = await aReadyQuote({ validUntil: '2026-11-10' });
    expect((await send(lastDay.id)).status).toBe(200);
    const empty = await aReadyQuote({ lines: [] });
    expect((await send(empty.id)).body).toMatchObject({ status: 422, errors: [{ path: 'items' }] });
  });

  test('an internal file', async () => {
    const quote = await aReadyQuote();
    const file = await server.ok(
      QuoteFileUpload.UploadQuoteFile,
      { quoteId: quote.id, visibleToCustomer: 'false' },
      { as: cs, file: { name: 'costs.txt', bytes: Buffer.from('secret') } },
    );
    const refused = await send(quote.id, { attachmentIds: [file.id] });
    expect(refused.body).toMatchObject({
      status: 422,
      detail: expect.stringContaining('costs.txt is hidden from the customer'),
    });
  });

  test('moving the quote without the email', async () => {
    const quote = await aReadyQuote();
    const input = { quoteId: quote.id, action: 'Send' as const, version: 1 };
    const refused = await server.call(QuoteWorkflow.PerformWorkflowAction, input, { as: cs });
    expect(refused.body).toMatchObject({ status: 422, detail: expect.stringContaining('SendEmail') });
  });
});

describe('sending again', () => {
  test('the same revision, the same page, chosen files beside the PDF', async () => {
    const quote = await aReadyQuote();
    await send(quote.id);
    const [first] = await revisionsOf(quote.id);
    const file = await server.ok(
      QuoteFileUpload.UploadQuoteFile,
      { quoteId: quote.id, visibleToCustomer: 'true' },
      { as: cs, file: { name: 'brochure.pdf', bytes: onePagePdf(['Bed']) } },
    );
    const [mail] = await mailsOf(async () => {
      const again = await send(quote.id, { attachmentIds: [file.id] });
      expect(again.body).toMatchObject({
        quote: { statusId: 'SentToCustomer' },
        events: [{ action: 'Resend' }, {}, {}],
      });
    });
    expect(mail?.attachments.map(({ name }) => name)).toEqual([`quote-${quote.num}.pdf`, 'brochure.pdf']);
    expect(await revisionsOf(quote.id)).toEqual([{ ...first, pdf_file_id: expect.any(Number) }]);
  });

  test('after the link was revoked, under a new address', async () => {
    const quote = await aReadyQuote();
    await send(quote.id);
    const [first] = await revisionsOf(quote.id);
    const stranger = await aUser(server.db);
    const revoke = { quoteId: quote.id, revision: 1, comment: 'Sent to the wrong hospital' };
    expect((await server.call(QuoteWorkflow.RevokePublicLink, revoke, { as: stranger })).status).toBe(404);
    const admin = await aUser(server.db, { roles: ['salesadmin'] });
    expect((await server.call(QuoteWorkflow.RevokePublicLink, revoke, { as: admin })).status).toBe(403);
    const revoked = await server.ok(QuoteWorkflow.RevokePublicLink, revoke, { as: cs });
    expect(revoked).toMatchObject({
      quote: { docId: null },
      revisions: [{ state: 'Revoked' }],
      events: [{ action: 'RevokeLink', comment: 'Sent to the wrong hospital' }, {}],
    });
    expect((await server.call(QuoteWorkflow.RevokePublicLink, revoke, { as: cs })).status).toBe(409);
    const nothing = { ...revoke, revision: 7 };
    expect((await server.call(QuoteWorkflow.RevokePublicLink, nothing, { as: cs })).status).toBe(404);
    expect((await server.call(QuoteDoc.GetQuoteDoc, { id: first?.doc_id })).status).toBe(404);

    const [mail] = await mailsOf(() => send(quote.id));
    const [second] = await revisionsOf(quote.id);
    expect(second?.doc_id).not.toBe(first?.doc_id);
    expect(mail?.text).toContain(second?.doc_id);
    expect((await server.call(QuoteDoc.GetQuoteDoc, { id: first?.doc_id })).status).toBe(404);
    expect((await server.call(QuoteDoc.GetQuoteDoc, { id: second?.doc_id })).status).toBe(200);
  });
});

describe('the email dialog begins with', () => {
  test('the contact, the rep in copy, a text without a price, the files the customer may see', async () => {
    const rep = await aUser(server.db);
    const quote = await aReadyQuote({ salesRepId: rep.id });
    const { id: fileId } = await aFile(server.db, server.services.files);
    for (const visible_to_customer of [true, false]) {
      await server.db
        .insertInto('quote_file')
        .values({ quote_id: quote.id, file_id: fileId, visible_to_customer })
        .execute();
    }
    const mail = await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id: quote.id }, { as: cs });
    expect(mail).toMatchObject({
      to: ['buyer@example.org'],
      cc: [rep.userName],
      subject: expect.stringMatching(`^Quote ${quote.num} from `),
      pdfName: `quote-${quote.num}.pdf`,
      resend: false,
    });
    expect(mail.attachments).toHaveLength(1);
    expect(mail.body).toContain('Dear Pat Buyer,');
    expect(mail.body).toContain('valid until 01/01/2027');
    expect(mail.body).toContain(QUOTE_LINK);
    expect(mail.body).toContain('Chris Service');
    expect(`${mail.subject}${mail.body}`).not.toMatch(/[$€]|\d\.\d\d/);

    await send(quote.id, { to: ['other@example.org'] });
    const again = await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id: quote.id }, { as: cs });
    expect(again).toMatchObject({ to: ['other@example.org'], cc: [], resend: true });
  });

  test('the addresses of a contact without their names', async () => {
    const quote = await aReadyQuote();
    await server.db
      .updateTable('quote')
      .set({ contact_email: '"Roe, Jane" <jane@example.org>; bob@example.org' })
      .where('id', '=', quote.id)
      .execute();
    const { to } = await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id: quote.id }, { as: cs });
    expect(to).toEqual(['jane@example.org', 'bob@example.org']);
  });

  test('a refusal if the quote cannot be sent', async () => {
    const quote = await aReadyQuote({ statusId: 'Editing' });
    expect((await server.call(QuoteWorkflow.GetInitQuoteSendingEmailData, { id: quote.id }, { as: cs })).status).toBe(
      409,
    );
  });
});

test('before sending the PDF is a draft, afterwards the frozen one', async () => {
  const quote = await aReadyQuote();
  const draft = await pdfOf(quote.id);
  expect(draft.status).toBe(200);
  expect(draft.headers['content-type']).toBe('application/pdf');
  expect(draft.headers['content-disposition']).toContain(`filename="quote-${quote.num}.pdf"`);
  expect(draft.bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await send(quote.id);
  const sent = await pdfOf(quote.id);
  expect(sent.bytes.equals(draft.bytes)).toBe(false);
});

test('the letters that the PDF shows as boxes are named with their lines, before and after sending', async () => {
  const quote = await aReadyQuote({ lines: [{}, {}] });
  const boxes = () => server.ok(QuoteWorkflow.GetLettersNotInPdf, { id: quote.id }, { as: cs });
  expect(await boxes()).toEqual({ letters: [], places: [] });
  // A private-use character, which is in no font.
  await server.db
    .updateTable('quote_item')
    .set({ description: 'Glove \u{10fff1}' })
    .where('quote_id', '=', quote.id)
    .where('line_no', '=', 2)
    .execute();
  const named = { letters: ['\u{10fff1}'], places: ['line 2'] };
  expect(await boxes()).toEqual(named);
  await send(quote.id);
  expect(await boxes()).toEqual(named);
  const stranger = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(QuoteWorkflow.GetLettersNotInPdf, { id: quote.id }, { as: stranger })).status).toBe(404);
});

test('a lost PDF is rendered again from the frozen document', async () => {
  const quote = await aReadyQuote();
  await send(quote.id);
  const first = await pdfOf(quote.id);
  const [revision] = await revisionsOf(quote.id);
  const { storage_key } = await server.db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', revision?.pdf_file_id ?? 0)
    .executeTakeFirstOrThrow();
  await server.services.files.remove(storage_key);
  expect((await pdfOf(quote.id)).bytes.equals(first.bytes)).toBe(true);
});

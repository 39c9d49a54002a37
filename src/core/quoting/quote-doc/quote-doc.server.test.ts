// Tests the customer's page over HTTP: what it shows, what it accepts, and that it reveals nothing internal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onePagePdf } from '#demo/one-page-pdf.server.ts';
import { Comment } from '#core/quoting/comments/comments.contract.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteDoc } from './quote-doc.contract.ts';

let server: TestServer;
let cs: Awaited<ReturnType<typeof aUser>>;
let rep: Awaited<ReturnType<typeof aUser>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Chris Service' });
  rep = await aUser(server.db, { fullName: 'Robin Rep' });
});
afterAll(() => server.close());

const ACCEPT = { name: 'Jane Doe', title: 'Purchasing Manager', poNumber: 'PO-9', acceptTerms: true as const };
const DECLINE = { name: 'Jane Doe', reasonCode: 'price', comment: 'Too dear' };
const QUESTION = { name: 'Jane Doe', email: 'jane@example.org', question: 'Is it latex free?' };

const versionOf = async (id: number) =>
  (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
async function send(quoteId: number): Promise<string> {
  const mail = {
    quoteId,
    version: await versionOf(quoteId),
    to: ['buyer@example.org'],
    subject: 'Quote',
    body: 'Hello',
  };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  return quote.docId ?? '';
}
async function aSentQuote(input: Parameters<typeof aPricedQuote>[1] = {}) {
  const quote = await aPricedQuote(server.db, {
    statusId: 'Processing',
    salesRepId: rep.id,
    assigneeId: cs.id,
    ...input,
  });
  const docId = await send(quote.id);
  await server.drain();
  return { ...quote, docId };
}
const get = (id: string) => server.call(QuoteDoc.GetQuoteDoc, { id });
const act = async (quoteId: number, action: 'Revise' | 'MarkLost' | 'Cancel' | 'StartProcess', comment = 'Because') =>
  server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId, action, version: await versionOf(quoteId), comment, reasonCode: 'price' },
    { as: cs },
  );
async function mailsOf(action: () => Promise<unknown>) {
  await server.drain();
  const before = server.mails.length;
  await action();
  await server.drain();
  return server.mails.slice(before);
}

test('shows the frozen revision without a token, and looking changes nothing', async () => {
  const quote = await aSentQuote();
  const before = await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
  const result = await get(quote.docId);
  expect(result.status).toBe(200);
  expect(result.body).toMatchObject({
    state: 'Open',
    notice: '',
    document: { number: String(quote.num), totals: { totalAmount: 20 } },
    acceptance: null,
    files: [],
  });
  expect(await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow()).toEqual(
    before,
  );
  const events = await server.db.selectFrom('quote_event').select('action').where('quote_id', '=', quote.id).execute();
  expect(events).toEqual([{ action: 'Send' }]);
});

test('reveals nothing internal', async () => {
  const quote = await aPricedQuote(server.db, { statusId: 'Processing', salesRepId: rep.id });
  await server.db.updateTable('quote').set({ internal_notes: 'SECRET-NOTE' }).where('id', '=', quote.id).execute();
  await server.db
    .updateTable('quote_item')
    .set({ cost: 3.3333, floor_price: 7.7777, notes: 'SECRET-LINE', price_reason: 'SECRET-REASON' })
    .where('quote_id', '=', quote.id)
    .execute();
  const docId = await send(quote.id);
  const text = JSON.stringify((await get(docId)).body);
  for (const secret of ['SECRET', '3.3333', '7.7777', 'cost', 'margin', 'quoteId', 'Chris Service']) {
    expect(text).not.toContain(secret);
  }
});

test('unknown, malformed and revoked addresses get the same answer', async () => {
  const quote = await aSentQuote();
  await server.ok(QuoteWorkflow.RevokePublicLink, { quoteId: quote.id, revision: 1, comment: 'Mistake' }, { as: cs });
  const answers = await Promise.all(
    [quote.docId, 'AAAAAAAAAAAAAAAAAAAAAA', 'short', "'; drop table quote; --", 'x'.repeat(2000), '\u0000', ''].map(
      get,
    ),
  );
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: 'This quote does not exist.' });
  }
  const others = [
    server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT }),
    server.call(QuoteDoc.DeclineQuote, { docId: quote.docId, ...DECLINE }),
    server.call(QuoteDoc.AskQuestion, { docId: quote.docId, ...QUESTION }),
    server.call(QuoteDoc.GetQuotePdf, { id: quote.docId }),
    server.call(QuoteDoc.GetQuoteFile, { docId: quote.docId, fileId: 1 }),
  ];
  for (const { status } of await Promise.all(others)) expect(status).toBe(404);
});

describe('accepting', () => {
  test('wins the quote, records who signed, and emails the rep and the assignee', async () => {
    const quote = await aSentQuote();
    const mails = await mailsOf(async () => {
      const accepted = await server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT });
      expect(accepted.status).toBe(200);
      expect(accepted.body).toMatchObject({
        state: 'Accepted',
        notice: 'This quote was accepted by Jane Doe on 11/10/2026.',
        acceptance: { name: 'Jane Doe', title: 'Purchasing Manager', poNumber: 'PO-9', at: '2026-11-10T15:00:00.000Z' },
      });
    });
    expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([cs.userName, rep.userName].toSorted());
    for (const mail of mails) {
      expect(mail.subject).toContain('accepted by the customer');
      expect(mail.subject).not.toMatch(/[$€]|\d\.\d\d/);
      expect(mail.text).toContain('PO-9');
    }
    const row = await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status_id: 'Won', po_number: 'PO-9', won_by: 'Jane Doe' });
    const revision = await server.db
      .selectFrom('quote_revision')
      .selectAll()
      .where('quote_id', '=', quote.id)
      .executeTakeFirstOrThrow();
    expect(revision.acceptance).toMatchObject({ termsVersion: 1, address: expect.any(String) });
    const event = await server.db
      .selectFrom('quote_event')
      .selectAll()
      .where('quote_id', '=', quote.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(event).toMatchObject({
      action: 'MarkWon',
      user_id: null,
      actor: 'Jane Doe (customer)',
      from_status: 'SentToCustomer',
    });
  });

  test('needs a name, a title and the terms', async () => {
    const { docId } = await aSentQuote();
    for (const wrong of [{ name: ' ' }, { title: '' }, { acceptTerms: false }, { acceptTerms: undefined }]) {
      const refused = await server.call(QuoteDoc.AcceptQuote, { docId, ...ACCEPT, ...wrong });
      expect(refused.status).toBe(422);
    }
    expect((await get(docId)).body.state).toBe('Open');
    expect((await server.call(QuoteDoc.AcceptQuote, { docId, ...ACCEPT, poNumber: '' })).status).toBe(200);
  });

  test('in two tabs at the same time happens once', async () => {
    const quote = await aSentQuote();
    const mails = await mailsOf(async () => {
      const both = await Promise.all([
        server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT }),
        server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT, name: 'John Roe' }),
      ]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const winner = both.find(({ status }) => status === 200)?.body.acceptance?.name;
      expect(both.find(({ status }) => status === 409)?.body).toMatchObject({
        detail: `This quote was accepted by ${winner} on 11/10/2026.`,
      });
    });
    expect(mails).toHaveLength(2);
  });

  test('and declining at the same time: only one succeeds', async () => {
    const quote = await aSentQuote();
    const both = await Promise.all([
      server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT }),
      server.call(QuoteDoc.DeclineQuote, { docId: quote.docId, ...DECLINE }),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

test('declining needs a known reason and emails the rep and the assignee', async () => {
  const quote = await aSentQuote();
  const odd = await server.call(QuoteDoc.DeclineQuote, { docId: quote.docId, ...DECLINE, reasonCode: 'moon' });
  expect(odd.status).toBe(422);
  const mails = await mailsOf(async () => {
    const declined = await server.ok(QuoteDoc.DeclineQuote, { docId: quote.docId, ...DECLINE });
    expect(declined).toMatchObject({ state: 'Declined', notice: expect.stringContaining('declined on 11/10/2026') });
  });
  expect(mails).toHaveLength(2);
  expect(mails[0]?.text).toContain('Reason: Price');
  expect((await server.call(QuoteDoc.DeclineQuote, { docId: quote.docId, ...DECLINE })).status).toBe(409);
  expect((await server.call(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT })).status).toBe(409);
});

test('a question is mailed to the rep and the assignee, even after the quote was accepted', async () => {
  const quote = await aSentQuote();
  await server.ok(QuoteDoc.AcceptQuote, { docId: quote.docId, ...ACCEPT });
  const mails = await mailsOf(async () => {
    const { answer } = await server.ok(QuoteDoc.AskQuestion, { docId: quote.docId, ...QUESTION });
    expect(answer).toContain('Thank you');
  });
  expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([cs.userName, rep.userName].toSorted());
  expect(mails[0]?.text).toContain('Is it latex free?');
  expect(mails[0]?.text).toContain('jane@example.org');
  expect((await get(quote.docId)).body.state).toBe('Accepted');
});

describe('the customer can only ask a question', () => {
  const refusesAll = async (docId: string, notice: string) => {
    expect((await server.call(QuoteDoc.AcceptQuote, { docId, ...ACCEPT })).body).toMatchObject({
      status: 409,
      detail: notice,
    });
    expect((await server.call(QuoteDoc.DeclineQuote, { docId, ...DECLINE })).body).toMatchObject({
      status: 409,
      detail: notice,
    });
    expect((await server.call(QuoteDoc.AskQuestion, { docId, ...QUESTION })).status).toBe(200);
  };

  test('after the last day in the company’s time zone', async () => {
    const { docId } = await aSentQuote({ validUntil: '2026-11-10' });
    server.setNow('2026-11-11T05:59:00Z'); // still the 10th in Chicago
    expect((await get(docId)).body.state).toBe('Open');
    server.setNow('2026-11-11T06:01:00Z');
    try {
      const result = await get(docId);
      expect(result.body.state).toBe('Expired');
      await refusesAll(docId, result.body.notice);
    } finally {
      server.setNow('2026-11-10T15:00:00Z');
    }
  });

  test('with the files and messages of its own revision only', async () => {
    const quote = await aSentQuote();
    const pdf = { name: 'drawing.pdf', bytes: onePagePdf(['Drawing']), type: 'application/pdf' };
    const upload = async (name: string, visibleToCustomer: boolean) =>
      (
        await server.ok(
          QuoteFileUpload.UploadQuoteFile,
          { quoteId: quote.id, visibleToCustomer: String(visibleToCustomer) },
          { as: cs, file: { ...pdf, name } },
        )
      ).id;
    const write = (text: string) =>
      server.ok(Comment.AddComment, { quoteId: quote.id, text, toCustomer: true }, { as: cs });
    const ask = (docId: string, question: string) => server.ok(QuoteDoc.AskQuestion, { docId, ...QUESTION, question });
    const at = (minute: number) => server.setNow(`2026-11-10T16:${minute}:00Z`);
    const words = async (docId: string) => {
      const { body } = await get(docId);
      return { files: body.files.map(({ name }) => name), messages: body.messages.map(({ text }) => text).toSorted() };
    };
    try {
      at(10);
      await upload('first.pdf', true);
      const internal = await upload('internal.pdf', false);
      await write('Written first');
      await ask(quote.docId, 'Asked first');
      at(20);
      await act(quote.id, 'Revise');
      at(30);
      const second = await upload('second.pdf', true);
      // The customer sees only the old page until the new revision is sent.
      await write('Written while revising');
      const before = { files: ['first.pdf'], messages: ['Asked first', 'Written first', 'Written while revising'] };
      expect(await words(quote.docId)).toEqual(before);
      await act(quote.id, 'StartProcess');
      at(40);
      const newDocId = await send(quote.id);
      at(50);
      await server.ok(QuoteFileUpload.ChangeQuoteFile, { id: internal, visibleToCustomer: true }, { as: cs });
      await upload('third.pdf', true);
      await write('Written second');
      await ask(newDocId, 'Asked second');
      await ask(quote.docId, 'Asked on the old page');
      expect(await words(quote.docId)).toEqual({
        files: ['first.pdf'],
        messages: ['Asked first', 'Asked on the old page', 'Written first', 'Written while revising'],
      });
      expect(await words(newDocId)).toEqual({
        files: ['first.pdf', 'internal.pdf', 'second.pdf', 'third.pdf'],
        messages: [...before.messages, 'Written second', 'Asked second', 'Asked on the old page'].toSorted(),
      });
      for (const fileId of [second, internal])
        expect([
          (await server.call(QuoteDoc.GetQuoteFile, { docId: quote.docId, fileId })).status,
          (await server.call(QuoteDoc.GetQuoteFile, { docId: newDocId, fileId })).status,
        ]).toEqual([404, 200]);
    } finally {
      server.setNow('2026-11-10T15:00:00Z');
    }
  });

  test('while it is revised, and once the new revision is out', async () => {
    const quote = await aSentQuote();
    await act(quote.id, 'Revise');
    const revising = await get(quote.docId);
    expect(revising.body).toMatchObject({ state: 'Superseded', notice: expect.stringContaining('is being revised') });
    await refusesAll(quote.docId, revising.body.notice);
    await act(quote.id, 'StartProcess');
    const newDocId = await send(quote.id);
    const old = await get(quote.docId);
    expect(old.body).toMatchObject({ state: 'Superseded', notice: expect.stringContaining('replaced by a newer one') });
    expect(old.body.document.revision).toBe(1);
    await refusesAll(quote.docId, old.body.notice);
    expect((await get(newDocId)).body).toMatchObject({ state: 'Open', document: { number: `${quote.num}-R2` } });
    expect((await server.call(QuoteDoc.AcceptQuote, { docId: newDocId, ...ACCEPT })).status).toBe(200);
  });

  test('after staff closed it', async () => {
    const lost = await aSentQuote();
    await act(lost.id, 'MarkLost');
    expect((await get(lost.docId)).body.state).toBe('Closed');
    const cancelled = await aSentQuote();
    await act(cancelled.id, 'Revise');
    await act(cancelled.id, 'Cancel');
    const result = await get(cancelled.docId);
    expect(result.body.state).toBe('Closed');
    await refusesAll(cancelled.docId, result.body.notice);
  });
});

test('the PDF is the one that was mailed, and the files are those visible to the customer', async () => {
  const quote = await aSentQuote();
  const mailed = server.mails.findLast((mail) => mail.attachments[0]?.name === `quote-${quote.num}.pdf`);
  const pdf = await server.call(QuoteDoc.GetQuotePdf, { id: quote.docId });
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.bytes.equals(mailed?.attachments[0]?.bytes ?? Buffer.alloc(0))).toBe(true);

  const upload = (name: string, visible: string) =>
    server.ok(
      QuoteFileUpload.UploadQuoteFile,
      { quoteId: quote.id, visibleToCustomer: visible },
      { as: cs, file: { name, bytes: onePagePdf([name]) } },
    );
  const [displayed, hidden] = [await upload('brochure.pdf', 'true'), await upload('costs.pdf', 'false')];
  expect((await get(quote.docId)).body.files).toEqual([
    { id: displayed.id, name: 'brochure.pdf', size: displayed.size },
  ]);
  const ofFile = (fileId: number, docId = quote.docId) => server.call(QuoteDoc.GetQuoteFile, { docId, fileId });
  expect((await ofFile(displayed.id)).bytes.toString()).toContain('brochure.pdf');
  expect((await ofFile(hidden.id)).status).toBe(404);
  const other = await aSentQuote();
  expect((await ofFile(displayed.id, other.docId)).status).toBe(404);
});

test('what a visitor writes in one line stays one line, in emails and on the page', async () => {
  const breaks = 'Jane\r\nDoe\n\nYour order\u2028is\u2029approved\u0085now\tat once';
  const oneLine = 'Jane Doe Your order is approved now at once';
  const request = await aSentQuote();
  const [mail] = await mailsOf(() =>
    server.ok(QuoteDoc.AskQuestion, { docId: request.docId, ...QUESTION, name: breaks, question: 'One\n\nTwo' }),
  );
  expect(mail?.text).toContain(`${oneLine} <jane@example.org> asked:`);
  expect(mail?.text).toContain('One\n\nTwo');
  expect((await get(request.docId)).body.messages).toMatchObject([{ name: oneLine, text: 'One\n\nTwo' }]);
  await server.ok(QuoteDoc.AcceptQuote, {
    docId: request.docId,
    ...ACCEPT,
    name: breaks,
    title: breaks,
    poNumber: 'PO\n9',
  });
  expect((await get(request.docId)).body.acceptance).toMatchObject({ name: oneLine, title: oneLine, poNumber: 'PO 9' });
  expect((await get(request.docId)).body.notice).toContain(`accepted by ${oneLine} on`);
});

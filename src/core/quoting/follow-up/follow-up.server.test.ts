// Tests the open points of a quote: who sees and handles them, in the call of the board and in the lists, and what is mailed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import type { OutgoingMail } from '#platform/outside/mail.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteFollowUp } from './follow-up.contract.ts';

let server: TestServer;
let cs: Awaited<ReturnType<typeof aUser>>;
let rep: Awaited<ReturnType<typeof aUser>>;
let stranger: Awaited<ReturnType<typeof aUser>>;
let reader: Awaited<ReturnType<typeof aUser>>;
const sent: OutgoingMail[] = [];
/** What the mail server rejects: whole mails, or recipients. */
let refuses: { all?: boolean; some?: string[] } = {};

beforeAll(async () => {
  server = await startTestServer({
    mail: {
      send: async (mail, aboutToHandOver) => {
        await aboutToHandOver();
        if (refuses.all) throw Object.assign(new Error('550 no such mailbox'), { responseCode: 550 });
        sent.push(mail);
        const refused = mail.to.filter((to) => refuses.some?.includes(to));
        return { refused: refused.map((address) => ({ address, reply: '550 Unknown', isForNow: false })) };
      },
    },
  });
  cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Chris Service' });
  rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Robin Rep' });
  stranger = await aUser(server.db, { roles: ['salesrep'] });
  reader = await aUser(server.db, { roles: ['contractdept'] });
});
afterAll(() => server.close());
beforeEach(async () => {
  refuses = {};
  await server.drain();
  sent.splice(0);
});

async function aSentQuote() {
  const quote = await aPricedQuote(server.db, { statusId: 'Processing', salesRepId: rep.id, assigneeId: cs.id });
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: quote.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const { quote: after } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  return { id: quote.id, num: quote.num, docId: after.docId ?? '' };
}
const ask = (docId: string, question: string) =>
  server.ok(QuoteDoc.AskQuestion, { docId, name: 'Jane Doe', email: 'jane@example.org', question });
const followUp = (quoteId: number, as = rep) => server.ok(QuoteFollowUp.GetFollowUp, { quoteId }, { as });
/** The row of the quote in the list of quotes that need follow-up, and in the list of all quotes. */
async function listed(num: number, as = rep) {
  const rowIn = async (needsFollowUp: boolean) =>
    (await server.ok(QuoteSearch.SearchQuotesForSalesRep, { num, needsFollowUp, remember: 'none' }, { as })).records[0];
  const facts = ({ openQuestions, mailTrouble }: { openQuestions: number; mailTrouble: number }) => ({
    openQuestions,
    mailTrouble,
  });
  const [waiting, any] = [await rowIn(true), await rowIn(false)];
  return { waits: waiting !== undefined, ...(any ? facts(any) : {}) };
}
const eventsOf = (quoteId: number, action: string) =>
  server.db
    .selectFrom('quote_event')
    .select(['actor', 'comment'])
    .where('quote_id', '=', quoteId)
    .where('action', '=', action)
    .execute();

test('a question stays open until somebody answers it, and the answer is mailed to who asked', async () => {
  const quote = await aSentQuote();
  expect(await listed(quote.num)).toEqual({ waits: false, openQuestions: 0, mailTrouble: 0 });
  await ask(quote.docId, 'Is it latex free?');
  await ask(quote.docId, 'And when can you deliver?');
  const [first, second] = (await followUp(quote.id)).questions;
  expect(first).toMatchObject({
    name: 'Jane Doe',
    email: 'jane@example.org',
    question: 'Is it latex free?',
    revision: 1,
  });
  expect(await listed(quote.num)).toEqual({ waits: true, openQuestions: 2, mailTrouble: 0 });
  await server.drain();
  sent.splice(0);

  const answer = { quoteId: quote.id, questionId: first?.id ?? 0, answer: 'Yes, all of it.' };
  const left = await server.ok(QuoteFollowUp.AnswerQuestion, answer, { as: rep });
  expect(left.questions.map(({ id }) => id)).toEqual([second?.id]);
  await server.drain();
  expect(sent.map(({ to, text }) => [to, text])).toEqual([
    [['jane@example.org'], expect.stringMatching(/Yes, all of it\.[^]*Robin Rep[^]*> Is it latex free\?/) as string],
  ]);
  // A second answer, by a colleague, is not mailed.
  expect((await server.call(QuoteFollowUp.AnswerQuestion, answer, { as: cs })).status).toBe(409);
  expect(await eventsOf(quote.id, 'AnswerQuestion')).toEqual([
    { actor: 'Robin Rep', comment: 'To jane@example.org: Yes, all of it.' },
  ]);

  sent.splice(0);
  await server.ok(QuoteFollowUp.AnswerQuestion, { quoteId: quote.id, questionId: second?.id ?? 0 }, { as: cs });
  await server.drain();
  expect(sent).toEqual([]);
  expect(await listed(quote.num)).toEqual({ waits: false, openQuestions: 0, mailTrouble: 0 });
});

test('only those who see the quote see and decide what it waits for', async () => {
  const quote = await aSentQuote();
  await ask(quote.docId, 'Is it latex free?');
  const [question] = (await followUp(quote.id)).questions;
  const other = await aSentQuote();
  expect((await server.call(QuoteFollowUp.GetFollowUp, { quoteId: quote.id }, { as: stranger })).status).toBe(404);
  const answer = { quoteId: quote.id, questionId: question?.id ?? 0, answer: 'Yes' };
  expect((await server.call(QuoteFollowUp.AnswerQuestion, answer, { as: stranger })).status).toBe(404);
  // A question or mail can be accessed only through its own quote.
  expect((await server.call(QuoteFollowUp.AnswerQuestion, { ...answer, quoteId: other.id }, { as: cs })).status).toBe(
    409,
  );
  expect(await listed(quote.num, stranger)).toEqual({ waits: false });
  expect((await followUp(quote.id, reader)).questions).toHaveLength(1);
  expect((await server.call(QuoteFollowUp.AnswerQuestion, answer, { as: reader })).status).toBe(403);
  expect((await followUp(quote.id)).questions).toHaveLength(1);
});

test('a failed mail is listed until it is sent again or no longer needed', async () => {
  const quote = await aSentQuote();
  await server.drain();
  refuses = { all: true };
  const mail = { quoteId: quote.id, to: ['buyer@example.org'], subject: 'Reminder', body: 'Hello' };
  const mailId = await queueMail(server.db, server.services.jobs, mail);
  await server.drain();
  // It is retried automatically, and is late only after ten minutes.
  expect(await listed(quote.num)).toMatchObject({ waits: false, mailTrouble: 0 });
  await server.db
    .updateTable('mail')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('id', '=', mailId)
    .execute();
  expect((await followUp(quote.id)).mails).toMatchObject([
    { id: mailId, state: 'Late', to: mail.to, reason: '550 no such mailbox', sendsAgain: true },
  ]);
  expect(await listed(quote.num)).toMatchObject({ waits: true, mailTrouble: 1 });
  const ids = { quoteId: quote.id, mailId };
  expect((await server.call(QuoteFollowUp.SettleQuoteMail, ids, { as: rep })).status).toBe(409);
  await server.db.updateTable('mail').set({ state: 'Failed' }).where('id', '=', mailId).execute();
  expect((await followUp(quote.id)).mails).toMatchObject([{ state: 'Failed' }]);

  expect((await server.call(QuoteFollowUp.SendQuoteMailAgain, ids, { as: stranger })).status).toBe(404);
  expect((await server.call(QuoteFollowUp.SendQuoteMailAgain, ids, { as: reader })).status).toBe(403);
  sent.splice(0);
  refuses = {};
  await server.ok(QuoteFollowUp.SendQuoteMailAgain, ids, { as: rep });
  await server.drain();
  expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[mail.to, 'Reminder']]);
  expect((await followUp(quote.id)).mails).toEqual([]);
  expect((await server.call(QuoteFollowUp.SendQuoteMailAgain, ids, { as: rep })).status).toBe(409);
  expect(await eventsOf(quote.id, 'SendMailAgain')).toEqual([{ actor: 'Robin Rep', comment: 'To buyer@example.org' }]);

  await server.db.updateTable('mail').set({ state: 'Failed' }).where('id', '=', mailId).execute();
  expect((await server.ok(QuoteFollowUp.SettleQuoteMail, ids, { as: rep })).mails).toEqual([]);
  expect(await listed(quote.num)).toMatchObject({ waits: false, mailTrouble: 0 });
});

test('an email that some recipients refused is sent again only to these', async () => {
  const quote = await aSentQuote();
  await server.drain();
  sent.splice(0);
  refuses = { some: ['wrong@example.org'] };
  const to = ['buyer@example.org', 'wrong@example.org'];
  await queueMail(server.db, server.services.jobs, { quoteId: quote.id, to, subject: 'Reminder', body: 'Hello' });
  await server.drain();
  const [refused] = (await followUp(quote.id)).mails;
  expect(refused).toMatchObject({ state: 'Refused', to: ['wrong@example.org'] });
  expect(await listed(quote.num)).toMatchObject({ waits: true, mailTrouble: 1 });
  sent.splice(0);
  refuses = {};
  await server.ok(QuoteFollowUp.SendQuoteMailAgain, { quoteId: quote.id, mailId: refused?.id ?? 0 }, { as: cs });
  await server.drain();
  expect(sent.map((mail) => mail.to)).toEqual([['wrong@example.org']]);
  expect((await followUp(quote.id)).mails).toEqual([]);
});

test('an uncertain email is sent again, or counts as arrived', async () => {
  const quote = await aSentQuote();
  await server.drain();
  const mail = { quoteId: quote.id, to: ['buyer@example.org'], subject: 'Reminder', body: 'Hello' };
  const twice = [1, 2].map(async () => queueMail(server.db, server.services.jobs, mail));
  const [again, arrived] = await Promise.all(twice);
  await server.drain();
  await server.db
    .updateTable('mail')
    .set({ state: 'Uncertain' })
    .where('id', 'in', [again ?? 0, arrived ?? 0])
    .execute();
  expect((await followUp(quote.id)).mails.map(({ state }) => state)).toEqual(['Uncertain', 'Uncertain']);
  sent.splice(0);
  await server.ok(QuoteFollowUp.SettleQuoteMail, { quoteId: quote.id, mailId: arrived ?? 0 }, { as: rep });
  await server.ok(QuoteFollowUp.SendQuoteMailAgain, { quoteId: quote.id, mailId: again ?? 0 }, { as: rep });
  await server.drain();
  expect(sent).toHaveLength(1);
  expect((await followUp(quote.id)).mails).toEqual([]);
  expect(await eventsOf(quote.id, 'SettleMail')).toEqual([
    { actor: 'Robin Rep', comment: 'To buyer@example.org: Delivered' },
  ]);
});

test('a sent quote waits for its PDF in sight, and one that is late can be tried again', async () => {
  const quote = await aSentQuote();
  const [waiting] = (await followUp(quote.id)).waitingForPdf;
  expect(waiting).toMatchObject({ to: ['buyer@example.org'], late: false });
  expect(await listed(quote.num)).toMatchObject({ waits: false, mailTrouble: 0 });
  const ids = { quoteId: quote.id, sendingId: waiting?.id ?? 0 };
  await server.db
    .updateTable('quote_sending')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('id', '=', ids.sendingId)
    .execute();
  expect((await followUp(quote.id)).waitingForPdf).toMatchObject([{ late: true }]);
  expect(await listed(quote.num)).toMatchObject({ waits: true, mailTrouble: 1 });
  expect((await server.call(QuoteFollowUp.MakePdfAgain, ids, { as: stranger })).status).toBe(404);
  await server.ok(QuoteFollowUp.MakePdfAgain, ids, { as: rep });
  await server.drain();
  // The first job and the new one together send it once.
  expect(sent.filter(({ to }) => to.includes('buyer@example.org'))).toHaveLength(1);
  expect((await followUp(quote.id)).waitingForPdf).toEqual([]);
  expect((await server.call(QuoteFollowUp.MakePdfAgain, ids, { as: rep })).status).toBe(409);
});

// Tests comments: who writes and reads them, what reaches the customer, whom a mention notifies, and how long a comment can be changed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NotificationCalls } from '#platform/notifications/notifications.contract.ts';
import { QuoteFollowUp } from '#core/quoting/follow-up/follow-up.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Comment } from './comments.contract.ts';

let server: TestServer;
let cs: Awaited<ReturnType<typeof aUser>>;
let rep: Awaited<ReturnType<typeof aUser>>;
let stranger: Awaited<ReturnType<typeof aUser>>;
let reader: Awaited<ReturnType<typeof aUser>>;
let admin: Awaited<ReturnType<typeof aUser>>;
let time = new Date('2026-03-02T15:00:00Z');

beforeAll(async () => {
  server = await startTestServer();
  server.setNow(time.toISOString());
  cs = await aUser(server.db, { roles: ['csrep'], fullName: 'Chris Service' });
  rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Robin Rep' });
  stranger = await aUser(server.db, { roles: ['salesrep'], fullName: 'Stran Ger' });
  reader = await aUser(server.db, { roles: ['contractdept'], fullName: 'Connie Contract' });
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Sal Admin' });
});
afterAll(() => server.close());

const later = (minutes: number) => {
  time = new Date(time.getTime() + minutes * 60_000);
  server.setNow(time.toISOString());
};
const aQuote = () => aPricedQuote(server.db, { statusId: 'Processing', salesRepId: rep.id, assigneeId: cs.id });
const read = async (quoteId: number, as = rep) => (await server.ok(Comment.GetComments, { quoteId }, { as })).comments;
const add = (quoteId: number, text: string, more: { as?: typeof rep; toCustomer?: boolean; itemId?: number } = {}) => {
  const { as = rep, toCustomer = false, itemId } = more;
  return server.ok(Comment.AddComment, { quoteId, text, toCustomer, itemId }, { as });
};
const versionOf = async (id: number) =>
  (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
async function aSentQuote() {
  const { id, num } = await aQuote();
  const mail = {
    quoteId: id,
    version: await versionOf(id),
    to: ['buyer@example.org'],
    subject: 'Quote',
    body: 'Hello',
  };
  const { quote } = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  await server.drain();
  return { id, num, docId: quote.docId ?? '' };
}
const onPage = async (docId: string) => {
  const { messages } = await server.ok(QuoteDoc.GetQuoteDoc, { id: docId });
  return messages.map(({ from, text }) => `${from}: ${text}`);
};

test('a comment on a line is read by whoever sees the quote, and by nobody else', async () => {
  const quote = await aQuote();
  const line = await server.db
    .selectFrom('quote_item')
    .select(['id', 'description'])
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const before = await versionOf(quote.id);
  await add(quote.id, '  They use two a day.  ', { itemId: line.id });
  const [comment] = await read(quote.id, reader);
  expect(comment).toMatchObject({
    itemId: line.id,
    text: 'They use two a day.',
    toCustomer: false,
    fromCustomer: false,
    author: 'Robin Rep',
    mayEdit: false,
    mayDelete: false,
  });
  expect(comment?.line).toContain(line.description);
  // A comment does not change the quote itself.
  expect(await versionOf(quote.id)).toBe(before);
  for (const call of [
    await server.call(Comment.GetComments, { quoteId: quote.id }, { as: stranger }),
    await server.call(Comment.AddComment, { quoteId: quote.id, text: 'x', toCustomer: false }, { as: stranger }),
    await server.call(Comment.GetMentionable, { quoteId: quote.id }, { as: stranger }),
    await server.call(Comment.DeleteComment, { id: comment?.id ?? 0 }, { as: stranger }),
    await server.call(Comment.EditComment, { id: comment?.id ?? 0, version: 1, text: 'x' }, { as: stranger }),
  ])
    expect(call.status).toBe(404);
});

test('refuses an empty text, a line of another quote, and a text that is too long', async () => {
  const [quote, other] = [await aQuote(), await aQuote()];
  const line = await server.db
    .selectFrom('quote_item')
    .select('id')
    .where('quote_id', '=', other.id)
    .executeTakeFirstOrThrow();
  for (const wrong of [{ text: '   ' }, { text: 'x', itemId: line.id }, { text: 'x'.repeat(5001) }]) {
    const input = { quoteId: quote.id, toCustomer: false, ...wrong };
    expect((await server.call(Comment.AddComment, input, { as: rep })).status).toBe(422);
  }
  expect(await read(quote.id)).toEqual([]);
});

test('words to the customer go to whom the quote was sent, and stand on its page with question and answer', async () => {
  const { id, docId } = await aSentQuote();
  await add(id, 'Internal: they will haggle.');
  later(1);
  await server.ok(QuoteDoc.AskQuestion, { docId, name: 'Jane Doe', email: 'jane@example.org', question: 'How soon?' });
  const [{ id: questionId } = { id: 0 }] = (await server.ok(QuoteFollowUp.GetFollowUp, { quoteId: id }, { as: rep }))
    .questions;
  later(1);
  await server.ok(QuoteFollowUp.AnswerQuestion, { quoteId: id, questionId, answer: 'In a week.' }, { as: rep });
  later(1);
  const { mailedTo } = await add(id, 'The beds ship earlier now.', { toCustomer: true, as: cs });
  expect(mailedTo).toEqual(['buyer@example.org']);
  await server.drain();
  const mail = server.mails.find(({ text }) => text.includes('The beds ship earlier now.'));
  expect(mail?.to).toEqual(['buyer@example.org']);
  expect(mail?.text).toContain(`/quote-doc/${docId}`);
  expect(await onPage(docId)).toEqual([
    'customer: How soon?',
    'company: In a week.',
    'company: The beds ship earlier now.',
  ]);
  expect((await read(id)).map(({ text, toCustomer, fromCustomer }) => [text, toCustomer, fromCustomer])).toEqual([
    ['Internal: they will haggle.', false, false],
    ['How soon?', true, true],
    ['In a week.', true, false],
    ['The beds ship earlier now.', true, false],
  ]);
  // The next revision's page also shows them. Each comment keeps the revision on which it was written.
  await server.ok(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId: id, version: await versionOf(id), action: 'Revise' },
    { as: cs },
  );
  expect((await read(id)).map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);
});

test('before a quote is sent, words to the customer wait for its page, and nothing is mailed', async () => {
  const quote = await aQuote();
  const before = server.mails.length;
  expect((await add(quote.id, 'Welcome.', { toCustomer: true })).mailedTo).toEqual([]);
  await server.drain();
  expect(server.mails.length).toBe(before);
});

test('only roles that quote write to the customer', async () => {
  const { id } = await aSentQuote();
  const input = { quoteId: id, text: 'Hello', toCustomer: true };
  expect((await server.call(Comment.AddComment, input, { as: reader })).status).toBe(403);
  await add(id, 'Hello', { as: reader });
  expect((await read(id)).map(({ toCustomer }) => toCustomer)).toEqual([false]);
});

test('its author changes a comment for ten minutes, once per version, and never one that was mailed', async () => {
  const { id: quoteId } = await aSentQuote();
  const { id } = await add(quoteId, 'Frist');
  const edit = (text: string, version: number, as = rep) =>
    server.call(Comment.EditComment, { id, version, text }, { as });
  expect((await edit('First', 1, cs)).status).toBe(403);
  expect((await edit('First', 1)).status).toBe(200);
  expect((await edit('Lost', 1)).status).toBe(409);
  const [comment] = await read(quoteId);
  expect(comment).toMatchObject({ text: 'First', version: 2, mayEdit: true });
  expect(comment?.editedAt).not.toBeNull();
  later(11);
  expect((await edit('Too late', 2)).status).toBe(409);
  expect((await read(quoteId))[0]).toMatchObject({ text: 'First', mayEdit: false, mayDelete: true });
  const mailed = await add(quoteId, 'Mailed', { toCustomer: true });
  const input = { id: mailed.id, version: 1, text: 'Changed' };
  expect((await server.call(Comment.EditComment, input, { as: rep })).status).toBe(409);
});

test('deleting leaves who wrote and who deleted, takes the words off the page, and is repeatable', async () => {
  const { id: quoteId, docId } = await aSentQuote();
  const { id } = await add(quoteId, 'Wrong customer', { toCustomer: true });
  expect((await server.call(Comment.DeleteComment, { id }, { as: cs })).status).toBe(403);
  await server.ok(Comment.DeleteComment, { id }, { as: admin });
  await server.ok(Comment.DeleteComment, { id }, { as: rep });
  expect(await read(quoteId)).toMatchObject([{ text: '', author: 'Robin Rep', deletedBy: 'Sal Admin' }]);
  expect(await onPage(docId)).toEqual([]);
  const stored = await server.db.selectFrom('quote_comment').select('text').where('id', '=', id).executeTakeFirst();
  expect(stored?.text).toBe('');
  expect((await server.call(Comment.EditComment, { id, version: 2, text: 'Back' }, { as: rep })).status).toBe(409);
});

test('a name offers and means only people who see the quote', async () => {
  const quote = await aQuote();
  const { people } = await server.ok(Comment.GetMentionable, { quoteId: quote.id }, { as: rep });
  expect(people.map(({ name }) => name)).toEqual(expect.arrayContaining(['Chris Service', 'Robin Rep', 'Sal Admin']));
  expect(people.map(({ name }) => name)).not.toContain('Stran Ger');
  const { id } = await add(quote.id, '@Chris Service and @Stran Ger, and me: @Robin Rep');
  const stored = await server.db
    .selectFrom('quote_comment')
    .select('mentioned')
    .where('id', '=', id)
    .executeTakeFirst();
  expect(stored?.mentioned).toEqual([cs.id]);
  // A mentioned user is notified once. An edit notifies only users whom it adds. The notification links to the comment.
  const mentionsOf = async (as: typeof cs) =>
    (await server.ok(NotificationCalls.SearchNotifications, { page: 1, pageSize: 20 }, { as })).records.filter(
      (record) => record.kind === 'mentioned' && record.quoteId === quote.id,
    );
  expect(await mentionsOf(cs)).toMatchObject([{ path: expect.stringContaining(`?comment=${id}`) as string }]);
  await server.ok(Comment.EditComment, { id, version: 1, text: '@Chris Service and @Sal Admin' }, { as: rep });
  expect(await mentionsOf(cs)).toHaveLength(1);
  expect(await mentionsOf(admin)).toHaveLength(1);
  expect(await mentionsOf(rep)).toEqual([]);
  expect(await mentionsOf(stranger)).toEqual([]);
});

test('Find Quote finds words in comments, in sight alone, and not deleted ones', async () => {
  const quote = await aQuote();
  const { id } = await add(quote.id, 'Prüfung of the 100%_rabatt pending');
  const search = async (comment: string, as = rep) =>
    (await server.ok(QuoteSearch.SearchQuotesForSalesRep, { comment, remember: 'none' }, { as })).records.map(
      (row) => row.id,
    );
  expect(await search('prufung 100%_RABATT')).toEqual([quote.id]);
  expect(await search('prufung absent')).toEqual([]);
  expect(await search('1000_rabatt')).toEqual([]);
  expect(await search('prufung', stranger)).toEqual([]);
  await server.ok(Comment.DeleteComment, { id }, { as: rep });
  expect(await search('prufung')).toEqual([]);
});

test('the openings of the page are counted, once in ten minutes, and not those of the company itself', async () => {
  const { id, num, docId } = await aSentQuote();
  const listed = async () =>
    (await server.ok(QuoteSearch.SearchQuotesForSalesRep, { num, remember: 'none' }, { as: rep })).records[0]?.opened;
  await server.ok(QuoteDoc.GetQuoteDoc, { id: docId, look: 'yes' });
  expect(await listed()).toBeNull();
  const first = time.toISOString();
  await onPage(docId);
  later(9);
  await onPage(docId);
  later(2);
  await onPage(docId);
  const last = time.toISOString();
  const seen = await listed();
  expect(seen?.times).toBe(2);
  expect([seen?.first, seen?.last].map((at) => new Date(at ?? '').toISOString())).toEqual([first, last]);
  const { revisions } = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: rep });
  expect(revisions[0]?.opened?.times).toBe(2);
});

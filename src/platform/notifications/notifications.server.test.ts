// Tests notifications: who gets which, what they see of it, and how they receive it.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { clearOld } from '#platform/retention/clear-old.server.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aWorkflow, DISCOUNTED } from '#testing/a-workflow.server.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote, aQuote, asJustRead } from '#testing/factories/quotes.server.ts';
import { listenTo } from '#testing/live-stream.server.ts';
import { until } from '#testing/server-process.server.ts';
import { NotificationSettings } from './notification-settings.contract.ts';
import { NotificationCalls } from './notifications.contract.ts';
import { notify } from './notify.server.ts';

const { server, office, aDraft } = await startOffice();
const { db, services } = server;
type Who = { id: number };
const workflow = aWorkflow(() => server);
afterAll(() => server.close());
beforeEach(async () => {
  server.setNow('2026-11-21T15:00:00Z');
  await server.drain();
  server.mails.length = 0;
});

const listOf = (as: Who) => server.ok(NotificationCalls.SearchNotifications, { page: 1, pageSize: 200 }, { as });
const kindsOf = async (as: Who, quoteId: number) =>
  (await listOf(as)).records.filter((row) => row.quoteId === quoteId).map(({ kind }) => kind);
const step = async (as: Who, quoteId: number, action: ActionName, input: object = {}) => {
  const { version } = await db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  return server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version, ...input }, { as });
};
const someone = { kind: 'mentioned', by: { id: null, name: 'Kim Lee' } } as const;

it('notifies the users affected by a step, never the one who took it, and leads to the exact place', async () => {
  const { quote } = await aDraft();
  await step(office.inside, quote.id, 'StartProcess');
  await step(office.inside, quote.id, 'RequestInfo', { comment: 'Which color?' });
  expect(await kindsOf(office.rep, quote.id)).toEqual(['infoAsked']);
  expect(await kindsOf(office.inside, quote.id)).toEqual([]);
  const [row] = (await listOf(office.rep)).records;
  expect(row).toMatchObject({
    title: `${office.inside.fullName} asks for information`,
    path: `/pub-quote-board/${quote.id}`,
    read: false,
  });
  expect(row?.about).toContain(String(quote.num));
});

it('tells the person to whom somebody else gives the quote', async () => {
  const other = await aUser(db, { roles: ['salesrep'] });
  const { quote } = await aDraft();
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    await asJustRead(db, { quote: { id: quote.id, salesRepId: other.id } }),
    { as: office.inside },
  );
  expect(await kindsOf(other, quote.id)).toEqual(['assigned']);
  expect(await kindsOf(office.inside, quote.id)).toEqual([]);
});

it('tells of many quotes at once as one, by one email', async () => {
  const reader = await aUser(db, { roles: ['csrep'] });
  await server.ok(NotificationCalls.SaveWay, { kind: 'atRisk', way: 'mail' }, { as: reader });
  const quotes = await Promise.all(Array.from({ length: 21 }, () => aQuote(db)));
  const recipients = quotes.map(({ id }) => ({ userId: reader.id, quoteId: id }));
  const notice = { kind: 'atRisk', by: { id: null, name: '' } } as const;
  await notify(db, services, notice, recipients);
  await server.drain();
  await notify(db, services, notice, recipients);
  await server.drain();
  const { records, total, unread } = await listOf(reader);
  expect([total, unread]).toEqual([1, 1]);
  expect(records[0]).toMatchObject({ title: 'Prices of many quotes are at risk', path: '/gpo/contracts/risks' });
  expect(server.mails[0]).toMatchObject({ to: [reader.userName], subject: 'Prices of many quotes are at risk' });
  expect(server.mails[0]?.text).toContain('/gpo/contracts/risks');
  await notify(db, services, notice, recipients.slice(0, 20));
  expect((await listOf(reader)).total).toBe(21);
});

it('is gone after three months', async () => {
  const reader = await aUser(db, { roles: ['csrep'] });
  const { id: quoteId } = await aQuote(db);
  await notify(db, services, someone, [{ userId: reader.id, quoteId }]);
  server.setNow('2027-02-21T15:00:00Z');
  await clearOld(services);
  expect((await listOf(reader)).total).toBe(1);
  server.setNow('2027-02-22T15:00:00Z');
  await clearOld(services);
  expect((await listOf(reader)).total).toBe(0);
});

it('tells nothing of an ordinary save', async () => {
  const before = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  await aDraft([]);
  const after = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow();
  expect(after).toEqual(before);
});

it('tells nobody who does not see the quote, and hides what left their sight', async () => {
  const stranger = await aUser(db, { roles: ['salesrep'] });
  const { id: quoteId } = await aQuote(db, { ownerId: office.rep.id });
  await notify(db, services, someone, [
    { userId: stranger.id, quoteId },
    { userId: office.rep.id, quoteId },
  ]);
  expect(await kindsOf(stranger, quoteId)).toEqual([]);
  expect(await kindsOf(office.rep, quoteId)).toEqual(['mentioned']);
  const { unread } = await listOf(office.rep);
  await db
    .updateTable('quote')
    .set({ owner_id: stranger.id, sales_rep_id: stranger.id })
    .where('id', '=', quoteId)
    .execute();
  expect(await kindsOf(office.rep, quoteId)).toEqual([]);
  expect(await server.ok(NotificationCalls.CountUnread, {}, { as: office.rep })).toEqual({ unread: unread - 1 });
});

it('counts repeated unread notifications as one', async () => {
  const reader = await aUser(db, { roles: ['salesrep'] });
  const { id: quoteId } = await aQuote(db, { ownerId: reader.id });
  for (const name of ['Kim', 'Pat'])
    await notify(db, services, { ...someone, by: { id: null, name } }, [{ userId: reader.id, quoteId }]);
  const { records, total, unread } = await listOf(reader);
  expect([records.map(({ title }) => title), total, unread]).toEqual([['Pat mentions you'], 1, 1]);
  const [{ id } = { id: 0 }] = records;
  expect(await server.ok(NotificationCalls.MarkRead, { ids: [id] }, { as: reader })).toEqual({ unread: 0 });
  await notify(db, services, someone, [{ userId: reader.id, quoteId }]);
  expect(await listOf(reader)).toMatchObject({ total: 2, unread: 1 });
  expect(await server.ok(NotificationCalls.MarkRead, { all: true }, { as: reader })).toEqual({ unread: 0 });
});

it('marks only one’s own read', async () => {
  const [mine, yours] = [await aUser(db, { roles: ['csrep'] }), await aUser(db, { roles: ['csrep'] })];
  const { id: quoteId } = await aQuote(db);
  await notify(db, services, someone, [{ userId: yours.id, quoteId }]);
  const [row] = (await listOf(yours)).records;
  await server.ok(NotificationCalls.MarkRead, { ids: [row?.id ?? 0] }, { as: mine });
  expect(await listOf(yours)).toMatchObject({ unread: 1 });
  expect((await listOf(mine)).records).toEqual([]);
});

it('tells the sales rep when the customer opens the page for the first time, asks and accepts', async () => {
  const quote = await aPricedQuote(db, {
    statusId: 'Processing',
    salesRepId: office.rep.id,
    assigneeId: office.inside.id,
  });
  const { version } = await db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const sent = await server.ok(
    QuoteWorkflow.SendEmail,
    { quoteId: quote.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' },
    { as: office.inside },
  );
  await server.drain();
  server.mails.length = 0;
  const docId = sent.quote.docId ?? '';
  await server.ok(QuoteDoc.GetQuoteDoc, { id: docId });
  await server.ok(QuoteDoc.GetQuoteDoc, { id: docId });
  await server.ok(QuoteDoc.AskQuestion, { docId, name: 'Ann Buyer', email: 'ann@example.org', question: 'When?' });
  await server.ok(QuoteDoc.AcceptQuote, {
    docId,
    name: 'Ann Buyer',
    title: 'Buyer',
    poNumber: 'PO-9',
    acceptTerms: true,
  });
  expect((await kindsOf(office.rep, quote.id)).toSorted()).toEqual(['accepted', 'opened', 'question']);
  expect((await kindsOf(office.inside, quote.id)).toSorted()).toEqual(['accepted', 'opened', 'question']);
  await server.drain();
  const mails = server.mails.filter(({ to }) => to.includes(office.rep.userName));
  expect(mails.map(({ subject }) => subject.replace(/^.*: /, ''))).toEqual([
    'question from the customer',
    'accepted by the customer',
  ]);
  expect(mails[0]?.text).toContain('When?');
  expect(mails[1]?.text).toContain('Ann Buyer accepted the quote.');
});

it('tells who may decide that approval is asked, and the requester what was decided', async () => {
  const people = await workflow.office();
  const quote = await workflow.aQuoteOf(people, { ...DISCOUNTED, assigneeId: people.cs.id });
  await workflow.act(quote.id, 'RequestApproval', people.cs, { comment: 'Large order' });
  const [request] = (await listOf(people.manager)).records;
  expect(request).toMatchObject({
    kind: 'approvalAsked',
    title: `${people.cs.fullName} asks you for discount approval`,
    path: `/int-quote-board/${quote.id}?decide`,
  });
  expect(await kindsOf(people.cs, quote.id)).toEqual([]);
  await workflow.act(quote.id, 'RejectDiscount', people.manager, { comment: 'Too much' });
  const [decided] = (await listOf(people.cs)).records;
  expect(decided).toMatchObject({ kind: 'approvalDecided', title: `${people.manager.fullName} rejected the discount` });
});

it('reaches the stream of its person alone, by kind and id', async () => {
  const address = await server.listen();
  const [mine, yours] = [await aUser(db, { roles: ['csrep'] }), await aUser(db, { roles: ['csrep'] })];
  const [own, other] = [
    await listenTo(address, await server.tokenOf(mine)),
    await listenTo(address, await server.tokenOf(yours)),
  ];
  const { id: quoteId } = await aQuote(db);
  await notify(db, services, someone, [{ userId: mine.id, quoteId }]);
  await until(() => own.facts().some(({ kind }) => kind === 'notification'), 20);
  expect(own.facts().filter(({ kind }) => kind === 'notification')).toEqual([
    { kind: 'notification', id: mine.id, version: 0 },
  ]);
  await server.ok(NotificationCalls.MarkRead, { all: true }, { as: mine });
  await until(() => own.facts().filter(({ kind }) => kind === 'notification').length > 1, 20);
  expect(other.facts().filter(({ kind }) => kind === 'notification')).toEqual([]);
  own.close();
  other.close();
});

it('makes one email of what happens to a quote within five minutes', async () => {
  const reader = await aUser(db, { roles: ['csrep'] });
  const { id: quoteId } = await aQuote(db);
  const send = (what: string) =>
    notify(db, services, { ...someone, mail: { what, paragraphs: () => [`It is ${what}.`] } }, [
      { userId: reader.id, quoteId },
    ]);
  await send('one');
  server.setNow('2026-11-21T15:04:00Z');
  await send('two');
  await services.jobs.drain();
  expect(server.mails).toEqual([]);
  server.setNow('2026-11-21T15:05:01Z');
  await services.jobs.drain();
  await send('three');
  server.setNow('2026-11-21T15:11:00Z');
  await services.jobs.drain();
  expect(server.mails.map(({ subject }) => subject.replace(/^.*: /, ''))).toEqual(['one; two', 'three']);
  const [first] = server.mails;
  expect(first?.to).toEqual([reader.userName]);
  expect(first?.text).toMatch(/It is one\.[^]*int-quote-board[^]*It is two\./);
  expect(first?.unsubscribe).toMatch(/\/account#notifications$/);
});

it('sends at once what somebody waits for, with what has gathered', async () => {
  const reader = await aUser(db, { roles: ['csrep'] });
  const { id: quoteId } = await aQuote(db);
  const send = (kind: 'mentioned' | 'question', what: string) =>
    notify(db, services, { ...someone, kind, mail: { what, paragraphs: () => [`It is ${what}.`] } }, [
      { userId: reader.id, quoteId },
    ]);
  await send('mentioned', 'one');
  await services.jobs.drain();
  expect(server.mails).toEqual([]);
  await send('question', 'two');
  await services.jobs.drain();
  await send('question', 'three');
  await services.jobs.drain();
  server.setNow('2026-11-21T15:11:00Z');
  await services.jobs.drain();
  expect(server.mails.map(({ subject }) => subject.replace(/^.*: /, ''))).toEqual(['one; two', 'three']);
});

it('emails nothing, at once, or once a day, as a person chose; the company says it for the others', async () => {
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const [bell, none, daily] = [
    await aUser(db, { roles: ['csrep'] }),
    await aUser(db, { roles: ['csrep'] }),
    await aUser(db, { roles: ['csrep'] }),
  ];
  const company = await server.ok(NotificationSettings.GetCompanyWays, {}, { as: admin });
  await server.ok(NotificationSettings.SaveCompanyWays, { ...company, mentioned: 'bell' }, { as: admin });
  expect((await server.call(NotificationSettings.SaveCompanyWays, company, { as: admin })).status).toBe(409);
  await server.ok(NotificationCalls.SaveWay, { kind: 'mentioned', way: 'none' }, { as: none });
  const ways = await server.ok(NotificationCalls.SaveWay, { kind: 'mentioned', way: 'daily' }, { as: daily });
  expect(ways.find(({ kind }) => kind === 'mentioned')).toMatchObject({ start: 'bell', chosen: 'daily' });
  const { id: quoteId } = await aQuote(db);
  await notify(
    db,
    services,
    someone,
    [bell, none, daily].map(({ id: userId }) => ({ userId, quoteId })),
  );
  await server.drain();
  expect(server.mails).toEqual([]);
  expect([(await listOf(bell)).unread, (await listOf(none)).unread, (await listOf(daily)).unread]).toEqual([1, 0, 1]);
  // 6:59 AM, then 7 AM in Chicago.
  server.setNow('2026-11-22T12:59:00Z');
  await server.drain();
  expect(server.mails).toEqual([]);
  server.setNow('2026-11-22T13:00:00Z');
  await server.drain();
  await server.drain();
  expect(server.mails.map(({ to }) => to)).toEqual([[daily.userName]]);
  expect(server.mails[0]?.text).toContain('Kim Lee mentions you');
  expect(server.mails[0]?.unsubscribe).toMatch(/\/account#notifications$/);
  const after = await server.ok(NotificationSettings.GetCompanyWays, {}, { as: admin });
  await server.ok(NotificationSettings.SaveCompanyWays, { ...company, version: after.version }, { as: admin });
});

it('tells once that a sent quote has seven days left', async () => {
  const reader = await aUser(db, { roles: ['salesrep'] });
  const { id: quoteId } = await aQuote(db, {
    ownerId: reader.id,
    statusId: 'SentToCustomer',
    validUntil: '2026-12-10',
  });
  server.setNow('2026-12-02T15:00:00Z');
  await server.drain();
  expect(await kindsOf(reader, quoteId)).toEqual([]);
  server.setNow('2026-12-03T15:00:00Z');
  await server.drain();
  server.setNow('2026-12-04T15:00:00Z');
  await server.drain();
  expect((await listOf(reader)).records.map(({ title }) => title)).toEqual(['Valid until 12/10/2026']);
});

it('lets a key read the notifications of its owner, and nothing more', async () => {
  const admin = await aUser(db, { roles: ['systemadmin'] });
  const created = await server.ok(
    ApiKey.SaveApiKey,
    { name: 'Reads', ownerId: office.inside.id, scopes: ['Notification:read'] },
    { as: admin },
  );
  const by = async (path: string, payload: object) =>
    server.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
  expect((await by(NotificationCalls.SearchNotifications.path, { page: 1 })).status).toBe(200);
  for (const [call, input] of [
    [NotificationCalls.MarkRead, { all: true }],
    [NotificationCalls.GetWays, {}],
    [NotificationCalls.SaveWay, { kind: 'opened', way: 'none' }],
  ] as const)
    expect((await by(call.path, input)).status).toBe(403);
});

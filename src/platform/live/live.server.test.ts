// Tests the stream of changes: who receives what, when it ends, and that it contains only kinds, ids and versions.
import { sql } from 'kysely';
import { afterAll, afterEach, expect, it } from 'vitest';
import { PublicSiteAdmin } from '#core/company/public-site/public-site.contract.ts';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { Savings } from '#addons/savings/savings.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { deafen, type LiveStream, listenTo } from '#testing/live-stream.server.ts';
import { until } from '#testing/server-process.server.ts';
import { notifyServers } from './channel.server.ts';

const { server, office, aDraft } = await startOffice();
const address = await server.listen();
const open: LiveStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => server.close());

async function listen(who: { id: number }): Promise<LiveStream> {
  const stream = await listenTo(address, await server.tokenOf(who));
  open.push(stream);
  return stream;
}
/** Waits until the stream has everything up to now: saves a quote that its user can see, and waits for that fact. */
async function heard(stream: LiveStream, as: { id: number }): Promise<void> {
  const { quote } = await aDraft([], as);
  await until(() => stream.facts().some(({ kind, id }) => kind === 'quote' && id === quote.id), 20);
}

it('tells those who see a quote its id and version, and others nothing', async () => {
  const elsewhere = await aSalesOffice(server.db);
  const [rep, inside, stranger] = [await listen(office.rep), await listen(office.inside), await listen(elsewhere.rep)];
  const { quote } = await aDraft([]);
  await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { id: quote.id, version: quote.version, customerReference: 'A secret' } },
    { as: office.rep },
  );
  const fact = { kind: 'quote', id: quote.id, version: quote.version + 1 };
  await until(() => rep.facts().some(({ version }) => version === fact.version), 20);
  await until(() => inside.facts().some(({ version }) => version === fact.version), 20);
  expect(rep.facts()).toContainEqual(fact);
  expect(rep.events[0]).toEqual({ event: 'hello', data: {} });
  for (const { kind, id, version, ...rest } of rep.facts())
    expect([kind, typeof id, typeof version, rest]).toEqual(['quote', 'number', 'number', {}]);

  const { quote: foreign } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: elsewhere.facility.id } },
    { as: elsewhere.rep },
  );
  await until(() => stranger.facts().some(({ id }) => id === foreign.id), 20);
  expect(stranger.facts().map(({ id }) => id)).not.toContain(quote.id);
  await heard(rep, office.rep);
  expect(rep.facts().map(({ id }) => id)).not.toContain(foreign.id);
});

it('tells of what belongs to a quote and leaves its version as it is', async () => {
  const stream = await listen(office.rep);
  const { quote } = await aDraft([]);
  // Facts about one quote that arrive together are combined.
  await until(() => stream.facts().some(({ id }) => id === quote.id), 20);
  const request = { revision: 1, asked_by: 'Pat', email: 'pat@example.org', question: '?', asked_at: new Date() };
  await server.db
    .insertInto('quote_question')
    .values({ quote_id: quote.id, ...request })
    .execute();
  const isReported = () => stream.facts().some(({ id, version }) => id === quote.id && version === 0);
  await expect.poll(isReported, { timeout: 20_000 }).toBe(true);
});

it('tells of many new quotes as one fact', async () => {
  const stream = await listen(office.inside);
  const { quote } = await aDraft([]);
  const row = await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
  const { id: _id, ...values } = row;
  const rows = Array.from({ length: 60 }, (_, n) => ({ ...values, num: 900_000 + n }));
  await server.db
    .insertInto('quote')
    .values(rows as never)
    .execute();
  await until(() => stream.facts().some(({ id }) => id === 0), 20);
  expect(stream.facts()).toContainEqual({ kind: 'quote', id: 0, version: 0 });
});

it('tells of desks and imports only whoever works there', async () => {
  const contracts = await aUser(server.db, { roles: ['contractdept'] });
  const administrator = await aUser(server.db, { roles: ['systemadmin'] });
  const [desk, rep] = [await listen(contracts), await listen(office.rep)];
  const file = { name: 'zips.csv', bytes: Buffer.from('ZIP,City\n19103,Philadelphia\n') };
  await server.ok(DataImport.UploadImport, { kind: 'zips' }, { as: administrator, file });
  await until(() => desk.facts().some(({ kind }) => kind === 'import'), 20);
  await heard(rep, office.rep);
  expect(rep.facts().map(({ kind }) => kind)).not.toContain('import');
});

it('tells of savings analyses whoever quotes, and not of which', async () => {
  const contracts = await aUser(server.db, { roles: ['contractdept'] });
  const administrator = await aUser(server.db, { roles: ['systemadmin'] });
  const [desk, rep] = [await listen(contracts), await listen(office.rep)];
  const usage = { facilityId: office.facility.id, months: 12, text: 'Item,Qty\nA-1,4\n' };
  await server.ok(Savings.UploadUsageFile, usage, { as: office.rep });
  await until(() => rep.facts().some(({ kind }) => kind === 'savings'), 20);
  expect(rep.facts().filter(({ kind }) => kind === 'savings')).toEqual([{ kind: 'savings', id: 0, version: 0 }]);
  const file = { name: 'zips.csv', bytes: Buffer.from('ZIP,City\n19104,Philadelphia\n') };
  await server.ok(DataImport.UploadImport, { kind: 'zips' }, { as: administrator, file });
  await until(() => desk.facts().some(({ kind }) => kind === 'import'), 20);
  expect(desk.facts().map(({ kind }) => kind)).not.toContain('savings');
});

it('follows a right that is taken away, and one that is given', async () => {
  const manager = await aUser(server.db, { roles: ['salesQuoteManager'] });
  const stream = await listen(manager);
  const { quote } = await aDraft([]);
  await heard(await listen(office.inside), office.inside);
  const region = quote.regionId ?? 0;
  await server.db.insertInto('user_region').values({ user_id: manager.id, region_id: region }).execute();
  const { quote: seen } = await aDraft([]);
  await until(() => stream.facts().some(({ id }) => id === seen.id), 20);
  expect(stream.facts().map(({ id }) => id)).not.toContain(quote.id);
  await server.db.deleteFrom('user_region').where('user_id', '=', manager.id).execute();
  const { quote: unseen } = await aDraft([]);
  await heard(stream, manager);
  expect(stream.facts().map(({ id }) => id)).not.toContain(unseen.id);
});

it('ends when the database can no longer be heard, and opens again', async () => {
  const stream = await listen(office.inside);
  await deafen(server.db);
  await stream.ended;
  expect(stream.events.at(-1)).toEqual({ event: 'bye', data: 'lost' });
  const again = await listen(office.inside);
  await heard(again, office.inside);
});

it('ends when it cannot report a change, so that nobody misses the change', async () => {
  const stream = await listen(office.inside);
  const { quote } = await aDraft([]);
  await until(() => stream.facts().some(({ id }) => id === quote.id), 20);
  await sql`alter table approval_request rename to approval_request_away`.execute(server.db);
  await notifyServers(server.db, `quote ${quote.id} 99`);
  await stream.ended;
  await sql`alter table approval_request_away rename to approval_request`.execute(server.db);
  expect(stream.events.at(-1)).toEqual({ event: 'bye', data: 'lost' });
});

it('is for people who are signed in, with one browser each, not for keys', async () => {
  await expect(listenTo(address, 'wrong')).rejects.toThrow('401');
  const streams = await Promise.all(Array.from({ length: 20 }, () => listen(office.manager)));
  await expect(listen(office.manager)).rejects.toThrow('429');
  streams[0]?.close();
  await until(async () => {
    const first = await listen(office.manager).catch(() => null);
    return first !== null;
  }, 20);
});

it('ends with the session, with the person, and when the public site is locked', async () => {
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const [leaving, locked, deactivated] = [
    await aUser(server.db, { roles: ['csrep'] }),
    await aUser(server.db, { roles: ['salesrep'] }),
    await aUser(server.db, { roles: ['csrep'] }),
  ];
  const streams = await Promise.all([leaving, locked, deactivated].map(listen));
  const [first, second, third] = streams;
  await server.ok(Auth.SignOut, {}, { as: leaving });
  await first?.ended;
  await server.db.updateTable('app_user').set({ active: false }).where('id', '=', deactivated.id).execute();
  await third?.ended;
  expect(second?.events).toHaveLength(1);
  await server.ok(PublicSiteAdmin.LockPublicSite, { message: 'Closed for inventory.' }, { as: admin });
  await second?.ended;
  for (const stream of streams) expect(stream.events.at(-1)).toEqual({ event: 'bye', data: 'ended' });
});

// Tests where users are on a quote: who is notified of whom, through any server, and who is not notified.
import { afterAll, afterEach, expect, it } from 'vitest';
import { openPostgres } from '#platform/db/database.server.ts';
import { Auth } from '#platform/auth/auth.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { addressOf } from '#testing/base-database.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { deafen, type LiveStream, listenTo } from '#testing/live-stream.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';
import { Presence } from './presence.contract.ts';

const { server, office, aDraft } = await startOffice();
const address = await server.listen();
const second = await startTestServer({ database: openPostgres(addressOf(server.services.database), 4) });
const secondAddress = await second.listen();
const open: LiveStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(async () => {
  await second.close();
  await server.close();
});

type Who = { id: number };
type Where = { itemId?: number | null; typing?: boolean; here?: boolean; tab?: number };
const listen = async (who: Who, at = server, its = address) => {
  const stream = await listenTo(its, await at.tokenOf(who));
  open.push(stream);
  return stream;
};
const word = (quoteId: number, where: Where) => ({
  quoteId,
  tab: 1,
  itemId: null,
  typing: false,
  here: true,
  ...where,
});
const say = (who: Who, quoteId: number, where: Where = {}, at = server) =>
  at.ok(Presence.SayWhereIAm, word(quoteId, where), { as: who });
const othersOf = (stream: LiveStream, quoteId: number) => () => stream.others(quoteId);
const SOON = { timeout: 20_000 };

it('tells people on one quote of each other by name: who was there, lines, typing, leaving', async () => {
  const { quote } = await aDraft([]);
  const [inside, rep, manager] = [await listen(office.inside), await listen(office.rep), await listen(office.manager)];
  await say(office.inside, quote.id, { itemId: 11 });
  await expect.poll(othersOf(inside, quote.id), SOON).toEqual([]);
  await say(office.rep, quote.id);
  const { fullName: name, id } = office.inside;
  await expect.poll(othersOf(rep, quote.id), SOON).toEqual([{ id, name, itemId: 11, typing: false }]);
  await expect.poll(othersOf(inside, quote.id), SOON).toMatchObject([{ id: office.rep.id, itemId: null }]);
  await say(office.inside, quote.id, { itemId: 11, typing: true });
  await expect.poll(othersOf(rep, quote.id), SOON).toEqual([{ id, name, itemId: 11, typing: true }]);
  await say(office.inside, quote.id, { here: false });
  await expect.poll(othersOf(rep, quote.id), SOON).toEqual([]);
  // These users can see the quote but do not have it open.
  expect(manager.others(quote.id)).toBeUndefined();
});

it('keeps from a quote whoever does not see it, and tells them nothing', async () => {
  const elsewhere = await aSalesOffice(server.db);
  const stranger = await listen(elsewhere.rep);
  const { quote } = await aDraft([]);
  const { quote: own } = await aDraft([], office.inside);
  const inside = await listen(office.inside);
  await say(office.inside, quote.id);
  const refused = await server.call(Presence.SayWhereIAm, word(quote.id, {}), { as: elsewhere.rep });
  expect(refused.status).toBe(404);

  // A user who loses access while the quote is open.
  const leaving = await aUser(server.db, { roles: ['csrep'] });
  const stream = await listen(leaving);
  await say(leaving, quote.id);
  await expect.poll(othersOf(inside, quote.id), SOON).toMatchObject([{ id: leaving.id }]);
  await expect.poll(othersOf(stream, quote.id), SOON).toMatchObject([{ id: office.inside.id, itemId: null }]);
  await server.db.updateTable('user_role').set({ role: 'salesrep' }).where('user_id', '=', leaving.id).execute();
  await say(office.inside, quote.id, { itemId: 12 });
  await say(office.rep, quote.id);
  await expect.poll(othersOf(inside, quote.id), SOON).toHaveLength(2);
  expect(stream.others(quote.id)).toMatchObject([{ itemId: null }]);
  await say(office.inside, own.id, { tab: 2 });
  await expect.poll(othersOf(inside, own.id), SOON).toEqual([]);
  expect(stranger.events).toHaveLength(1);
});

it('holds over two servers, for a stream that opens late, and forgets whose session ends', async () => {
  const { quote } = await aDraft([]);
  const far = await listen(office.cs, second, secondAddress);
  await say(office.cs, quote.id, {}, second);
  await expect.poll(othersOf(far, quote.id), SOON).toEqual([]);
  const colleague = await aUser(server.db, { roles: ['csrep'] });
  await say(colleague, quote.id, { itemId: 5 });
  await expect.poll(othersOf(far, quote.id), SOON).toMatchObject([{ id: colleague.id, itemId: 5 }]);
  // They announced their position before they opened the stream.
  const near = await listen(colleague);
  await expect.poll(othersOf(near, quote.id), SOON).toMatchObject([{ id: office.cs.id }]);
  await server.ok(Auth.SignOut, {}, { as: colleague });
  await expect.poll(othersOf(far, quote.id), SOON).toEqual([]);
});

it('knows who says it again after the connection for changes was cut', async () => {
  const { quote } = await aDraft([]);
  const before = await listen(office.inside);
  await say(office.inside, quote.id);
  await expect.poll(othersOf(before, quote.id), SOON).toEqual([]);
  await deafen(server.db);
  await before.ended;
  const [inside, rep] = [await listen(office.inside), await listen(office.rep)];
  await say(office.rep, quote.id, { itemId: 3 });
  await expect.poll(othersOf(rep, quote.id), SOON).toEqual([]);
  await say(office.inside, quote.id);
  await expect.poll(othersOf(inside, quote.id), SOON).toMatchObject([{ id: office.rep.id, itemId: 3 }]);
  await expect.poll(othersOf(rep, quote.id), SOON).toMatchObject([{ id: office.inside.id }]);
});

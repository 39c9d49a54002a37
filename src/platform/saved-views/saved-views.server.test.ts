// Tests saved views over HTTP: their owners, who may see and change them, valid addresses, and the start view.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InputOf } from '#platform/api/endpoint.ts';
import { paths } from '#platform/shared/paths.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { SavedView } from './saved-views.contract.ts';

type Who = { id: number };
let server: TestServer;
let people: Record<'owner' | 'rep' | 'inside' | 'admin' | 'salesadmin', Who & { fullName: string }>;
beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  people = {
    owner: await aUser(db, { roles: ['csrep'] }),
    rep: await aUser(db, { roles: ['salesrep'] }),
    inside: await aUser(db, { roles: ['insiderep'] }),
    admin: await aUser(db, { roles: ['systemadmin'] }),
    salesadmin: await aUser(db, { roles: ['salesadmin'] }),
  };
});
afterAll(() => server.close());

const SCREEN = paths.findQuoteInternal;
let named = 0;
const save = (overrides: Partial<InputOf<typeof SavedView.SaveView>> = {}, as: Who = people.owner) =>
  server.ok(SavedView.SaveView, { screen: SCREEN, name: `View ${++named}`, address: 'num=1', ...overrides }, { as });
const names = async (as: Who, screen: string = SCREEN) =>
  (await server.ok(SavedView.GetViews, { screen }, { as })).map(({ name }) => name);
const status = async (input: InputOf<typeof SavedView.SaveView>, as: Who = people.owner) =>
  (await server.call(SavedView.SaveView, input, { as })).status;

it('saves the query of a list for its owner alone, from the first page', async () => {
  const view = await save({ name: 'Won of mine', address: '?qtStatuses=Won&page=4&sort=num.asc' });
  expect(view).toEqual({
    id: view.id,
    screen: SCREEN,
    name: 'Won of mine',
    address: 'page=1&qtStatuses=Won&sort=num.asc',
    shared: [],
    ownerName: people.owner.fullName,
    isMine: true,
    mayChange: true,
    isStart: false,
    version: 1,
  });
  expect(await names(people.owner)).toContain('Won of mine');
  for (const other of [people.rep, people.inside, people.admin])
    expect(await names(other)).not.toContain('Won of mine');
  expect(await names(people.owner, paths.users)).toEqual([]);
  // Both addresses of Find Quote are one list.
  expect(await names(people.owner, paths.findQuotePublic)).toContain('Won of mine');
});

it('shares a view with roles; its owner and system administrators change it, nobody else', async () => {
  const view = await save({ name: 'For reps', shared: ['salesrep'] });
  expect(await names(people.rep)).toContain('For reps');
  expect(await names(people.inside)).not.toContain('For reps');
  const change = { id: view.id, version: view.version, name: 'For sales reps' };
  expect(await status(change, people.rep)).toBe(403);
  expect(await status(change, people.inside)).toBe(404);
  expect(await status(change, people.salesadmin)).toBe(404);
  const { status: deleted } = await server.call(SavedView.DeleteView, { id: view.id, version: 1 }, { as: people.rep });
  expect(deleted).toBe(403);
  const renamed = await server.ok(SavedView.SaveView, change, { as: people.admin });
  expect(renamed).toMatchObject({
    name: 'For sales reps',
    address: view.address,
    shared: ['salesrep'],
    isMine: false,
    version: 2,
  });
  // Another user's change is not lost.
  const conflict = await server.call(SavedView.SaveView, { ...change, name: 'Mine' }, { as: people.owner });
  expect(conflict.status).toBe(409);
  expect(conflict.body).toMatchObject({
    conflict: { changedBy: people.admin.fullName, current: { name: 'For sales reps' } },
  });
  await server.ok(SavedView.DeleteView, { id: view.id, version: 2 }, { as: people.owner });
  expect(await names(people.rep)).not.toContain('For sales reps');
});

it('takes true for all roles, and nobody sees a view that is no longer shared', async () => {
  const view = await save({ shared: true });
  for (const other of Object.values(people)) expect(await names(other)).toContain(view.name);
  await server.ok(SavedView.SaveView, { id: view.id, version: 1, shared: false }, { as: people.owner });
  expect(await names(people.admin)).not.toContain(view.name);
  expect(await status({ id: view.id, version: 2, name: 'x' }, people.admin)).toBe(404);
});

it('refuses another origin, another path, a second view of the name, and a save without the version', async () => {
  for (const address of ['https://evil.example/?a=b', '//evil.example', '/admin/users', 'a=b#c', 'javascript:alert(1)'])
    expect([address, await status({ screen: SCREEN, name: 'Bad', address })]).toEqual([address, 422]);
  for (const screen of ['https://evil.example', '', 'a b', '?x'])
    expect([screen, await status({ screen, name: 'Bad', address: '' })]).toEqual([screen, 422]);
  expect(await status({ name: 'No screen', address: '' })).toBe(422);
  expect(await status({ screen: SCREEN, address: '' })).toBe(422);
  const { name, id } = await save();
  expect(await status({ screen: SCREEN, name: name.toUpperCase(), address: '' })).toBe(422);
  expect(await status({ screen: paths.users, name, address: '' })).toBe(200);
  expect(await status({ screen: SCREEN, name, address: '' }, people.rep)).toBe(200);
  expect(await status({ id, name: 'Without' })).toBe(422);
});

it('starts a list with one view as long as the person sees it', async () => {
  const view = await save({ shared: ['salesrep'], address: 'qtStatuses=Lost' });
  const start = (as: Who) => server.ok(SavedView.GetStartViews, {}, { as });
  await server.ok(SavedView.SetStartView, { screen: paths.findQuotePublic, id: view.id }, { as: people.rep });
  expect(await start(people.rep)).toEqual([{ screen: SCREEN, address: 'page=1&qtStatuses=Lost' }]);
  expect(await start(people.owner)).toEqual([]);
  const seen = await server.ok(SavedView.GetViews, { screen: SCREEN }, { as: people.rep });
  expect(seen.filter(({ isStart }) => isStart).map(({ id }) => id)).toEqual([view.id]);
  for (const [input, as] of [
    [{ screen: SCREEN, id: view.id }, people.inside],
    [{ screen: paths.users, id: view.id }, people.rep],
    [{ screen: SCREEN, id: 999_999 }, people.rep],
  ] as const)
    expect((await server.call(SavedView.SetStartView, input, { as })).status).toBe(404);
  await server.ok(SavedView.SaveView, { id: view.id, version: 1, shared: [] }, { as: people.owner });
  expect(await start(people.rep)).toEqual([]);
  await server.ok(SavedView.SaveView, { id: view.id, version: 2, shared: ['salesrep'] }, { as: people.owner });
  expect(await start(people.rep)).toHaveLength(1);
  await server.ok(SavedView.SetStartView, { screen: SCREEN, id: null }, { as: people.rep });
  expect(await start(people.rep)).toEqual([]);
  await server.ok(SavedView.SetStartView, { screen: SCREEN, id: view.id }, { as: people.owner });
  await server.ok(SavedView.DeleteView, { id: view.id, version: 3 }, { as: people.owner });
  expect(await start(people.owner)).toEqual([]);
});

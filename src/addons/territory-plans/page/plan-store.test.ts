// Tests the store of a plan against a real server, without a screen: saving, undo, and conflicts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, InputOf, OutputOf } from '#platform/api/endpoint.ts';
import { HttpError, type Problem } from '#platform/api/http-error.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { planStore } from './plan-store.ts';
import { type LoadedMap, TerritoryPlans } from '../territory-plans.contract.ts';

type Who = { id: number };

let server: TestServer;
let ada: Who;
let ben: Who;
beforeAll(async () => {
  server = await startTestServer();
  ada = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
  ben = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ben Both' });
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, as: Who): Promise<OutputOf<E>> {
  const { status, body } = await server.call(endpoint, input, { as });
  const { detail = '', conflict } = body as Partial<Problem>;
  if (status !== 200) throw new HttpError(status, detail, conflict ? { conflict } : {});
  return body;
}

let codes = 40_000;
/** A plan with ten ZIPs of one territory, and a second territory to move them to. */
async function aDraft() {
  const region = await aRegion(server.db);
  const zips = Array.from({ length: 10 }, () => String(++codes));
  const east = await aTerritory(server.db, { regionId: region.id, name: `East ${codes}`, zips });
  const west = await aTerritory(server.db, { regionId: region.id, name: `West ${codes}` });
  const north = await aTerritory(server.db, { regionId: region.id, name: `North ${codes}` });
  const { map } = await ask(
    TerritoryPlans.saveSavedMap,
    { map: { name: `Plan ${codes}`, effectiveDay: '2026-11-11' } },
    ada,
  );
  const start = await ask(TerritoryPlans.loadSavedMap, { id: map.id }, ada);
  const named = ({ id, name }: { id: number; name: string }) => ({ id, name });
  return { zips, east: named(east), west: named(west), north: named(north), start };
}

function open(start: LoadedMap, as: Who = ada) {
  const saves: number[] = [];
  const stayed: string[] = [];
  let down = false;
  let isDeaf = false;
  const store = planStore({
    start,
    changes: (version) => ask(TerritoryPlans.changesOfSavedMap, { id: start.map.id, version }, as),
    weigh: () => ask(TerritoryPlans.weighSavedMap, { id: start.map.id }, as),
    save: async (moves, version) => {
      if (down) throw new HttpError(0, 'No answer.');
      saves.push(moves.length);
      const answer = await ask(TerritoryPlans.saveSavedMap, { map: { id: start.map.id }, moves, version }, as);
      if (isDeaf) throw new HttpError(0, 'No answer.');
      return answer;
    },
    onStayed: (zips) => stayed.push(...zips),
    pause: 1e6,
  });
  return { store, saves, stayed, goDown: (is: boolean) => (down = is), goDeaf: (is: boolean) => (isDeaf = is) };
}

const load = (start: LoadedMap) => ask(TerritoryPlans.loadSavedMap, { id: start.map.id }, ada);
const goals = (loaded: LoadedMap) => Object.fromEntries(loaded.moves.map(({ zip, to }) => [zip, to?.name ?? null]));

describe('one person', () => {
  it('shows moves at once, saves only what changed, and learns who had the ZIPs', async () => {
    const { zips, east, west, start } = await aDraft();
    const { store, saves } = open(start);
    store.move(zips.slice(0, 3), west);
    expect(store.snapshot().moves.map(({ zip, unsaved, from }) => [zip, unsaved, from])).toEqual(
      zips.slice(0, 3).map((zip) => [zip, true, undefined]),
    );
    expect(store.snapshot().unsaved).toBe(3);
    await store.saved();
    expect(store.snapshot().moves.map(({ from, unsaved }) => [from?.id, unsaved])).toEqual(
      Array.from({ length: 3 }, () => [east.id, false]),
    );
    store.move(zips.slice(2, 5), west);
    await store.saved();
    expect(saves).toEqual([3, 2]);
    expect(Object.keys(goals(await load(start)))).toEqual(zips.slice(0, 5));
  });

  it('weighs saved moves separately from the save', async () => {
    const { zips, east, start } = await aDraft();
    const { store } = open(start);
    store.move(zips.slice(0, 3), null);
    await store.saved();
    expect(store.snapshot()).toMatchObject({ weighed: false, loaded: { effects: [] } });
    await store.catchUp();
    const { weighed, loaded } = store.snapshot();
    expect([
      weighed,
      loaded.effects.map(({ territory, before, after }) => [territory?.id, before.zips, after.zips]),
    ]).toEqual([
      true,
      [
        [east.id, 10, 7],
        [undefined, 0, 3],
      ],
    ]);
  });

  it('undoes and redoes in order, including saved moves', async () => {
    const { zips, west, north, start } = await aDraft();
    const { store } = open(start);
    const [a = '', b = ''] = zips;
    store.move([a, b], west);
    await store.saved();
    store.move([b], north);
    store.takeBack([a]);
    expect(await store.undo()).toBe('1 ZIP removed from the plan');
    await store.saved();
    expect(goals(await load(start))).toEqual({ [a]: west.name, [b]: north.name });
    expect(await store.undo()).toContain(north.name);
    expect(await store.undo()).toBe(`2 ZIPs to ${west.name}`);
    expect(await store.undo()).toBeNull();
    expect(store.snapshot().canUndo).toBe(false);
    await store.saved();
    expect((await load(start)).moves).toEqual([]);
    expect(await Promise.all([store.redo(), store.redo(), store.redo(), store.redo()])).toEqual([
      `2 ZIPs to ${west.name}`,
      `1 ZIP to ${north.name}`,
      '1 ZIP removed from the plan',
      null,
    ]);
    await store.saved();
    expect(goals(await load(start))).toEqual({ [b]: north.name });
  });

  it('sends nothing for a move that is undone before it is saved', async () => {
    const { zips, west, start } = await aDraft();
    const { store, saves } = open(start);
    store.move(zips, west);
    await store.undo();
    await store.saved();
    expect(saves).toEqual([]);
    expect(store.snapshot()).toMatchObject({ unsaved: 0, moves: [], canRedo: true });
  });

  it('reports ZIPs that the chosen territory already has', async () => {
    const { zips, east, start } = await aDraft();
    const { store, stayed } = open(start);
    store.move(zips.slice(0, 2), east);
    await store.saved();
    expect(stayed).toEqual(zips.slice(0, 2));
    expect(store.snapshot().moves).toEqual([]);
  });

  it('keeps changes that failed to save, with newer ones, and saves them later', async () => {
    const { zips, west, north, start } = await aDraft();
    const { store, goDown } = open(start);
    const [a = '', b = ''] = zips;
    goDown(true);
    store.move([a, b], west);
    await expect(store.saved()).rejects.toThrow('No answer.');
    expect(store.snapshot()).toMatchObject({ unsaved: 2, error: { status: 0 } });
    store.move([b], north);
    goDown(false);
    await store.saved();
    store.dispose();
    expect(store.snapshot()).toMatchObject({ unsaved: 0, error: null });
    expect(goals(await load(start))).toEqual({ [a]: west.name, [b]: north.name });
  });

  it('asks nothing when the server saved and its answer was lost', async () => {
    const { zips, west, start } = await aDraft();
    const { store, goDeaf } = open(start);
    store.move(zips.slice(0, 2), west);
    goDeaf(true);
    await expect(store.saved()).rejects.toThrow('No answer.');
    goDeaf(false);
    await store.saved();
    store.dispose();
    expect(store.snapshot()).toMatchObject({ unsaved: 0, error: null, conflict: null });
    expect(Object.keys(goals(await load(start)))).toEqual(zips.slice(0, 2));
  });

  it('plans a move again from the territory that has the ZIP now', async () => {
    const { zips, west, north, start } = await aDraft();
    const { store } = open(start);
    const [a = '', b = ''] = zips;
    store.move([a, b], west);
    await store.saved();
    await ask(
      TerritoryAdmin.AddTerritoryZips,
      { territoryId: north.id, zips: `${a} ${b}`, from: '2026-11-10', apply: true },
      ben,
    );
    await store.catchUp();
    const { conflicts } = store.snapshot().loaded;
    expect(conflicts.map(({ zip, kind, now }) => [zip, kind, now?.id])).toEqual([
      [a, 'moved', north.id],
      [b, 'moved', north.id],
    ]);
    store.rebase([{ zip: a, from: north, to: west }]);
    store.takeBack([b]);
    const saved = await store.saved();
    expect(saved.conflicts).toEqual([]);
    await store.catchUp();
    expect(store.snapshot().loaded.conflicts).toEqual([]);
    expect(saved.moves.map(({ zip, from, to }) => [zip, from?.id, to?.id])).toEqual([[a, north.id, west.id]]);
  });

  it('reports that somebody published the plan, and keeps the unsaved moves', async () => {
    const { zips, west, start } = await aDraft();
    const { store } = open(start);
    const [a = '', b = ''] = zips;
    store.move([a], west);
    const { map } = await store.saved();
    const input = { id: map.id, version: map.version, effectiveFrom: '2026-11-11', apply: true };
    await ask(TerritoryPlans.publishSavedMap, input, ben);
    store.move([b], west);
    await expect(store.saved()).rejects.toThrow(/published/);
    expect(store.snapshot()).toMatchObject({ unsaved: 1, loaded: { map: { state: 'Published' } } });
    store.discard();
    expect(store.snapshot()).toMatchObject({ unsaved: 0, error: null, canUndo: false });
  });
});

describe('somebody else saved first', () => {
  const both = async () => {
    const { zips, west, north, start } = await aDraft();
    const [a = '', b = '', c = ''] = zips;
    const mine = open(start).store;
    const theirs = open(start, ben).store;
    theirs.move([a, c], north);
    await theirs.saved();
    mine.move([a, b], west);
    await expect(mine.saved()).rejects.toThrow('Someone else changed this plan.');
    expect(mine.snapshot()).toMatchObject({ conflict: { changedBy: 'Ben Both' }, unsaved: 2, error: null });
    expect(goals(await load(start))).toEqual({ [a]: north.name, [c]: north.name });
    return { a, b, c, mine, west, north, start };
  };

  it('keeps mine over theirs', async () => {
    const { a, b, c, mine, west, north, start } = await both();
    mine.settle('mine');
    await mine.saved();
    expect(mine.snapshot()).toMatchObject({ conflict: null, unsaved: 0 });
    expect(goals(await load(start))).toEqual({ [a]: west.name, [b]: west.name, [c]: north.name });
  });

  it('takes theirs and drops mine; undo leaves theirs alone', async () => {
    const { a, c, mine, north, start } = await both();
    mine.settle('theirs');
    await mine.saved();
    expect(mine.snapshot()).toMatchObject({ conflict: null, unsaved: 0 });
    expect(await mine.undo()).toBeNull();
    expect(goals(await load(start))).toEqual({ [a]: north.name, [c]: north.name });
  });
});

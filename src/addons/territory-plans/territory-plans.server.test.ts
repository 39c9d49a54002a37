// Tests territory plans over HTTP: drawing, conflicts, publishing, rolling back, and permissions.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { History } from '#platform/history/history.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { type LoadedMap, type MoveInput, TerritoryPlans } from './territory-plans.contract.ts';

let server: TestServer;
let admin: { id: number };
const TODAY = '2026-11-10';
const TOMORROW = '2026-11-11';
beforeAll(async () => {
  server = await startTestServer({ config: { internalSite: true } });
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

let zips = 30_000;
const newZips = (count: number) => Array.from({ length: count }, () => String(++zips));
let plans = 0;

async function twoTerritories(count = 10) {
  const region = await aRegion(server.db);
  const codes = newZips(count);
  const rep = await aUser(server.db, { roles: ['salesrep'], fullName: `Rep ${zips}` });
  const east = await aTerritory(server.db, { regionId: region.id, zips: codes, sales: rep.id });
  const west = await aTerritory(server.db, { regionId: region.id, zips: newZips(1) });
  return { region, rep, east, west, codes };
}

const save = (
  input: Parameters<typeof server.call<typeof TerritoryPlans.saveSavedMap>>[1],
  as: { id: number } = admin,
) => server.call(TerritoryPlans.saveSavedMap, input, { as });
async function aPlan(moves: MoveInput[], as = admin, more: object = {}): Promise<LoadedMap> {
  const map = { name: `Plan ${++plans}`, effectiveDay: TOMORROW, ...more };
  return load(await server.ok(TerritoryPlans.saveSavedMap, { map, moves }, { as }), as);
}
const publish = (plan: Pick<LoadedMap, 'map'>, apply: boolean, effectiveFrom = TOMORROW) =>
  server.call(
    TerritoryPlans.publishSavedMap,
    { id: plan.map.id, version: plan.map.version, effectiveFrom, apply },
    { as: admin },
  );
const load = (plan: { map: { id: number } }, as: { id: number } = admin) =>
  server.ok(TerritoryPlans.loadSavedMap, { id: plan.map.id }, { as });
const rows = async (codes: string[]) =>
  (
    await server.db
      .selectFrom('zip_assignment')
      .select(['id', 'zip5', 'territory_id', 'valid_from', 'valid_to'])
      .where('zip5', 'in', codes)
      .orderBy('id')
      .execute()
  ).map((row) => ({ ...row }));
const detailOf = ({ body }: { body: unknown }) => (body as { detail: string }).detail;

it('moves ten ZIPs from tomorrow: today stays, the dry run matches publishing, rolling back restores every row', async () => {
  const { east, west, codes, rep } = await twoTerritories();
  const facility = await aFacility(server.db, { zip: codes[0] ?? '' });
  await aQuote(server.db, { facility, salesRepId: rep.id });
  const before = await rows(codes);
  const plan = await aPlan(codes.map((zip) => ({ zip, to: west.id })));
  expect(plan.moves).toHaveLength(10);
  expect(plan.moves[0]).toMatchObject({
    zip: codes[0],
    from: { id: east.id },
    to: { id: west.id },
    changedBy: 'Ada Admin',
  });
  expect(plan.conflicts).toEqual([]);
  expect(await rows(codes)).toEqual(before);

  const dry = await publish(plan, false);
  expect(dry.body).toMatchObject({ applied: false, moves: 10, conflicts: [], ends: 10, begins: 10 });
  expect(dry.body.effects).toMatchObject(
    [
      {
        territory: { id: east.id },
        before: { zips: 10, facilities: 1, openQuotes: 1 },
        after: { zips: 0, facilities: 0, openQuotes: 0 },
      },
      {
        territory: { id: west.id },
        before: { zips: 1, facilities: 0, openQuotes: 0 },
        after: { zips: 11, facilities: 1, openQuotes: 1 },
      },
    ].toSorted((a, b) => a.territory.id - b.territory.id),
  );
  expect(await rows(codes)).toEqual(before);

  const done = await publish(plan, true);
  expect(done.body).toMatchObject({ applied: true, ends: 10, begins: 10, effects: dry.body.effects });
  const after = await rows(codes);
  expect(after.filter(({ territory_id }) => territory_id === east.id).map(({ valid_to }) => valid_to)).toEqual(
    codes.map(() => TODAY),
  );
  expect(after.filter(({ territory_id }) => territory_id === west.id)).toHaveLength(10);
  const published = await load(plan);
  expect(published).toMatchObject({
    map: { state: 'Published', publishedBy: 'Ada Admin' },
    effects: dry.body.effects,
    allowed: { edit: false, publish: false, rollBack: true },
  });
  expect((await publish(published, true)).status).toBe(409);
  expect(detailOf(await save({ map: { id: plan.map.id }, moves: [], version: published.map.version }))).toBe(
    'This plan is published. Copy it to plan more changes.',
  );
  const [event] = await server.ok(History.GetHistory, { type: 'territory', id: west.id }, { as: admin });
  expect(event?.changes[0]?.after).toContain('from 11/11/2026, by the plan');

  const back = await server.ok(
    TerritoryPlans.rollbackSavedMap,
    { id: plan.map.id, version: published.map.version },
    { as: admin },
  );
  expect(back.map.state).toBe('RolledBack');
  expect(await rows(codes)).toEqual(before);
});

it('rolling back ends begun assignments and resumes the earlier ones', async () => {
  const { east, west, codes } = await twoTerritories(2);
  const [taken = '', left = ''] = codes;
  const plan = await aPlan([
    { zip: taken, to: west.id },
    { zip: left, to: null },
  ]);
  const { body } = await publish(plan, true);
  server.setNow('2026-11-20T15:00:00Z');
  await server.ok(TerritoryPlans.rollbackSavedMap, { id: plan.map.id, version: body.version }, { as: admin });
  const assignmentsOf = async (zip: string) =>
    (await rows([zip])).map(({ territory_id, valid_from, valid_to }) => [territory_id, valid_from, valid_to]);
  expect(await assignmentsOf(taken)).toEqual([
    [east.id, '2020-01-01', TODAY],
    [west.id, TOMORROW, '2026-11-19'],
    [east.id, '2026-11-20', null],
  ]);
  expect(await assignmentsOf(left)).toEqual([
    [east.id, '2020-01-01', TODAY],
    [east.id, '2026-11-20', null],
  ]);
});

it('rolling back an assignment that began today keeps it until tonight', async () => {
  const { east, west, codes } = await twoTerritories(1);
  const plan = await aPlan([{ zip: codes[0] ?? '', to: west.id }], admin, { effectiveDay: TODAY });
  const { body } = await publish(plan, true, TODAY);
  await server.ok(TerritoryPlans.rollbackSavedMap, { id: plan.map.id, version: body.version }, { as: admin });
  expect(
    (await rows(codes)).map(({ territory_id, valid_from, valid_to }) => [territory_id, valid_from, valid_to]),
  ).toEqual([
    [east.id, '2020-01-01', '2026-11-09'],
    [west.id, TODAY, TODAY],
    [east.id, TOMORROW, null],
  ]);
});

it('refuses to publish when somebody else assigned a ZIP first, names it, and writes nothing', async () => {
  const { west, codes } = await twoTerritories(3);
  const other = await aTerritory(server.db, { name: `Faster ${plans}` });
  const plan = await aPlan(codes.map((zip) => ({ zip, to: west.id })));
  await server.ok(
    TerritoryAdmin.AddTerritoryZips,
    { territoryId: other.id, zips: codes[1] ?? '', from: TODAY, apply: true },
    { as: admin },
  );
  const before = await rows(codes);
  const now = await load(plan);
  expect(now.conflicts).toMatchObject([{ zip: codes[1], kind: 'moved', now: { id: other.id } }]);
  const refused = await publish(plan, true);
  expect([refused.status, detailOf(refused)]).toEqual([
    409,
    expect.stringContaining(`${codes[1]}: assigned to ${other.name} on 11/11/2026`),
  ]);
  expect(await rows(codes)).toEqual(before);
  const { records } = await server.ok(TerritoryPlans.getSavedMaps, { keyword: plan.map.name }, { as: admin });
  expect(records).toMatchObject([{ moves: 3, conflicts: 1 }]);
  // 'Keep mine' sends the territory that currently has the ZIP.
  const stored = await server.ok(
    TerritoryPlans.saveSavedMap,
    { map: { id: plan.map.id }, moves: [{ zip: codes[1] ?? '', to: west.id }], version: now.map.version },
    { as: admin },
  );
  const { conflicts } = await server.ok(TerritoryPlans.weighSavedMap, { id: plan.map.id }, { as: admin });
  expect(conflicts).toEqual([]);
  expect((await publish(stored, true)).status).toBe(200);
});

it('a later assignment, one that begins that day, and an inactive territory prevent publishing', async () => {
  const { west, codes } = await twoTerritories(3);
  const [later = '', begins = '', off = ''] = codes;
  const target = await aTerritory(server.db, {});
  const plan = await aPlan([
    { zip: later, to: west.id },
    { zip: begins, to: west.id },
    { zip: off, to: target.id },
  ]);
  for (const [zip, from] of [
    [later, '2027-01-01'],
    [begins, TOMORROW],
  ] as const) {
    await server.db
      .updateTable('zip_assignment')
      .set({ valid_to: from === TOMORROW ? TODAY : '2026-12-31' })
      .where('zip5', '=', zip)
      .execute();
    await server.db
      .insertInto('zip_assignment')
      .values({ zip5: zip, territory_id: target.id, valid_from: from })
      .execute();
  }
  await server.db.updateTable('territory').set({ active: false }).where('id', '=', target.id).execute();
  const { conflicts } = await load(plan);
  expect(conflicts.map(({ zip, kind }) => [zip, kind])).toEqual([
    [later, 'later'],
    [begins, 'moved'],
    [off, 'inactive'],
  ]);
});

it('refuses to save over somebody else’s change, says who made it, and answers what changed since a version', async () => {
  const { east, west, codes } = await twoTerritories(2);
  const [first = '', two = ''] = codes;
  const mate = await aUser(server.db, { roles: ['salessupport'], fullName: 'Mia Mate' });
  const plan = await aPlan([{ zip: first, to: west.id }], admin, { readers: [{ userId: mate.id, mayEdit: true }] });
  const { version, id } = plan.map;
  const theirs = await save({ map: { id }, moves: [{ zip: two, to: west.id }], version }, mate);
  expect(theirs.body.moves.map(({ zip, changedBy }) => [zip, changedBy])).toEqual([[two, 'Mia Mate']]);
  for (const zip of [first, two]) {
    const late = await save({ map: { id }, moves: [{ zip, to: east.id }], version });
    expect(late).toMatchObject({ status: 409, body: { conflict: { changedBy: 'Mia Mate' } } });
  }
  expect((await save({ map: { id, note: 'Ada wrote that' }, version })).status).toBe(409);
  const undone = await save({ map: { id }, moves: [{ zip: two, gone: true }], version: theirs.body.map.version });
  expect([undone.body.moves, undone.body.takenBack]).toEqual([[], [two]]);
  const since = (from: number) => server.ok(TerritoryPlans.changesOfSavedMap, { id, version: from }, { as: mate });
  const all = await since(version);
  expect([all.moves, all.takenBack, all.map.version]).toEqual([[], [two], undone.body.map.version]);
  const none = await since(all.map.version);
  expect([none.moves, none.takenBack]).toEqual([[], []]);
  expect((await load(plan)).moves.map(({ zip }) => zip)).toEqual([first]);
});

it('refuses a version that the plan has not reached, so that it overwrites nobody’s move', async () => {
  const { west, codes } = await twoTerritories(1);
  const [zip = ''] = codes;
  const { map } = await aPlan([{ zip, to: west.id }]);
  for (const version of [map.version + 1, 2_147_483_647])
    expect(await save({ map: { id: map.id }, moves: [{ zip, to: null }], version })).toMatchObject({
      status: 409,
      body: { conflict: { current: { version: map.version } } },
    });
  expect((await load({ map })).moves).toMatchObject([{ zip, to: { id: west.id } }]);
});

it('shows a plan to its owner, to its readers, and to administrators', async () => {
  const { west, codes } = await twoTerritories(1);
  const [owner, reader, stranger] = [
    await aUser(server.db, { roles: ['salessupport'] }),
    await aUser(server.db, { roles: ['salessupport'] }),
    await aUser(server.db, { roles: ['salessupport'] }),
  ];
  const plan = await aPlan([{ zip: codes[0] ?? '', to: west.id }], owner, { readers: [{ userId: reader.id }] });
  const seen = async (as: { id: number }) =>
    (await server.ok(TerritoryPlans.getSavedMaps, { keyword: plan.map.name }, { as })).total;
  expect([await seen(owner), await seen(reader), await seen(stranger), await seen(admin)]).toEqual([1, 1, 0, 1]);
  const { id } = plan.map;
  for (const read of [
    server.call(TerritoryPlans.loadSavedMap, { id }, { as: stranger }),
    server.call(TerritoryPlans.changesOfSavedMap, { id, version: 1 }, { as: stranger }),
    server.call(TerritoryPlans.weighSavedMap, { id }, { as: stranger }),
  ])
    expect((await read).status).toBe(404);
  const write = (as: { id: number }) => save({ map: { id: plan.map.id, note: 'x' }, version: plan.map.version }, as);
  expect([(await write(reader)).status, (await write(stranger)).status]).toEqual([403, 404]);
  const publishing = await server.call(
    TerritoryPlans.publishSavedMap,
    { id: plan.map.id, version: 1, effectiveFrom: TOMORROW, apply: true },
    { as: owner },
  );
  expect(publishing.status).toBe(403);
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(TerritoryPlans.getSavedMaps, {}, { as: rep })).status).toBe(403);
});

it('a quote manager plans in their own regions; an administrator publishes', async () => {
  const { region, west, codes } = await twoTerritories(2);
  const foreign = await twoTerritories(1);
  const manager = await aUser(server.db, {
    roles: ['salesQuoteManager'],
    regionIds: [region.id],
    fullName: 'Max Manager',
  });
  const refused = await save(
    { map: { name: 'Abroad', effectiveDay: TOMORROW }, moves: [{ zip: foreign.codes[0] ?? '', to: west.id }] },
    manager,
  );
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'moves', message: expect.stringContaining('outside the regions') as string }] },
  });
  const plan = await aPlan([{ zip: codes[0] ?? '', to: west.id }], manager);
  expect(plan.allowed).toMatchObject({ edit: true, publish: false });
  expect((await publish(plan, true)).status).toBe(200);
});

it('refuses invalid moves, and does not change an archived plan', async () => {
  const { west, codes } = await twoTerritories(2);
  const [zip = ''] = codes;
  const messages = async (moves: MoveInput[], map: object = {}) => {
    const { status, body } = await save({ map: { name: 'Bad', effectiveDay: TOMORROW, ...map }, moves });
    return [
      status,
      ...((body as unknown as { errors?: { message: string }[] }).errors ?? []).map(({ message }) => message),
    ].join(' ');
  };
  expect(await messages([{ zip: '00001', to: west.id }])).toBe('422 Unknown ZIPs: 00001');
  expect(await messages([{ zip, to: 999_999 }])).toBe('422 One of these territories does not exist.');
  expect(
    await messages([
      { zip, to: west.id },
      { zip, to: null },
    ]),
  ).toBe(`422 ${zip} is moved twice in one save.`);
  expect(await messages([], { effectiveDay: '11/09/2026' })).toContain('This day has passed.');
  expect(await messages([{ zip: '7500', to: west.id }])).toContain('A ZIP has five digits');
  const empty = await aPlan([]);
  expect(detailOf(await publish(empty, true))).toBe('This plan has no moves yet.');
  const same = await aPlan([{ zip, to: (await rows([zip]))[0]?.territory_id ?? 0 }]);
  expect(same.moves).toEqual([]);
  const plan = await aPlan([{ zip, to: west.id }]);
  const archived = await server.ok(
    TerritoryPlans.archiveSavedMap,
    { id: plan.map.id, version: plan.map.version, archived: true },
    { as: admin },
  );
  expect(archived.state).toBe('Archived');
  expect((await save({ map: { id: plan.map.id, note: 'x' }, version: archived.version })).status).toBe(409);
  const copy = await server.ok(TerritoryPlans.copySavedMap, { id: plan.map.id, name: 'Again' }, { as: admin });
  expect(copy).toMatchObject({ map: { state: 'Draft', name: 'Again' }, moves: [{ zip }] });
  const restored = await server.ok(
    TerritoryPlans.archiveSavedMap,
    { id: plan.map.id, version: archived.version, archived: false },
    { as: admin },
  );
  expect(restored.state).toBe('Draft');
});

it('a copy says how many moves it leaves out and why', async () => {
  const { west, codes } = await twoTerritories(3);
  const [stored = '', off = '', there = ''] = codes;
  const target = await aTerritory(server.db, {});
  const plan = await aPlan([
    { zip: stored, to: west.id },
    { zip: off, to: target.id },
    { zip: there, to: west.id },
  ]);
  const copied = async () => {
    const input = { id: plan.map.id, name: `Copy ${++plans}` };
    const { moves, leftOut } = await server.ok(TerritoryPlans.copySavedMap, input, { as: admin });
    return [moves.map(({ zip }) => zip), leftOut];
  };
  expect(await copied()).toEqual([codes, { inactive: 0, there: 0 }]);
  await server.db.updateTable('territory').set({ active: false }).where('id', '=', target.id).execute();
  await server.db.updateTable('zip_assignment').set({ territory_id: west.id }).where('zip5', '=', there).execute();
  expect(await copied()).toEqual([[stored], { inactive: 1, there: 1 }]);
});

it('an override keeps its facility in its territory, and the effect counts it separately', async () => {
  const { east, west, codes } = await twoTerritories(1);
  const facility = await aFacility(server.db, { zip: codes[0] ?? '' });
  await server.db
    .insertInto('account_override')
    .values({ facility_id: facility.id, territory_id: east.id, reason: 'Old ties', valid_from: '2020-01-01' })
    .execute();
  const plan = await aPlan([{ zip: codes[0] ?? '', to: west.id }]);
  expect(plan.overridden).toBe(1);
  expect(plan.effects.find(({ territory }) => territory?.id === east.id)).toMatchObject({
    before: { facilities: 1 },
    after: { facilities: 1, zips: 0 },
  });
});

it('adds the value of open quotes to the cent', async () => {
  const { east, west, codes } = await twoTerritories(2);
  for (const [n, totalAmount] of [0.1, 0.2].entries()) {
    const facility = await aFacility(server.db, { zip: codes[n] ?? '' });
    await aQuote(server.db, { facility, totalAmount, currnIdx: 1007 });
    await aQuote(server.db, { facility, totalAmount, currnIdx: 1009 });
  }
  // One ZIP moves and one stays, so the amounts before are sums of two groups.
  const plan = await aPlan([{ zip: codes[0] ?? '', to: west.id }]);
  expect(plan.effects.find(({ territory }) => territory?.id === east.id)?.before.openValue).toEqual([
    { currnIdx: 1007, amount: 0.3 },
    { currnIdx: 1009, amount: 0.3 },
  ]);
});

it('refuses to roll back after a later change of a ZIP', async () => {
  const { west, codes } = await twoTerritories(2);
  const plan = await aPlan(codes.map((zip) => ({ zip, to: west.id })));
  const { body } = await publish(plan, true);
  await server.db
    .updateTable('zip_assignment')
    .set({ valid_to: '2027-06-30' })
    .where('zip5', '=', codes[0] ?? '')
    .where('territory_id', '=', west.id)
    .execute();
  const before = await rows(codes);
  const refused = await server.call(
    TerritoryPlans.rollbackSavedMap,
    { id: plan.map.id, version: body.version },
    { as: admin },
  );
  expect([refused.status, detailOf(refused)]).toEqual([
    409,
    expect.stringContaining(`${codes[0]} (its assignment was changed)`),
  ]);
  expect(await rows(codes)).toEqual(before);
});

it('a process that dies while it publishes writes nothing', async () => {
  const { west, codes } = await twoTerritories(3);
  const plan = await aPlan(codes.map((zip) => ({ zip, to: west.id })));
  const before = await rows(codes);
  await sql`create function dies_here() returns trigger language plpgsql as $$
    begin raise exception 'the server dies here'; end $$`.execute(server.db);
  await sql`create trigger dies_here before update on territory_plan for each row
    when (new.state = 'Published') execute function dies_here()`.execute(server.db);
  expect((await publish(plan, true)).status).toBe(500);
  await sql`drop trigger dies_here on territory_plan`.execute(server.db);
  expect(await rows(codes)).toEqual(before);
  expect(
    await server.db.selectFrom('territory_plan_write').selectAll().where('plan_id', '=', plan.map.id).execute(),
  ).toEqual([]);
  expect((await publish(plan, true)).status).toBe(200);
});

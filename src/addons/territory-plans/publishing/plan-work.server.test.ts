// Tests the job that publishes and rolls back plans of many moves: its refusals, and that it writes once however often it runs.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aLargePlan } from '#testing/factories/plans.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { TerritoryPlans } from '../territory-plans.contract.ts';
import { MAX_AT_ONCE, planWorkJob } from './plan-work.server.ts';

let server: TestServer;
let admin: { id: number };
const TOMORROW = '2026-11-11';
const MANY = MAX_AT_ONCE + 1;
beforeAll(async () => {
  server = await startTestServer({ config: { internalSite: true } });
  admin = await aUser(server.db, { roles: ['salesadmin'], fullName: 'Ada Admin' });
});
beforeEach(() => server.setNow('2026-11-10T15:00:00Z'));
afterAll(() => server.close());

let first = 10_000;
const aPlan = (count = MANY) => {
  first += 6000;
  return aLargePlan(server.db, { owner: admin, first, count, day: TOMORROW });
};
type Plan = Awaited<ReturnType<typeof aPlan>>;
const load = ({ id }: { id: number }) => server.ok(TerritoryPlans.loadSavedMap, { id }, { as: admin });
const publish = (plan: Plan, apply = true, version = 1) =>
  server.ok(TerritoryPlans.publishSavedMap, { id: plan.id, version, effectiveFrom: TOMORROW, apply }, { as: admin });
const detailOf = ({ body }: { body: unknown }) => (body as { detail: string }).detail;
/** The number of assignments of each territory, and how many of them have an end. */
async function assigned({ east, west }: Plan) {
  const { rows } = await sql<{ east: number; ended: number; west: number }>`
    select count(*) filter (where territory_id = ${east.id})::int as east,
           count(*) filter (where territory_id = ${east.id} and valid_to = '2026-11-10')::int as ended,
           count(*) filter (where territory_id = ${west.id} and valid_from = ${TOMORROW})::int as west
      from zip_assignment`.execute(server.db);
  return rows[0];
}
const BEFORE = { east: MANY, ended: 0, west: 0 };
const AFTER = { east: MANY, ended: MANY, west: MANY };

it('publishes by a job, with the figures of the dry run, and rolls back by one', async () => {
  const plan = await aPlan();
  const dry = await publish(plan, false);
  expect(dry).toMatchObject({ applied: false, queued: false, moves: MANY, ends: MANY, begins: MANY });
  expect(await publish(plan)).toEqual({ ...dry, queued: true });
  expect(await assigned(plan)).toEqual(BEFORE);

  const busy = await load(plan);
  expect(busy.map).toMatchObject({
    state: 'Draft',
    work: { action: 'Publish', effectiveDay: TOMORROW, by: 'Ada Admin', done: 0, total: MANY, error: '' },
  });
  expect(Object.values(busy.allowed)).toEqual(Object.values(busy.allowed).map(() => false));
  const { records } = await server.ok(TerritoryPlans.getSavedMaps, { keyword: busy.map.name }, { as: admin });
  expect(records).toMatchObject([{ state: 'Draft', working: 'Publish' }]);
  const { id } = plan;
  for (const refused of [
    await server.call(TerritoryPlans.saveSavedMap, { map: { id, note: 'x' }, version: 1 }, { as: admin }),
    await server.call(TerritoryPlans.archiveSavedMap, { id, version: 1, archived: true }, { as: admin }),
    await server.call(
      TerritoryPlans.publishSavedMap,
      { id, version: 1, effectiveFrom: TOMORROW, apply: true },
      { as: admin },
    ),
  ])
    expect([refused.status, detailOf(refused)]).toEqual([409, 'This plan is being published.']);

  await server.drain();
  expect(await assigned(plan)).toEqual(AFTER);
  const done = await load(plan);
  expect(done).toMatchObject({
    map: { state: 'Published', publishedBy: 'Ada Admin', work: null, version: 2 },
    effects: dry.effects,
  });

  const back = await server.ok(TerritoryPlans.rollbackSavedMap, { id, version: 2 }, { as: admin });
  expect(back.map).toMatchObject({ state: 'Published', work: { action: 'RollBack', effectiveDay: null } });
  await server.drain();
  expect(await assigned(plan)).toEqual(BEFORE);
  expect((await load(plan)).map).toMatchObject({ state: 'RolledBack', work: null });
});

it('writes in portions, each ZIP in exactly one', async () => {
  const plan = await aPlan(5001);
  await publish(plan);
  await server.drain();
  expect(await assigned(plan)).toEqual({ east: 5001, ended: 5001, west: 5001 });
  const { rows } = await sql<{ kind: string; zips: number }>`
    select kind, count(distinct zip5)::int as zips from territory_plan_write where plan_id = ${plan.id} group by 1 order by 1`.execute(
    server.db,
  );
  expect(rows).toEqual([
    { kind: 'begin', zips: 5001 },
    { kind: 'end', zips: 5001 },
  ]);
});

it('says why it failed when somebody assigns a ZIP before the job runs, and unlocks the plan', async () => {
  const plan = await aPlan();
  const other = await aTerritory(server.db, { name: 'Faster' });
  await publish(plan);
  await sql`update zip_assignment set territory_id = ${other.id} where zip5 = ${String(first)}`.execute(server.db);
  await server.drain();
  const failed = await load(plan);
  expect(failed.map).toMatchObject({
    state: 'Draft',
    work: { error: expect.stringContaining(`${first}: assigned to Faster on 11/11/2026`) as string },
  });
  expect([failed.allowed.edit, failed.allowed.publish]).toEqual([true, true]);
  expect(await assigned(plan)).toEqual({ ...BEFORE, east: MANY - 1 });
  const saved = await server.ok(
    TerritoryPlans.saveSavedMap,
    { map: { id: plan.id }, moves: [{ zip: String(first), gone: true }], version: 1 },
    { as: admin },
  );
  expect(saved.map.work).toBeNull();
});

it('refuses at once a plan with conflicts, and a day that is past when the job runs', async () => {
  const plan = await aPlan();
  await publish(plan);
  server.setNow('2026-11-13T15:00:00Z');
  await server.drain();
  expect((await load(plan)).map.work?.error).toBe('This day has passed. Choose today or a later day.');
  expect(await assigned(plan)).toEqual(BEFORE);
  await sql`update territory set active = false where id = ${plan.west.id}`.execute(server.db);
  const refused = await server.call(
    TerritoryPlans.publishSavedMap,
    { id: plan.id, version: 1, effectiveFrom: '2026-11-14', apply: true },
    { as: admin },
  );
  expect([refused.status, detailOf(refused)]).toEqual([409, expect.stringContaining('is inactive')]);
});

it('writes once when two servers run the job, and gives up after five stops', async () => {
  const plan = await aPlan();
  await publish(plan);
  await Promise.all([1, 2].map(() => planWorkJob.run(server.services, { planId: plan.id })));
  await server.drain();
  expect(await assigned(plan)).toEqual(AFTER);
  expect((await load(plan)).map.version).toBe(2);

  const stopped = await aPlan();
  await publish(stopped);
  await sql`update territory_plan_work set tries = 5 where plan_id = ${stopped.id}`.execute(server.db);
  await server.drain();
  expect(await assigned(stopped)).toEqual(BEFORE);
  expect((await load(stopped)).map.work?.error).toContain('The server stopped or failed 5 times.');
});

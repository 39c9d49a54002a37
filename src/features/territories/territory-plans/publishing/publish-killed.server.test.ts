// Kills a server while it publishes a plan or rolls it back: it writes nothing, and the next server does all of it, once.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { aLargePlan } from '#testing/factories/plans.server.ts';
import { until } from '#testing/server-process.server.ts';
import { aMinutePasses, aServerToKill } from '#testing/server-to-kill.server.ts';
import { addDays } from '#shared/dates.ts';
import { TerritoryPlans } from '../territory-plans.contract.ts';

const MOVES = 12_000;
const NOTHING = { ended: 0, begun: 0, kept: 0 };
const ALL = { ended: MOVES, begun: MOVES, kept: 2 * MOVES };

test('all or nothing', { timeout: 600_000 }, async () => {
  const day = addDays(new Date().toISOString().slice(0, 10), 30);
  let plan = { id: 0, east: { id: 0 }, west: { id: 0 } };
  const server = await aServerToKill(async ({ db }) => {
    const owner = await aUser(db, { roles: ['salesadmin'] });
    plan = await aLargePlan(db, { owner, first: 10_000, count: MOVES, day });
    return owner;
  });
  const { id } = plan;
  const mapOf = async () => (await server.ok(TerritoryPlans.changesOfSavedMap, { id, version: 1 })).map;
  const found = () =>
    server.inDatabase(async (database) => {
      await aMinutePasses(database);
      const { rows } = await sql<{ ended: number; begun: number; kept: number; events: number; state: string }>`
        select (select count(*) from zip_assignment where territory_id = ${plan.east.id} and valid_to is not null)::int as ended,
          (select count(*) from zip_assignment where territory_id = ${plan.west.id})::int as begun,
          (select count(*) from territory_plan_write)::int as kept,
          (select count(*) from record_event where record_type = 'territoryPlan')::int as events,
          (select state from territory_plan) as state`.execute(database.db);
      return rows[0];
    });

  await server.start();
  await server.ok(TerritoryPlans.publishSavedMap, { id, version: 1, effectiveFrom: day, apply: true });
  // Kills at different points of the work. Nothing queries meanwhile, because the embedded database answers nobody.
  for (const wait of [0, 250, 700]) {
    await server.kill(wait);
    const now = await found();
    // On a fast computer the work may have finished; then everything is written.
    expect(now).toEqual(
      now?.state === 'Published'
        ? { ...ALL, events: 1, state: 'Published' }
        : { ...NOTHING, events: 0, state: 'Draft' },
    );
    await server.start();
  }
  await until(async () => (await mapOf()).state === 'Published', 180);
  const { version } = await mapOf();
  await server.ok(TerritoryPlans.rollbackSavedMap, { id, version });
  for (const wait of [0, 300]) {
    await server.kill(wait);
    const now = await found();
    expect(now).toEqual(
      now?.state === 'RolledBack'
        ? { ...NOTHING, kept: ALL.kept, events: 2, state: 'RolledBack' }
        : { ...ALL, events: 1, state: 'Published' },
    );
    await server.start();
  }
  await until(async () => (await mapOf()).state === 'RolledBack', 180);
  expect((await mapOf()).work).toBeNull();
  await server.stop();
  expect(await found()).toEqual({ ...NOTHING, kept: ALL.kept, events: 2, state: 'RolledBack' });
});

// A server killed while it publishes a plan or rolls it back: it writes nothing, and the next server does all of it, once.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { TerritoryPlans } from '#addons/territory-plans/territory-plans.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { aUser } from '../factories/people.server.ts';
import { aLargePlan } from '../factories/plans.server.ts';
import { until } from '../server-process.server.ts';
import { after, type KillCase, type KilledServer, type Point } from './kill-case.server.ts';

const MOVES = 12_000;
const NOTHING = { ended: 0, begun: 0, kept: 0 };
const ALL = { ended: MOVES, begun: MOVES, kept: 2 * MOVES };

export async function planPublishing(): Promise<KillCase> {
  const day = addDays(new Date().toISOString().slice(0, 10), 30);
  let plan = { id: 0, east: { id: 0 }, west: { id: 0 } };
  const mapOf = async (server: KilledServer) =>
    (await server.ok(TerritoryPlans.changesOfSavedMap, { id: plan.id, version: 1 })).map;
  const isIn = async (server: KilledServer, state: string) => (await mapOf(server)).state === state;
  const written = (server: KilledServer) =>
    server.inDatabase(async ({ db }) => {
      const { rows } = await sql<{ ended: number; begun: number; kept: number; events: number; state: string }>`
        select (select count(*) from zip_assignment where territory_id = ${plan.east.id} and valid_to is not null)::int as ended,
          (select count(*) from zip_assignment where territory_id = ${plan.west.id})::int as begun,
          (select count(*) from territory_plan_write)::int as kept,
          (select count(*) from record_event where record_type = 'territoryPlan')::int as events,
          (select state from territory_plan) as state`.execute(db);
      return rows[0];
    });
  const publish = async (server: KilledServer) => {
    await server.ok(TerritoryPlans.publishSavedMap, { id: plan.id, version: 1, effectiveFrom: day, apply: true });
  };
  const rollBack = async (server: KilledServer) => {
    await until(() => isIn(server, 'Published'), 180);
    const { version } = await mapOf(server);
    await server.ok(TerritoryPlans.rollbackSavedMap, { id: plan.id, version });
  };
  /** On a fast computer the work may have finished; then everything is written. */
  const published: Point['found'] = async (server) => {
    const now = await written(server);
    const wanted = now?.state === 'Published' ? { ...ALL, events: 1 } : { ...NOTHING, events: 0, state: 'Draft' };
    expect(now).toMatchObject(wanted);
  };
  const rolledBack: Point['found'] = async (server) => {
    const now = await written(server);
    const wanted =
      now?.state === 'RolledBack'
        ? { ...NOTHING, kept: ALL.kept, events: 2 }
        : { ...ALL, events: 1, state: 'Published' };
    expect(now).toMatchObject(wanted);
  };
  return {
    fill: async ({ db }) => {
      const owner = await aUser(db, { roles: ['salesadmin'] });
      plan = await aLargePlan(db, { owner, first: 10_000, count: MOVES, day });
      return owner;
    },
    points: [
      { work: after(0, publish), found: published },
      { work: after(250), found: published },
      { work: after(700), found: published },
      { work: after(0, rollBack), found: rolledBack },
      { work: after(300), found: rolledBack },
    ],
    rest: async (server) => {
      await until(() => isIn(server, 'RolledBack'), 180);
      expect((await mapOf(server)).work).toBeNull();
    },
    proof: async (server) =>
      expect(await written(server)).toEqual({ ...NOTHING, kept: ALL.kept, events: 2, state: 'RolledBack' }),
  };
}

// The job that publishes or rolls back a plan of many moves: all or nothing, once, with progress in its own row (docs/decisions/0027).
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { lockZipAssignments } from '#core/territories/territories/write-assignments.server.ts';
import { GivenUp, type JobKind } from '#platform/jobs/jobs.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { Id } from '#platform/shared/wire.ts';
import type { Plan } from '../record/plan-record.server.ts';
import type { PlanWork } from '../territory-plans.contract.ts';
import { publishNow, rollBackNow } from './publish-plan.server.ts';

/** A plan with more moves than this is published by the job. */
export const MAX_AT_ONCE = 2000;
/** After this many tries, stopped servers are unlikely to be the cause. */
const MAX_ATTEMPTS = 5;

const job = { name: 'territory-plan', payload: z.object({ planId: Id }) };

export const planWorkJob: JobKind<typeof job.payload, Services> = {
  ...job,
  retryLimit: MAX_ATTEMPTS + 1,
  expireInSeconds: 3600,
  run: runPlanWork,
};

type Asked = { action: PlanWork['action']; day: IsoDate | null; moves: number };

/** Queues the job in the caller's transaction. The caller has locked the plan. */
export async function queuePlanWork(
  { db, user, services }: { db: Db; user: { id: number }; services: Services },
  planId: number,
  { action, day, moves }: Asked,
): Promise<void> {
  await db
    .insertInto('territory_plan_work')
    .values({ plan_id: planId, action, effective_day: day, asked_by: user.id, total: moves })
    .execute();
  await services.jobs.send(db, job, { planId });
}

type Begun = {
  action: string;
  effective_day: IsoDate | null;
  total: number;
  tries: number;
  id: number;
  fullName: string;
  keyId: number | null;
};

/** Starts over after a kill. Does nothing if the work is already done. */
async function runPlanWork(services: Services, { planId }: { planId: number }): Promise<void> {
  const { db } = services.database;
  const begun = await beginTry(db, planId);
  if (!begun) return;
  const fail = (error: string) =>
    db.updateTable('territory_plan_work').set({ error, done: 0 }).where('plan_id', '=', planId).execute();
  if (begun.tries > MAX_ATTEMPTS) {
    await fail(`The server stopped or failed ${MAX_ATTEMPTS} times. Nothing was changed. Try again.`);
    throw new GivenUp(`gave up after ${MAX_ATTEMPTS} tries`);
  }
  const progress = progressOf(services, planId);
  try {
    await services.database.longDb.transaction().execute((trx) => workIn(trx, services, planId, begun, progress));
  } catch (error) {
    // The queue retries any error that is not a refusal.
    if (!(error instanceof HttpError)) throw error;
    await progress.quiet();
    await fail(error.message);
  } finally {
    await progress.quiet();
  }
}

/** Counts the try. Returns undefined if nothing is left to do. */
async function beginTry(db: Db, planId: number): Promise<Begun | undefined> {
  return db
    .updateTable('territory_plan_work as w')
    .set((eb) => ({ tries: eb('w.tries', '+', 1), done: 0 }))
    .where('w.plan_id', '=', planId)
    .where('w.error', '=', '')
    .returning(['w.action', 'w.effective_day', 'w.total', 'w.tries', 'w.asked_by as id', 'w.asked_by_key as keyId'])
    .returning(whoDid('w.asked_by').as('fullName'))
    .executeTakeFirst();
}

async function workIn(
  trx: Db,
  services: Services,
  planId: number,
  begun: Begun,
  progress: ReturnType<typeof progressOf>,
): Promise<void> {
  await lockZipAssignments(trx);
  const plan: Plan = await trx
    .selectFrom('territory_plan')
    .selectAll()
    .where('id', '=', planId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // A second run of the same job, if the queue took a slow server for dead, has waited for the lock above and finds the work done.
  const open = await trx
    .selectFrom('territory_plan_work')
    .select('plan_id')
    .where('plan_id', '=', planId)
    .where('error', '=', '')
    .executeTakeFirst();
  if (!open) return;
  const { id, fullName, keyId } = begun;
  const asking = { db: trx, services, user: { id, fullName, ...(keyId ? { keyId } : {}) } };
  await actByKey(trx, keyId);
  if (begun.effective_day === null) await rollBackNow(asking, plan);
  else await publishNow(asking, plan, begun.effective_day, progress.tell);
  // Otherwise a pending progress update would wait for the row that the next line deletes.
  await progress.quiet();
  await trx.deleteFrom('territory_plan_work').where('plan_id', '=', planId).execute();
}

/** Writes the progress outside the transaction, so that others can see it. */
function progressOf({ database }: Services, planId: number) {
  let underWay: Promise<unknown> | null = null;
  return {
    tell: (done: number) => {
      if (underWay) return;
      underWay = sql`update territory_plan_work set done = ${done} where plan_id = ${planId}`
        .execute(database.db)
        .catch(() => {})
        .finally(() => (underWay = null));
    },
    quiet: async () => underWay,
  };
}

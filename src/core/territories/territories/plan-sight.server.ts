// Checks who may see, change and publish territory plans (docs/decisions/0027). Every call about a plan checks this first.
import { type RawBuilder, sql } from 'kysely';
import { forbidden, notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { hasRole } from '#platform/shared/roles.ts';

type Asking = { db: Db; user: Caller; services: Services };

/** Throws 403 outside the internal site for a user who has the map only as sales support. */
export function requireMapTool({ user, services }: Pick<Asking, 'user' | 'services'>): void {
  if (!services.config.internalSite && user.roles.every((role) => role === 'salessupport' || role === 'salesrep'))
    throw forbidden();
}

/** Sales administrators see every plan. Other users see their own plans and those shared with them. */
export const seesAllPlans = (user: Pick<Caller, 'roles'>): boolean => hasRole(user, 'systemadmin', 'salesadmin');

/** The condition on `territory_plan` for the plans that the user sees. */
export function planInSight(user: Caller): RawBuilder<boolean> {
  if (seesAllPlans(user)) return sql<boolean>`true`;
  return sql<boolean>`(territory_plan.owner_id = ${user.id}
    or exists (select from territory_plan_reader r where r.plan_id = territory_plan.id and r.user_id = ${user.id}))`;
}

/** The plan if the user sees it. Otherwise throws 404, as for an unknown plan. `lock` locks it until the transaction ends. */
export async function requirePlan({ db, user, services }: Asking, id: number, lock?: 'lock') {
  requireMapTool({ user, services });
  if (!hasRole(user, 'systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager')) throw notFound('map');
  const query = db.selectFrom('territory_plan').selectAll().where('id', '=', id).where(planInSight(user));
  const plan = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!plan) throw notFound('map');
  return plan;
}

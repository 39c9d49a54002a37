// Who may see, change and publish territory plans (docs/decisions/0027); every call about a plan asks this first.
import { type RawBuilder, sql } from 'kysely';
import { forbidden, notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { hasRole } from '#platform/shared/roles.ts';

type Asking = { db: Db; user: Caller; services: Services };

/** 403 for somebody who has the map only as sales support, anywhere but on the internal site. */
export function requireMapTool({ user, services }: Pick<Asking, 'user' | 'services'>): void {
  if (!services.config.internalSite && user.roles.every((role) => role === 'salessupport' || role === 'salesrep'))
    throw forbidden();
}

/** Sales administrators see every plan; the others their own and those shared with them. */
export const seesAllPlans = (user: Pick<Caller, 'roles'>): boolean => hasRole(user, 'systemadmin', 'salesadmin');

/** The condition on `territory_plan` that holds for the plans a person sees. */
export function planInSight(user: Caller): RawBuilder<boolean> {
  if (seesAllPlans(user)) return sql<boolean>`true`;
  return sql<boolean>`(territory_plan.owner_id = ${user.id}
    or exists (select from territory_plan_reader r where r.plan_id = territory_plan.id and r.user_id = ${user.id}))`;
}

/** The plan if it is in sight, else 404 as for an unknown one; `lock` holds it until the transaction ends. */
export async function requirePlan({ db, user, services }: Asking, id: number, lock?: 'lock') {
  requireMapTool({ user, services });
  if (!hasRole(user, 'systemadmin', 'salesadmin', 'salessupport', 'salesQuoteManager')) throw notFound('map');
  const query = db.selectFrom('territory_plan').selectAll().where('id', '=', id).where(planInSight(user));
  const plan = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!plan) throw notFound('map');
  return plan;
}

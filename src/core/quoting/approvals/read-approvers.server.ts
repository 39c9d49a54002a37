// Reads who decides approval requests, with today's deputies. Also builds the SQL condition for the requests that await a user's decision.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { countsNow } from '#platform/auth/sessions/deputies.server.ts';
import { APPROVER_ROLES, hasRole, SEES_ALL_ROLES } from '#platform/shared/roles.ts';
import type { KnownApprover } from './whose-decision.ts';
import { type Approver, type Decider, reachedRoles } from './may-decide.ts';

/** All active approvers, ordered by id. A deputy is included only if they are active and may read the internal board. */
export async function readApprovers(db: Db, services: Pick<Services, 'clock'>): Promise<KnownApprover[]> {
  const { rows } = await sql<KnownApprover>`
    select u.id, u.full_name as name, u.user_name as email, u.phone,
           array(select role from user_role where user_id = u.id) as roles,
           array(select region_id from user_region where user_id = u.id) as "regionIds",
           (select json_build_object('id', d.id, 'name', d.full_name, 'email', d.user_name, 'phone', d.phone)
              from approval_absence absence join app_user d on d.id = absence.deputy_id and d.active
             where absence.user_id = u.id and ${countsNow(services.clock.now())}
             order by absence.id limit 1) as deputy
      from app_user u
     where u.active and exists (select from user_role where user_id = u.id and role = any(${[...APPROVER_ROLES]}::text[]))
     order by u.id`.execute(db);
  return rows;
}

/** Returns whether this user decides any approvals, as an approver or as a deputy. */
export function isDecider(user: Decider): boolean {
  return hasRole(user, ...APPROVER_ROLES) || user.deputyFor.length > 0;
}

/** The SQL form of `capacityFor`: true for a pending `request` and its `quote` when this user may decide one of its undecided rules. */
export function awaitsDecisionOf(user: Decider): RawBuilder<SqlBool> {
  const capacities = [user, ...user.deputyFor].map(
    (entry) =>
      sql`(rule ->> 'role' = any(${reachedRoles(entry.roles)}::text[]) and request.requested_by <> ${entry.id} and ${seesQuote(entry)})`,
  );
  return sql<SqlBool>`(request.requested_by <> ${user.id} and exists (
    select 1 from jsonb_array_elements(request.rules) rule
     where not exists (select 1 from jsonb_array_elements(request.decisions) decision where decision -> 'ruleId' = rule -> 'ruleId')
       and (${sql.join(capacities, sql` or `)})))`;
}

/** The SQL form of `seesToDecide`. */
function seesQuote(person: Approver): RawBuilder<unknown> {
  if (hasRole(person, ...SEES_ALL_ROLES)) return sql`true`;
  return sql`(quote.region_id = any(${[...person.regionIds]}::int[]) or quote.owner_id = ${person.id}
    or quote.sales_rep_id = ${person.id})`;
}

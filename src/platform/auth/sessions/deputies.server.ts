// Finds the absent colleagues whose approvals a user decides today.
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import { INTERNAL_BOARD_ROLES } from '#platform/shared/roles.ts';

type DeputyFor = Caller['deputyFor'];

/** SQL for an absence that applies now: it covers today in the company's time zone, and the deputy may still read the internal board. */
export function countsNow(now: Date) {
  return sql<boolean>`(
    (${now.toISOString()}::timestamptz at time zone (select time_zone from company))::date between absence.from_date and absence.to_date
    and exists (select from user_role where user_id = absence.deputy_id and role = any(${[...INTERNAL_BOARD_ROLES]}::text[])))`;
}

/** SQL for the colleagues of the user `userId` who are absent now. Empty for a role that does not read the internal board. */
export function deputyForValue(userId: RawBuilder<unknown>, now: Date) {
  return sql<DeputyFor>`(select coalesce(json_agg(json_build_object('id', away.id, 'fullName', away.full_name,
      'roles', array(select role from user_role where user_id = away.id),
      'regionIds', array(select region_id from user_region manages where manages.user_id = away.id
        and exists (select from user_role where user_id = away.id and role = 'salesQuoteManager'))) order by absence.id), '[]')
    from approval_absence absence
    join app_user away on away.id = absence.user_id and away.active
    where absence.deputy_id = ${userId} and ${countsNow(now)})`;
}

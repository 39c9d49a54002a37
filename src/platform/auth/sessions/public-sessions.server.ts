// Counts the signed-in public users (specification section 6), and signs them out when the public site is locked.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { PUBLIC_ROLES } from '#platform/shared/roles.ts';

/** Users who have only public roles. */
const ONLY_PUBLIC = sql<boolean>`
  exists (select from user_role where user_role.user_id = session.user_id) and
  not exists (select from user_role where user_role.user_id = session.user_id and role <> all(${[...PUBLIC_ROLES]}))`;

/** Returns how many of them made a call within the last hour. */
export async function publicUsersSignedIn(db: Db, services: Services): Promise<number> {
  const anHourAgo = new Date(services.clock.now().getTime() - 3_600_000).toISOString();
  const { users } = await db
    .selectFrom('session')
    .select(sql<number>`count(distinct user_id)`.as('users'))
    .where('revoked_at', 'is', null)
    .where('last_used_at', '>', anHourAgo)
    .where(ONLY_PUBLIC)
    .executeTakeFirstOrThrow();
  return users;
}

/** Ends all their sessions. Other processes notice within half a minute. */
export async function endSessionsOfPublicUsers(db: Db, services: Services): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: services.clock.now() })
    .where('revoked_at', 'is', null)
    .where(ONLY_PUBLIC)
    .execute();
}

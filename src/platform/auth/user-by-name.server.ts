// Finds an account by the typed user name.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/** Finds the user with a user name (an email address, case-insensitive), active or not. */
export function userByName(db: Db, userName: string, { lock = false } = {}) {
  return db
    .selectFrom('app_user')
    .select([
      'id',
      'user_name',
      'full_name',
      'password_hash',
      'temporary_hash',
      'temporary_until',
      'temporary_earlier',
      'must_change_password',
      'active',
      'gpo_tab_hidden',
      sql<string[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
    ])
    .where(sql<boolean>`lower(user_name) = lower(${userName.trim()})`)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

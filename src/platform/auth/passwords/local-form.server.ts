// Decides who may still sign in by password once the company's single sign-on is set up.
import { sql } from 'kysely';
import { isOnValue } from '#platform/addons/addon.server.ts';
import type { Db } from '#platform/db/database.server.ts';

/**
 * Returns the sentence that refuses the password of a user, or null. When the password form is switched off, only one administrator may use it. If
 * that administrator is gone, every system administrator may, so that the company cannot lock itself out.
 */
export async function refusesPassword(db: Db, userId: number): Promise<string | null> {
  const row = await db
    .selectFrom('sign_on_provider')
    .select('button')
    .select(
      sql<boolean>`coalesce(local_admin_id = ${userId}, false) or (exists (
        select from user_role where user_id = ${userId} and role = 'systemadmin'
      ) and not exists (
        select from app_user join user_role on user_id = app_user.id
        where app_user.id = local_admin_id and active and password_hash is not null and role = 'systemadmin'
      ))`.as('may'),
    )
    .where('issuer', '!=', '')
    .where('local_off', '=', true)
    .where(isOnValue('single-sign-on'))
    .executeTakeFirst();
  return !row || row.may ? null : `Signing in by password is turned off. Use "${row.button}".`;
}

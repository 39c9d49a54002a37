// Decides who may still sign in by password when the company's own sign-in is set up.
import { sql } from 'kysely';
import { isOnValue } from '#platform/addons/addon.server.ts';
import type { Db } from '#platform/db/database.server.ts';

/**
 * The sentence that refuses a person's password, or null. When the form is switched off, only one administrator may use it. If that person
 * is gone, every system administrator may, so that nobody locks everybody out.
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

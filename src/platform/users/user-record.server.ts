// Reads and writes users, and ensures that one active administrator remains.
import { NO_TEMPORARY } from '#platform/auth/passwords/temporary-password.server.ts';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { bumpRecord, oneRecord, storeRecord } from '#platform/history/record-kit.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import type { Role } from '#platform/shared/roles.ts';

export type UserRecord = {
  id: number;
  userName: string;
  fullName: string;
  phone: string;
  roles: Role[];
  /** The regions that a salesQuoteManager manages. */
  regionIds: number[];
  /** The sales reps that a salessupport user supports. */
  repIds: number[];
  gpoTabHidden: boolean;
  active: boolean;
  version: number;
};

/** Returns the user, or throws 404. `lock` locks the record until the transaction ends. */
export async function readUser(db: Db, id: number, lock?: 'lock'): Promise<UserRecord> {
  const query = db
    .selectFrom('app_user')
    .select(['id', 'user_name as userName', 'full_name as fullName', 'phone', 'gpo_tab_hidden as gpoTabHidden'])
    .select(['active', 'version'])
    .where('id', '=', id);
  const row = await oneRecord('user', query, lock);
  // Read under the lock, so that it includes what another transaction has just written.
  const lists = await db
    .selectNoFrom([
      sql<string[]>`array(select role from user_role where user_id = ${id})`.as('roles'),
      sql<number[]>`array(select region_id from user_region where user_id = ${id} order by 1)`.as('regionIds'),
      sql<number[]>`array(select rep_id from user_support where support_id = ${id} order by 1)`.as('repIds'),
    ])
    .executeTakeFirstOrThrow();
  return { ...row, ...lists, roles: knownRoles(lists.roles) };
}

/** Writes a new user (id 0) or a changed one. Returns its id and version. */
export async function writeUser(
  db: Db,
  user: Omit<UserRecord, 'active' | 'version'>,
): Promise<{ id: number; version: number }> {
  const { id, userName, fullName, phone, gpoTabHidden } = user;
  const values = { user_name: userName, full_name: fullName, phone, gpo_tab_hidden: gpoTabHidden };
  const written = await storeRecord(db, 'user', id, values);
  const lists = [
    ['user_role', 'user_id', 'role', user.roles],
    ['user_region', 'user_id', 'region_id', user.regionIds],
    ['user_support', 'support_id', 'rep_id', user.repIds],
  ] as const;
  for (const [table, owner, column, entries] of lists) {
    const [target, what] = [sql.ref(owner), sql.ref(column)];
    const type = column === 'role' ? sql`text` : sql`int`;
    await sql`delete from ${sql.table(table)} where ${target} = ${written.id} and not ${what} = any(${[...entries]}::${type}[])`.execute(
      db,
    );
    await sql`insert into ${sql.table(table)} (${target}, ${what}) select ${written.id}, unnest(${[...entries]}::${type}[])
      on conflict do nothing`.execute(db);
  }
  return written;
}

/** Activates or deactivates a user and returns the new version. When deactivating, mailed temporary passwords stop working. */
export async function setActive(db: Db, id: number, active: boolean): Promise<number> {
  const temporary = active ? {} : NO_TEMPORARY;
  const { version } = await bumpRecord(db, 'user', id, { active, ...temporary });
  return version;
}

export const SELF_LOCKOUT_MESSAGE =
  'You cannot lock yourself out. Ask another system administrator to deactivate you or remove this role.';

/**
 * Returns why this user must stay an active system administrator, or null. If two administrators remove each other at the same time, the second one
 * waits here, and then finds that no other administrator is left.
 */
export async function reasonToKeepAdministrator(
  db: Db,
  actor: { id: number },
  user: { id: number; fullName: string },
): Promise<string | null> {
  if (user.id === actor.id) return SELF_LOCKOUT_MESSAGE;
  const passwordFallback = await db
    .selectFrom('sign_on_provider')
    .select('id')
    .where('issuer', '!=', '')
    .where('local_off', '=', true)
    .where('local_admin_id', '=', user.id)
    .executeTakeFirst();
  if (passwordFallback)
    return `${user.fullName} is the user who can always sign in with a password. First choose another user for this under Settings → Sign-in.`;
  await db.selectFrom('user_role').select('user_id').where('role', '=', 'systemadmin').forUpdate().execute();
  const others = await db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .select('id')
    .where('role', '=', 'systemadmin')
    .where('active', '=', true)
    .where('id', '!=', user.id)
    .executeTakeFirst();
  if (others) return null;
  return `${user.fullName} is the last active system administrator. Assign this role to another user first.`;
}

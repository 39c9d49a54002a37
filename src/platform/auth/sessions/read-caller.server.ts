// Reads the caller from the database, by session or by API key.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import { hasRole, PUBLIC_ROLES, ROLES, type Role } from '#platform/shared/roles.ts';
import { deputyForValue } from './deputies.server.ts';

type Lock = { public_site_locked: boolean; public_site_locked_until: string | null };

/** Returns whether the public site is locked now. It opens automatically at the set time. */
export function isLocked(company: Lock, now: Date): boolean {
  return (
    company.public_site_locked &&
    !(company.public_site_locked_until && new Date(company.public_site_locked_until) <= now)
  );
}

/** Returns the message for users who may not enter because the public site is locked, or null. */
export function lockedOut(
  roles: readonly Role[],
  company: Lock & { public_site_message: string },
  now: Date,
): string | null {
  const onlyPublic = roles.length > 0 && roles.every((role) => PUBLIC_ROLES.includes(role));
  if (!isLocked(company, now) || !onlyPublic) return null;
  return company.public_site_message || 'The public site is locked at the moment. Please try again later.';
}

/** Returns the known roles among these names, in the order of ROLES. */
export function knownRoles(names: readonly string[]): Role[] {
  return ROLES.filter((role) => names.includes(role));
}

/** The columns that a query over `app_user` and `company` must select for `callerFrom`. */
export const callerColumns = (now: Date) =>
  [
    'app_user.id',
    'app_user.user_name',
    'app_user.full_name',
    'app_user.must_change_password',
    'company.public_site_locked',
    'company.public_site_message',
    'company.public_site_locked_until',
    sql<string[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
    sql<number[]>`array(select region_id from user_region where user_id = app_user.id)`.as('region_ids'),
    sql<number[]>`array(select rep_id from user_support where support_id = app_user.id)`.as('rep_ids'),
    deputyForValue(sql`app_user.id`, now).as('deputy_for'),
  ] as const;

type Row = Lock & {
  id: number;
  user_name: string;
  full_name: string;
  must_change_password: boolean;
  public_site_message: string;
  roles: string[];
  region_ids: number[];
  rep_ids: number[];
  deputy_for: Caller['deputyFor'];
};

/** Returns the caller, and the message that keeps them out while the public site is locked. */
export function callerFrom(row: Row, now: Date): { caller: Omit<Caller, 'sessionId'>; lockedOut: string | null } {
  const roles = knownRoles(row.roles);
  return {
    caller: {
      id: row.id,
      userName: row.user_name,
      fullName: row.full_name,
      roles,
      regionIds: hasRole({ roles }, 'salesQuoteManager') ? row.region_ids : [],
      supportedRepIds: hasRole({ roles }, 'salessupport') ? row.rep_ids : [],
      deputyFor: row.deputy_for,
      mustChangePassword: row.must_change_password,
    },
    lockedOut: lockedOut(roles, row, now),
  };
}

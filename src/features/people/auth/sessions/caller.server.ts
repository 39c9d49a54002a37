// Identifies the caller: the bearer token's session, user and roles from the database, remembered for half a minute.
import { sql } from 'kysely';
import { HttpError } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import { hasRole, PUBLIC_ROLES, ROLES, type Role } from '#shared/roles.ts';
import { deputyForValue } from './deputies.server.ts';
import { readAccessToken } from './session.server.ts';

/** Every process therefore notices a deactivated user, a removed role, an ended session, and a locked site within a minute. */
const REMEMBERED_FOR = 30_000;
const MOST_REMEMBERED = 10_000;

/** The calls open to a person who must change a temporary password first. */
const WHILE_CHANGING = ['ChangePassword', 'GetSignedInUser', 'SignOut'].map((name) => `/api/Account/${name}`);

const ENDED = 'Your session has ended. Sign in again.';

type Remembered = { caller: Caller; lockedOut: string | null; until: number };
const rememberedBy = new WeakMap<Services, Map<string, Remembered>>();

/**
 * Answers who calls. Throws 401 for a missing, forged, expired or revoked token and for a user who is not active, and 403 with the
 * company's sentence for public users while the public site is locked (design 3), or before a temporary password is changed.
 */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
  path: string,
): Promise<Caller> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new HttpError(401, 'Sign in first.');
  const claims = await readAccessToken(services, token);
  if (!claims) throw ended();
  const now = services.clock.now().getTime();
  const remembered = rememberedOf(services);
  let known = remembered.get(claims.sessionId);
  // Also asks again when the clock went back, so that nothing is remembered too long.
  if (!known || known.until <= now || known.until > now + REMEMBERED_FOR) {
    remembered.delete(claims.sessionId);
    const read = await readCaller(services, claims.sessionId);
    if (read?.caller.id !== claims.userId) throw ended();
    known = { ...read, until: now + REMEMBERED_FOR };
    // Maps keep insertion order, so the oldest entry comes first.
    const oldest = remembered.size >= MOST_REMEMBERED ? remembered.keys().next().value : undefined;
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(claims.sessionId, known);
  }
  if (known.lockedOut !== null) throw new HttpError(403, known.lockedOut);
  if (known.caller.mustChangePassword && !WHILE_CHANGING.includes(path))
    throw new HttpError(403, 'Change your temporary password first.');
  return known.caller;
}

/** Makes this process ask the database again, after a sign-out, a changed password, a deactivated user, or a locked site. */
export function forgetCallers(services: Services): void {
  rememberedOf(services).clear();
}

type Lock = { public_site_locked: boolean; public_site_locked_until: string | null };

/** Whether the public site is locked now: it opens by itself at its hour. */
export function isLocked(company: Lock, now: Date): boolean {
  return (
    company.public_site_locked &&
    !(company.public_site_locked_until && new Date(company.public_site_locked_until) <= now)
  );
}

/** The sentence for users who may not come in because the public site is locked, or null. */
export function lockedOut(
  roles: readonly Role[],
  company: Lock & { public_site_message: string },
  now: Date,
): string | null {
  const onlyPublic = roles.length > 0 && roles.every((role) => PUBLIC_ROLES.includes(role));
  if (!isLocked(company, now) || !onlyPublic) return null;
  return company.public_site_message || 'The public site is locked at the moment. Please try again later.';
}

async function readCaller(services: Services, sessionId: string): Promise<Omit<Remembered, 'until'> | null> {
  const row = await services.database.db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .innerJoin('company', (join) => join.on('company.id', '=', 1))
    .select([
      'app_user.id',
      'app_user.user_name',
      'app_user.full_name',
      'app_user.must_change_password',
      'company.public_site_locked',
      'company.public_site_message',
      'company.public_site_locked_until',
      'session.revoked_at',
      sql<string[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'),
      sql<number[]>`array(select region_id from user_region where user_id = app_user.id)`.as('region_ids'),
      sql<number[]>`array(select rep_id from user_support where support_id = app_user.id)`.as('rep_ids'),
      deputyForValue(sql`app_user.id`, services.clock.now()).as('deputy_for'),
    ])
    .where('session.id', '=', sessionId)
    .where('app_user.active', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const roles = knownRoles(row.roles);
  const sentence = lockedOut(roles, row, services.clock.now());
  // The lock ended the sessions of public users; tell them why.
  if (row.revoked_at !== null) throw new HttpError(401, sentence ?? ENDED);
  const caller: Caller = {
    id: row.id,
    userName: row.user_name,
    fullName: row.full_name,
    roles,
    sessionId,
    regionIds: hasRole({ roles }, 'salesQuoteManager') ? row.region_ids : [],
    supportedRepIds: hasRole({ roles }, 'salessupport') ? row.rep_ids : [],
    deputyFor: row.deputy_for,
    mustChangePassword: row.must_change_password,
  };
  return { caller, lockedOut: sentence };
}

/** The roles of a list of role names, in the one order. */
export function knownRoles(names: readonly string[]): Role[] {
  return ROLES.filter((role) => names.includes(role));
}

function rememberedOf(services: Services): Map<string, Remembered> {
  let remembered = rememberedBy.get(services);
  if (!remembered) rememberedBy.set(services, (remembered = new Map<string, Remembered>()));
  return remembered;
}

function ended(): HttpError {
  return new HttpError(401, ENDED);
}

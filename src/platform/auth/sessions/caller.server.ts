// Identifies the caller by the session of the bearer token, cached for half a minute, or by an API key.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Call } from '#platform/api/serve.server.ts';
import type { Caller, Origin, Services } from '#platform/api/services.server.ts';
import { isRequiredFor } from '../second-factor/stored-factor.server.ts';
import { callerOfKey, isApiKey } from '../key-check/check-key.server.ts';
import { callerColumns, callerFrom } from './read-caller.server.ts';
import { readAccessToken } from './session.server.ts';

/** Short enough that every process notices a deactivated user, a removed role, an ended session or a locked site within a minute. */
const REMEMBERED_FOR = 30_000;
const MAX_REMEMBERED = 10_000;

/** The calls open to a user who must change a temporary password first. */
const WHILE_CHANGING = ['ChangePassword', 'GetSignedInUser', 'SignOut'].map((name) => `/api/Account/${name}`);

/** The calls open to a user who must set up a second factor first. */
const WHILE_ENROLLING = [
  ...WHILE_CHANGING,
  ...[
    'GetSecondFactor',
    'BeginSecondFactor',
    'ConfirmSecondFactor',
    'GetPasskeys',
    'BeginAddPasskey',
    'AddPasskey',
  ].map((name) => `/api/Account/${name}`),
];

const ENDED = 'Your session has ended. Sign in again.';

type Remembered = { caller: Caller; lockedOut: string | null; until: number };
const rememberedBy = new WeakMap<Services, Map<string, Remembered>>();

/**
 * Returns the caller. Throws 401 for a missing, forged, expired or revoked token and for a user who is not active. Throws 403 with the company's
 * message for public users while the public site is locked (design 3), or until a temporary password is changed or a required second factor is set
 * up.
 */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
  call: Call,
  from: Origin,
): Promise<Caller> {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!token) throw new HttpError(401, 'Sign in first.');
  if (isApiKey(token)) return callerOfKey(services, token, call, from);
  const claims = await readAccessToken(services, token);
  if (!claims) throw ended();
  const now = services.clock.now().getTime();
  const remembered = rememberedOf(services);
  let known = remembered.get(claims.sessionId);
  // Also reads again if the clock went back, so that nothing is cached too long.
  if (!known || known.until <= now || known.until > now + REMEMBERED_FOR) {
    remembered.delete(claims.sessionId);
    const read = await readCaller(services, claims.sessionId);
    if (read?.caller.id !== claims.userId) throw ended();
    known = { ...read, until: now + REMEMBERED_FOR };
    // Maps keep insertion order, so the first key is the oldest entry.
    const oldest = remembered.size >= MAX_REMEMBERED ? remembered.keys().next().value : undefined;
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(claims.sessionId, known);
  }
  if (known.lockedOut !== null) throw new HttpError(403, known.lockedOut);
  if (known.caller.mustChangePassword && !WHILE_CHANGING.includes(call.path))
    throw new HttpError(403, 'Change your temporary password first.');
  if (known.caller.mustEnroll && !WHILE_ENROLLING.includes(call.path))
    throw new HttpError(403, 'Set up your second factor first.');
  return known.caller;
}

/** Makes this process read callers from the database again, after a sign-out, a changed password, a deactivated user, or a locked site. */
export function forgetCallers(services: Services): void {
  rememberedOf(services).clear();
}

/** Makes this process read one session from the database again. */
export function forgetCaller(services: Services, sessionId: string): void {
  rememberedOf(services).delete(sessionId);
}

async function readCaller(services: Services, sessionId: string): Promise<Omit<Remembered, 'until'> | null> {
  const now = services.clock.now();
  const row = await services.database.db
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .innerJoin('company', (join) => join.on('company.id', '=', 1))
    .select(callerColumns(now))
    .select('session.revoked_at')
    .select(sql<boolean>`must_enroll and ${isRequiredFor(sql`app_user.id`)}`.as('must_enroll'))
    .where('session.id', '=', sessionId)
    .where('app_user.active', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const { caller, lockedOut } = callerFrom(row, now);
  // The lock ended the sessions of public users, so they get the reason for it.
  if (row.revoked_at !== null) throw new HttpError(401, lockedOut ?? ENDED);
  return { caller: { ...caller, sessionId, mustEnroll: row.must_enroll }, lockedOut };
}

function rememberedOf(services: Services): Map<string, Remembered> {
  let remembered = rememberedBy.get(services);
  if (!remembered) rememberedBy.set(services, (remembered = new Map<string, Remembered>()));
  return remembered;
}

function ended(): HttpError {
  return new HttpError(401, ENDED);
}

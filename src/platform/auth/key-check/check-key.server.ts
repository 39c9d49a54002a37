// Identifies a program by its API key (docs/decisions/0043): the user on whose behalf it calls, and whether its scopes allow the call.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Call } from '#platform/api/serve.server.ts';
import type { Caller, Origin, Services } from '#platform/api/services.server.ts';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { dayIn, formatDate } from '#platform/shared/dates.ts';
import { digestOf } from '../passwords/password.server.ts';
import { callerColumns, callerFrom } from '../sessions/read-caller.server.ts';
import { isForKeys, readScopeOf, scopeOf } from './key-scopes.server.ts';

const MARK = 'qbk_';
const KEY = /^qbk_([a-z2-7]{12})_([\w-]{43})$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';
/** Limits how often the last use of a key is written; otherwise a busy key would write at each call. */
const NOTED_EVERY_MS = 60_000;

export const isApiKey = (token: string): boolean => token.startsWith(MARK);

/** Creates a key: the text that is shown once, the part that stays visible, and the digest that is stored. */
export function newKey(): { key: string; prefix: string; hash: string } {
  const prefix = Array.from(randomBytes(12), (byte) => LETTERS[byte % 32]).join('');
  const secret = randomBytes(32).toString('base64url');
  return { key: `${MARK}${prefix}_${secret}`, prefix: `${MARK}${prefix}`, hash: digestOf(secret) };
}

/**
 * Returns the user on whose behalf a key calls, with only the roles that the key was created with, and without the approvals of absent colleagues.
 * Nothing is cached, so a revoked key stops working at once. Throws 401 for a key that is unknown, revoked or expired, 403 for a call outside its
 * scopes or a locked public site, and 429 above its calls per minute.
 */
export async function callerOfKey(services: Services, token: string, call: Call, from: Origin): Promise<Caller> {
  const row = await readKey(services, token);
  const key = row
    ? { userId: row.id, keyId: row.key_id, who: `${row.full_name} (${row.name})`, account: row.user_name }
    : { who: '' };
  const note = (action: 'First use' | 'Key refused') =>
    noteSecurity(services, { kind: 'Key', action, ...key, from, call: call.path });
  try {
    const { caller, isFirst } = await checkKey(services, row, call);
    if (isFirst) note('First use');
    return caller;
  } catch (error) {
    if (error instanceof HttpError) note('Key refused');
    throw error;
  }
}

type KeyRow = NonNullable<Awaited<ReturnType<typeof readKey>>>;

/** Returns the key of this token, or undefined if there is none. */
async function readKey(services: Services, token: string) {
  const now = services.clock.now();
  const [, prefix = '', secret = ''] = KEY.exec(token) ?? [];
  const row = prefix
    ? await services.database.db
        .selectFrom('api_key')
        .innerJoin('app_user', 'app_user.id', 'api_key.owner_id')
        .innerJoin('company', (join) => join.on('company.id', '=', 1))
        .select(callerColumns(now))
        .select([
          'api_key.id as key_id',
          'api_key.name',
          'api_key.roles as key_roles',
          'secret_hash',
          'scopes',
          'calls_per_minute',
          'app_user.active',
        ])
        .select(['expires_on', 'revoked_at', 'last_used_at', 'company.time_zone'])
        .where('prefix', '=', `${MARK}${prefix}`)
        .executeTakeFirst()
    : undefined;
  return row && timingSafeEqual(Buffer.from(digestOf(secret)), Buffer.from(row.secret_hash)) ? row : null;
}

async function checkKey(
  services: Services,
  row: KeyRow | null,
  call: Call,
): Promise<{ caller: Caller; isFirst: boolean }> {
  const now = services.clock.now();
  if (!row) throw new HttpError(401, 'This API key does not exist.');
  if (row.revoked_at)
    throw new HttpError(
      401,
      `This API key was revoked on ${formatDate(dayIn(row.time_zone, new Date(row.revoked_at)))}.`,
    );
  if (row.expires_on && row.expires_on < dayIn(row.time_zone, now))
    throw new HttpError(401, `This API key expired on ${formatDate(row.expires_on)}.`);
  if (!row.active) throw new HttpError(401, `${row.full_name}, who owns this API key, is no longer active.`);
  countCall(services, row.key_id, row.calls_per_minute);
  if (!isForKeys(call)) throw new HttpError(403, `API keys cannot call ${call.path}. Only signed-in users can.`);
  if (!row.scopes.includes(scopeOf(call)))
    throw new HttpError(403, `This API key lacks the scope ${scopeOf(call)}. It has: ${row.scopes.join(', ')}.`);
  const reads = row.scopes.includes(readScopeOf(call));
  if (call.changing && call.copies && !reads)
    throw new HttpError(
      403,
      `This API key lacks the scope ${readScopeOf(call)}, which ${call.path} also needs because it copies what is stored. It has: ${row.scopes.join(', ')}.`,
    );
  // Roles that the owner got later apply to the owner, not to the program.
  const roles = row.roles.filter((role) => row.key_roles.includes(role));
  if (roles.length === 0)
    throw new HttpError(
      403,
      `${row.full_name}, who owns this API key, no longer has any of the roles that it was created with.`,
    );
  const { caller, lockedOut } = callerFrom({ ...row, roles }, now);
  if (lockedOut !== null) throw new HttpError(403, lockedOut);
  if (caller.mustChangePassword)
    throw new HttpError(403, `${caller.fullName}, who owns this API key, must choose a new password first.`);
  const isFirst = await noteUse(services, row.key_id, row.last_used_at, now);
  // The name of the key lets events and histories distinguish the program from its owner.
  const fullName = `${caller.fullName} (${row.name})`;
  const limits = call.changing && !reads ? ({ mayOnlyWrite: true } as const) : {};
  return { caller: { ...caller, ...limits, fullName, deputyFor: [], sessionId: '', keyId: row.key_id }, isFirst };
}

/** Returns whether this was the first use. Exactly one call returns true. */
async function noteUse(services: Services, id: number, last: string | null, now: Date): Promise<boolean> {
  if (last && now.getTime() - new Date(last).getTime() < NOTED_EVERY_MS) return false;
  const noted = await services.database.db
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where(
      last === null
        ? sql<boolean>`last_used_at is null`
        : sql<boolean>`last_used_at < ${now.toISOString()}::timestamptz`,
    )
    .executeTakeFirst();
  return last === null && noted.numUpdatedRows > 0n;
}

type Minute = { startedAt: number; calls: number };
const minutesOf = new WeakMap<Services, Map<number, Minute>>();

/** Counts in this process only. With several servers, each allows the full number. */
function countCall(services: Services, id: number, most: number): void {
  let minutes = minutesOf.get(services);
  if (!minutes) minutesOf.set(services, (minutes = new Map<number, Minute>()));
  const now = Date.now();
  let minute = minutes.get(id);
  if (!minute || now - minute.startedAt >= 60_000) minutes.set(id, (minute = { startedAt: now, calls: 0 }));
  minute.calls += 1;
  if (minute.calls <= most) return;
  const retryAfter = Math.ceil((minute.startedAt + 60_000 - now) / 1000);
  throw new HttpError(
    429,
    `This API key is limited to ${countOf(most, 'call')} a minute. Try again in ${countOf(retryAfter, 'second')}.`,
    {
      retryAfter,
    },
  );
}

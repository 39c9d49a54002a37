// Sessions. One-time refresh tokens extend a session. Access tokens last minutes and contain only the user and the session.
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { digestOf } from '../passwords/password.server.ts';
import { signingKey, verifyOurs } from './token-key.server.ts';

export const ACCESS_SECONDS = 15 * 60;
const DAY = 24 * 3_600_000;
/** A session ends after this long without use. */
export const REFRESH_LIFE = 30 * DAY;
/**
 * Two uses of a refresh token within this time mean that two tabs of one browser refresh at once, or that an answer was lost. The second use gets its
 * own token. After this time the token is treated as stolen, and the session ends. A thief would have to be faster than this, and the user's own next
 * refresh still works.
 */
const SAME_MOMENT = 10_000;

export type Tokens = { accessToken: string; refreshToken: string; issued: Date; expires: Date };

/** The provider's session behind one of our sessions. A logout at the provider ends ours. */
export type SignedOnAt = { issuer: string; subject: string; sid: string | null };

/** Signs a user in without further checks: opens a session and returns its first tokens. */
export async function startSession(
  db: Db,
  services: Services,
  userId: number,
  userAgent: string,
  { mustEnroll = false, signOn }: { mustEnroll?: boolean; signOn?: SignedOnAt } = {},
): Promise<Tokens> {
  const now = services.clock.now();
  const past = new Date(now.getTime() - REFRESH_LIFE).toISOString();
  await db.deleteFrom('session').where('user_id', '=', userId).where('last_used_at', '<', past).execute();
  const { id } = await db
    .insertInto('session')
    .values({
      user_id: userId,
      user_agent: userAgent.slice(0, 300),
      created_at: now,
      last_used_at: now,
      must_enroll: mustEnroll,
      sign_on_issuer: signOn?.issuer ?? null,
      sign_on_subject: signOn?.subject ?? null,
      sign_on_sid: signOn?.sid ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return issueTokens(db, services, userId, id);
}

async function issueTokens(db: Db, services: Services, userId: number, sessionId: string): Promise<Tokens> {
  const issued = services.clock.now();
  const expires = new Date(issued.getTime() + ACCESS_SECONDS * 1000);
  const refreshToken = randomBytes(32).toString('base64url');
  await db
    .insertInto('refresh_token')
    .values({
      token_hash: digestOf(refreshToken),
      session_id: sessionId,
      expires_at: new Date(issued.getTime() + REFRESH_LIFE),
    })
    .execute();
  const accessToken = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(userId))
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(signingKey(services));
  return { accessToken, refreshToken, issued, expires };
}

type Claims = { userId: number; sessionId: string };
const MAX_READ = 10_000;
const readBy = new WeakMap<Services, Map<string, Claims & { from: number; until: number }>>();

/** Returns the user and session of an access token, or null if it is forged, malformed or expired. Verified signatures are cached. */
export async function readAccessToken(services: Services, token: string): Promise<Claims | null> {
  const now = services.clock.now();
  let read = readBy.get(services);
  if (!read) readBy.set(services, (read = new Map()));
  const known = read.get(token);
  if (known && known.from <= now.getTime() && now.getTime() < known.until) return known;
  read.delete(token);
  try {
    const { payload } = await verifyOurs(services, token, { currentDate: now });
    const userId = Number(payload.sub);
    const sessionId = payload['sid'];
    if (!Number.isInteger(userId) || typeof sessionId !== 'string') return null;
    // Maps keep insertion order, so the first key is the oldest entry.
    const oldest = read.size >= MAX_READ ? read.keys().next().value : undefined;
    if (oldest !== undefined) read.delete(oldest);
    const claims = { userId, sessionId, from: now.getTime(), until: (payload.exp ?? 0) * 1000 };
    read.set(token, claims);
    return claims;
  } catch {
    return null;
  }
}

/**
 * Exchanges a refresh token for new tokens. Returns null if it is unknown or expired, or if its session has ended or its user is not active. A token
 * that was used before ends its whole session (the family of its tokens).
 */
export async function rotate(services: Services, refreshToken: string): Promise<(Tokens & { userId: number }) | null> {
  const now = services.clock.now();
  return inTransaction(services.database.db, async (db) => {
    // Locks the session first, so that two of its tokens are exchanged one after the other.
    const token = await db
      .selectFrom('refresh_token')
      .innerJoin('session', 'session.id', 'refresh_token.session_id')
      .innerJoin('app_user', 'app_user.id', 'session.user_id')
      .innerJoin('sign_in_rule', (join) => join.onTrue())
      .select(['refresh_token.session_id', 'refresh_token.expires_at', 'refresh_token.used_at', 'session.user_id'])
      .select(['session.created_at', 'sign_in_rule.session_days'])
      .where('refresh_token.token_hash', '=', digestOf(refreshToken))
      .where('session.revoked_at', 'is', null)
      .where('app_user.active', '=', true)
      .forUpdate(['session', 'refresh_token'])
      .executeTakeFirst();
    if (!token || Date.parse(token.expires_at) <= now.getTime()) return null;
    // The session ends at this age, however often it was used.
    if (now.getTime() - Date.parse(token.created_at) >= token.session_days * DAY) return null;
    if (token.used_at && now.getTime() - Date.parse(token.used_at) > SAME_MOMENT) {
      await revokeSession(db, services, token.session_id);
      return null;
    }
    if (!token.used_at) {
      await db
        .updateTable('refresh_token')
        .set({ used_at: now })
        .where('token_hash', '=', digestOf(refreshToken))
        .execute();
    }
    await db.updateTable('session').set({ last_used_at: now }).where('id', '=', token.session_id).execute();
    await db
      .deleteFrom('refresh_token')
      .where('session_id', '=', token.session_id)
      .where('expires_at', '<', now.toISOString())
      .execute();
    return { userId: token.user_id, ...(await issueTokens(db, services, token.user_id, token.session_id)) };
  });
}

/** Ends one session. Other processes notice within half a minute. */
export async function revokeSession(db: Db, services: Services, sessionId: string): Promise<void> {
  await db.updateTable('session').set({ revoked_at: services.clock.now() }).where('id', '=', sessionId).execute();
}

/** Ends all sessions of a user, except the session `except`. Other processes notice within half a minute. */
export async function revokeSessionsOf(db: Db, services: Services, userId: number, except?: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: services.clock.now() })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .execute();
}

// Lists and ends the sessions of a user.
import { HttpError } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { deviceOf } from '#platform/auth/sessions/device.ts';
import { REFRESH_LIFE, revokeSession, revokeSessionsOf } from '#platform/auth/sessions/session.server.ts';
import type { Session } from './user-admin.contract.ts';

/** Returns the sessions that can still be used, most recently used first. */
export async function sessionsOf(db: Db, services: Services, caller: Caller, userId: number): Promise<Session[]> {
  const oldest = new Date(services.clock.now().getTime() - REFRESH_LIFE);
  const rows = await db
    .selectFrom('session')
    .select(['id', 'user_agent', 'created_at as startedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('last_used_at', '>', oldest.toISOString())
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute();
  return rows.map(({ user_agent, ...row }) => ({
    ...row,
    device: deviceOf(user_agent),
    current: row.id === caller.sessionId,
  }));
}

/** Ends one session, or without `sessionId` all sessions except the administrator's own. */
export async function signOut(
  db: Db,
  services: Services,
  caller: Caller,
  user: { id: number; fullName: string },
  sessionId: string | null,
): Promise<void> {
  if (sessionId === null) {
    await revokeSessionsOf(db, services, user.id, user.id === caller.id ? caller.sessionId : undefined);
  } else {
    const open = await db
      .selectFrom('session')
      .select(['user_agent'])
      .where('id', '=', sessionId)
      .where('user_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    if (!open) throw new HttpError(409, 'This session has already ended.');
    await revokeSession(db, services, sessionId);
  }
  const action = sessionId === null ? 'Sign out everywhere' : 'Sign out one device';
  await recordChange(db, caller, { type: 'user', id: user.id, name: user.fullName, action });
}

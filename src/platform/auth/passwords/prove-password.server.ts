// Requires a signed-in user to prove their password before an action that must not be possible on a borrowed screen.
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { countFailures, deviceKey, secondsBlocked, suspectOf, tooManyTries } from './lock-out.server.ts';
import { verifyPassword } from './password.server.ts';

/** Throws 422 under `password` for a wrong password, 429 after too many, and 409 for a user without a password. */
export async function provePassword(services: Services, user: Caller, password: string): Promise<void> {
  const { db } = services.database;
  await refuseBlockedSession(services, user);
  const { password_hash: hash } = await db
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow();
  if (hash === null) throw new HttpError(409, 'You have no password here. "I forgot my password" emails you one.');
  if (await verifyPassword(hash, password)) return;
  const failed = { ...suspectOf(user), action: 'Wrong proof' } as const;
  await countFailures(db, services, failed, [['device', deviceKey(user.sessionId)]]);
  throw invalid([{ path: 'password', message: 'This is not your current password' }]);
}

/** The session has its own count, so that guesses by others do not keep users out of their own account. */
export async function refuseBlockedSession(services: Services, user: Caller): Promise<void> {
  const seconds = await secondsBlocked(services.database.db, services.clock.now(), [deviceKey(user.sessionId)]);
  if (seconds > 0) throw new HttpError(429, tooManyTries(seconds), { retryAfter: seconds });
}

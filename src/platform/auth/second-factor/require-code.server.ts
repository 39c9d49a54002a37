// Requires a signed-in user to type a code of the second factor before a change.
import { type HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { countFailures, deviceKey, suspectOf } from '../passwords/lock-out.server.ts';
import { useCode } from './stored-factor.server.ts';
import { noteRecoveryCode } from './factor-mail.server.ts';

const WRONG_CODE = 'This code is wrong or was already used';

/** Runs `change` in a transaction once the code is right. A wrong code counts as a failure of the session. */
export async function withCode<T>(
  services: Services,
  user: Caller,
  code: string,
  change: (db: Db) => Promise<T>,
): Promise<T> {
  const done = await inTransaction(services.database.db, async (db) => {
    const checked = await useCode(db, services, user.id, code);
    if (checked !== 'code' && checked !== 'recovery code') return null;
    const answer = await change(db);
    if (checked === 'recovery code') await noteRecoveryCode(db, services, user);
    return { answer };
  });
  if (!done) throw await wrongCode(services, user);
  return done.answer;
}

export async function wrongCode(services: Services, user: Caller): Promise<HttpError> {
  const failed = { ...suspectOf(user), action: 'Wrong proof' } as const;
  await countFailures(services.database.db, services, failed, [['device', deviceKey(user.sessionId)]]);
  return invalid([{ path: 'code', message: WRONG_CODE }]);
}

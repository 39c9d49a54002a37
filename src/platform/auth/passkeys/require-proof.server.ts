// Requires a signed-in user to prove to be the owner of the account before changing how the account signs in.
import { HttpError } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { countFailures, deviceKey, suspectOf } from '../passwords/lock-out.server.ts';
import { provePassword, refuseBlockedSession } from '../passwords/prove-password.server.ts';
import { hasSecondFactor } from '../second-factor/stored-factor.server.ts';
import { withCode } from '../second-factor/require-code.server.ts';
import type { Proof } from './proof.ts';
import { COPIED, noteFirstUse, usePasskey, WRONG_PASSKEY } from './use-passkey.server.ts';

/** Runs `change` in a transaction once the user has proved to be the owner of the account. A wrong proof counts as a failure of the session. */
export async function proven<T>(
  { services, user }: { services: Services; user: Caller },
  { password, code, passkey }: Proof,
  change: (db: Db) => Promise<T>,
): Promise<T> {
  const { db } = services.database;
  if (!passkey) {
    await provePassword(services, user, password);
    if (await hasSecondFactor(db, user.id)) return withCode(services, user, code, change);
    return inTransaction(db, change);
  }
  await refuseBlockedSession(services, user);
  const done = await inTransaction(db, async (transaction) => {
    const used = await usePasskey(transaction, services, { purpose: 'prove', userId: user.id }, passkey);
    if (used === 'wrong' || used === 'copied') return { refused: used };
    await noteFirstUse(transaction, user, used);
    return { answer: await change(transaction) };
  });
  if (!('refused' in done)) return done.answer;
  const action = done.refused === 'copied' ? 'Copied passkey' : 'Wrong proof';
  await countFailures(db, services, { ...suspectOf(user), action }, [['device', deviceKey(user.sessionId)]]);
  throw new HttpError(400, done.refused === 'copied' ? COPIED : WRONG_PASSKEY);
}

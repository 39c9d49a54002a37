// Connects the two steps of a sign-in. After a right password, a challenge accepts one code within a few minutes.
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpError } from '#platform/api/http-error.ts';
import type { Origin, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import {
  accountKey,
  addressKey,
  countFailures,
  deviceKey,
  factorKey,
  forgive,
  secondsBlocked,
  tooManyTries,
} from '../passwords/lock-out.server.ts';
import { digestOf } from '../passwords/password.server.ts';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';
import { COPIED, noteFirstUse, usePasskey, WRONG_PASSKEY } from '../passkeys/use-passkey.server.ts';
import type { UsedPasskey } from '../passkeys/proof.ts';
import { knownRoles } from '../sessions/read-caller.server.ts';
import { type SignedIn, signInByPassword, siteLockFor } from '../open-session.server.ts';
import { useCode } from './stored-factor.server.ts';
import type { SecurityAction } from '#platform/security-events/security-kinds.ts';
import { noteRecoveryCode } from './factor-mail.server.ts';

const LIFE = 5 * 60_000;

export const ENDED = 'This sign-in took too long or was already completed. Sign in with your password again.';
const WRONG = 'This code is wrong or was already used. Enter the next code from your app, or a recovery code.';
const BROKEN =
  'The codes of your app cannot be checked at the moment. Use a recovery code, or ask your system administrator.';

/** Starts the second step for a user whose password was right. `device` is the known device, or '' for none. */
export async function challenge(db: Db, services: Services, userId: number, device: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = services.clock.now();
  await db.deleteFrom('sign_in_challenge').where('expires_at', '<', now.toISOString()).execute();
  await db
    .insertInto('sign_in_challenge')
    .values({ token_hash: digestOf(token), user_id: userId, device, expires_at: new Date(now.getTime() + LIFE) })
    .execute();
  return token;
}

type Answered = { userId: number; device: string };

/** Returns the user of a second step, or null once the challenge has ended. */
export async function challenged(db: Db, services: Services, token: string): Promise<number | null> {
  const row = await db
    .selectFrom('sign_in_challenge')
    .innerJoin('app_user', 'app_user.id', 'sign_in_challenge.user_id')
    .select('user_id')
    .where('token_hash', '=', digestOf(token))
    .where('expires_at', '>', services.clock.now().toISOString())
    .where('active', '=', true)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Completes a successful second step: opens the session, unless the public site is locked for this user. */
export async function enter(
  db: Db,
  services: Services,
  { userId, device }: Answered,
  request: FastifyRequest,
): Promise<{ device: string; signedIn: SignedIn }> {
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute();
  const sentence = await siteLockFor(db, services, knownRoles(roles.map(({ role }) => role)));
  if (sentence !== null) throw new HttpError(403, sentence);
  return { device, signedIn: await signInByPassword(db, services, userId, request) };
}

/**
 * Checks the code or the passkey that answers a challenge. If it is right, `finish` runs in the same transaction. A wrong one counts like a wrong
 * password, but separately, so that password guesses never keep a user from typing a code.
 */
export async function answerChallenge<T>(
  services: Services,
  input: { token: string; from: Origin } & ({ code: string } | { passkey: UsedPasskey }),
  finish: (db: Db, answered: Answered) => Promise<T>,
): Promise<T> {
  const now = services.clock.now();
  const outcome = await inTransaction(services.database.db, async (db) => {
    const row = await db
      .selectFrom('sign_in_challenge')
      .innerJoin('app_user', 'app_user.id', 'sign_in_challenge.user_id')
      .select(['user_id', 'device', 'user_name', 'full_name', 'active'])
      .where('token_hash', '=', digestOf(input.token))
      .where('expires_at', '>', now.toISOString())
      .forUpdate('sign_in_challenge')
      .executeTakeFirst();
    if (!row?.active) return { refused: new HttpError(410, ENDED) };
    const { user_id: userId, device, user_name: userName } = row;
    // The lock serializes guesses at the codes of one user, whatever challenge they answer.
    await db.selectFrom('second_factor').select('user_id').where('user_id', '=', userId).forUpdate().execute();
    const kind = device ? 'device' : 'account';
    const guard = device ? deviceKey(device) : accountKey(userName.toLowerCase());
    const codes = factorKey(device || String(userId));
    const address = addressKey(input.from.address);
    const suspect = { userId, who: row.full_name, account: userName, from: input.from };
    const seconds = await secondsBlocked(db, now, [codes]);
    if (seconds > 0) noteSecurity(services, { ...suspect, kind: 'SignInFailed', action: 'Blocked' });
    if (seconds > 0) return { refused: new HttpError(429, tooManyTries(seconds), { retryAfter: seconds }) };
    const count = (action: SecurityAction) =>
      countFailures(db, services, { ...suspect, action }, [
        [kind, codes],
        [kind, guard],
        device ? null : ['address', address],
      ]);
    const person = { id: userId, fullName: row.full_name, userName, from: input.from };
    if ('passkey' in input) {
      const used = await usePasskey(db, services, { purpose: 'second', userId }, input.passkey);
      if (used === 'wrong' || used === 'copied') {
        await count(used === 'wrong' ? 'Wrong passkey' : 'Copied passkey');
        return { refused: new HttpError(400, used === 'wrong' ? WRONG_PASSKEY : COPIED) };
      }
      await noteFirstUse(db, person, used);
    } else {
      const checked = await useCode(db, services, userId, input.code);
      if (checked === 'broken') return { refused: new HttpError(409, BROKEN) };
      if (checked === 'wrong') {
        await count('Wrong code');
        return { refused: new HttpError(400, WRONG) };
      }
      if (checked === 'recovery code') await noteRecoveryCode(db, services, person);
    }
    const used = await db
      .deleteFrom('sign_in_challenge')
      .where('token_hash', '=', digestOf(input.token))
      .executeTakeFirst();
    if (used.numDeletedRows === 0n) return { refused: new HttpError(410, ENDED) };
    await forgive(db, now, guard, address);
    await db.deleteFrom('sign_in_failure').where('key', '=', codes).execute();
    return { answer: await finish(db, { userId, device }) };
  });
  // Throws outside the transaction, so that the failures still count.
  if ('refused' in outcome) throw outcome.refused;
  return outcome.answer;
}

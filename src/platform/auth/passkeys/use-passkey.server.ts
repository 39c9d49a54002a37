// Creates challenges for passkeys, each valid once and for a few minutes, and checks the answers.
import { randomBytes } from 'node:crypto';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type Actor, recordChange } from '#platform/history/record-change.server.ts';
import { digestOf } from '../passwords/password.server.ts';
import type { UseOptions } from './passkeys.contract.ts';
import type { UsedPasskey } from './proof.ts';

export const LIFE = 5 * 60_000;
export const WRONG_PASSKEY = 'This passkey is no longer registered, or it took too long. Try again.';
export const COPIED =
  'This passkey may have been copied, because its counter went back. It no longer works. Remove it, and tell your system administrator.';

type Purpose = 'add' | 'prove' | 'second' | 'sign-in';
/** `userId` is null while the user is not known yet. */
type Asked = { purpose: Purpose; userId: number | null };

/** Returns the site that passkeys belong to, from the configured address. */
export function siteOf({ config }: Pick<Services, 'config'>): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, origin };
}

/** Creates a challenge. It is valid for one answer within five minutes. */
export async function newChallenge(
  db: Db,
  services: Services,
  { purpose, userId }: Asked,
  userHandle = '',
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const now = services.clock.now();
  await db.deleteFrom('passkey_challenge').where('expires_at', '<', now.toISOString()).execute();
  await db
    .insertInto('passkey_challenge')
    .values({
      challenge_hash: digestOf(challenge),
      purpose,
      user_id: userId,
      user_handle: userHandle,
      expires_at: new Date(now.getTime() + LIFE),
    })
    .execute();
  return challenge;
}

/** Uses up the challenge that a browser answers. Returns null if it is unknown, used, expired, or was issued to another user. */
export async function takeChallenge(
  db: Db,
  services: Services,
  { purpose, userId }: Asked,
  clientDataJSON: string,
): Promise<{ challenge: string; userHandle: string } | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const row = await db
    .deleteFrom('passkey_challenge')
    .where('challenge_hash', '=', digestOf(challenge))
    .where('purpose', '=', purpose)
    .where('user_id', userId === null ? 'is' : '=', userId)
    .where('expires_at', '>', services.clock.now().toISOString())
    .returning('user_handle')
    .executeTakeFirst();
  return row ? { challenge, userHandle: row.user_handle } : null;
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Returns the request for a passkey of this user, or of any user of this site. Null for a user without passkeys. */
export async function askForPasskey(db: Db, services: Services, request: Asked): Promise<UseOptions | null> {
  const { userId } = request;
  const allowCredentials = userId === null ? [] : await credentialsOf(db, userId);
  if (userId !== null && allowCredentials.length === 0) return null;
  const challenge = await newChallenge(db, services, request);
  const { rpID } = siteOf(services);
  return { challenge, rpId: rpID, allowCredentials, userVerification: 'required', timeout: LIFE };
}

/** Returns the passkeys of a user in the form that the options need. */
export async function credentialsOf(db: Db, userId: number): Promise<UseOptions['allowCredentials']> {
  const stored = await db
    .selectFrom('passkey')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .execute();
  return stored.map((entry) => ({ ...entry, type: 'public-key' as const }));
}

export type Used = {
  passkeyId: number;
  userId: number;
  name: string;
  /** This is the first use of the passkey. */
  first: boolean;
};

/**
 * Checks the answer of a passkey and uses up its challenge. The transaction `db` must commit whatever the result is. 'copied' means that the counter
 * went back, as it would with a copy.
 */
export async function usePasskey(
  db: Db,
  services: Services,
  request: Asked,
  answer: UsedPasskey,
): Promise<Used | 'wrong' | 'copied'> {
  const taken = await takeChallenge(db, services, request, answer.response.clientDataJSON);
  const row = await db
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', answer.id)
    .forUpdate()
    .executeTakeFirst();
  if (!taken || !row) return 'wrong';
  if (request.userId !== null && request.userId !== row.user_id) return 'wrong';
  const { userHandle } = answer.response;
  if (userHandle === undefined ? request.userId === null : userHandle !== row.user_handle) return 'wrong';
  const { rpID, origin } = siteOf(services);
  // Loaded at the first use, because it is one eighth of the files that the server would otherwise read at startup.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: taken.challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    // The counter is checked below, because the library reports a copied passkey only in the text of an error.
    credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: 0 },
  }).catch(() => null);
  if (!checked?.verified) return 'wrong';
  const { newCounter, credentialBackedUp } = checked.authenticationInfo;
  if (row.counter > 0 && newCounter <= row.counter) return 'copied';
  await db
    .updateTable('passkey')
    .set({ counter: newCounter, synced: credentialBackedUp, last_used_at: services.clock.now() })
    .where('id', '=', row.id)
    .execute();
  return { passkeyId: row.id, userId: row.user_id, name: row.name, first: row.last_used_at === null };
}

/** Records the first use of a passkey. `person` is its owner. */
export async function noteFirstUse(db: Db, person: Actor, { first, name }: Used): Promise<void> {
  const { id, fullName } = person;
  if (first) await recordChange(db, person, { type: 'user', id, name: fullName, action: 'Use passkey', comment: name });
}

// The answers of passkeys: managing the user's own, and signing in with one.
import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';
import { mailAccountChange } from '../account-mail.server.ts';
import { refusesPassword } from '../passwords/local-form.server.ts';
import {
  accountKey,
  addressKey,
  countFailures,
  forgive,
  secondsBlocked,
  tooManyTries,
} from '../passwords/lock-out.server.ts';
import { refuseBlockedSession } from '../passwords/prove-password.server.ts';
import { answerChallenge, challenged, ENDED, enter } from '../second-factor/challenge.server.ts';
import { codesLeft, hasSecondFactor, isRequired } from '../second-factor/stored-factor.server.ts';
import { newRecoveryCodes, voidRecoveryCodes } from '../second-factor/recovery-codes.server.ts';
import { forgetCallers } from '../sessions/caller.server.ts';
import { knownRoles } from '../sessions/read-caller.server.ts';
import { signInAnswer, type SignedIn, signInByPassword, siteLockFor } from '../open-session.server.ts';
import { proven } from './require-proof.server.ts';
import type { MakeOptions, Passkeys } from './passkeys.contract.ts';
import type { UsedPasskey } from './proof.ts';
import {
  askForPasskey,
  COPIED,
  credentialsOf,
  LIFE,
  newChallenge,
  noteFirstUse,
  siteOf,
  takeChallenge,
  usePasskey,
  WRONG_PASSKEY,
} from './use-passkey.server.ts';

const MOST = 20;
/** EdDSA, ECDSA with P-256, and RSA by their COSE numbers: the algorithms that devices support. */
const ALGORITHMS = [-8, -7, -257];

export const passkeyAnswers: Answers<typeof Passkeys> = {
  BeginPasskeySignIn: async ({ db, services }, { challenge: token }) => {
    if (!token) return { options: await askForPasskey(db, services, { purpose: 'sign-in', userId: null }) };
    const userId = await challenged(db, services, token);
    if (userId === null) throw new HttpError(410, ENDED);
    return { options: await askForPasskey(db, services, { purpose: 'second', userId }) };
  },

  SignInByPasskey: async ({ services, request }, { challenge: token, passkey }) => {
    if (!token) return signInAnswer(services, await signInByPasskeyAlone(services, passkey, request), undefined);
    const input = { token, passkey, from: originOf(request) };
    const { device, signedIn } = await answerChallenge(services, input, async (db, answered) =>
      enter(db, services, answered, request),
    );
    return signInAnswer(services, signedIn, device || undefined);
  },

  GetPasskeys: ({ db, user }) => passkeysOf(db, user.id).orderBy('id').execute(),

  BeginPasskeyProof: async ({ db, services, user }) => {
    const options = await askForPasskey(db, services, { purpose: 'prove', userId: user.id });
    if (!options) throw new HttpError(409, 'You have no passkey.');
    return { options };
  },

  BeginAddPasskey: (context, proof) =>
    proven(context, proof, async (db) => {
      const { services, user } = context;
      const person = await db
        .selectFrom('app_user')
        .select('password_hash')
        .select((eb) =>
          eb
            .selectFrom('passkey')
            .select('user_handle')
            .whereRef('user_id', '=', 'app_user.id')
            .limit(1)
            .as('user_handle'),
        )
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow();
      if (person.password_hash === null)
        throw new HttpError(409, 'You sign in through your company, which sets the requirements.');
      const excludeCredentials = await credentialsOf(db, user.id);
      if (excludeCredentials.length >= MOST) throw new HttpError(409, `You have ${MOST} passkeys. Remove one first.`);
      const userHandle = person.user_handle ?? randomBytes(32).toString('base64url');
      const options: MakeOptions = {
        challenge: await newChallenge(db, services, { purpose: 'add', userId: user.id }, userHandle),
        rp: { id: siteOf(services).rpID, name: services.config.appTitle },
        user: { id: userHandle, name: user.userName, displayName: user.fullName },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials,
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
        timeout: LIFE,
      };
      return { options };
    }),

  AddPasskey: async ({ services, user }, { name, passkey }) => {
    await refuseBlockedSession(services, user);
    const { rpID, origin } = siteOf(services);
    const added = await inTransaction(services.database.db, async (db) => {
      const taken = await takeChallenge(
        db,
        services,
        { purpose: 'add', userId: user.id },
        passkey.response.clientDataJSON,
      );
      if (!taken) return null;
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const created = await verifyRegistrationResponse({
        response: passkey,
        expectedChallenge: taken.challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(() => null);
      if (!created?.verified) return null;
      const { credential, credentialBackedUp } = created.registrationInfo;
      const { id } =
        (await db
          .insertInto('passkey')
          .values({
            user_id: user.id,
            credential_id: credential.id,
            public_key: Buffer.from(credential.publicKey),
            counter: credential.counter,
            transports: passkey.response.transports,
            user_handle: taken.userHandle,
            synced: credentialBackedUp,
            name,
            created_at: services.clock.now(),
          })
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .returning('id')
          .executeTakeFirst()) ?? {};
      if (id === undefined) return null;
      await db.updateTable('session').set({ must_enroll: false }).where('user_id', '=', user.id).execute();
      await recordOwn(db, user, 'Add passkey', name);
      await mailAccountChange(db, services, user.id, {
        happened: `The passkey ${name} was added`,
        next: 'You can sign in with it instead of your password. Once you have a passkey, your password alone is no longer enough.',
      });
      const recoveryCodes = (await codesLeft(db, user.id)) === 0 ? await newRecoveryCodes(db, user.id) : [];
      const row = await passkeysOf(db, user.id).where('id', '=', id).executeTakeFirstOrThrow();
      return { passkey: row, recoveryCodes };
    });
    if (!added)
      throw new HttpError(
        409,
        'The passkey could not be added: it took too long, or it is already registered. Start over.',
      );
    forgetCallers(services);
    return added;
  },

  RenamePasskey: async ({ db, user }, { id, name }) => {
    const before = await db
      .selectFrom('passkey')
      .select('name')
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw notFound('passkey');
    await db.updateTable('passkey').set({ name }).where('id', '=', id).execute();
    if (before.name !== name) await recordOwn(db, user, 'Rename passkey', `${before.name}, now ${name}`);
    return {};
  },

  RemovePasskey: async (context, { id, ...proof }) => {
    const { services, user } = context;
    return proven(context, proof, async (db) => {
      // The lock serializes removals, so that two of them cannot remove the last two passkeys.
      await db.selectFrom('app_user').select('id').where('id', '=', user.id).forUpdate().execute();
      const removed = await db
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('user_id', '=', user.id)
        .returning('name')
        .executeTakeFirst();
      if (!removed) throw notFound('passkey');
      const isProtected = await hasSecondFactor(db, user.id);
      if (!isProtected && (await isRequired(db, user.id)))
        throw new HttpError(409, 'One of your roles requires a second factor. Add another passkey or an app first.');
      if (!isProtected) await voidRecoveryCodes(db, user.id);
      await recordOwn(db, user, 'Remove passkey', removed.name);
      await mailAccountChange(db, services, user.id, {
        happened: `The passkey ${removed.name} was removed`,
        next: isProtected ? 'You can no longer sign in with it.' : 'From now on, you sign in with just your password.',
      });
      return {};
    });
  },
};

function passkeysOf(db: Db, userId: number) {
  return db
    .selectFrom('passkey')
    .select(['id', 'name', 'synced', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId);
}

/** Signs in the owner of the passkey. Failures count against the address, because the user is not known yet. */
async function signInByPasskeyAlone(
  services: Services,
  passkey: UsedPasskey,
  request: FastifyRequest,
): Promise<SignedIn> {
  const from = originOf(request);
  const address = addressKey(request.ip);
  const now = services.clock.now();
  const outcome = await inTransaction(services.database.db, async (db) => {
    const seconds = await secondsBlocked(db, now, [address]);
    if (seconds > 0) {
      noteSecurity(services, { who: '', from, kind: 'SignInFailed', action: 'Blocked' });
      return { refused: new HttpError(429, tooManyTries(seconds), { retryAfter: seconds }) };
    }
    const used = await usePasskey(db, services, { purpose: 'sign-in', userId: null }, passkey);
    if (used === 'wrong') {
      await countFailures(db, services, { who: '', from, action: 'Wrong passkey' }, [['address', address]]);
      return { refused: new HttpError(400, WRONG_PASSKEY) };
    }
    const person = await ownerOf(db, used === 'copied' ? passkey.id : used.passkeyId);
    const suspect = { userId: person.id, who: person.fullName, account: person.userName, from };
    if (used === 'copied') {
      noteSecurity(services, { ...suspect, kind: 'SignInFailed', action: 'Copied passkey' });
      return { refused: new HttpError(400, COPIED) };
    }
    const shut = person.active
      ? await refusesPassword(db, person.id)
      : 'This account is inactive. Contact your system administrator.';
    if (shut !== null) {
      noteSecurity(services, {
        ...suspect,
        kind: 'SignInFailed',
        action: person.active ? 'Passwords off' : 'Not active',
      });
      return { refused: new HttpError(400, shut) };
    }
    const sentence = await lockOf(db, services, person.id);
    if (sentence !== null) {
      noteSecurity(services, { ...suspect, kind: 'SignInFailed', action: 'Site locked' });
      return { refused: new HttpError(403, sentence) };
    }
    await noteFirstUse(db, { ...person, from }, used);
    await forgive(db, now, accountKey(person.userName.toLowerCase()), address);
    return { signedIn: await signInByPassword(db, services, person.id, request) };
  });
  // Throws outside the transaction, so that the failure counts and the challenge stays used up.
  if (outcome.refused) throw outcome.refused;
  return outcome.signedIn;
}

async function ownerOf(db: Db, passkey: number | string) {
  return db
    .selectFrom('passkey')
    .innerJoin('app_user', 'app_user.id', 'passkey.user_id')
    .select(['app_user.id', 'full_name as fullName', 'user_name as userName', 'active'])
    .where(typeof passkey === 'number' ? 'passkey.id' : 'credential_id', '=', passkey)
    .executeTakeFirstOrThrow();
}

/** Returns the message for this user while the public site is locked, or null. */
async function lockOf(db: Db, services: Services, userId: number): Promise<string | null> {
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute();
  return siteLockFor(db, services, knownRoles(roles.map(({ role }) => role)));
}

function recordOwn(db: Db, user: Caller, action: RecordAction, comment: string): Promise<void> {
  return recordChange(db, user, { type: 'user', id: user.id, name: user.fullName, action, comment });
}

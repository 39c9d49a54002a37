// The answers of signing in and out, refreshing and passwords (specification sections 7 and 8, design 6).
import { HttpError, invalid } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { noteSecurity, typedName } from '#platform/security-events/note-security-event.server.ts';
import type { SecurityAction } from '#platform/security-events/security-kinds.ts';
import type { Auth } from './auth.contract.ts';
import { isGpoTabHidden } from './gpo-tab.server.ts';
import { voidInvitation } from './invitations/invitation.server.ts';
import {
  accountKey,
  addressKey,
  countFailures,
  deviceKey,
  forgive,
  secondsBlocked,
  suspectOf,
  tooManyTries,
} from './passwords/lock-out.server.ts';
import { refusesPassword } from './passwords/local-form.server.ts';
import { hashPassword, isSameSecret, verifyPassword } from './passwords/password.server.ts';
import {
  isTemporaryPassword,
  isUsedTemporaryPassword,
  NO_TEMPORARY,
  resetPasswordJob,
  useTemporaryPassword,
} from './passwords/temporary-password.server.ts';
import { refuseWeakPassword } from './passwords/weak-password.server.ts';
import { forgetCallers } from './sessions/caller.server.ts';
import { deviceOf } from './sessions/device.ts';
import { knownRoles } from './sessions/read-caller.server.ts';
import { knownDevice } from './sessions/known-device.server.ts';
import { ACCESS_SECONDS, revokeSession, revokeSessionsOf, rotate } from './sessions/session.server.ts';
import { challenge } from './second-factor/challenge.server.ts';
import { hasSecondFactor } from './second-factor/stored-factor.server.ts';
import { mailAccountChange } from './account-mail.server.ts';
import { signInAnswer, signInByPassword, siteLockFor } from './open-session.server.ts';
import { userByName } from './user-by-name.server.ts';

export const authAnswers: Answers<typeof Auth> = {
  Token: async ({ db, services, request }, { UserName, Password, grant_type, device }) => {
    if (grant_type !== 'password')
      throw refused(400, 'unsupported_grant_type', 'Only grant_type=password is supported here.');
    const name = UserName.trim().toLowerCase();
    if (!name || !Password) throw refused(400, 'invalid_request', 'Enter your email address and password.');
    const now = services.clock.now();
    const address = addressKey(request.ip);
    const user = await userByName(db, name);
    // A device that this user has used before has its own count of failures, so that attempts elsewhere do not lock it out.
    const known = user ? await knownDevice(services, user.id, device) : null;
    const kind = known === null ? 'account' : 'device';
    const guard = known === null ? accountKey(name) : deviceKey(known);
    const from = originOf(request);
    const suspect = user
      ? { userId: user.id, who: user.full_name, account: user.user_name, from }
      : { who: typedName(name), from };
    const note = (action: SecurityAction) => noteSecurity(services, { ...suspect, kind: 'SignInFailed', action });
    const refuseBlocked = async (keys: string[]) => {
      const seconds = await secondsBlocked(db, now, keys);
      if (seconds === 0) return;
      // A blocked address may try any number of names. The log keeps one line for all names without an account.
      noteSecurity(services, { ...(user ? suspect : { who: '', from }), kind: 'SignInFailed', action: 'Blocked' });
      throw refused(429, 'temporarily_locked', tooManyTries(seconds), { retryAfter: seconds });
    };
    // A user who is locked out by someone else's guesses, even from the same office, can sign in with a mailed password, which nobody can guess.
    const temporary = user !== undefined && isTemporaryPassword(user, Password, now);
    const guards = known === null ? [guard, address] : [guard];
    if (!temporary) await refuseBlocked(guards);
    const right = temporary || (await verifyPassword(user?.password_hash ?? null, Password));
    if (!right || !user) {
      await countFailures(db, services, { ...suspect, action: 'Wrong password' }, [
        [kind, guard],
        known === null ? ['address', address] : null,
      ]);
      throw wrongPassword();
    }
    // Checked again: of many simultaneous guesses, the correct one must not succeed after the others have failed.
    if (!temporary) await refuseBlocked([guard]);
    if (!user.active) {
      note('Not active');
      throw refused(400, 'invalid_grant', 'This account is inactive. Contact your system administrator.');
    }
    const shut = await refusesPassword(db, user.id);
    if (shut !== null) {
      note('Passwords off');
      throw refused(400, 'invalid_grant', shut);
    }
    const sentence = await siteLockFor(db, services, knownRoles(user.roles));
    if (sentence !== null) {
      note('Site locked');
      throw refused(403, 'access_denied', sentence);
    }

    const begun = await inTransaction(services.database.db, async (transaction) => {
      if (temporary && !(await useTemporaryPassword(transaction, user.id, Password))) throw wrongPassword();
      // The count of failures is cleared only after both steps. Otherwise the password would allow more guesses at the code.
      if (await hasSecondFactor(transaction, user.id))
        return { challenge: await challenge(transaction, services, user.id, known ?? '') };
      await forgive(transaction, now, guard, address);
      return { signedIn: await signInByPassword(transaction, services, user.id, request) };
    });
    if (begun.challenge !== undefined)
      throw refused(403, 'mfa_required', 'Enter the code from your authenticator app.', {
        challenge: begun.challenge,
      });
    return signInAnswer(services, begun.signedIn, known ?? undefined);
  },

  token: async ({ services, request }, { grant_type, refresh_token, client_id, client_secret }) => {
    const [id, secret] = basicOf(request.headers.authorization) ?? [client_id ?? '', client_secret ?? ''];
    const { clientId, clientSecret } = services.config;
    if (!isSameSecret(id, clientId) || !isSameSecret(secret, clientSecret)) {
      throw new HttpError(401, 'The client id or the client secret is wrong.');
    }
    if (grant_type !== 'refresh_token') throw new HttpError(400, 'Only grant_type=refresh_token is supported here.');
    if (!refresh_token) throw new HttpError(400, 'refresh_token is missing.');
    const tokens = await rotate(services, refresh_token);
    if (!tokens) {
      forgetCallers(services);
      throw new HttpError(401, 'Your session has ended. Sign in again.');
    }
    return {
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      token_type: 'bearer',
      expires_in: ACCESS_SECONDS,
      '.expires': tokens.expires.toISOString(),
    };
  },

  ResetPassword: async ({ db, services }, { email }) => {
    await services.jobs.send(db, resetPasswordJob, { email }, { quietly: true });
    return 'successful';
  },

  ChangePassword: async ({ db, services, user, request }, { currentPassword, newPassword }) => {
    const now = services.clock.now();
    const stored = await db
      .selectFrom('app_user')
      .select(['user_name as userName', 'full_name as fullName'])
      .select(['password_hash', 'temporary_hash', 'must_change_password'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (currentPassword !== undefined || !stored.must_change_password) {
      // The session has its own count, so that guesses by others cannot keep the user from changing the password.
      const guard = deviceKey(user.sessionId);
      const seconds = await secondsBlocked(db, now, [guard]);
      if (seconds > 0) throw new HttpError(429, tooManyTries(seconds), { retryAfter: seconds });
      const typedPassword = currentPassword ?? '';
      const right =
        (stored.must_change_password && isUsedTemporaryPassword(stored, typedPassword)) ||
        (await verifyPassword(stored.password_hash, typedPassword));
      if (!right) {
        await countFailures(db, services, { ...suspectOf(user), action: 'Wrong proof' }, [['device', guard]]);
        throw invalid([{ path: 'currentPassword', message: 'This is not your current password' }]);
      }
    }
    if (isUsedTemporaryPassword(stored, newPassword) || (await verifyPassword(stored.password_hash, newPassword))) {
      throw invalid([{ path: 'newPassword', message: 'Choose a different password from your current one' }]);
    }
    await refuseWeakPassword(db, stored, newPassword);
    const password_hash = await hashPassword(newPassword);
    await inTransaction(services.database.db, async (transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ password_hash, must_change_password: false, ...NO_TEMPORARY })
        .where('id', '=', user.id)
        .execute();
      // Someone who finds the link in an old mail must not be able to choose another password.
      await voidInvitation(transaction, user.id);
      await revokeSessionsOf(transaction, services, user.id, user.sessionId);
      await mailAccountChange(transaction, services, user.id, {
        happened: 'Your password was changed',
        next: `It was changed with ${deviceOf(request.headers['user-agent'] ?? '')}, from the address ${request.ip}. Every other device was signed out.`,
      });
    });
    forgetCallers(services);
    return {};
  },

  GetSignedInUser: async ({ db, services, user }) => {
    const row = await db
      .selectFrom('app_user')
      .select(['user_name', 'gpo_tab_hidden'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    return {
      id: user.id,
      userName: user.userName,
      fullName: user.fullName,
      roles: user.roles,
      gpoTabHidden: isGpoTabHidden(services, row),
      mustChangePassword: user.mustChangePassword,
      ...(user.mustEnroll ? { mustEnroll: true } : {}),
    };
  },

  SignOut: async ({ db, services, user }) => {
    await revokeSession(db, services, user.sessionId);
    forgetCallers(services);
    return {};
  },
};

type More = { retryAfter?: number; challenge?: string };

function refused(status: number, code: string, sentence: string, more: More = {}): HttpError {
  return new HttpError(status, sentence, { code, ...more });
}

function wrongPassword(): HttpError {
  return refused(400, 'invalid_grant', 'The email address or the password is wrong.');
}

/** Returns the id and the secret of a Basic authorization header. */
function basicOf(authorization: string | undefined): [string, string] | null {
  const encoded = /^Basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (!encoded) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [id, secret.join(':')];
}

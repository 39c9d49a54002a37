// Answers the calls for signing in at the provider, linking one's own account, and the provider's logout.
import type { FastifyRequest } from 'fastify';
import { HttpError } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { noteSecurity, typedName } from '#platform/security-events/note-security-event.server.ts';
import { provePassword } from '#platform/auth/passwords/prove-password.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { startSession } from '#platform/auth/sessions/session.server.ts';
import type { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { signInAnswer, type SignedIn, siteLockFor } from '#platform/auth/open-session.server.ts';
import { beginAttempt, complete } from './attempt.server.ts';
import { admit, link } from './person.server.ts';
import { openProvider, type ProviderRow, readProvider } from './provider.server.ts';
import { type Claims, SignOnError } from '#platform/outside/sign-on.server.ts';

export const signOnAnswers: Answers<typeof SignOn> = {
  BeginSignOn: ({ services }) => beginAttempt(services, null),

  CompleteSignOn: async ({ services, request }, returned) => {
    let email: unknown;
    const signedIn = await complete(services, returned, null)
      .then(({ row, claims }) => {
        email = claims['email'];
        return signIn(services, request, row, claims);
      })
      .catch((error: unknown) => {
        // A provider that does not answer is not a failed sign-in.
        if (error instanceof HttpError && error.status < 500)
          noteSecurity(services, {
            kind: 'SignInFailed',
            action: 'Sign-on refused',
            who: typeof email === 'string' ? typedName(email) : '',
            from: originOf(request),
          });
        throw error;
      });
    return signInAnswer(services, signedIn, undefined);
  },

  BeginLink: async ({ services, user }, { password }) => {
    await provePassword(services, user, password);
    return beginAttempt(services, user.id);
  },

  CompleteLink: async ({ services, user }, returned) => {
    const { claims } = await complete(services, returned, user.id);
    await inTransaction(services.database.db, (db) => link(db, user, user, claims));
    return {};
  },

  GetOwnSignOn: async ({ db, services, user }) => {
    const { row } = await readProvider(db, services);
    const stored = await db
      .selectFrom('app_user')
      .leftJoin('sign_on_identity', (join) => join.onRef('user_id', '=', 'app_user.id').on('issuer', '=', row.issuer))
      .select(['password_hash', 'linked_at as linkedAt'])
      .where('app_user.id', '=', user.id)
      .executeTakeFirstOrThrow();
    return {
      button: row.issuer === '' ? '' : row.button,
      linkedAt: stored.linkedAt,
      hasPassword: stored.password_hash !== null,
    };
  },

  BackchannelLogout: async ({ services }, { logout_token: token }) => {
    await endSessions(services, token);
    forgetCallers(services);
    return {};
  },
};

/** Opens the session of the user that the provider identifies, unless the user may not sign in. */
function signIn(services: Services, request: FastifyRequest, row: ProviderRow, claims: Claims): Promise<SignedIn> {
  return inTransaction(services.database.db, async (db) => {
    const userId = await admit(db, services, row, claims);
    const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute();
    const sentence = await siteLockFor(db, services, knownRoles(roles.map(({ role }) => role)));
    if (sentence !== null) throw new HttpError(403, sentence);
    const sid = typeof claims['sid'] === 'string' ? claims['sid'] : null;
    const tokens = await startSession(db, services, userId, request.headers['user-agent'] ?? '', {
      signOn: { issuer: claims.iss, subject: claims.sub, sid },
    });
    return { userId, tokens, mustEnroll: false };
  });
}

/** Longer than any token is accepted. */
const REMEMBERED = 3_600_000;

/** Handles the provider's logout: ends the sessions in a logout token, on all servers within a minute. Each token is accepted once. */
async function endSessions(services: Services, token: string): Promise<void> {
  if (token === '') throw refused('logout_token is missing.');
  const now = services.clock.now();
  const { row, client } = await openProvider(services.database.db, services);
  const { jti, sub, sid } = await client.readLogoutToken(token, now).catch((error: unknown) => {
    if (!(error instanceof SignOnError)) throw error;
    throw error.kind === 'down' ? new HttpError(503, error.message) : refused(error.message);
  });
  const isNew = await inTransaction(services.database.db, async (db) => {
    await db.deleteFrom('sign_on_logout').where('expires_at', '<', now.toISOString()).execute();
    const stored = await db
      .insertInto('sign_on_logout')
      .values({ issuer: row.issuer, jti, expires_at: new Date(now.getTime() + REMEMBERED) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (stored.numInsertedOrUpdatedRows === 0n) return false;
    await db
      .updateTable('session')
      .set({ revoked_at: now })
      .where('sign_on_issuer', '=', row.issuer)
      .where('revoked_at', 'is', null)
      .$if(sub !== null, (query) => query.where('sign_on_subject', '=', sub))
      // If the provider sent no session id at sign-in, this ends all sessions of the user.
      .$if(sid !== null, (query) =>
        query.where((eb) =>
          eb.or([eb('sign_on_sid', '=', sid), ...(sub === null ? [] : [eb('sign_on_sid', 'is', null)])]),
        ),
      )
      .execute();
    return true;
  });
  if (!isNew) throw refused('This logout token was already used.');
}

function refused(sentence: string): HttpError {
  return new HttpError(400, sentence, { code: 'invalid_request' });
}

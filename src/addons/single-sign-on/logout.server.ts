// The provider's logout: ends the sessions that a logout token names, everywhere within a minute; each token counts once.
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { SignOnError } from '#platform/outside/sign-on.server.ts';
import { openProvider } from './provider.server.ts';

/** Longer than any token is accepted. */
const REMEMBERED = 3_600_000;

export async function endSessions(services: Services, token: string): Promise<void> {
  if (token === '') throw refused('logout_token is missing.');
  const now = services.clock.now();
  const { row, client } = await openProvider(services.database.db, services);
  const { jti, sub, sid } = await client.readLogoutToken(token, now).catch((error: unknown) => {
    if (!(error instanceof SignOnError)) throw error;
    throw error.kind === 'down' ? new HttpError(503, error.message) : refused(error.message);
  });
  const isNew = await inTransaction(services.database.db, async (db) => {
    await db.deleteFrom('sign_on_logout').where('expires_at', '<', now.toISOString()).execute();
    const kept = await db
      .insertInto('sign_on_logout')
      .values({ issuer: row.issuer, jti, expires_at: new Date(now.getTime() + REMEMBERED) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (kept.numInsertedOrUpdatedRows === 0n) return false;
    await db
      .updateTable('session')
      .set({ revoked_at: now })
      .where('sign_on_issuer', '=', row.issuer)
      .where('revoked_at', 'is', null)
      .$if(sub !== null, (query) => query.where('sign_on_subject', '=', sub))
      // A provider that names no session at the sign-in means all sessions of the person.
      .$if(sid !== null, (query) =>
        query.where((eb) =>
          eb.or([eb('sign_on_sid', '=', sid), ...(sub === null ? [] : [eb('sign_on_sid', 'is', null)])]),
        ),
      )
      .execute();
    return true;
  });
  if (!isNew) throw refused('This logout token was used before.');
}

function refused(sentence: string): HttpError {
  return new HttpError(400, sentence, { code: 'invalid_request' });
}

// One sign-in attempt at the provider. It belongs to the browser that started it, and is valid once and for ten minutes.
import { createHmac, randomBytes } from 'node:crypto';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import { digestOf } from '#platform/auth/passwords/password.server.ts';
import { acceptedSecrets } from '#platform/outside/sealed.server.ts';
import type { Claims } from '#platform/outside/sign-on.server.ts';
import { asHttpError, openProvider, type ProviderRow, redirectUri } from './provider.server.ts';

const LIFE = 10 * 60_000;
const NOT_OURS = 'This sign-in was started in another browser, took too long or is already complete. Sign in again.';

const derived = (secret: string, what: string) => createHmac('sha256', secret).update(what).digest('base64url');
/** Identifies the TOKEN_SECRET with which a state was made, without revealing the secret. */
const secretMark = (secret: string) => derived(secret, 'sign-on key').slice(0, 8);

function newState({ config }: Services): string {
  return `${randomBytes(32).toString('base64url')}.${secretMark(config.tokenSecret)}`;
}

/** Nonce and verifier are derived from the state, which only the browser and the provider see. */
function secretsOf({ config }: Services, state: string): { nonce: string; verifier: string } {
  const mark = state.split('.')[1];
  const secret =
    acceptedSecrets(config).find((acceptedSecret) => secretMark(acceptedSecret) === mark) ?? config.tokenSecret;
  const derive = (what: string) => derived(secret, `sign-on ${what} ${state}`);
  return { nonce: derive('nonce'), verifier: derive('verifier') };
}

export async function beginAttempt(
  services: Services,
  userId: number | null,
): Promise<{ address: string; browser: string }> {
  const { db } = services.database;
  const { row, client } = await openProvider(db, services);
  const [state, browser] = [newState(services), randomBytes(32).toString('base64url')];
  const now = services.clock.now();
  const address = await client
    .authorizationUrl({ redirectUri: redirectUri(services), state, ...secretsOf(services, state) })
    .catch((error: unknown) => {
      throw asHttpError(error, services);
    });
  await db.deleteFrom('sign_on_attempt').where('expires_at', '<', now.toISOString()).execute();
  await db
    .insertInto('sign_on_attempt')
    .values({
      state_hash: digestOf(state),
      browser_hash: digestOf(browser),
      user_id: userId,
      issuer: row.issuer,
      client_id: row.client_id,
      expires_at: new Date(now.getTime() + LIFE),
    })
    .execute();
  return { address, browser };
}

/** Completes an attempt and returns the claims. It marks the attempt as used before it calls the provider, and ignores attempts of other browsers. */
export async function complete(
  services: Services,
  { search, browser }: { search: string; browser: string },
  userId: number | null,
): Promise<{ row: ProviderRow; claims: Claims }> {
  const { db } = services.database;
  const query = new URLSearchParams(search);
  const states = query.getAll('state');
  const [state = ''] = states;
  const used = await db
    .deleteFrom('sign_on_attempt')
    .where('state_hash', '=', digestOf(state))
    .where('browser_hash', '=', digestOf(browser))
    .where('expires_at', '>', services.clock.now().toISOString())
    .where('user_id', userId === null ? 'is' : '=', userId)
    .returning(['issuer', 'client_id'])
    .executeTakeFirst();
  if (!used || states.length !== 1) throw new HttpError(400, NOT_OURS);
  const { row, client } = await openProvider(db, services);
  // A new client secret does not end a sign-in in progress.
  if (row.issuer !== used.issuer || row.client_id !== used.client_id)
    throw new HttpError(400, 'The sign-in settings have changed. Sign in again.');
  const address = new URL(redirectUri(services));
  address.search = query.toString();
  try {
    return { row, claims: await client.complete({ address, state, ...secretsOf(services, state) }) };
  } catch (error) {
    throw asHttpError(error, services);
  }
}

// The stored provider with its sealed secret, and the client that communicates with it.
import type { Selectable } from 'kysely';
import { isOnValue } from '#platform/addons/addon.server.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { SignOnProvider } from '#platform/db/tables.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import { resealed, SealBroken, unseal } from '#platform/outside/sealed.server.ts';
import {
  isIssuer,
  openSignOn,
  type SignOnClient,
  SignOnError,
  type SignOnLogin,
} from '#platform/outside/sign-on.server.ts';
import { paths } from '#platform/shared/paths.ts';
import type { RoleRow } from './roles-of-claims.server.ts';

export const SEALED_FOR = 'sign-on';

export type ProviderRow = Selectable<SignOnProvider>;
export type Provider = { row: ProviderRow; login: SignOnLogin | null; problem: string };

export function providerOf({ config }: Services, row: ProviderRow): Provider {
  if (row.issuer === '') return { row, login: null, problem: '' };
  if (!isIssuer(row.issuer, config.reach))
    return { row, login: null, problem: 'The issuer address is not allowed on this server. Correct it.' };
  try {
    const clientSecret = unseal(config, SEALED_FOR, row.secret);
    const login = { issuer: row.issuer, clientId: row.client_id, clientSecret, scopes: row.scopes };
    return { row, login, problem: '' };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    const problem = 'The client secret was encrypted with another TOKEN_SECRET. Enter it again.';
    return { row, login: null, problem };
  }
}

/** Reseals a secret that was sealed under the other TOKEN_SECRET. Returns the number of resealed secrets. */
export async function resealProvider(db: Db, { config }: Pick<Services, 'config'>): Promise<number> {
  const { secret } = await db.selectFrom('sign_on_provider').select('secret').executeTakeFirstOrThrow();
  const resealedSecret = resealed(config, SEALED_FOR, secret);
  if (resealedSecret === null) return 0;
  await db.updateTable('sign_on_provider').set({ secret: resealedSecret }).where('secret', '=', secret).execute();
  return 1;
}

export async function readProvider(db: Db, services: Services): Promise<Provider> {
  return providerOf(services, await db.selectFrom('sign_on_provider').selectAll().executeTakeFirstOrThrow());
}

export async function readRows(db: Db): Promise<RoleRow[]> {
  const rows = await db.selectFrom('sign_on_role').selectAll().orderBy('position').execute();
  return rows.map(({ claim, value, roles }) => ({ claim, value, roles: knownRoles(roles) }));
}

/** Our address that is registered at the provider. The login page receives the answer there. */
export const redirectUri = ({ config }: Services): string => `${config.publicUrl}${paths.login}`;

type Kept = Parameters<typeof openSignOn>[1]['kept'];
const keptBy = new WeakMap<Services, { version: number; kept: Kept }>();

/** The client for these settings. The version detects changes by other servers. */
export function clientOf(services: Services, login: SignOnLogin, version: number): SignOnClient {
  let known = keptBy.get(services);
  if (known?.version !== version) keptBy.set(services, (known = { version, kept: new Map() }));
  return openSignOn(login, { reach: services.config.reach, kept: known.kept });
}

/** The provider at which users sign in. Throws a readable 409 if there is none. */
export async function openProvider(db: Db, services: Services): Promise<{ row: ProviderRow; client: SignOnClient }> {
  const { row, login } = await readProvider(db, services);
  if (row.issuer === '') throw new HttpError(409, 'Single sign-on is not set up. Sign in with your password.');
  if (!login) throw new HttpError(409, 'Single sign-on does not work right now. Contact your system administrator.');
  return { row, client: clientOf(services, login, row.version) };
}

/** Converts an error of the provider to an HTTP error. */
export function asHttpError(error: unknown, services: Services): unknown {
  if (!(error instanceof SignOnError)) return error;
  services.log.warn({ kind: error.kind, reason: error.message }, 'sign-in at the provider failed');
  return new HttpError(error.kind === 'down' ? 503 : 400, error.message);
}

/** What the login screen shows of the provider. Null if none is set up or the feature is switched off. */
export async function shownSignOn(db: Db): Promise<{ button: string; localOff: boolean } | null> {
  const row = await db
    .selectFrom('sign_on_provider')
    .select(['button', 'local_off as localOff'])
    .where('issuer', '!=', '')
    .where(isOnValue('single-sign-on'))
    .executeTakeFirst();
  return row ?? null;
}

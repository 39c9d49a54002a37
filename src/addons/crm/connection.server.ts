// Reads the CRM connection from the environment or from the settings, which store the secret sealed (docs/decisions/0038).
import type { Selectable } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { CrmConnection } from '#platform/db/tables.ts';
import { type Crm, type CrmLogin, type CrmOptions, openCrm, type Token } from '#platform/outside/crm.server.ts';
import { isCrmAddress } from '#platform/outside/crm-address.server.ts';
import { resealed, SealBroken, unseal } from '#platform/outside/sealed.server.ts';
import type { Mapping, MappingRow, Stages } from './mapping.ts';

export const SEALED_FOR = 'crm';
export const NOT_CONNECTED = 'No CRM is connected.';

export type ConnectionRow = Selectable<CrmConnection>;
export type Connection = {
  source: 'environment' | 'screen' | 'none';
  /** Null if no CRM is connected, or if the secret cannot be opened. */
  login: CrmLogin | null;
  /** The reason why a stored connection has no login. */
  problem: string;
  row: ConnectionRow;
};

export async function readConnection(db: Db, services: Services): Promise<Connection> {
  const row = await db.selectFrom('crm_connection').selectAll().executeTakeFirstOrThrow();
  return connectionOf(services, row);
}

export function connectionOf(services: Services, row: ConnectionRow): Connection {
  const { salesforce, reach } = services.config;
  if (salesforce) {
    const login: CrmLogin = { ...salesforce, method: 'ClientCredentials', apiVersion: row.api_version };
    return { source: 'environment', login, problem: '', row };
  }
  if (row.address === '') return { source: 'none', login: null, problem: '', row };
  const closed = (problem: string): Connection => ({ source: 'screen', login: null, problem, row });
  if (!isCrmAddress(row.address, reach))
    return closed('The CRM address is not allowed on this server. Correct it in Settings → Salesforce.');
  try {
    const secret = unseal(services.config, SEALED_FOR, row.secret);
    return { source: 'screen', login: loginOf(row, secret), problem: '', row };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return closed('The CRM secret was encrypted with another TOKEN_SECRET. Enter it again in Settings → Salesforce.');
  }
}

/** Reseals a secret that was sealed under the other TOKEN_SECRET. Returns the number of resealed secrets. */
export async function resealConnection(db: Db, { config }: Pick<Services, 'config'>): Promise<number> {
  const { secret } = await db.selectFrom('crm_connection').select('secret').executeTakeFirstOrThrow();
  const resealedSecret = resealed(config, SEALED_FOR, secret);
  if (resealedSecret === null) return 0;
  await db.updateTable('crm_connection').set({ secret: resealedSecret }).where('secret', '=', secret).execute();
  return 1;
}

export function loginOf(
  row: Pick<ConnectionRow, 'address' | 'api_version' | 'client_id' | 'user_name' | 'method'>,
  secret: string,
): CrmLogin {
  const common = { address: row.address, apiVersion: row.api_version, clientId: row.client_id };
  return row.method === 'JwtBearer'
    ? { ...common, method: 'JwtBearer', userName: row.user_name, privateKey: secret }
    : { ...common, method: 'ClientCredentials', clientSecret: secret };
}

/** Each server keeps its own access tokens. */
const tokens = new WeakMap<Services, Map<string, Token>>();

export function openConnection(
  services: Services,
  login: CrmLogin,
  options: Pick<CrmOptions, 'before' | 'onUsage' | 'signal' | 'timeoutMs'> = {},
): Crm {
  const ownTokens = tokens.get(services) ?? new Map<string, Token>();
  tokens.set(services, ownTokens);
  return openCrm(login, {
    ...options,
    tokens: ownTokens,
    now: () => services.clock.now(),
    reach: services.config.reach,
  });
}

/** Forgets the tokens after a change of the connection, so that nothing signs in with the old one. */
export function forgetTokens(services: Services): void {
  tokens.get(services)?.clear();
}

/** Forgets the records of a former org. After a change of org, all quotes are unpushed. */
export async function forgetFormerOrg(db: Db, { login, row }: Connection): Promise<void> {
  const address = login ? new URL(login.address).origin : '';
  if (address === '' || address === row.pushed_to) return;
  await db.updateTable('crm_connection').set({ pushed_to: address }).execute();
  if (row.pushed_to === '') return;
  await db
    .updateTable('crm_push')
    .set({ crm_id: '', pushed_key: '', pushed_at: null, stage_sent: '', stage_seen: '', choices: '[]', picked: '{}' })
    .execute();
}

export async function readMapping(db: Db): Promise<Mapping> {
  const rows = await db
    .selectFrom('crm_field')
    .select(['object', 'field', 'source', 'constant'])
    .orderBy('object')
    .orderBy('position')
    .execute();
  const stages = await db.selectFrom('crm_stage').selectAll().execute();
  return {
    rows: rows as MappingRow[],
    stages: Object.fromEntries(stages.map(({ status_id, stage }) => [status_id, stage])) as Stages,
  };
}

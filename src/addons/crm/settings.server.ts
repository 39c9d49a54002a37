// Answers the Crm calls about the connection and the mapping. They never return a secret.
import type { Context } from '#platform/api/serve.server.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { STATUS_LABELS, STATUSES } from '#core/quoting/quotes/status.ts';
import type { CrmField } from '#platform/outside/crm-field.ts';
import { type CrmLogin, privateKeyOf, fieldText } from '#platform/outside/crm.server.ts';
import { isCrmAddress } from '#platform/outside/crm-address.server.ts';
import { CrmError } from '#platform/outside/crm-error.server.ts';
import { seal } from '#platform/outside/sealed.server.ts';
import type { z } from 'zod';
import {
  type Connection,
  connectionOf,
  forgetFormerOrg,
  forgetTokens,
  loginOf,
  openConnection,
  readConnection,
  readMapping,
  SEALED_FOR,
} from './connection.server.ts';
import {
  type CrmConnection,
  type CrmConnectionInput,
  type CrmSettings,
  type MappingInput,
  METHODS,
} from './crm.contract.ts';
import { CRM_OBJECTS, type Mapping, problemsIn, sourceOf, wrongRows } from './mapping.ts';

type Writing = Pick<Context, 'db' | 'services'> & { user: { id: number; fullName: string } };
type ConnectionTyped = z.output<typeof CrmConnectionInput>;

const LABELS = {
  address: 'Address',
  apiVersion: 'API version',
  method: 'Sign-in method',
  clientId: 'Client ID',
  userName: 'User name',
  priceBook: 'Price book',
  customItem: 'Item number for custom items',
  keepCalls: 'API calls reserved for other apps (%)',
};
const RECORD = { type: 'crm', id: 1, name: 'Salesforce' } as const;
const FIELDS_RECORD = { type: 'crm', id: 2, name: 'Salesforce field mapping' } as const;
const EMPTY = { address: '', method: 'ClientCredentials', client_id: '', user_name: '', secret: '' } as const;
const UNPAUSED = { paused_until: null, pause: '', failures: 0 } as const;

export async function readSettings(db: Db, services: Services): Promise<CrmSettings> {
  const connection = await readConnection(db, services);
  const { row, source, problem } = connection;
  const { rows, stages } = await readMapping(db);
  return {
    source,
    problem,
    connection: shownConnection(connection),
    mapping: {
      version: row.mapping_version,
      rows,
      stages: STATUSES.map((statusId) => ({ statusId, stage: stages[statusId] })),
    },
    calls: row.calls_at === null ? null : { used: row.calls_used, limit: row.calls_limit, at: row.calls_at },
    pause: pauseOf(services, connection),
  };
}

export function pauseOf(services: Services, { row }: Connection): CrmSettings['pause'] {
  const isOver = row.paused_until === null || Date.parse(row.paused_until) <= services.clock.now().getTime();
  return isOver || row.paused_until === null ? null : { until: row.paused_until, why: row.pause };
}

function shownConnection({ source, login, row }: Connection): CrmConnection {
  const byEnvironment = source === 'environment' && login;
  return {
    version: row.version,
    address: byEnvironment ? login.address : row.address,
    apiVersion: row.api_version,
    method: byEnvironment
      ? 'ClientCredentials'
      : (METHODS.find((method) => method === row.method) ?? 'ClientCredentials'),
    clientId: byEnvironment ? login.clientId : row.client_id,
    userName: byEnvironment ? '' : row.user_name,
    hasSecret: source !== 'none',
    priceBook: row.price_book,
    customItem: row.custom_item,
    keepCalls: row.keep_calls,
  };
}

async function lockedConnection(db: Db, services: Services): Promise<Connection> {
  const row = await db.selectFrom('crm_connection').selectAll().forUpdate().executeTakeFirstOrThrow();
  return connectionOf(services, row);
}

/** Throws 422 for a forbidden address, an invalid key or a missing secret. Throws 409 if another user has changed the connection. */
export async function saveConnection({ db, services, user }: Writing, typed: ConnectionTyped): Promise<CrmSettings> {
  const connection = await lockedConnection(db, services);
  const before = shownConnection(connection);
  await requireFresh(db, 'crm', { id: 1, version: before.version }, typed.version, before);
  const common = {
    api_version: typed.apiVersion,
    price_book: typed.priceBook,
    custom_item: typed.customItem,
    keep_calls: typed.keepCalls,
    version: before.version + 1,
    ...UNPAUSED,
  };
  if (connection.source === 'environment') await db.updateTable('crm_connection').set(common).execute();
  else {
    const { secret } = loginTyped(services, connection, typed);
    await db
      .updateTable('crm_connection')
      .set({
        ...common,
        address: new URL(typed.address).origin,
        method: typed.method,
        client_id: typed.clientId,
        user_name: typed.method === 'JwtBearer' ? typed.userName : '',
        ...(typed.secret ? { secret: seal(services.config, SEALED_FOR, secret) } : {}),
      })
      .execute();
  }
  forgetTokens(services);
  await forgetFormerOrg(db, await readConnection(db, services));
  const saved = await readSettings(db, services);
  const changes = changesBetween(before, saved.connection, LABELS);
  const isNew = connection.source === 'none';
  const secretChange = typed.secret && !isNew ? [{ field: 'Secret', before: 'kept', after: 'replaced' }] : [];
  await recordChange(db, user, {
    ...RECORD,
    action: isNew ? 'Create' : 'Edit',
    version: common.version,
    changes: [...changes, ...secretChange],
  });
  return saved;
}

/** The typed values as a login. An empty secret means the stored one, which is never sent to another address. */
function loginTyped(
  services: Services,
  { login, row }: Connection,
  typed: ConnectionTyped,
): { login: CrmLogin; secret: string } {
  const errors: { path: string; message: string }[] = [];
  const say = (path: string, message: string) => errors.push({ path, message });
  if (!isCrmAddress(typed.address, services.config.reach))
    say('address', 'Enter an address such as https://company.my.salesforce.com, with https and without a path.');
  if (typed.method === 'JwtBearer' && !typed.userName) say('userName', 'This field is required');
  const storedSecret = login ? (login.method === 'JwtBearer' ? login.privateKey : login.clientSecret) : '';
  const staysThere =
    errors.length === 0 &&
    row.address === new URL(typed.address).origin &&
    row.method === typed.method &&
    storedSecret !== '';
  if (!typed.secret && !staysThere)
    say(
      'secret',
      storedSecret
        ? 'Enter the secret again. The stored one is not used for another address or sign-in method.'
        : 'This field is required',
    );
  const secret = typed.secret || storedSecret;
  if (typed.method === 'JwtBearer' && typed.secret) {
    try {
      privateKeyOf(secret);
    } catch (error) {
      say('secret', (error as Error).message);
    }
  }
  if (errors.length > 0) throw invalid(errors);
  const { apiVersion, clientId, userName, method } = typed;
  const asRow = {
    address: new URL(typed.address).origin,
    api_version: apiVersion,
    client_id: clientId,
    user_name: userName,
    method,
  };
  return { login: loginOf(asRow, secret), secret };
}

export async function disconnect({ db, services, user }: Writing, version: number): Promise<CrmSettings> {
  const { source, row } = await lockedConnection(db, services);
  await requireFresh(db, 'crm', { id: 1, version: row.version }, version);
  if (source === 'environment')
    throw new HttpError(
      409,
      'Salesforce is connected through environment variables. To disconnect it, remove SALESFORCE_URL on the server.',
    );
  if (source === 'none') throw new HttpError(409, 'No CRM is connected.');
  const next = row.version + 1;
  await db
    .updateTable('crm_connection')
    .set({ ...EMPTY, ...UNPAUSED, version: next })
    .execute();
  forgetTokens(services);
  await recordChange(db, user, { ...RECORD, action: 'Remove', version: next });
  return readSettings(db, services);
}

export async function saveMapping(
  { db, services, user }: Writing,
  { version, rows, stages }: z.output<typeof MappingInput>,
): Promise<CrmSettings> {
  const { row } = await lockedConnection(db, services);
  const before = await readMapping(db);
  const { mapping } = await readSettings(db, services);
  await requireFresh(db, 'crm', { id: 2, version: mapping.version }, version, mapping);
  const wrong = wrongRows(rows);
  if (wrong.length > 0)
    throw invalid(
      wrong.map(({ index, path, problem }) => ({
        path: index < 0 ? 'rows' : `rows.${index}.${path}`,
        message: problem,
      })),
    );
  const stageByStatus = new Map(stages.map(({ statusId, stage }) => [statusId, stage]));
  const without = STATUSES.filter((status) => !stageByStatus.has(status));
  if (without.length > 0)
    throw invalid([{ path: 'stages', message: `Enter a stage for ${STATUS_LABELS[without[0] ?? 'Won']}.` }]);
  await db.deleteFrom('crm_field').execute();
  await db
    .insertInto('crm_field')
    .values(
      rows.map(({ object, field, source, constant }, position) => ({
        object,
        field,
        source,
        constant: source === '' ? constant : '',
        position,
      })),
    )
    .execute();
  for (const [status_id, stage] of stageByStatus)
    await db.updateTable('crm_stage').set({ stage }).where('status_id', '=', status_id).execute();
  const next = row.mapping_version + 1;
  await db.updateTable('crm_connection').set({ mapping_version: next }).execute();
  const [was, is] = [mappingWords(before), mappingWords(await readMapping(db))];
  const fields = [...new Set([...was.keys(), ...is.keys()])];
  await recordChange(db, user, {
    ...FIELDS_RECORD,
    action: 'Edit',
    version: next,
    changes: fields
      .map((field) => ({ field, before: was.get(field) ?? '', after: is.get(field) ?? '' }))
      .filter((change) => change.before !== change.after),
  });
  return readSettings(db, services);
}

/** Each row of a mapping in words. */
function mappingWords({ rows, stages }: Mapping): Map<string, string> {
  return new Map([
    ...rows.map(({ object, field, source, constant }): [string, string] => [
      `${object}.${field}`,
      sourceOf(object, source)?.label ?? `“${constant}”`,
    ]),
    ...STATUSES.map((status): [string, string] => [`Stage for ${STATUS_LABELS[status]}`, stages[status]]),
  ]);
}

/** Signs in with the typed values and reads the org's fields. */
export async function testConnection({ db, services }: Pick<Context, 'db' | 'services'>, typed: ConnectionTyped) {
  const connection = await readConnection(db, services);
  const login =
    connection.source === 'environment' && connection.login
      ? { ...connection.login, apiVersion: typed.apiVersion }
      : loginTyped(services, connection, typed).login;
  const crm = openConnection(services, login);
  try {
    const [org] = await crm.query('select Name, IsSandbox from Organization');
    const described: Record<string, CrmField[]> = {};
    for (const object of [...CRM_OBJECTS, 'Product2']) described[object] = await crm.describe(object);
    const problems = problemsIn(await readMapping(db), described);
    const name = `${fieldText(org, 'Name') || 'an org'}${org?.['IsSandbox'] === true ? ' (sandbox)' : ''}`;
    return { ok: true, sentence: `Connected to ${name}.`, problems };
  } catch (error) {
    if (!(error instanceof CrmError)) throw error;
    return { ok: false, sentence: error.message, problems: [] };
  }
}

/** Ends a pause. Pushes that wait for their own next try also become due. */
export async function resume({ db, services }: Pick<Context, 'db' | 'services'>): Promise<CrmSettings> {
  await db
    .updateTable('crm_connection')
    // The next call to the CRM refreshes the count of calls.
    .set({ ...UNPAUSED, calls_at: null })
    .execute();
  await db
    .updateTable('crm_push')
    .set({ next_at: new Date(0) })
    .where('state', '=', 'Waiting')
    .execute();
  return readSettings(db, services);
}

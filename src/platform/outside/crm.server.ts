// Makes the Salesforce REST calls that pushes need, signed in by client credentials or JWT bearer (docs/decisions/0038).
import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import { SignJWT } from 'jose';
import { isCrmAddress } from './crm-address.server.ts';
import { type CrmChoice, CrmError, type CrmFault, errorOfFaults } from './crm-error.server.ts';
import type { CrmField } from './crm-field.ts';
import { guardedFetch } from './guarded-fetch.server.ts';
import { AddressRefused, type Reach } from './reachable-address.server.ts';

export type CrmLogin = {
  /** The address of the org: 'https://company.my.salesforce.com'. */
  address: string;
  apiVersion: string;
  clientId: string;
} & (
  | { method: 'ClientCredentials'; clientSecret: string }
  | { method: 'JwtBearer'; userName: string; privateKey: string }
);

export type CrmRecord = Record<string, unknown>;
export type Crm = {
  /** Reads all rows of a query, over all its pages. */
  query: (soql: string) => Promise<CrmRecord[]>;
  describe: (object: string) => Promise<CrmField[]>;
  /** Creates or changes the record with this value in its external id field. */
  upsert: (object: string, keyField: string, key: string, record: CrmRecord) => Promise<{ id: string | null }>;
  create: (object: string, record: CrmRecord) => Promise<{ id: string }>;
  update: (object: string, id: string, record: CrmRecord) => Promise<void>;
  /** Saves chunks of 200, each completely or not at all. Records with a `keyField` are created or changed by that field. */
  upsertMany: (object: string, keyField: string, records: CrmRecord[]) => Promise<void>;
  /** Deletes records. A record that no longer exists is treated as deleted. */
  deleteMany: (ids: string[]) => Promise<void>;
};

export type CrmOptions = {
  now: () => Date;
  reach: Reach;
  /** The time limit of each call. */
  timeoutMs?: number;
  /** Ends all calls, even those already sent. */
  signal?: AbortSignal | undefined;
  /** Runs before each call and throws to stop it. */
  before?: () => Promise<void>;
  /** Called with the number of the day's calls that are used. */
  onUsage?: (used: number, limit: number) => void;
  /** Caches access tokens between pushes. */
  tokens?: Map<string, Token>;
};

export type Token = { accessToken: string; instance: string };

const TIMEOUT_MS = 15_000;
const MAX_IN_ONE_CALL = 200;
/** How long an assertion is valid. Salesforce refuses more than five minutes. */
const JWT_SECONDS = 180;

/** Returns the text of a field: 'ProductCode', or 'Product2.Code__c' of a nested record; '' if the field is missing. */
export function fieldText(record: CrmRecord | undefined, field: string): string {
  const [first = '', second] = field.split('.');
  const value = second === undefined ? record?.[first] : ((record?.[first] ?? {}) as CrmRecord)[second];
  return typeof value === 'string' ? value : '';
}

/** Escapes a value for a SOQL text between apostrophes. */
export function soqlText(value: string): string {
  const escaped = value
    .replace(/[\\'"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t');
  return `'${escaped}'`;
}

/** Opens a connection. It signs in at its first call. */
export function openCrm(login: CrmLogin, options: CrmOptions): Crm {
  const address = login.address.replace(/\/$/, '');
  const data = `/services/data/v${login.apiVersion}`;
  const get = guardedFetch(options.reach);
  const tokens = options.tokens ?? new Map<string, Token>();
  const tokenKey = JSON.stringify(login);

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    await options.before?.();
    const timeout = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    return get(url, { ...init, signal, redirect: 'manual' }).catch((error: unknown) => {
      if (error instanceof AddressRefused) throw new CrmError('auth', error.message, { cause: error });
      throw signal.aborted
        ? new CrmError('stuck', 'Salesforce did not answer in time.', { cause: error })
        : new CrmError('down', 'Salesforce cannot be reached.', { cause: error });
    });
  };

  const signIn = async (): Promise<Token> => {
    const response = await send(`${address}/services/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(await grantOf(login, options.now())).toString(),
    });
    const answer = await bodyOf(response);
    if (!response.ok) throw refusedSignIn(response.status, answer);
    const { access_token: accessToken, instance_url: instance } = (answer ?? {}) as Record<string, unknown>;
    if (typeof accessToken !== 'string' || typeof instance !== 'string')
      throw new CrmError('stuck', 'Salesforce sent an unreadable response to the sign-in.');
    if (!isInstance(instance, address, options.reach))
      throw new CrmError(
        'auth',
        'The sign-in returned an address that does not belong to Salesforce. Check the address of the org.',
      );
    const token = { accessToken, instance: instance.replace(/\/$/, '') };
    tokens.set(tokenKey, token);
    return token;
  };

  /** Makes a call, and signs in again if the token has expired. */
  const call = async (path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> => {
    const ask = ({ accessToken, instance }: Token) =>
      send(`${instance}${path}`, {
        ...init,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${accessToken}`,
          ...(init.body ? { 'content-type': 'application/json' } : {}),
        },
      });
    let response = await ask(tokens.get(tokenKey) ?? (await signIn()));
    if (response.status === 401) {
      await response.body?.cancel();
      tokens.delete(tokenKey);
      response = await ask(await signIn());
    }
    const used = /api-usage=(\d+)\/(\d+)/.exec(response.headers.get('sforce-limit-info') ?? '');
    if (used) options.onUsage?.(Number(used[1]), Number(used[2]));
    const body = await bodyOf(response);
    if (response.status === 401)
      throw new CrmError(
        'auth',
        'Salesforce rejected the new access token. Check the permissions of the connected app.',
      );
    if (response.status === 300) throw severalMatch(path, body);
    if (!response.ok) throw answerRefused(response.status, body);
    return { status: response.status, body };
  };
  const json = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });
  const chunks = <T>(all: T[]) =>
    Array.from({ length: Math.ceil(all.length / MAX_IN_ONE_CALL) }, (_, at) =>
      all.slice(at * MAX_IN_ONE_CALL, (at + 1) * MAX_IN_ONE_CALL),
    );

  return {
    query: async (soql) => {
      const records: CrmRecord[] = [];
      let next: string | undefined = `${data}/query?q=${encodeURIComponent(soql)}`;
      while (next) {
        const { body } = await call(next);
        const page = body as { records?: CrmRecord[]; nextRecordsUrl?: unknown };
        if (!Array.isArray(page?.records)) throw unreadable();
        records.push(...page.records);
        next =
          typeof page.nextRecordsUrl === 'string' && page.nextRecordsUrl.startsWith('/services/')
            ? page.nextRecordsUrl
            : undefined;
      }
      return records;
    },
    describe: async (object) => {
      const { body } = await call(`${data}/sobjects/${object}/describe`);
      const { fields } = (body ?? {}) as { fields?: CrmField[] };
      if (!Array.isArray(fields)) throw unreadable();
      return fields;
    },
    upsert: async (object, keyField, key, record) => {
      const path = `${data}/sobjects/${object}/${keyField}/${encodeURIComponent(key)}`;
      const { body } = await call(path, json('PATCH', record));
      // An old version of the API answers a change with an empty body.
      return { id: ((body ?? {}) as { id?: string }).id ?? null };
    },
    create: async (object, record) => {
      const { body } = await call(`${data}/sobjects/${object}`, json('POST', record));
      const { id } = (body ?? {}) as { id?: unknown };
      if (typeof id !== 'string') throw unreadable();
      return { id };
    },
    update: async (object, id, record) => {
      await call(`${data}/sobjects/${object}/${encodeURIComponent(id)}`, json('PATCH', record));
    },
    upsertMany: async (object, keyField, records) => {
      for (const chunk of chunks(records)) {
        const { body } = await call(
          `${data}/composite/sobjects/${object}/${keyField}`,
          json('PATCH', {
            allOrNone: true,
            records: chunk.map((entry) => ({ attributes: { type: object }, ...entry })),
          }),
        );
        requireAll(body, []);
      }
    },
    deleteMany: async (ids) => {
      for (const chunk of chunks(ids)) {
        const query = new URLSearchParams({ ids: chunk.join(','), allOrNone: 'false' });
        const { body } = await call(`${data}/composite/sobjects?${query}`, { method: 'DELETE' });
        requireAll(body, ['ENTITY_IS_DELETED', 'INVALID_CROSS_REFERENCE_KEY', 'NOT_FOUND']);
      }
    },
  };
}

async function grantOf(login: CrmLogin, now: Date): Promise<Record<string, string>> {
  if (login.method === 'ClientCredentials')
    return { grant_type: 'client_credentials', client_id: login.clientId, client_secret: login.clientSecret };
  const key = privateKeyOf(login.privateKey);
  const seconds = Math.floor(now.getTime() / 1000);
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(login.clientId)
    .setSubject(login.userName)
    .setAudience(audienceOf(login.address))
    .setExpirationTime(seconds + JWT_SECONDS)
    .sign(key);
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
}

/** Parses an RSA key in PEM form. Throws `auth` for any other text. */
export function privateKeyOf(pem: string) {
  const refuse = () =>
    new CrmError('auth', 'The private key cannot be read. Enter an RSA key in PEM format without a password.');
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'rsa') throw refuse();
    return key;
  } catch {
    // The cause is dropped, because it may contain the key.
    throw refuse();
  }
}

/**
 * Returns the audience of the assertion. The login servers have fixed names, whatever the address of the org is. A local substitute for them has its
 * own origin.
 */
function audienceOf(address: string): string {
  const { hostname, origin } = new URL(address);
  if (isIP(hostname) > 0) return origin;
  return /(^|\.)(test|sandbox\.my)\.salesforce\.com$/.test(hostname)
    ? 'https://test.salesforce.com'
    : 'https://login.salesforce.com';
}

function isInstance(instance: string, address: string, reach: Reach): boolean {
  if (!isCrmAddress(instance, reach)) return false;
  const { hostname } = new URL(instance);
  return hostname === new URL(address).hostname || /\.(salesforce|force)\.com$/.test(hostname);
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw new CrmError('stuck', 'Salesforce ended its response early.', { cause: error });
  });
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // A proxy in between may answer with an HTML page. The status is enough then.
    if (!response.ok) return null;
    throw new CrmError('stuck', 'Salesforce sent an unreadable response.', { cause: error });
  }
}

const unreadable = () => new CrmError('stuck', 'Salesforce sent an unreadable response.');

function refusedSignIn(status: number, body: unknown): CrmError {
  if (status === 429 || status >= 500) return errorOfFaults([], [], status);
  const { error, error_description } = (body ?? {}) as Record<string, unknown>;
  const reason = [error, error_description].filter((candidate) => typeof candidate === 'string').join(': ');
  const faults = reason ? [{ code: String(error), message: reason, fields: [] }] : [];
  return new CrmError('auth', `Salesforce rejected the sign-in${reason ? ` (${reason})` : ''}.`, { faults });
}

type ApiError = {
  errorCode?: string;
  statusCode?: string;
  message?: string;
  fields?: string[] | null;
  duplicateResult?: { matchResults?: { entityType?: string; matchRecords?: { record?: CrmRecord }[] }[] };
};

function faultsOf(reported: ApiError[]): CrmFault[] {
  return reported.map((entry) => ({
    code: entry.errorCode ?? entry.statusCode ?? '',
    message: entry.message ?? '',
    fields: Array.isArray(entry.fields) ? entry.fields.map(String) : [],
  }));
}

function answerRefused(status: number, body: unknown): CrmError {
  const reported = (Array.isArray(body) ? body : []) as ApiError[];
  return errorOfFaults(faultsOf(reported), reported.flatMap(matchesOf), status);
}

/** Returns the records that Salesforce's duplicate rules found. */
function matchesOf({ duplicateResult }: ApiError): CrmChoice[] {
  return (duplicateResult?.matchResults ?? []).flatMap(({ entityType, matchRecords = [] }) =>
    matchRecords.flatMap(({ record }) => {
      const { type } = (record?.['attributes'] ?? {}) as { type?: string };
      const id = record?.['Id'];
      if (typeof id !== 'string') return [];
      const text = (field: string) => (typeof record?.[field] === 'string' ? record[field] : '');
      return [{ object: type ?? entityType ?? '', id, name: text('Name'), hint: text('Email') }];
    }),
  );
}

/** Returns the error for status 300: the external id is not unique in the org. */
function severalMatch(path: string, body: unknown): CrmError {
  const [, object = ''] = /\/sobjects\/(\w+)\//.exec(path) ?? [];
  const urls = (Array.isArray(body) ? body : []).map(String);
  const choices = urls.map((url) => ({ object, id: url.split('/').at(-1) ?? '', name: '', hint: '' }));
  return new CrmError('choose', `Salesforce has several ${object} records with this number.`, { choices });
}

/** Throws the error that the CRM reports for the records of a call. Codes in `fine` are not failures. */
function requireAll(body: unknown, fine: string[]): void {
  if (!Array.isArray(body)) throw unreadable();
  const failed = (body as { success?: boolean; errors?: ApiError[] }[]).filter(({ success }) => success !== true);
  const reported = failed.flatMap(({ errors }) => errors ?? []);
  const faults = faultsOf(reported).filter(({ code }) => !fine.includes(code));
  if (faults.length > 0) throw errorOfFaults(faults, reported.flatMap(matchesOf));
  if (reported.length === 0 && failed.length > 0) throw unreadable();
}

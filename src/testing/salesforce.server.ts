// A server on loopback that speaks the part of Salesforce's REST that quote pushes need, enforces its rules, and fails on command.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { decodeJwt, jwtVerify } from 'jose';
import { SALESFORCE_FIELDS } from './salesforce-fields.ts';

export type Row = { Id: string } & Record<string, unknown>;
type Body = Record<string, unknown>;
type ApiError = { errorCode: string; message: string; fields?: string[] } & Record<string, unknown>;
type Answer = { status: number; body?: unknown };

/** How a call fails: with a status, with one of Salesforce's codes, or in transit. */
export type SalesforceFault =
  | 401
  | 429
  | 500
  | 502
  | 503
  | 'UNABLE_TO_LOCK_ROW'
  | 'DUPLICATE_VALUE'
  | 'REQUEST_LIMIT_EXCEEDED'
  | 'REQUIRED_FIELD_MISSING'
  | 'hang'
  | 'late'
  | 'drop before'
  | 'drop after'
  | 'no JSON';

export type TestSalesforce = {
  address: string;
  clientId: string;
  clientSecret: string;
  /** The user name for JWT bearer. */
  userName: string;
  privateKey: string;
  /** The stored records of an object. */
  rows: (object: string) => Row[];
  add: (object: string, record: Body) => Row;
  remove: (id: string) => void;
  /** The calls it received: method and path without the version. */
  calls: string[];
  /** Makes the next calls with a matching method and path fail, one per fault. */
  fail: (which: RegExp, ...faults: SalesforceFault[]) => void;
  /** Makes every call fail until `down(null)`. */
  down: (fault: SalesforceFault | null) => void;
  /** Makes a duplicate rule find these records for every new record of an object. */
  duplicatesOf: (object: string, rows: Row[]) => void;
  /** Revokes all issued tokens. */
  endTokens: () => void;
  usage: { used: number; limit: number };
  /** Adds a new secret. Old secrets keep working unless `endOld` ends them. */
  rotate: (secret: string, endOld?: boolean) => void;
  /** Adds a second connected app with its own key. `end` removes the first app. */
  secondApp: () => { clientId: string; privateKey: string; end: () => void };
  close: () => Promise<void>;
};

const VERSION = /^\/services\/data\/v\d+\.\d/;
const LATE_MS = 600;

/** Starts it on a free port, or on `port`. `makesUp` creates missing accounts and products on request, as a demo needs. */
export async function startSalesforce(options: { port?: number; makesUp?: boolean } = {}): Promise<TestSalesforce> {
  const tables = new Map<string, Row[]>(Object.keys(SALESFORCE_FIELDS).map((object) => [object, []]));
  const faults: { which: RegExp; fault: SalesforceFault }[] = [];
  const duplicates = new Map<string, Row[]>();
  const tokens = new Set<string>();
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secrets = new Set(['demo-secret']);
  const apps = new Map([['demo-client', keys.publicKey]]);
  let down: SalesforceFault | null = null;
  let lastId = 0;
  let lastToken = 0;

  const rowsOf = (object: string) => tables.get(object) ?? [];
  const add = (object: string, record: Body): Row => {
    const row: Row = { ...record, Id: `${object.slice(0, 3)}${String(++lastId).padStart(12, '0')}AAA` };
    if (object === 'Contact') row['Name'] = [record['FirstName'], record['LastName']].filter(Boolean).join(' ');
    rowsOf(object).push(row);
    return row;
  };
  const remove = (id: string) => {
    for (const [object, rows] of tables)
      tables.set(
        object,
        rows.filter((row) => row.Id !== id && row['OpportunityId'] !== id),
      );
  };
  add('Organization', { Name: 'Loopback Org', IsSandbox: true });
  const standard = add('Pricebook2', { Name: 'Standard Price Book', IsStandard: true });

  /** The errors of a record in Salesforce's words. */
  const wrong = (object: string, record: Body, before?: Row): ApiError[] => {
    const fields = SALESFORCE_FIELDS[object] ?? [];
    const errors: ApiError[] = [];
    for (const [name, value] of Object.entries(record)) {
      const field = fields.find((candidate) => candidate.name === name);
      if (!field)
        errors.push({ errorCode: 'INVALID_FIELD', message: `No such column '${name}' on sobject of type ${object}` });
      else if (before ? !field.updateable : !field.createable)
        errors.push({
          errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE',
          message: `Unable to create/update fields: ${name}`,
          fields: [name],
        });
      else if (typeof value === 'string' && field.length > 0 && value.length > field.length)
        errors.push({
          errorCode: 'STRING_TOO_LONG',
          message: `${name}: data value too large (max length=${field.length})`,
          fields: [name],
        });
      else if (field.restrictedPicklist && !field.picklistValues.some((picklistValue) => picklistValue.value === value))
        errors.push({
          errorCode: 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
          message: `bad value for restricted picklist field: ${String(value)}`,
          fields: [name],
        });
    }
    const missing = fields.filter(
      (field) => !field.nillable && field.createable && !field.defaultedOnCreate && !record[field.name],
    );
    if (!before && missing.length > 0) {
      const names = missing.map(({ name }) => name);
      const message = `Required fields are missing: [${names.join(', ')}]`;
      errors.push({ errorCode: 'REQUIRED_FIELD_MISSING', message, fields: names });
    }
    if (object === 'OpportunityLineItem' && 'UnitPrice' in record && 'TotalPrice' in record)
      errors.push({ errorCode: 'FIELD_INTEGRITY_EXCEPTION', message: 'Specify either UnitPrice or TotalPrice' });
    return errors;
  };

  const write = (object: string, record: Body, before?: Row): { row: Row } | { errors: ApiError[] } => {
    const errors = wrong(object, record, before);
    if (errors.length > 0) return { errors };
    const similar = duplicates.get(object);
    if (!before && similar) {
      const matchRecords = similar.map((row) => ({ record: { attributes: { type: object }, ...row } }));
      const duplicateResult = { allowSave: true, matchResults: [{ entityType: object, matchRecords }] };
      const message = 'Use one of these records?';
      return { errors: [{ errorCode: 'DUPLICATES_DETECTED', message, fields: [], duplicateResult }] };
    }
    const hasLines = before && rowsOf('OpportunityLineItem').some((line) => line['OpportunityId'] === before.Id);
    const { Amount, ...rest } = record;
    const stored = hasLines || Amount === undefined ? rest : record;
    const row = before ? Object.assign(before, stored) : add(object, record);
    if (object === 'OpportunityLineItem') {
      if (row['TotalPrice'] === undefined) row['TotalPrice'] = Number(row['UnitPrice']) * Number(row['Quantity']);
      sumUp(row['OpportunityId']);
    }
    return { row };
  };
  const sumUp = (opportunityId: unknown) => {
    const opportunity = rowsOf('Opportunity').find(({ Id }) => Id === opportunityId);
    const lines = rowsOf('OpportunityLineItem').filter((line) => line['OpportunityId'] === opportunityId);
    const sum = lines.reduce((total, line) => total + Number(line['TotalPrice']), 0);
    if (opportunity) opportunity['Amount'] = Number(sum.toFixed(2));
  };

  const query = (soql: string): Row[] => {
    const parsed = /^select (.+) from (\w+)(?: where (.+?))?(?: limit (\d+))?$/i.exec(soql);
    if (!parsed) throw new Error(`no query: ${soql}`);
    const [, , object = '', where = '', limit] = parsed;
    const conditions = conditionsOf(where);
    const matches = () =>
      rowsOf(object).filter((row) => conditions.every(({ field, values }) => values.has(row[field])));
    if (options.makesUp) makeUp(object, conditions, matches());
    return matches().slice(0, limit ? Number(limit) : undefined);
  };
  const makeUp = (object: string, conditions: { field: string; values: Set<unknown> }[], results: Row[]) => {
    if (object !== 'Account' && object !== 'PricebookEntry') return;
    const key = conditions.at(-1);
    for (const value of key?.values ?? []) {
      if (!key || results.some((row) => row[key.field] === value)) continue;
      const fixed = Object.fromEntries(conditions.slice(0, -1).map(({ field, values }) => [field, [...values][0]]));
      add(object, { ...fixed, Name: `Account ${String(value)}`, [key.field]: value });
    }
  };

  const handle = (method: string, path: string, search: URLSearchParams, body: Body): Answer => {
    const parts = path.split('/').slice(1).map(decodeURIComponent);
    if (parts[0] === 'query') {
      const records = query(search.get('q') ?? '');
      return { status: 200, body: { totalSize: records.length, done: true, records } };
    }
    if (parts[0] === 'composite' && method === 'DELETE') {
      const ids = (search.get('ids') ?? '').split(',');
      const lines = rowsOf('OpportunityLineItem').filter(({ Id }) => ids.includes(Id));
      for (const id of ids) remove(id);
      for (const line of lines) sumUp(line['OpportunityId']);
      return { status: 200, body: ids.map((id) => ({ id, success: true, errors: [] })) };
    }
    if (parts[0] === 'composite') return upsertMany(parts[2] ?? '', parts[3] ?? '', body['records'] as Body[]);
    const [, object = '', third = '', key = ''] = parts;
    if (!tables.has(object))
      return { status: 404, body: [{ errorCode: 'NOT_FOUND', message: 'The requested resource does not exist' }] };
    if (third === 'describe') return { status: 200, body: { name: object, fields: SALESFORCE_FIELDS[object] } };
    if (method === 'POST') return written(write(object, body), 201);
    if (key === '') {
      const row = rowsOf(object).find(({ Id }) => Id === third);
      if (!row)
        return {
          status: 404,
          body: [{ errorCode: 'NOT_FOUND', message: 'Provided external ID field does not exist' }],
        };
      const done = write(object, body, row);
      return 'errors' in done ? { status: 400, body: done.errors } : { status: 204 };
    }
    const matches = rowsOf(object).filter((row) => row[third] === key);
    if (matches.length > 1)
      return { status: 300, body: matches.map(({ Id }) => `/services/data/v62.0/sobjects/${object}/${Id}`) };
    const [before] = matches;
    const record = before ? body : { ...body, [third]: key };
    return written(write(object, record, before), before ? 200 : 201);
  };
  const upsertMany = (object: string, keyField: string, records: Body[]): Answer => {
    if (records.length > 200)
      return { status: 400, body: [{ errorCode: 'EXCEEDED_ID_LIMIT', message: 'record limit reached.' }] };
    const lines = records.map(({ attributes: _type, ...record }) => ({
      record,
      before: rowsOf(object).find((row) => row[keyField] === record[keyField]),
    }));
    const errors = lines.map(({ record, before }) => wrong(object, record, before));
    if (errors.some((error) => error.length > 0)) {
      const back = [{ statusCode: 'ALL_OR_NONE_OPERATION_ROLLED_BACK', message: 'Record rolled back', fields: [] }];
      const reports = errors.map((error) =>
        error.map(({ errorCode, ...rest }) => ({ statusCode: errorCode, fields: [], ...rest })),
      );
      return {
        status: 200,
        body: reports.map((report) => ({ success: false, errors: report.length > 0 ? report : back })),
      };
    }
    const done = lines.map(({ record, before }) => write(object, record, before));
    return {
      status: 200,
      body: done.map((entry) =>
        'row' in entry ? { id: entry.row.Id, success: true, errors: [] } : { success: false },
      ),
    };
  };
  const written = (done: ReturnType<typeof write>, status: number): Answer =>
    'errors' in done
      ? { status: 400, body: done.errors }
      : { status, body: { id: done.row.Id, success: true, errors: [], created: status === 201 } };

  const signIn = async (form: URLSearchParams): Promise<Answer> => {
    const refuse = (error: string, error_description: string) => ({ status: 400, body: { error, error_description } });
    if (form.get('grant_type') === 'client_credentials') {
      if (form.get('client_id') !== salesforce.clientId)
        return refuse('invalid_client_id', 'client identifier invalid');
      if (!secrets.has(form.get('client_secret') ?? '')) return refuse('invalid_client', 'invalid client credentials');
    } else {
      const assertion = form.get('assertion') ?? '';
      const { iss: issuer = '' } = decodeJwt(assertion);
      const { payload } = await jwtVerify(assertion, apps.get(issuer) ?? new Uint8Array(32), {
        issuer,
        subject: salesforce.userName,
        audience: salesforce.address,
      }).catch(() => ({ payload: null }));
      if (!payload) return refuse('invalid_grant', 'invalid assertion');
      if ((payload.exp ?? 0) - Date.now() / 1000 > 300) return refuse('invalid_grant', 'assertion lives too long');
    }
    const token = `00D!token-${++lastToken}`;
    tokens.add(token);
    return { status: 200, body: { access_token: token, instance_url: salesforce.address, token_type: 'Bearer' } };
  };

  const faultOf = (call: string): SalesforceFault | null => {
    const at = faults.findIndex(({ which }) => which.test(call));
    return at < 0 ? down : (faults.splice(at, 1)[0]?.fault ?? null);
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const sent = await text(request);
    const path = url.pathname.replace(VERSION, '');
    if (request.method === 'GET' && !VERSION.test(url.pathname)) return page(response, rowsOf, url.pathname);
    const called = `${request.method} ${path}`;
    salesforce.calls.push(called);
    const answer = ({ status, body }: Answer) => {
      const { used, limit } = salesforce.usage;
      const headers = { 'content-type': 'application/json', 'sforce-limit-info': `api-usage=${used}/${limit}` };
      response.writeHead(status, headers).end(body === undefined ? '' : JSON.stringify(body));
    };
    const fault = faultOf(called);
    if (fault === 'hang') return;
    if (fault === 'drop before') return void request.socket.destroy();
    if (fault === 'no JSON') return void response.writeHead(200).end('<html>');
    if (typeof fault === 'number' && fault !== 401)
      return void response.writeHead(fault).end('<html>Service Unavailable</html>');
    if (fault === 401)
      return answer({ status: 401, body: [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired' }] });
    if (fault === 'REQUEST_LIMIT_EXCEEDED')
      return answer({ status: 403, body: [{ errorCode: fault, message: 'TotalRequests Limit exceeded.' }] });
    if (fault && /^[A-Z_]+$/.test(fault))
      return answer({ status: 400, body: [{ errorCode: fault, message: `It says ${fault}`, fields: ['Name'] }] });
    if (path === '/services/oauth2/token') return answer(await signIn(new URLSearchParams(sent)));
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', '')))
      return answer({
        status: 401,
        body: [{ errorCode: 'INVALID_SESSION_ID', message: 'Session expired or invalid' }],
      });
    salesforce.usage.used++;
    // Takes time, as Salesforce does, so that two simultaneous calls overlap.
    await setTimeout(5);
    if (fault === 'late') await setTimeout(LATE_MS);
    const done = handle(request.method ?? '', path, url.searchParams, sent ? (JSON.parse(sent) as Body) : {});
    if (fault === 'drop after') return void request.socket.destroy();
    answer(done);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.writeHead(500).end(JSON.stringify(error.message)));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const salesforce: TestSalesforce = {
    address: `http://127.0.0.1:${port}`,
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
    userName: 'quotes@example.com',
    privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    rows: rowsOf,
    add: (object, record) =>
      add(object, object === 'PricebookEntry' ? { Pricebook2Id: standard.Id, IsActive: true, ...record } : record),
    remove,
    calls: [],
    fail: (which, ...next) => void faults.push(...next.map((fault) => ({ which, fault }))),
    down: (fault) => void (down = fault),
    duplicatesOf: (object, rows) => void (rows.length > 0 ? duplicates.set(object, rows) : duplicates.delete(object)),
    endTokens: () => tokens.clear(),
    usage: { used: 0, limit: 15_000 },
    secondApp: () => {
      const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
      apps.set('second-client', pair.publicKey);
      const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
      return { clientId: 'second-client', privateKey, end: () => void apps.delete('demo-client') };
    },
    rotate: (secret, endOld = false) => {
      if (endOld) secrets.clear();
      secrets.add(secret);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return salesforce;
}

/** Parses conditions such as `A = 'x' and B in ('y', 'z') and C = true`. */
function conditionsOf(where: string): { field: string; values: Set<unknown> }[] {
  const first = /([\w.]+) (?:= |in \()((?:'(?:\\.|[^'\\])*'|true|false|, )+)\)?/g;
  return [...where.matchAll(first)].map(([, field = '', list = '']) => ({
    field,
    values: new Set(
      [...list.matchAll(/'((?:\\.|[^'\\])*)'|(true|false)/g)].map(([, quoted, word]) =>
        word === undefined ? (quoted ?? '').replace(/\\(.)/g, '$1') : word === 'true',
      ),
    ),
  }));
}

/** Shows the result of a push as a page: one opportunity at `/lightning/r/Opportunity/<id>/view`, otherwise all of them. */
function page(response: ServerResponse, rowsOf: (object: string) => Row[], path: string): void {
  const escaped = (value: unknown) =>
    (typeof value === 'string' ? value : JSON.stringify(value ?? '')).replace(
      /[&<>"]/g,
      (sign) => `&#${sign.charCodeAt(0)};`,
    );
  const table = (rows: Row[]) =>
    `<table border="1" cellpadding="6">${rows
      .flatMap((row) => Object.entries(row))
      .map(([name, value]) => `<tr><th align="left">${escaped(name)}</th><td>${escaped(value)}</td></tr>`)
      .join('')}</table>`;
  const [, , , , id] = path.split('/');
  const visible = ['Opportunity', 'Contact'].flatMap((object) => rowsOf(object)).filter((row) => !id || row.Id === id);
  const parts = visible.map((row) => {
    const lines = rowsOf('OpportunityLineItem').filter((line) => line['OpportunityId'] === row.Id);
    return `<h2>${escaped(row['Name'])}</h2>${table([row])}${lines.map((line) => `<h3>Line</h3>${table([line])}`).join('')}`;
  });
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>Loopback Salesforce</title><h1>Loopback Salesforce</h1>${parts.join('') || '<p>Nothing was pushed yet.</p>'}</html>`,
  );
}

// Every call, as every role, with bad input: it is answered or refused with a sentence, and reveals nothing internal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#api/endpoint.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { ROLES, type Role } from '#shared/roles.ts';
import { exampleInput } from '#testing/example-input.ts';
import { anItem, aPromotion, aQuoteTemplate } from '#testing/factories/catalogue.server.ts';
import { aFacility, aRegion, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { contract } from './contract.ts';

type Path = (string | number)[];

const calls = Object.values(contract).flatMap((group) => Object.entries<Endpoint>(group));

let server: TestServer;
const users = new Map<Role, number>();
/** Good values by field name, so that a bad field beside them gets as far as possible. */
let good: Record<string, unknown>;

beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: 1 } });
  const region = await aRegion(server.db);
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  for (const role of ROLES) {
    const supports = role === 'salessupport' ? [rep.id] : [];
    users.set(
      role,
      role === 'salesrep' ? rep.id : (await aUser(server.db, { roles: [role], regionIds: [region.id], supports })).id,
    );
  }
  const item = await anItem(server.db);
  good = {
    region: region.id,
    itemId: item.id,
    itemNumber: item.itemNumber,
    number: item.itemNumber,
    keyword: 'item',
    facilityId: (await aFacility(server.db)).id,
    templateId: (await aQuoteTemplate(server.db, { lines: [{ itemId: item.id }] })).id,
    promotionId: (await aPromotion(server.db, { itemId: item.id })).id,
    page: 1,
    pageSize: 20,
    email: 'person@example.com',
    since: '2026-01-01T00:00:00Z',
    to: ['buyer@example.org'],
    cc: ['copy@example.org'],
    salesRepId: rep.id,
    csRepId: users.get('csrep'),
    isRepId: users.get('insiderep'),
    attachmentIds: [],
    reasonCode: 'price',
  };
});
afterAll(() => server.close());

/** A separate quote for each call: in editing, or sent for calls of the customer's page. */
async function freshQuote(endpoint: Endpoint): Promise<void> {
  const sent = endpoint.path.includes('/QuoteDoc/');
  const statusId = /Workflow/.test(endpoint.path) || sent ? 'Processing' : 'Editing';
  const quote = await aPricedQuote(server.db, {
    statusId,
    salesRepId: users.get('salesrep') ?? 0,
    regionId: good['region'] as number,
    lines: [{ itemNumber: 'LINE' }],
  });
  Object.assign(good, { id: quote.id, quoteId: quote.id });
  await freshVersion(endpoint);
  if (!sent) return;
  const mail = { quoteId: quote.id, version: 1, to: ['buyer@example.org'], subject: 'Quote', body: 'Good day' };
  good['docId'] = (await server.ok(QuoteWorkflow.SendEmail, mail, { as: users.get('csrep') ?? 0 })).quote.docId;
  good['id'] = good['docId'];
}

/** The version a save of it must carry now: the quote's, or its line's for the calls that save one line. */
async function freshVersion(endpoint: Endpoint): Promise<void> {
  const quoteId = good['quoteId'] as number;
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const line = await server.db
    .selectFrom('quote_item')
    .select(['id', 'version'])
    .where('quote_id', '=', quoteId)
    .executeTakeFirst();
  Object.assign(good, { version: endpoint.path.endsWith('Item') ? line?.version : version, quoteItemId: line?.id });
}

let tries = 0;
const from = () => ({ 'x-forwarded-for': `10.${(++tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}` });

const placeOf = ({ in: place = 'body' }: Endpoint) => place;
const rolesFor = ({ access }: Endpoint): readonly Role[] => (typeof access === 'string' ? ROLES : access);

/** The callers: each permitted role in turn. */
async function headersFor(endpoint: Endpoint, turn: number): Promise<Record<string, string>> {
  if (endpoint.access === 'anyone') return from();
  const roles = rolesFor(endpoint);
  // A signed-out caller cannot call again.
  const leaves = endpoint.path.endsWith('/SignOut');
  const user = leaves ? await aUser(server.db) : (users.get(roles[turn % roles.length] ?? 'csrep') ?? 0);
  return { ...from(), authorization: `Bearer ${await server.tokenOf(user)}` };
}

type Answer = { status: number; headers: Record<string, unknown>; text: string };

const INSIDE =
  /\bat .+:\d+:\d+|node_modules|\.server\.ts|\/src\/|select .* from|insert into|violates|syntax error|\bcolumn\b|\bundefined\b|\[object/i;

/** What is wrong with something that should be an answer or a refusal with a sentence; null when nothing is. */
function faultOf({ status, text }: Answer, what: unknown): string | null {
  if (status === 200) return null;
  const { detail, error_description, errors } = JSON.parse(text) as Record<string, unknown>;
  const sentence = String(detail ?? error_description);
  const inside = INSIDE.exec(sentence + (JSON.stringify(errors) ?? ''));
  // What the database or the arithmetic refuses must be refused before, under its field.
  const isNamed = !/outside what can be stored|^An amount is too large/.test(sentence);
  const isPlain = /^[A-Z].{8,}/is.test(sentence) && sentence.length < 2000 && !inside && isNamed;
  return status >= 400 && status < 500 && isPlain
    ? null
    : `${JSON.stringify(what)?.slice(0, 300)} → ${status} ${text.slice(0, 400)}`;
}

const HOSTILE: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  20_000,
  9_999_999_999,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e-9,
  '',
  ' ',
  'NaN',
  'Infinity',
  '1e999',
  '-0',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Eright to left',
  '%',
  "'; drop table quote; --",
  '{{7*7}}${7*7}',
  '<script>alert(1)</script>',
  '=cmd()',
  'x'.repeat(50_000),
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '12/31/2199',
  '../../etc/passwd',
  'constructor',
  '__proto__',
  [],
  [null],
  [[]],
  {},
  { id: 1 },
  Array.from({ length: 3000 }, () => 1),
];

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const UPLOAD = 'multipart/form-data; boundary=b';
const big = (size: number) => Buffer.alloc(size, 97);
const part = (name: string, value: string) =>
  `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** What it is, with which statuses it may be refused, its body and its type. */
const NO_REQUESTS: [what: string, statuses: number[], body: string | Buffer, type: string][] = [
  ['broken JSON', [400, 415], '{"a":', JSON_TYPE],
  ['text as JSON', [400, 415], 'text', JSON_TYPE],
  ['JSON with a comma too many', [400, 415], '{"a":1,}', JSON_TYPE],
  ['a list', [400, 415, 422], '[1,2,3]', JSON_TYPE],
  ['a text', [400, 415, 422], '"text"', JSON_TYPE],
  ['a number', [400, 415, 422], '12', JSON_TYPE],
  ['a prototype', [400, 415], '{"__proto__":{"admin":true}}', JSON_TYPE],
  ['a constructor', [400, 415], '{"constructor":{"prototype":{"admin":true}}}', JSON_TYPE],
  ['deep lists', [400, 415, 422], `${'['.repeat(100_000)}${']'.repeat(100_000)}`, JSON_TYPE],
  ['deep lists that do not end', [400, 415], '['.repeat(200_000), JSON_TYPE],
  ['bytes that are no UTF-8', [400, 415], Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]), JSON_TYPE],
  ['another charset', [400, 415], '{"a":1}', 'application/json; charset=iso-8859-1'],
  ['JSON named text', [400, 415], '{"a":1}', 'text/plain'],
  ['JSON named XML', [400, 415], '{"a":1}', 'application/xml'],
  ['no type at all', [400, 415], '{"a":1}', ''],
  ['a type that is none', [400, 415], '{"a":1}', 'json; ; ;'],
  ['10 MB of JSON', [413, 415], Buffer.concat([Buffer.from('"'), big(10_000_000), Buffer.from('"')]), JSON_TYPE],
  ['10 MB as a form', [413, 415], big(10_000_000), FORM],
  ['10 MB of nothing known', [413, 415], big(10_000_000), 'application/octet-stream'],
  [
    'a form cut off',
    [400, 415],
    `${part('quoteId', '1')}--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhal`,
    UPLOAD,
  ],
  ['a form of no parts', [400, 415, 422], '--b--\r\n', UPLOAD],
  ['a form without its boundary', [400, 415], 'text', 'multipart/form-data'],
  ['a form of very many fields', [400, 413, 415], `${part('a', 'b').repeat(5_000)}--b--\r\n`, UPLOAD],
  ['a form with a 10 MB field', [400, 413, 415], `${part('quoteId', 'x'.repeat(10_000_000))}--b--\r\n`, UPLOAD],
];

/** Every place in a value, outermost first. */
function placesIn(value: unknown, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, one]) => placesIn(one, [...path, Array.isArray(value) ? Number(key) : key]))];
}

function withAt(value: unknown, [key, ...rest]: Path, bad: unknown): unknown {
  if (key === undefined) return bad;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = withAt(copy[key], rest, bad);
  return copy;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

async function send(endpoint: Endpoint, input: unknown, turn: number): Promise<Answer> {
  const headers = await headersFor(endpoint, turn);
  if (placeOf(endpoint) === 'body') {
    headers['content-type'] = 'application/json';
    return server.inject({ method: 'POST', url: endpoint.path, headers, payload: JSON.stringify(input) });
  }
  const fields = Object.entries(input ?? {}).map(([name, value]): [string, string] => [name, textOf(value)]);
  if (endpoint.in === 'upload') {
    const file = { name: 'a.txt', bytes: Buffer.from('text') };
    const answer = await server.call(endpoint, Object.fromEntries(fields), { headers, file });
    return { ...answer, text: answer.bytes.toString() };
  }
  const text = new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, value.slice(0, 4000)]),
  ).toString();
  if (endpoint.in === 'query') return server.inject({ method: 'POST', url: `${endpoint.path}?${text}`, headers });
  headers['content-type'] = 'application/x-www-form-urlencoded';
  return server.inject({ method: 'POST', url: endpoint.path, headers, payload: text });
}

describe.each(calls)('%s', (_key, endpoint) => {
  it('accepts any content of a field or refuses it with a sentence', async () => {
    await freshQuote(endpoint);
    const faults: (string | null)[] = [];
    let turn = 0;
    for (const place of placesIn(exampleInput(endpoint, good))) {
      if (placeOf(endpoint) !== 'body' && place.length === 0) continue;
      for (const bad of [...HOSTILE, undefined]) {
        const answer = await send(endpoint, withAt(exampleInput(endpoint, good), place, bad), turn++);
        faults.push(faultOf(answer, [place, bad]));
        // A refused call changed nothing.
        if (endpoint.writes && answer.status === 200) await freshVersion(endpoint);
      }
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  }, 120_000);

  it('ignores unknown fields', async () => {
    await freshQuote(endpoint);
    const known = exampleInput(endpoint, good);
    const unknown = { ...known, cost: 1, isAdmin: true, constructor: { prototype: 1 }, toString: 'x' };
    expect(faultOf(await send(endpoint, unknown, 0), 'more fields')).toBeNull();
  });

  it('refuses a body that is no request', async () => {
    const takesNone = endpoint.in === 'query' || endpoint.in === 'path';
    const faults: unknown[] = [];
    for (const [what, statuses, payload, type] of NO_REQUESTS) {
      const headers = { ...(await headersFor(endpoint, 0)), 'content-type': type };
      const answer = await server.inject({ method: 'POST', url: endpoint.path, headers, payload });
      faults.push(faultOf(answer, what));
      if (!takesNone && !statuses.includes(answer.status)) faults.push(`${what} → ${answer.status} ${answer.text}`);
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});

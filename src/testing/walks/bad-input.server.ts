// Every call, as every role, with bad input: it is answered or refused with a sentence, and reveals nothing internal.
// The slow walk tries every hostile value in every field, the fast one a few in each, so that all values and all fields have their turn.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { exampleInput } from '../example-input.ts';
import { anItem, aPromotion, aQuoteTemplate } from '../factories/catalog.server.ts';
import { aFacility, aUser } from '../factories/people.server.ts';
import { aPricedQuote } from '../factories/quotes.server.ts';
import { requestOf, type TestServer } from '../test-server.server.ts';
import { type Company, calls, from, placeOf, rolesFor } from './company.server.ts';

type Path = (string | number)[];

type Answer = { status: number; text: string };

const INSIDE =
  /\bat .+:\d+:\d+|node_modules|\.server\.ts|\/src\/|select .* from|insert into|violates|syntax error|\bcolumn\b|\bundefined\b|\[object/i;

/** What is wrong with something that should be an answer or a refusal with a sentence; null when nothing is. */
export function faultOf({ status, text }: Answer, what: unknown): string | null {
  if (status === 200) return null;
  const { detail, error_description, errors } = JSON.parse(text) as Record<string, unknown>;
  const sentence = String(detail ?? error_description);
  const inside = INSIDE.exec(sentence + (JSON.stringify(errors) ?? ''));
  // What the database or the arithmetic refuses must be refused before, under its field.
  const isNamed = !/outside what can be stored|^An amount is too large/.test(sentence);
  const isPlain = /^[A-Z0-9].{8,}/is.test(sentence) && sentence.length < 2000 && !inside && isNamed;
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
  return [
    path,
    ...inner.flatMap(([key, first]) => placesIn(first, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
}

function withAt(value: unknown, [key, ...rest]: Path, bad: unknown): unknown {
  if (key === undefined) return bad;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length === 0 && bad === undefined && !Array.isArray(copy)) delete copy[key];
  // JSON has no undefined in a list.
  else copy[key] = withAt(copy[key], rest, bad) ?? null;
  return copy;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** One call for each way of reading a request: where its input is, how large it may be, who reads it, and how it is refused. */
const ONE_OF_EACH_KIND = [
  ...new Map(
    calls.map(([key, endpoint]) => {
      const { access, bodyLimit, toDisk, refusal } = endpoint;
      return [
        JSON.stringify([placeOf(endpoint), access === 'anyone', bodyLimit, toDisk, refusal]),
        [key, endpoint] as const,
      ];
    }),
  ).values(),
];

/** The fields of an input as text, as an address or a form carries them. */
function textsOf(input: unknown): Record<string, string> {
  const fields = Object.entries(input ?? {}).map(([name, value]) => [
    name,
    textOf(value).slice(0, 4000).toWellFormed(),
  ]);
  return Object.fromEntries(fields) as Record<string, string>;
}

/** How the call's schema refuses the input, as the server answers it (problem.server.ts); null when it accepts it. */
function refusalOf(endpoint: Endpoint, input: unknown): Answer | null {
  // An address with parameters goes through the router first.
  if (endpoint.in === 'path') return null;
  const sent: unknown = placeOf(endpoint) === 'body' ? input : textsOf(input);
  const { error } = schemasOf(endpoint).input.safeParse(sent ?? {});
  if (!error) return null;
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const sentences = errors.slice(0, 10).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return { status: 422, text: JSON.stringify({ detail: sentences.join('; '), errors }) };
}

/** How many of the hostile values the fast walk tries in each field. */
const SAMPLE = 3;

/** The values to try in the field of this number: all, or the sample that begins where the sample of the field before ended. */
function hostileValues(field: number, isWhole: boolean): unknown[] {
  const values = [...HOSTILE, undefined];
  if (isWhole) return values;
  return Array.from({ length: SAMPLE }, (_, n) => values[(field * SAMPLE + n) % values.length]);
}

export function walkBadInput(company: () => Company, { isWhole }: { isWhole: boolean }): void {
  let server: TestServer;
  let as: Company['as'];
  /** Good values by field name, so that a bad field beside them gets as far as possible. */
  let good: Record<string, unknown>;
  /** How many inputs the schemas accepted, and how many the answers did. */
  let [sent, answered] = [0, 0];
  let fields = 0;

  beforeAll(async () => {
    ({ server, as } = company());
    const item = await anItem(server.db);
    good = {
      region: company().region.id,
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
      salesRepId: as('salesrep'),
      csRepId: as('csrep'),
      isRepId: as('insiderep'),
      attachmentIds: [],
      reasonCode: 'price',
    };
  });

  /** A separate quote for each call: in editing, or sent for calls of the customer's page. */
  async function freshQuote(endpoint: Endpoint): Promise<void> {
    const sent = endpoint.path.includes('/QuoteDoc/');
    const statusId = /Workflow/.test(endpoint.path) || sent ? 'Processing' : 'Editing';
    const quote = await aPricedQuote(server.db, {
      statusId,
      salesRepId: as('salesrep'),
      regionId: good['region'] as number,
      lines: [{ itemNumber: 'LINE' }],
    });
    Object.assign(good, { id: quote.id, quoteId: quote.id });
    await freshVersion(endpoint);
    if (!sent) return;
    const mail = { quoteId: quote.id, version: 1, to: ['buyer@example.org'], subject: 'Quote', body: 'Good day' };
    good['docId'] = (await server.ok(QuoteWorkflow.SendEmail, mail, { as: as('csrep') })).quote.docId;
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

  /** The callers: each permitted role in turn. */
  async function headersFor(endpoint: Endpoint, turn: number): Promise<Record<string, string>> {
    if (endpoint.access === 'anyone') return from();
    const roles = rolesFor(endpoint);
    // A signed-out caller cannot call again.
    const leaves = endpoint.path.endsWith('/SignOut');
    const user = leaves ? await aUser(server.db) : as(roles[turn % roles.length] ?? 'csrep');
    return { ...from(), authorization: `Bearer ${await server.tokenOf(user)}` };
  }

  async function send(endpoint: Endpoint, input: unknown, turn: number): Promise<Answer> {
    const headers = await headersFor(endpoint, turn);
    if (placeOf(endpoint) === 'body') {
      headers['content-type'] = 'application/json';
      return server.inject({ method: 'POST', url: endpoint.path, headers, payload: JSON.stringify(input) });
    }
    const file = { name: 'a.txt', bytes: Buffer.from('text') };
    const { url, payload = '', type } = requestOf(endpoint, textsOf(input), file);
    if (type) headers['content-type'] = type;
    return server.inject({ method: 'POST', url, headers, ...(type ? { payload } : {}) });
  }

  describe.each(calls)('%s', (_key, endpoint) => {
    it('accepts any content of a field or refuses it with a sentence', async () => {
      await freshQuote(endpoint);
      const faults: (string | null)[] = [];
      let turn = 0;
      let known = exampleInput(endpoint, good);
      for (const place of placesIn(known)) {
        if (placeOf(endpoint) !== 'body' && place.length === 0) continue;
        for (const bad of hostileValues(fields++, isWhole)) {
          const input = withAt(known, place, bad);
          // What the schema refuses never reaches the answer; that the server asks the schema is proved for each field by the walk over the contract.
          const refusal = refusalOf(endpoint, input);
          const answer = refusal ?? (await send(endpoint, input, turn++));
          if (!refusal) sent++;
          if (answer.status === 200) answered++;
          faults.push(faultOf(answer, [place, bad]));
          // A refused call changed nothing.
          if (endpoint.writes && answer.status === 200) {
            await freshVersion(endpoint);
            known = exampleInput(endpoint, good);
          }
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
  });

  it.each(ONE_OF_EACH_KIND)('%s refuses a body that is no request', async (_key, endpoint) => {
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

  it('got past the schemas, so that the walk has something to find', () => {
    expect(ONE_OF_EACH_KIND.length).toBeGreaterThan(8);
    expect(sent).toBeGreaterThan(isWhole ? 5000 : 400);
    expect(answered).toBeGreaterThan(isWhole ? 2000 : 150);
    // Each value had its turn in many fields.
    expect(fields).toBeGreaterThan(10 * HOSTILE.length);
  });
}

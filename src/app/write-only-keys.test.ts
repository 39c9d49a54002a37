// Tests every scope to change: an API key that may change but not read sees nothing that is stored.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, groupOf, isChanging } from '#platform/api/endpoint.ts';
import { FacilityAdmin } from '#core/customers/facility-admin/facility-admin.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { isForKeys } from '#platform/auth/key-check/key-scopes.server.ts';
import { Configurator } from '#addons/configurators/configurator.contract.ts';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { Region } from '#core/territories/regions/regions.contract.ts';
import { exampleInput } from '#testing/example-input.ts';
import { anItem, anItemClass, aProduct, aPromotion, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { contract } from './contract.ts';

/** Texts that occur only in records: no input of this test contains them. A refusal may name its record, but shows nothing else of it. */
const SECRET = 'stored-words';
const NAME = 'stored-name';
const COST = 7.7731;

let server: TestServer;
let admin: { id: number };
let office: Awaited<ReturnType<typeof aSalesOffice>>;
/** Valid values by the names of fields. */
let good: Record<string, unknown>;
/** The record that `id` refers to, by group. */
let idOf: Record<string, number>;
let quoteId = 0;

beforeAll(async () => {
  server = await startTestServer();
  const { db } = server;
  admin = await aUser(db, { roles: ['systemadmin'] });
  office = await aSalesOffice(db);
  const item = await anItem(db, { price: 10, cost: COST, floor: 8, description: NAME });
  const agreement = await aContract(db, { facilityIds: [office.facility.id], lines: [{ itemId: item.id, price: 9 }] });
  const template = await aQuoteTemplate(db, { name: NAME, lines: [{ itemId: item.id }] });
  const promotion = await aPromotion(db, { itemId: item.id });
  await db.updateTable('facility').set({ name: NAME }).where('id', '=', office.facility.id).execute();
  await db.updateTable('region').set({ name: NAME }).where('id', '=', office.region.id).execute();
  const { quote, items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { id: 0, facilityId: office.facility.id, internalNotes: SECRET },
      items: [
        { id: 0, itemId: item.id, qty: 3 },
        { id: 0, itemId: item.id, qty: 4 },
      ],
    },
    { as: office.cs },
  );
  quoteId = quote.id;
  const [line] = items;
  idOf = {
    Region: office.region.id,
    Facility: office.facility.id,
    QuoteTemplate: template.id,
    Contract: agreement.id,
    ItemPromotion: promotion.id,
    ItemClass: (await anItemClass(db, { name: NAME })).id,
    ItemProdDb: (await aProduct(db, { itemIds: [item.id], name: NAME })).id,
    QuoteEdit: quote.id,
  };
  good = {
    quoteId: quote.id,
    quoteItemId: line?.id,
    itemId: item.id,
    itemNumber: item.itemNumber,
    facilityId: office.facility.id,
    contractId: agreement.id,
    tierId: agreement.tierId,
    templateId: template.id,
    promotionId: promotion.id,
    regionId: office.region.id,
    // Does not contain the stored text.
    name: 'Typed name',
    to: ['buyer@example.org'],
    salesRepId: office.rep.id,
  };
});
afterAll(() => server.close());

let named = 0;
async function aKey(scopes: string[], owner = admin) {
  const input = { name: `Program ${++named}`, ownerId: owner.id, scopes, callsPerMinute: 6000 };
  const { key } = await server.ok(ApiKey.SaveApiKey, input, { as: admin });
  return { headers: { authorization: `Bearer ${key}` } };
}

const calls = Object.values(contract)
  .flatMap((group) => Object.values<Endpoint>(group))
  .filter(
    (endpoint) =>
      endpoint.access !== 'anyone' &&
      isChanging(endpoint) &&
      isForKeys({ group: groupOf(endpoint.path), peopleOnly: endpoint.peopleOnly ?? false }),
  );
const scopes = [...Map.groupBy(calls, ({ path }) => groupOf(path))];

type Leaf = [name: string, value: unknown];
/** Returns the plain values of a JSON value by the names of their fields; entries of lists have the name of the list. */
function leavesOf(value: unknown, name = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, Array.isArray(value) ? name : key));
}
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns what an answer shows beyond ids, versions and what was sent. */
function shownBeyond(answer: { status: number; body: unknown; bytes: Buffer }, input: Record<string, unknown>) {
  const text = String(answer.bytes);
  const secrets = [SECRET, String(COST), ...(answer.status < 300 ? [NAME] : [])];
  const stored = secrets.filter((secret) => text.includes(secret));
  const amounts = answer.status < 300 ? [] : (/[$€] ?\d[\d,.]*/.exec(text) ?? []);
  // In an address or a form, the input is text.
  const sent = new Set(leavesOf(input).map(([name, value]) => `${name}=${textOf(value)}`));
  const { conflict } = (answer.body ?? {}) as { conflict?: Record<string, unknown> };
  const fields = answer.status < 300 ? answer.body : (conflict?.['current'] ?? {});
  const others = leavesOf(fields)
    .filter(([name, value]) => name !== '' || value !== null)
    .filter(([name, value]) => !['id', 'version'].includes(name) && !sent.has(`${name}=${textOf(value)}`))
    .map(([name, value]) => `${name}: ${textOf(value)}`);
  const who =
    conflict && (conflict['changedBy'] !== null || String(conflict['changes']) !== '') ? ['who changed it'] : [];
  return [...stored, ...amounts, ...others, ...who];
}

/** Returns inputs that get far: with the version of the record, with an older one, and as a new record. */
function inputsOf(endpoint: Endpoint): Record<string, unknown>[] {
  const id = idOf[groupOf(endpoint.path)] ?? 1;
  return [
    exampleInput(endpoint, { ...good, id, ids: [id], version: 1 }),
    exampleInput(endpoint, { ...good, id, ids: [id], version: 0 }),
    exampleInput(endpoint, { ...good, id: 0, version: 0 }),
  ];
}

describe('a key with one scope to change', () => {
  let [answered, refused, walked] = [0, 0, 0];

  it.each(scopes)('%s:write alone sees nothing that is stored', { timeout: 120_000 }, async (group, ofGroup) => {
    const key = await aKey([`${group}:write`]);
    const visible: string[] = [];
    for (const endpoint of ofGroup) {
      walked++;
      const file = endpoint.in === 'upload' ? { file: { name: 'a.txt', bytes: Buffer.from('text') } } : {};
      for (const input of inputsOf(endpoint)) {
        const answer = await server.call(endpoint, { ...input }, { ...key, ...file });
        if (answer.status === 200) answered++;
        if (answer.status === 409) refused++;
        visible.push(...shownBeyond(answer, input).map((what) => `${endpoint.path} ${answer.status} ${what}`));
      }
    }
    expect(visible).toEqual([]);
  });

  it('gets far enough to find something', () => {
    expect(walked).toBe(calls.length);
    expect(walked).toBeGreaterThan(100);
    expect(answered).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(10);
  });

  it('no call that changes something answers a file', () => {
    expect(calls.filter(({ file }) => file !== undefined)).toEqual([]);
  });

  it('may be given the scope to read what the answer shows', async () => {
    const reads = new Set(
      Object.values(contract)
        .flatMap((group) => Object.values<Endpoint>(group))
        .filter((endpoint) => !isChanging(endpoint) && endpoint.access !== 'anyone')
        .map(({ path }) => groupOf(path)),
    );
    const unreadable = calls.filter(({ path, answersOf }) => !reads.has(answersOf ?? groupOf(path)));
    expect(unreadable.map(({ path }) => path)).toEqual([]);
  });
});

describe('the scope to read makes the difference', () => {
  const quoteNow = () =>
    server.db.selectFrom('quote').select('version').where('id', '=', quoteId).executeTakeFirstOrThrow();

  it('in the reason why a contract price may be mistyped', async () => {
    const line = await server.db
      .selectFrom('contract_line')
      .innerJoin('contract_tier', 'contract_tier.contract_id', 'contract_line.contract_id')
      .select(['contract_line.id as lineId', 'contract_tier.id as tierId'])
      .executeTakeFirstOrThrow();
    const jump = { id: 0, ...line, price: 360, from: '2027-01-01' };
    const [blind, seeing] = [await aKey(['Contract:write']), await aKey(['Contract:write', 'Contract:read'])];
    const [short, long] = [
      await server.call(Contract.SavePrice, jump, blind),
      await server.call(Contract.SavePrice, jump, seeing),
    ];
    expect([short.status, String(short.bytes).includes('9.00')]).toEqual([422, false]);
    expect([long.status, String(long.bytes).includes('$9.00')]).toEqual([422, true]);
  });

  it('in the conflict of a quote', async () => {
    const stale = { quote: { id: quoteId, version: 0, poNumber: 'PO 7' }, items: [] };
    const [blind, seeing] = [await aKey(['QuoteEdit:write']), await aKey(['QuoteEdit:write', 'QuoteEdit:read'])];
    const short = await server.call(QuoteEdit.SaveSalesRepQuote, stale, blind);
    const { version } = await quoteNow();
    expect(short).toMatchObject({ status: 409 });
    expect((short.body as { conflict?: unknown }).conflict).toEqual({
      changedBy: null,
      changedAt: null,
      changes: [],
      current: { id: quoteId, version },
    });
    const long = await server.call(QuoteEdit.SaveSalesRepQuote, stale, seeing);
    expect(long).toMatchObject({ status: 409, body: { conflict: { current: { internalNotes: SECRET } } } });
  });

  it('in the answer of a change, which still says how to go on', async () => {
    const blind = await aKey(['QuoteEdit:write']);
    const { version } = await quoteNow();
    const quote = { id: quoteId, version, poNumber: 'PO 8' };
    const { body } = await server.call(QuoteEdit.SaveSalesRepQuote, { quote, items: [] }, blind);
    expect(body).toMatchObject({ quote: { id: quoteId, version: version + 1, poNumber: 'PO 8' } });
    const items = (body as { items?: object[] }).items ?? [];
    expect(items.map((line) => Object.keys(line))).toEqual([
      ['id', 'version'],
      ['id', 'version'],
    ]);
    // An earlier call of this test has deactivated the first one.
    const { facility } = await aSalesOffice(server.db);
    const created = await server.call(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { facilityId: facility.id, poNumber: 'PO 9' },
        items: [{ itemNumber: 'X-1', description: 'X', qty: 1 }],
      },
      blind,
    );
    expect(created).toMatchObject({ status: 200, body: { quote: { id: expect.any(Number) as number, version: 1 } } });
    expect(String(created.bytes)).not.toMatch(/stored-/);
  });

  it('for a call that copies what is stored to where others see it', async () => {
    const copies: [Endpoint, Record<string, unknown>, write: string, read: string][] = [
      [QuoteEdit.CloneQuote, { id: quoteId, prices: 'keep' }, 'QuoteEdit:write', 'QuoteEdit:read'],
      [
        QuoteTemplates.SaveQuoteAsTemplate,
        { quoteId, name: 'Copy', forEverybody: true },
        'QuoteTemplate:write',
        'QuoteEdit:read',
      ],
    ];
    for (const [endpoint, input, write, read] of copies) {
      const refusal = await server.call(endpoint, input, await aKey([write]));
      expect(refusal).toMatchObject({ status: 403, body: { detail: expect.stringContaining(read) as string } });
      expect((await server.call(endpoint, input, await aKey([write, read]))).status).toBe(200);
    }
    const mail = { quoteId, version: 1, to: ['me@example.net'], subject: 'Quote', body: 'Good day' };
    const sending = await server.call(QuoteWorkflow.SendEmail, mail, await aKey(['QuoteWorkflow:write']));
    expect(sending).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('QuoteWorkflow:read') as string },
    });
  });

  it('in the answer to a configurator, whose items are read with the quote', async () => {
    const posted = {
      quoteId,
      configId: 'bed-7',
      name: 'Bed 7',
      items: [{ position: '1', itemNumber: 'BED-40', qty: 1 }],
    };
    const short = await server.call(Configurator.PostConfiguratorItems, posted, await aKey(['Configurator:write']));
    expect([short.status, short.body]).toEqual([200, { quoteId, configId: 'bed-7' }]);
    const both = await aKey(['Configurator:write', 'QuoteEdit:read']);
    const long = await server.call(Configurator.PostConfiguratorItems, posted, both);
    expect([long.status, long.body]).toEqual([200, { quoteId, configId: 'bed-7', items: 1 }]);
  });

  it('in records of other kinds', async () => {
    const stale: [Endpoint, string, Record<string, unknown>][] = [
      [Region.SaveRegion, 'Region', { id: office.region.id, name: 'Typed', version: 0 }],
      [FacilityAdmin.SaveFacility, 'Facility', { id: office.facility.id, name: 'Typed', acctNo: 'T-1', version: 0 }],
    ];
    for (const [endpoint, group, input] of stale) {
      const answer = await server.call(endpoint, input, await aKey([`${group}:write`]));
      expect([group, answer.status, shownBeyond(answer, input)]).toEqual([group, 409, []]);
      const seeing = await server.call(endpoint, input, await aKey([`${group}:write`, `${group}:read`]));
      expect(JSON.stringify(seeing.body)).toContain(NAME);
    }
  });
});

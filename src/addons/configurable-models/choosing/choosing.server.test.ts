// Tests choosing for a quote over HTTP: versions, checks by the server, staged items, reopening, hidden quotes, locked quotes.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ConfigurableModels, type ModelRecord } from '../configurable-models.contract.ts';
import { QuoteConfigurations } from './choosing.contract.ts';

let server: TestServer;
let admin: { id: number };
let rep: { id: number };
let bed: ModelRecord;
let ids: { foam: number; air: number; rail: number; cover: number; gray: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  rep = await aUser(server.db, { fullName: 'Rita Rep' });
  for (const number of ['CH-BED', 'CH-FOAM', 'CH-AIR', 'CH-RAIL', 'CH-COVER']) {
    await anItem(server.db, { number, description: `${number} described` });
  }
  bed = await saveModel(aBed('Choosing bed'));
  const all = new Map(bed.groups.flatMap(({ options }) => options.map(({ label, id }) => [label, id])));
  const optionId = (label: string) => all.get(label) ?? 0;
  ids = {
    foam: optionId('Foam'),
    air: optionId('Air'),
    rail: optionId('Rail'),
    cover: optionId('Cover'),
    gray: optionId('Gray'),
  };
});
afterAll(() => server.close());

const aBed = (name: string) => ({
  name,
  baseItemNumber: 'CH-BED',
  active: true,
  groups: [
    {
      id: -1,
      name: 'Mattress',
      min: 1,
      max: 1,
      options: [
        { id: -2, label: 'Foam', itemNumber: 'CH-FOAM' },
        { id: -3, label: 'Air', itemNumber: 'CH-AIR' },
      ],
    },
    {
      id: -4,
      name: 'Extras',
      options: [
        { id: -5, label: 'Rail', itemNumber: 'CH-RAIL', quantity: 'asked' as const, qty: 2, maxQty: 4 },
        { id: -6, label: 'Cover', itemNumber: 'CH-COVER', quantity: 'from' as const, fromId: -5, factor: 2 },
        { id: -7, label: 'Gray' },
      ],
    },
  ],
  rules: [{ kind: 'excludes' as const, optionId: -2, otherIds: [-5] }],
});
const saveModel = (input: object) =>
  server.ok(ConfigurableModels.SaveConfigurableModel, input as ReturnType<typeof aBed>, { as: admin });
const aChoice = (quoteId: number, configId: string, overrides: object = {}) => ({
  quoteId,
  configId,
  name: 'Room 12',
  modelId: bed.id,
  modelVersion: bed.version,
  sets: 3,
  picks: [{ optionId: ids.air }, { optionId: ids.rail, qty: 4 }, { optionId: ids.cover }, { optionId: ids.gray }],
  ...overrides,
});
const save = (input: ReturnType<typeof aChoice>, as = rep) =>
  server.call(QuoteConfigurations.SaveQuoteConfiguration, input, { as });
const staged = (quoteId: number) =>
  server.db
    .selectFrom('configured_item as i')
    .innerJoin('configuration as c', 'c.id', 'i.configuration_id')
    .select(['c.config_id', 'c.name', 'c.source', 'i.position', 'i.item_number', 'i.description', 'i.qty', 'i.unit'])
    .select(['i.option_text', 'i.price'])
    .where('c.quote_id', '=', quoteId)
    .orderBy('i.row_no')
    .execute();

type Refusal = { errors?: { path: string; message: string }[]; detail?: string };
const messagesOf = (answer: { body: unknown }) => (answer.body as Refusal).errors?.map(({ message }) => message);

it('stores choices and leaves their items for the quote; choices that are changed later keep their positions', async () => {
  const quote = await aQuote(server.db, { ownerId: rep.id });
  const before = await server.ok(QuoteConfigurations.GetQuoteConfigurations, { quoteId: quote.id }, { as: rep });
  expect(before).toMatchObject({ locked: '', configurations: [], models: [{ name: 'Choosing bed', options: 5 }] });
  const opened = await server.ok(
    QuoteConfigurations.GetQuoteConfiguration,
    { quoteId: quote.id, modelId: bed.id },
    { as: rep },
  );
  expect(opened).toMatchObject({
    configuration: null,
    picks: [],
    modelChanged: false,
    model: { name: 'Choosing bed' },
  });

  const created = await save(aChoice(quote.id, 'c-1'));
  expect(created).toMatchObject({ status: 200, body: { configId: 'c-1', version: 1, items: 4 } });
  const row = { config_id: 'c-1', name: 'Room 12', source: 'Own', unit: 'EA', price: null };
  expect(await staged(quote.id)).toEqual([
    {
      ...row,
      position: 'base',
      item_number: 'CH-BED',
      description: 'CH-BED described',
      qty: 3,
      option_text: 'Extras: Gray',
    },
    {
      ...row,
      position: `${ids.air}`,
      item_number: 'CH-AIR',
      description: 'CH-AIR described',
      qty: 3,
      option_text: 'Mattress: Air',
    },
    {
      ...row,
      position: `${ids.rail}`,
      item_number: 'CH-RAIL',
      description: 'CH-RAIL described',
      qty: 12,
      option_text: 'Extras: Rail',
    },
    {
      ...row,
      position: `${ids.cover}`,
      item_number: 'CH-COVER',
      description: 'CH-COVER described',
      qty: 24,
      option_text: 'Extras: Cover',
    },
  ]);
  // Sending the same choices again, after the answer was lost, changes nothing.
  expect(await save(aChoice(quote.id, 'c-1'))).toMatchObject({ status: 200, body: { version: 1 } });

  const again = await server.ok(
    QuoteConfigurations.GetQuoteConfiguration,
    { quoteId: quote.id, configId: 'c-1' },
    { as: rep },
  );
  expect(again).toMatchObject({
    configuration: { name: 'Room 12', sets: 3, version: 1, changedBy: 'Rita Rep', modelName: 'Choosing bed' },
    modelChanged: false,
  });
  expect(again.picks).toEqual([
    { optionId: ids.air, qty: null },
    { optionId: ids.rail, qty: 4 },
    { optionId: ids.cover, qty: null },
    { optionId: ids.gray, qty: null },
  ]);
  const changed = aChoice(quote.id, 'c-1', { picks: [{ optionId: ids.foam }], sets: 2, version: 1 });
  expect(await save(changed)).toMatchObject({ status: 200, body: { version: 2, items: 2 } });
  expect((await staged(quote.id)).map(({ position, qty }) => [position, qty])).toEqual([
    ['base', 2],
    [`${ids.foam}`, 2],
  ]);
  const list = await server.ok(ConfigurableModels.SearchConfigurableModels, { keyword: 'Choosing' }, { as: admin });
  expect(list.records[0]?.configurations).toBe(1);

  const stale = await server.call(
    QuoteConfigurations.RemoveQuoteConfiguration,
    { quoteId: quote.id, configId: 'c-1', version: 1 },
    { as: rep },
  );
  expect(stale.status).toBe(409);
  await server.ok(
    QuoteConfigurations.RemoveQuoteConfiguration,
    { quoteId: quote.id, configId: 'c-1', version: 2 },
    { as: rep },
  );
  expect(await staged(quote.id)).toEqual([]);
});

it('refuses in words choices that break a rule, are incomplete or mean nothing, and stores none of them', async () => {
  const quote = await aQuote(server.db, { ownerId: rep.id });
  const refused = async (overrides: object) => {
    const answer = await save(aChoice(quote.id, 'c-2', overrides));
    expect(answer.status).toBe(422);
    return messagesOf(answer);
  };
  expect(await refused({ picks: [] })).toEqual(['Mattress: choose one; 0 chosen.']);
  expect(await refused({ picks: [{ optionId: ids.foam }, { optionId: ids.rail }, { optionId: ids.cover }] })).toEqual([
    'Foam cannot be combined with Rail.',
  ]);
  expect(await refused({ picks: [{ optionId: ids.foam }, { optionId: ids.cover }] })).toEqual(['Cover needs Rail.']);
  expect(await refused({ picks: [{ optionId: ids.air }, { optionId: ids.rail, qty: 5 }] })).toEqual([
    'Rail: enter a quantity from 1 to 4.',
  ]);
  expect(await refused({ picks: [{ optionId: ids.air }, { optionId: 2_000_000_000 }] })).toEqual([
    '1 choice is no longer available.',
  ]);
  expect(await refused({ picks: [{ optionId: ids.air }, { optionId: ids.air }] })).toEqual([
    'This option was chosen twice.',
  ]);
  expect(await refused({ sets: 0 })).toEqual(['At least 1']);
  expect(await refused({ sets: 9_999_999 })).toEqual([
    'The quantity of Rail is more than 9,999,999.',
    'The quantity of Cover is more than 9,999,999.',
  ]);
  expect(await staged(quote.id)).toEqual([]);
  const { configurations } = await server.ok(
    QuoteConfigurations.GetQuoteConfigurations,
    { quoteId: quote.id },
    { as: rep },
  );
  expect(configurations).toEqual([]);
});

it('a changed model, a stale configuration and a taken id are conflicts', async () => {
  const quote = await aQuote(server.db, { ownerId: rep.id });
  const model = await saveModel(aBed('Bed that changes'));
  const air = model.groups[0]?.options[1]?.id ?? 0;
  const choice = (overrides: object) =>
    aChoice(quote.id, 'c-3', {
      modelId: model.id,
      modelVersion: model.version,
      picks: [{ optionId: air }],
      ...overrides,
    });
  expect((await save(choice({}))).status).toBe(200);
  const later = await saveModel({ ...model, description: 'Changed' });
  expect(await save(choice({ version: 1, sets: 9 }))).toMatchObject({
    status: 409,
    body: { detail: 'Bed that changes was changed while you were choosing. Review your choices.' },
  });
  const opened = await server.ok(
    QuoteConfigurations.GetQuoteConfiguration,
    { quoteId: quote.id, configId: 'c-3' },
    { as: rep },
  );
  expect(opened.modelChanged).toBe(true);
  expect((await save(choice({ version: 1, modelVersion: later.version }))).status).toBe(200);
  expect((await save(choice({ version: 1, modelVersion: later.version, sets: 4 }))).status).toBe(409);
  expect((await save(choice({ modelVersion: later.version, sets: 4 }))).status).toBe(409);
  expect((await save({ ...choice({ version: 1 }), configId: 'unknown' })).status).toBe(404);

  await server.db
    .insertInto('configuration')
    .values({
      quote_id: quote.id,
      config_id: 'theirs',
      source: 'Call',
      posted_by: rep.id,
      posted_by_name: 'Another',
      posted_at: new Date().toISOString(),
    })
    .execute();
  expect(await save({ ...choice({ modelVersion: later.version }), configId: 'theirs' })).toMatchObject({
    status: 409,
    body: { detail: 'Another configurator already uses the configId theirs on this quote. Use a different one.' },
  });
});

it('does not offer an inactive model or one of a hidden class; earlier configurations stay readable', async () => {
  const quote = await aQuote(server.db, { ownerId: rep.id });
  const hidden = await anItemClass(server.db, { hidden: true });
  const model = await saveModel(aBed('Bed that goes'));
  const picks = [{ optionId: model.groups[0]?.options[1]?.id ?? 0 }];
  const choice = aChoice(quote.id, 'c-4', { modelId: model.id, modelVersion: model.version, picks });
  expect((await save(choice)).status).toBe(200);
  const off = await saveModel({ ...model, classId: hidden.id });
  const begin = { quoteId: quote.id, modelId: model.id };
  expect((await server.call(QuoteConfigurations.GetQuoteConfiguration, begin, { as: rep })).status).toBe(404);
  const { model: read } = await server.ok(
    QuoteConfigurations.GetQuoteConfiguration,
    { quoteId: quote.id, configId: 'c-4' },
    { as: rep },
  );
  expect(read.problem).toBe('Bed that goes is no longer available. Existing configurations do not change.');
  expect(await save(Object.assign(choice, { modelVersion: off.version, version: 1 }))).toMatchObject({ status: 409 });
  const { models } = await server.ok(
    QuoteConfigurations.GetQuoteConfigurations,
    { quoteId: quote.id, keyword: 'goes' },
    { as: rep },
  );
  expect(models).toEqual([]);
});

it('answers 404 for a quote out of sight; a closed quote is locked, and the contract department configures nothing', async () => {
  const other = await aQuote(server.db);
  for (const [call, input] of [
    [QuoteConfigurations.GetQuoteConfigurations, { quoteId: other.id }],
    [QuoteConfigurations.GetQuoteConfiguration, { quoteId: other.id, modelId: bed.id }],
    [QuoteConfigurations.SaveQuoteConfiguration, aChoice(other.id, 'c-5')],
    [QuoteConfigurations.RemoveQuoteConfiguration, { quoteId: other.id, configId: 'c-5', version: 1 }],
  ] as const) {
    expect((await server.call(call, input as never, { as: rep })).status).toBe(404);
  }
  const won = await aQuote(server.db, { ownerId: rep.id, statusId: 'Won' });
  const { locked } = await server.ok(QuoteConfigurations.GetQuoteConfigurations, { quoteId: won.id }, { as: rep });
  expect(locked).not.toBe('');
  expect((await save(aChoice(won.id, 'c-6'))).status).toBe(409);
  const reader = await aUser(server.db, { roles: ['contractdept'] });
  expect((await save(aChoice(won.id, 'c-6'), reader)).status).toBe(403);
});

// Tests over HTTP how configurators post items for a quote: accepted, replaced, refused, forbidden.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Configurator } from './configurator.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

const { PostConfiguratorItems } = Configurator;
const item = (position: string, more: object = {}) => ({ position, itemNumber: `N-${position}`, qty: 1, ...more });
const ofRep = () => aQuote(server.db, { ownerId: office.rep.id, facility: office.facility });
const staged = (quoteId: number) =>
  server.db
    .selectFrom('configured_item')
    .innerJoin('configuration', 'configuration.id', 'configuration_id')
    .select(['config_id', 'position', 'item_number', 'qty', 'unit', 'option_text', 'price'])
    .where('quote_id', '=', quoteId)
    .orderBy('configuration.id')
    .orderBy('row_no')
    .execute();
const post = (input: Record<string, unknown>, as: { id: number } = office.rep) =>
  server.call(PostConfiguratorItems, input, { as });

test('a configuration waits on its quote, found by id or number; posting it again replaces it', async () => {
  const quote = await ofRep();
  const items = [
    item('1', { unit: 'each', optionText: '<b>Blue</b> "5\' 10"', price: 12.5 }),
    item('2', { qty: 0.25 }),
  ];
  expect((await post({ quoteId: quote.id, configId: 'bed', name: 'Bed', items })).body).toEqual({
    quoteId: quote.id,
    configId: 'bed',
    items: 2,
  });
  expect((await post({ quoteNumber: `${quote.num}-R2`, configId: 'rail', items: [item('1')] })).status).toBe(200);
  const once = await staged(quote.id);
  expect(once).toEqual([
    {
      config_id: 'bed',
      position: '1',
      item_number: 'N-1',
      qty: 1,
      unit: 'each',
      option_text: '<b>Blue</b> "5\' 10"',
      price: 12.5,
    },
    { config_id: 'bed', position: '2', item_number: 'N-2', qty: 0.25, unit: '', option_text: '', price: null },
    { config_id: 'rail', position: '1', item_number: 'N-1', qty: 1, unit: '', option_text: '', price: null },
  ]);
  await post({ quoteId: quote.id, configId: 'bed', name: 'Bed', items });
  expect(await staged(quote.id)).toEqual(once);
  const versions = server.db.selectFrom('configuration').select('version').where('quote_id', '=', quote.id);
  expect(await versions.orderBy('id').execute()).toEqual([{ version: 1 }, { version: 1 }]);
  await post({ quoteId: quote.id, configId: 'bed', items: [item('3')] });
  expect((await staged(quote.id)).map(({ config_id: config, position }) => [config, position])).toEqual([
    ['bed', '3'],
    ['rail', '1'],
  ]);
});

test('a faulty configuration is refused by field, and nothing is stored', async () => {
  const quote = await ofRep();
  const refused = async (input: object) => {
    const { status, body } = await post({ quoteId: quote.id, configId: 'bed', items: [], ...input });
    return [status, ((body as { errors?: { path: string }[] }).errors ?? []).map(({ path }) => path)];
  };
  expect(await refused({ items: [item('1'), item('1')] })).toEqual([422, ['items.1.position']]);
  expect(await refused({ items: [item('1', { qty: 0 }), item('2', { qty: '3' }), { position: '3' }] })).toEqual([
    422,
    ['items.0.qty', 'items.1.qty', 'items.2.itemNumber', 'items.2.qty'],
  ]);
  expect(await refused({ items: [item('1', { price: -1 }), item('2', { qty: 1e12 })] })).toEqual([
    422,
    ['items.0.price', 'items.1.qty'],
  ]);
  expect(await refused({ configId: ' ' })).toEqual([422, ['configId']]);
  expect(await refused({ quoteNumber: String(quote.num + 1) })).toEqual([422, ['quoteNumber']]);
  expect(await refused({ quoteId: null })).toEqual([422, ['quoteNumber']]);
  expect(await refused({ items: null })).toEqual([422, ['items']]);
  expect(await staged(quote.id)).toEqual([]);
});

test('at most 10,000 items wait on a quote', async () => {
  const quote = await ofRep();
  const many = (count: number) => Array.from({ length: count }, (_, index) => item(String(index)));
  expect((await post({ quoteId: quote.id, configId: 'all', items: many(10_000) })).status).toBe(200);
  expect((await post({ quoteId: quote.id, configId: 'all', items: many(10_000) })).status).toBe(200);
  expect(await post({ quoteId: quote.id, configId: 'one', items: many(1) })).toMatchObject({
    status: 422,
    body: { detail: 'A quote can have at most 10,000 waiting configurator items.' },
  });
  expect((await post({ quoteId: quote.id, configId: 'all', items: many(10_001) })).status).toBe(422);
  expect(await staged(quote.id)).toHaveLength(10_000);
});

test("nobody leaves items on quotes that are out of sight, another person's to edit, or closed", async () => {
  const quote = await ofRep();
  const items = [item('1')];
  const stranger = await aUser(server.db, { roles: ['salesrep'] });
  expect((await post({ quoteId: quote.id, configId: 'a', items }, stranger)).status).toBe(404);
  expect((await post({ quoteNumber: String(quote.num), configId: 'a', items }, stranger)).status).toBe(404);
  expect((await post({ quoteNumber: 'R2D2', configId: 'a', items })).status).toBe(404);
  const reader = await aUser(server.db, { roles: ['contractdept'] });
  expect((await post({ quoteId: quote.id, configId: 'a', items }, reader)).status).toBe(403);
  await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', quote.id).execute();
  expect((await post({ quoteId: quote.id, configId: 'a', items })).status).toBe(409);
  expect(await staged(quote.id)).toEqual([]);
});

test('a program needs a key with the scope', async () => {
  const quote = await ofRep();
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const keyOf = async (scope: string) => {
    const input = { name: `Configurator ${scope}`, ownerId: office.rep.id, scopes: [scope] };
    return (await server.ok(ApiKey.SaveApiKey, input, { as: admin })).key ?? '';
  };
  const body = { quoteId: quote.id, configId: 'a', items: [item('1')] };
  const by = async (key: string) =>
    (await server.call(PostConfiguratorItems, body, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await by(await keyOf('QuoteEdit:write'))).toBe(403);
  expect(await staged(quote.id)).toEqual([]);
  expect(await by(await keyOf('Configurator:write'))).toBe(200);
  const { posted_by_name: name } = await server.db
    .selectFrom('configuration')
    .select('posted_by_name')
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  expect(name).toContain('(Configurator Configurator:write)');
});

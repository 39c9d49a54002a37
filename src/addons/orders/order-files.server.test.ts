// Tests orders as files: written completely, once, never over other content; a failing folder, a unit without an X12 code, two servers.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { OrderExchange, OrderRequests, type OrderSettings } from './order-requests.contract.ts';
import { writeOrdersJob } from './write-orders.server.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'orders-'));
let folder: string;
let server: TestServer;
let admin: { id: number };
let now = Date.parse('2026-11-10T15:00:00Z');

beforeAll(async () => {
  server = await startTestServer({ config: { orderFolder: root } });
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(root, 'f-'));
  server.services.config.orderFolder = folder;
  await server.db.deleteFrom('order_file').execute();
  await server.db.deleteFrom('order_request').execute();
  await settings({ files: true, format: 'json', units: [], test: false });
});
afterAll(async () => {
  await server.close();
  fs.rmSync(root, { recursive: true, force: true });
});

async function settings(change: Partial<OrderSettings['settings']>) {
  const { settings: before } = await server.ok(OrderRequests.GetOrderSettings, {}, { as: admin });
  return server.ok(OrderRequests.SaveOrderSettings, { ...before, ...change }, { as: admin });
}
async function aWonQuote(): Promise<string> {
  const { id, num } = await aPricedQuote(server.db, { statusId: 'SentToCustomer' });
  const input = { quoteId: id, action: 'MarkWon' as const, version: 1, poNumber: 'PO-1' };
  await server.ok(QuoteWorkflow.PerformWorkflowAction, input, { as: admin });
  return `${num}-R1`;
}
const write = () => writeOrdersJob.run(server.services);
const due = () => writeOrdersJob.due(server.services);
const later = (seconds: number) => server.setNow(new Date((now += seconds * 1000)).toISOString());
const files = () => fs.readdirSync(folder).toSorted();
const textOf = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
const list = async () => server.ok(OrderRequests.SearchOrderRequests, {}, { as: admin });
const first = async () => (await list()).records[0];
const resend = async () => {
  const row = await first();
  return server.ok(OrderRequests.ResendOrderRequest, { id: row?.id ?? 0, version: row?.version ?? 0 }, { as: admin });
};

it.each([
  ['json', 'json', /^\{\n {2}"key": /],
  ['csv', 'csv', /^Key,Quote,/],
  ['x12', 'edi', /^ISA\*/],
] as const)('a won quote becomes a file in %s', async (format, ending, content) => {
  await settings({ format });
  const key = await aWonQuote();
  expect(await due()).toBe(true);
  await write();
  expect(files()).toEqual([`order-${key}.${ending}`]);
  expect(textOf(`order-${key}.${ending}`)).toMatch(content);
  expect(await first()).toMatchObject({ state: 'Sent', sentBy: 'file' });
  expect(await due()).toBe(false);
});

it('nothing is written and the order waits if files are off or no folder is set', async () => {
  await settings({ files: false });
  await aWonQuote();
  await write();
  server.services.config.orderFolder = undefined;
  expect(await due()).toBe(false);
  await write();
  const { settings: before } = await server.ok(OrderRequests.GetOrderSettings, {}, { as: admin });
  const refused = await server.call(OrderRequests.SaveOrderSettings, { ...before, files: true }, { as: admin });
  server.services.config.orderFolder = folder;
  expect([files(), (await first())?.state, refused.status]).toEqual([[], 'Waiting', 409]);
});

it('a file that is written again has the same bytes, even after the settings changed', async () => {
  await settings({ format: 'x12', receiver: 'FIRST' });
  const key = await aWonQuote();
  await write();
  const before = textOf(`order-${key}.edi`);
  await settings({ receiver: 'SECOND' });
  await resend();
  // The file is still there.
  await write();
  expect([files(), (await first())?.state]).toEqual([[`order-${key}.edi`], 'Sent']);
  fs.rmSync(path.join(folder, `order-${key}.edi`));
  await resend();
  await write();
  expect(textOf(`order-${key}.edi`)).toBe(before);
});

it('another file with its name is left alone, and the list says so', async () => {
  const [taken, free] = [await aWonQuote(), await aWonQuote()];
  fs.writeFileSync(path.join(folder, `order-${taken}.json`), 'mine');
  await write();
  expect(textOf(`order-${taken}.json`)).toBe('mine');
  expect(files()).toEqual([`order-${taken}.json`, `order-${free}.json`].toSorted());
  const { records } = await list();
  expect(records.map(({ state }) => state)).toEqual(['Sent', 'Waiting']);
  expect(records[1]?.error).toContain('with different content');
  fs.rmSync(path.join(folder, `order-${taken}.json`));
  const { id, version } = records[1] ?? { id: 0, version: 0 };
  await server.ok(OrderRequests.ResendOrderRequest, { id, version }, { as: admin });
  await write();
  expect(files()).toHaveLength(2);
});

it('names a unit without an X12 code; with a code the order is written', async () => {
  await settings({ format: 'x12' });
  const key = await aWonQuote();
  const row = await server.db.selectFrom('order_request').select('content').executeTakeFirstOrThrow();
  const content = row.content as { lines: { unit: string }[] };
  for (const line of content.lines) line.unit = 'PCH';
  await server.db
    .updateTable('order_request')
    .set({ content: JSON.stringify(content) })
    .execute();
  await write();
  expect((await first())?.error).toContain('the unit PCH has no X12 code');
  expect(await due()).toBe(false);
  await settings({ units: [{ unit: 'PCH', code: 'PO' }] });
  await write();
  expect(files()).toEqual([`order-${key}.edi`]);
});

it('a folder that takes no files is reported and tried again, and no order is lost', async () => {
  later(0);
  const keys = [await aWonQuote(), await aWonQuote()];
  const blocked = path.join(folder, 'a-file');
  fs.writeFileSync(blocked, '');
  server.services.config.orderFolder = path.join(blocked, 'orders');
  await write();
  expect((await list()).ways.problem).toContain('cannot be written');
  expect(await due()).toBe(false);
  const tested = await server.ok(OrderRequests.TestOrderFolder, {}, { as: admin });
  expect(tested).toMatchObject({ ok: false, sentence: expect.stringContaining('it is not a folder') as string });
  server.services.config.orderFolder = folder;
  fs.rmSync(blocked);
  later(10);
  expect(await due()).toBe(true);
  await write();
  server.setNow(null);
  expect(files()).toEqual(keys.map((key) => `order-${key}.json`).toSorted());
  expect((await list()).ways).toMatchObject({ problem: '', pausedUntil: null });
  expect(await server.ok(OrderRequests.TestOrderFolder, {}, { as: admin })).toMatchObject({ ok: true });
});

it('concurrent servers write each order once, and no half-written file stays', async () => {
  const keys = [];
  for (let n = 0; n < 10; n++) keys.push(await aWonQuote());
  const old = path.join(folder, '.order-1.json.x.part');
  fs.writeFileSync(old, 'half');
  fs.utimesSync(old, 0, 0);
  await Promise.all([write(), write(), write()]);
  expect(files()).toEqual(keys.map((key) => `order-${key}.json`).toSorted());
  const sent = await server.db.selectFrom('order_file').selectAll().execute();
  expect(sent.filter(({ written_at }) => written_at !== null)).toHaveLength(10);
});

it('an order that the ERP has fetched is not written', async () => {
  await aWonQuote();
  await server.ok(OrderExchange.GetOrderRequests, {}, { as: admin });
  await write();
  expect(files()).toEqual([]);
});

it('a restored copy writes nothing', async () => {
  await aWonQuote();
  await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
  expect(await due()).toBe(false);
  await write();
  await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
  expect(files()).toEqual([]);
});

it('only administrators save settings, and only over the version that was read', async () => {
  const { settings: before } = await server.ok(OrderRequests.GetOrderSettings, {}, { as: admin });
  await settings({ test: true });
  expect((await server.call(OrderRequests.SaveOrderSettings, before, { as: admin })).status).toBe(409);
  const sales = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(OrderRequests.SaveOrderSettings, before, { as: sales })).status).toBe(403);
  expect((await server.call(OrderRequests.TestOrderFolder, {}, { as: sales })).status).toBe(403);
  const wrong = await server.call(OrderRequests.SaveOrderSettings, { ...before, format: 'pdf' }, { as: admin });
  expect(wrong.status).toBe(422);
});

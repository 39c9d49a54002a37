// Tests the watched folder over HTTP: its address, waiting files, results, and an extra check; users see the kinds that they may import.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport } from '../data-import.contract.ts';
import { ImportInbox } from './import-inbox.contract.ts';

let root: string;
let server: TestServer;
let admin: { id: number };

beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'inbox-view-'));
  server.services.config.importInbox = root;
  return () => fs.rmSync(root, { recursive: true, force: true });
});
afterAll(() => server.close());

function drop(name: string, text: string) {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  fs.utimesSync(file, 0, 0);
}
const view = (as: { id: number } = admin) => server.ok(ImportInbox.GetImportInbox, {}, { as });
const files = (as: { id: number } = admin) => server.ok(ImportInbox.ListInboxFiles, { page: 1, pageSize: 20 }, { as });
const waitingOf = async (kind: string) => (await view()).kinds.find((candidate) => candidate.kind === kind);
/** Checks as often as a file needs to be uploaded, checked, applied, and moved away. */
async function lookNow(times = 4) {
  for (let n = 0; n < times; n++) {
    await server.ok(ImportInbox.LookIntoInbox, {}, { as: admin });
    await server.drain();
  }
}

it('says plainly when no folder is watched', async () => {
  server.services.config.importInbox = undefined;
  expect(await view()).toEqual({ address: null, lookedAt: null, problem: '', held: false, kinds: [] });
  const refused = await server.call(ImportInbox.LookIntoInbox, {}, { as: admin });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('IMPORT_INBOX') } });
});

it('shows waiting files, running imports and results with their runs', async () => {
  server.setNow('2026-11-20T15:00:00Z');
  drop('items/first.csv', 'Item number,Description,Base unit\nVIEW-1,Catheter,EA\n,Nameless,EA\n');
  drop('prices/broken.xlsx', 'PK\u0003\u0004nonsense');
  const { address, kinds } = await view();
  expect(address).toBe('IMPORT_INBOX');
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['items', 'prices', 'costs', 'facilities', 'sales']),
  );
  expect(await waitingOf('items')).toEqual({
    kind: 'items',
    label: 'Items',
    address: 'IMPORT_INBOX/items',
    waiting: ['first.csv'],
    waitingTotal: 1,
    problem: '',
  });

  await server.ok(ImportInbox.LookIntoInbox, {}, { as: admin });
  await server.drain();
  expect(await view()).toMatchObject({ lookedAt: '2026-11-20T15:00:00.000Z', problem: '', held: false });
  expect((await files()).records.map(({ name, state }) => [name, state])).toEqual([
    ['broken.xlsx', 'Refused'],
    ['first.csv', 'Importing'],
  ]);
  // It is still there, but no longer waiting.
  expect([fs.existsSync(path.join(root, 'items/first.csv')), (await waitingOf('items'))?.waiting]).toEqual([true, []]);

  await lookNow();
  const [broken, first] = (await files()).records;
  expect(broken).toMatchObject({ kindLabel: 'List prices', importId: null, said: expect.stringContaining('damaged') });
  expect(first).toMatchObject({ state: 'Done', said: '1 row refused; 1 row taken.', againAt: null });
  expect(await server.ok(DataImport.GetImport, { id: first?.importId ?? 0 }, { as: admin })).toMatchObject({
    fileName: 'first.csv',
    state: 'Applied',
  });

  server.setNow('2026-11-20T16:00:00Z');
  drop('items/again.csv', 'Item number,Description,Base unit\nVIEW-1,Catheter,EA\n,Nameless,EA\n');
  await lookNow(1);
  expect((await files()).records[1]).toMatchObject({ name: 'first.csv', againAt: '2026-11-20T16:00:00.000Z' });
});

it('reports problems with a folder, and with the last check', async () => {
  fs.writeFileSync(path.join(root, 'costs'), 'no folder');
  await lookNow(1);
  expect((await waitingOf('costs'))?.problem).toContain('EEXIST');
  expect((await waitingOf('items'))?.problem).toBe('');
  expect((await view()).problem).toMatch(/^Costs: EEXIST/);
});

it('lists only the first 20 waiting names', async () => {
  for (let n = 0; n < 25; n++) drop(`sales/${100 + n}.csv`, String(n));
  const sales = await waitingOf('sales');
  expect([sales?.waitingTotal, sales?.waiting.length, sales?.waiting[0]]).toEqual([25, 20, '100.csv']);
});

it('never shows the credentials of a bucket', async () => {
  server.services.config.importInbox = 's3://key:hidden@127.0.0.1/erp?endpoint=http://127.0.0.1:1&timeout=1';
  const text = JSON.stringify(await view());
  expect(text).not.toContain('hidden');
  expect(text).toContain('s3://127.0.0.1/erp/items');
});

it('does not check the folder in a restored copy, and says so', async () => {
  await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
  expect((await view()).held).toBe(true);
  const refused = await server.call(ImportInbox.LookIntoInbox, {}, { as: admin });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Mailbox') } });
  await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
});

it('shows people only the kinds that they may import, and refuses people who may import none', async () => {
  const contracts = await aUser(server.db, { roles: ['contractdept'] });
  const mine = (await server.ok(DataImport.ListImportKinds, {}, { as: contracts })).map(({ kind }) => kind);
  const visible = (await view(contracts)).kinds.map(({ kind }) => kind);
  expect(visible.filter((kind) => !mine.includes(kind))).toEqual([]);
  const labels = (await view(contracts)).kinds.map(({ label }) => label);
  expect((await files(contracts)).records.filter(({ kindLabel }) => !labels.includes(kindLabel))).toEqual([]);
  expect((await files(contracts)).total).toBeLessThan((await files()).total);
  const rep = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(ImportInbox.GetImportInbox, {}, { as: rep })).status).toBe(403);
});

// Tests the watched import folder: each complete file is imported once, as on the screen, and moved away; refused rows are reported.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dataImportAnswers } from '../data-import.server.ts';
import { DataImport } from '../data-import.contract.ts';
import { IMPORT_KINDS_OF_SCREEN } from '#core/company/import-kinds/import-kinds.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { IDLE } from '#platform/jobs/jobs.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { importInboxWork } from './import-inbox.server.ts';

const work = importInboxWork(IMPORT_KINDS_OF_SCREEN, dataImportAnswers(IMPORT_KINDS_OF_SCREEN));
let root: string;
let server: TestServer;
let admin: { id: number; userName: string };

beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  await aUser(server.db, { roles: ['salesadmin'] });
});
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'import-inbox-'));
  server.services.config.importInbox = root;
  server.mails.length = 0;
  return () => fs.rmSync(root, { recursive: true, force: true });
});
afterAll(() => server.close());

function drop(name: string, text: string, secondsAgo = 60) {
  const file = path.join(root, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  const at = Date.now() / 1000 - secondsAgo;
  fs.utimesSync(file, at, at);
}
/** Checks the folder as often as any file needs, and runs the jobs after each check. */
async function rounds(n = 8) {
  for (let round = 0; round < n; round++) {
    await work.run(server.services);
    await server.drain();
  }
}
const lying = () =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .toSorted();
const imports = async () => (await server.ok(DataImport.ListImports, {}, { as: admin })).records;
const item = (number: string) =>
  server.db.selectFrom('item').selectAll().where('item_number', '=', number).executeTakeFirst();

it('a file of items is checked and applied, appears in the history, and is moved away', async () => {
  drop('items/items.csv', 'Item number,Description,Base unit\nIN-1,Catheter,EA\n');
  await rounds();
  expect(lying()).toEqual(['items/done/items.csv']);
  expect(await item('IN-1')).toMatchObject({ description: 'Catheter' });
  const [last] = await imports();
  expect(last).toMatchObject({ fileName: 'items.csv', kind: 'items', state: 'Applied' });
  expect(server.mails).toEqual([]);
});

it('the same content is never imported twice, even under another name', async () => {
  const text = 'Item number,Description,Base unit\nIN-2,Syringe,EA\n';
  drop('items/one.csv', text);
  await rounds();
  const before = (await imports()).length;
  await server.db
    .updateTable('item')
    .set({ description: 'Changed by hand' })
    .where('item_number', '=', 'IN-2')
    .execute();
  drop('items/two.csv', text);
  await rounds();
  expect([(await imports()).length, lying()]).toEqual([before, ['items/done/one.csv', 'items/done/two.csv']]);
  expect(await item('IN-2')).toMatchObject({ description: 'Changed by hand' });
});

it('refused rows are mailed to administrators; the others are applied', async () => {
  drop('items/some.csv', 'Item number,Description,Base unit\nIN-3,Gauze,EA\n,Nobody,EA\n');
  await rounds();
  expect(await item('IN-3')).toBeDefined();
  expect(lying()).toEqual(['items/done/some.csv']);
  expect(server.mails.map(({ to }) => to)).toEqual([[admin.userName]]);
  expect(server.mails[0]?.subject).toContain('some.csv');
  expect(server.mails[0]?.text).toContain('1 row refused');
});

it('a file that cannot be read is refused with a reason', async () => {
  drop('items/strange.csv', 'Color,Weight\nred,7\n');
  drop('prices/not-a-table.xlsx', 'this is no workbook');
  await rounds();
  expect(lying()).toEqual(['items/refused/strange.csv', 'prices/refused/not-a-table.xlsx']);
  expect(server.mails).toHaveLength(2);
  const rows = await server.db.selectFrom('import_inbox_file').selectAll().where('state', '=', 'Refused').execute();
  expect(rows.every(({ error }) => error !== '')).toBe(true);
});

it('ignores files that are still being written, hidden files, and folders of other kinds', async () => {
  drop('items/now.csv', 'Item number,Description,Base unit\nIN-4,Late,EA\n', 0);
  drop('items/.hidden.csv', 'x');
  drop('items/half.csv.part', 'x');
  drop('users/users.csv', 'Name\nx\n');
  await rounds(2);
  expect(lying()).toEqual(['items/.hidden.csv', 'items/half.csv.part', 'items/now.csv', 'users/users.csv']);
  expect(await item('IN-4')).toBeUndefined();
});

it('concurrent servers import a file once', async () => {
  const before = (await imports()).length;
  drop('items/race.csv', 'Item number,Description,Base unit\nIN-5,Once,EA\n');
  drop('prices/race.xlsx', 'PK\u0003\u0004nonsense');
  for (let round = 0; round < 8; round++) {
    await Promise.all([work.run(server.services), work.run(server.services), work.run(server.services)]);
    await server.drain();
  }
  const created = (await imports()).slice(0, (await imports()).length - before);
  expect(created.map(({ state }) => state)).toEqual(['Applied']);
  expect(lying()).toEqual(['items/done/race.csv', 'prices/refused/race.xlsx']);
  expect(server.mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('race.xlsx')]);
});

it('a file that is replaced while it is imported is imported next, not moved away unread', async () => {
  drop('items/daily.csv', 'Item number,Description,Base unit\nIN-6,Gauze first,EA\n');
  await work.run(server.services);
  drop('items/daily.csv', 'Item number,Description,Base unit\nIN-6,Gauze second,EA\n', 0);
  await rounds();
  // The new file was written a moment ago, so it waits.
  expect([lying(), (await item('IN-6'))?.description]).toEqual([['items/daily.csv'], 'Gauze first']);
  drop('items/daily.csv', 'Item number,Description,Base unit\nIN-6,Gauze second,EA\n');
  await rounds();
  expect([lying(), (await item('IN-6'))?.description]).toEqual([['items/done/daily.csv'], 'Gauze second']);
});

it('a folder that cannot be read does not delay other kinds, and the problem is stored', async () => {
  fs.writeFileSync(path.join(root, 'costs'), 'a file where a folder should be');
  drop('sales/unreadable.csv', 'Color\nred\n');
  await rounds();
  expect(lying()).toEqual(['costs', 'sales/refused/unreadable.csv']);
  const { problem } = await server.db.selectFrom('import_inbox_round').selectAll().executeTakeFirstOrThrow();
  expect(problem).toMatch(/^Costs: EEXIST.*costs'$/);
});

it('a look that finds nothing, or the same problem again, is no news in Background Work', async () => {
  await work.run(server.services);
  expect(await work.run(server.services)).toBe(IDLE);
  drop('items/news.csv', 'Item number,Description,Base unit\nIN-9,Gauze,EA\n');
  expect(await work.run(server.services)).toBeUndefined();
  await rounds();
  expect(await work.run(server.services)).toBe(IDLE);
});

it('the folder is checked when it is due, and never in a restored copy', async () => {
  await server.db
    .updateTable('import_inbox_round')
    .set({ next_at: new Date(0) })
    .execute();
  expect(await work.due(server.services)).toBe(true);
  await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
  expect(await work.due(server.services)).toBe(false);
  await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
  await work.run(server.services);
  expect(await work.due(server.services)).toBe(false);
  server.services.config.importInbox = undefined;
  expect(await work.due(server.services)).toBe(false);
});

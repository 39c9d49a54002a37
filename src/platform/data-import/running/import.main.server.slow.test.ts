// Tests the command as an operator runs it: its output, the file of refused rows, its exit status.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { aUser } from '#testing/factories/people.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'import-main-'));
let database: Database;
let [admin, rep]: string[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  [admin, rep] = [
    (await aUser(database.db, { roles: ['systemadmin'] })).userName,
    (await aUser(database.db, { roles: ['salesrep'] })).userName,
  ];
});
afterAll(async () => {
  await database.close();
  fs.rmSync(folder, { recursive: true });
});

const MAIN = path.join(import.meta.dirname, 'import.main.server.ts');
/** Shared with the other tests that start programs, so that each file of the program is compiled once. */
const NODE_COMPILE_CACHE = path.join(import.meta.dirname, '../../../../.cache/compiled');

/** Runs the command in the test's folder, on the test's database. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, DATABASE_URL: addressOf(database), DATA_DIR: folder, NODE_COMPILE_CACHE };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', MAIN, ...args],
      { env, cwd: folder },
      (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
      },
    );
  });
}

test('imports, reports what it did, and writes refused rows beside the file', async () => {
  const file = path.join(folder, 'zips.csv');
  fs.writeFileSync(file, 'Title\nZIP,City,State\n2818,East Greenwich,RI\n99999,Nowhere,ZZ\n');
  const first = await run('zips', file);
  expect(first.err).toBe('');
  expect(first.out).toContain(
    'zips from zips.csv\ntext, comma, utf-8, header in line 2\nRead as: zip5 ← ZIP, city ← City, state ← State\n',
  );
  expect(first.out).toMatch(
    /Rows +2\n +New +1\n +Changed +0\n +Same +0\n +Refused +1\n +Corrected: 1 ZIP code that had lost/,
  );
  expect(first.out).toContain("line 4, State: 'ZZ' is not a state or territory of the USA");
  expect(first.code).toBe(0);
  expect(fs.readFileSync(`${file}.refused.csv`, 'utf8')).toContain(
    "99999,Nowhere,ZZ,4,State 'ZZ' is not a state or territory of the USA",
  );

  const again = await run('zips', file, '--dry-run', '--map', 'State=', '--as', admin ?? '');
  expect(again.out).toMatch(/New +1\n +Changed +0\n +Same +1\n +Refused +0\n/);
  expect(again.out).toContain('Dry run: nothing was changed.');
  expect(fs.existsSync(`${file}.refused.csv`)).toBe(false);
}, 300_000);

test('an invalid command and a missing file end with status 2 and say why', async () => {
  const [unknown, missing] = await Promise.all([run('planets', 'x.csv', '--quick'), run('zips', 'missing.csv')]);
  expect(unknown.code).toBe(2);
  expect(unknown.err).toMatch(/Unknown option '--quick'/);
  expect(unknown.err).toMatch(/kinds +zips, territories, facilities, contacts, memberships, items, /);
  expect(missing).toMatchObject({ code: 2, err: 'There is no file missing.csv.\n' });
}, 180_000);

test('--option sets what a kind needs besides the columns', async () => {
  const file = path.join(folder, 'contracts.csv');
  fs.writeFileSync(file, 'Contract,GPO,Title,From,To,Tier\nCLI-1,New group,Gloves,01/01/2026,12/31/2027,1\n');
  const left = await run('contracts', file, '--dry-run');
  expect(left.out).toContain("line 2, GPO: 'New group' is not a known GPO");
  expect(left.out).toContain('Answers that these rows name:\n  --option createGpos=no|yes  Create missing GPOs\n');
  const done = await run('contracts', file, '--option', 'createGpos');
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(done.out).toMatch(
    /New +1 [^]*New tiers +1\n[^]*New GPOs +1\n[^]*\nTiers:\n {2}Contract {2}Tier {6}What it is\n {2}CLI-1 {5}1 Tier 1\n\nCLI-1 has no prices yet\.\n\nImported\./,
  );
  const [help, none, unknown, wrong] = [
    await run('prices', '--help'),
    await run('prices', file, '--option', 'packs=yes'),
    await run('contracts', file, '--option', 'color=red'),
    await run(
      'contract-prices',
      file,
      '--option',
      'percent=much',
      '--map',
      'Tier=price',
      '--map',
      'Title=unit',
      '--map',
      'GPO=item_number',
    ),
  ];
  expect(unknown).toMatchObject({
    code: 2,
    err: "Unknown option 'color' for contracts. Valid options:\n  --option createGpos=no|yes  Create missing GPOs\n",
  });
  const packs = "  --option packs=refuse|make  A unit such as '100/bx': Refuse it | Is the BX of 100: make that unit\n";
  expect(help.out).toContain(packs);
  expect(none).toMatchObject({ code: 2, err: `'yes' is not a valid answer:\n${packs}` });
  expect(wrong.err).toContain('Hold changes beyond: enter a number of 0 or more');
  expect(wrong.code).toBe(2);
}, 300_000);

test('the command ends with status 2 if the person may not import the kind or does not exist', async () => {
  const file = path.join(folder, 'own.csv');
  fs.writeFileSync(file, 'ZIP,City,State\n02818,East Greenwich,RI\n');
  expect(await run('zips', file, '--as', rep ?? '')).toMatchObject({
    code: 2,
    err: 'You do not have permission to do this.\n',
  });
  expect(await run('zips', file, '--as', 'nobody@example.com')).toMatchObject({
    code: 2,
    err: 'There is no active user nobody@example.com.\n',
  });
}, 180_000);

test('a kind of a switched-off feature is refused with status 2', async () => {
  const file = path.join(folder, 'areas.geojson');
  fs.writeFileSync(file, '{}');
  await database.db.insertInto('switched_off_addon').values({ name: 'area-import', at: new Date() }).execute();
  const refused = await run('zip-areas', file);
  await database.db.deleteFrom('switched_off_addon').execute();
  expect(refused).toMatchObject({ code: 2, out: '', err: 'This feature is switched off.\n' });
  expect(await database.db.selectFrom('data_import').select('id').where('kind', '=', 'zip-areas').execute()).toEqual(
    [],
  );
});

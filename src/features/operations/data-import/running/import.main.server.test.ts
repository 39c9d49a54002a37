// The command as an operator runs it: what it prints, where refused rows go, how it ends.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'import-main-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const MAIN = path.join(import.meta.dirname, 'import.main.server.ts');

/** Runs the command on an embedded database of its own; the folder is the current one. */
function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, DATABASE_URL: '', DATA_DIR: path.join(folder, 'data') };
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

test('imports, tells what it did, lists refused rows beside the file', async () => {
  const file = path.join(folder, 'zips.csv');
  fs.writeFileSync(file, 'Title\nZIP,City,State\n2818,East Greenwich,RI\n99999,Nowhere,ZZ\n');
  const first = await run('zips', file);
  expect(first.err).toBe('');
  expect(first.out).toContain(
    'zips from zips.csv\ntext, comma, utf-8, header in line 2\nRead as: zip5 ← ZIP, city ← City, state ← State\n',
  );
  expect(first.out).toMatch(
    /rows +2\n +new +1\n +changed +0\n +same +0\n +refused +1\n +put right: 1 ZIP codes that had lost/,
  );
  expect(first.out).toContain("line 4, State: 'ZZ' is not a state or territory of the USA");
  expect(first.code).toBe(0);
  expect(fs.readFileSync(`${file}.refused.csv`, 'utf8')).toContain(
    "99999,Nowhere,ZZ,4,State 'ZZ' is not a state or territory of the USA",
  );

  const again = await run('zips', file, '--dry-run', '--map', 'State=');
  expect(again.out).toMatch(/new +1\n +changed +0\n +same +1\n +refused +0\n/);
  expect(again.out).toContain('Dry run: nothing was changed.');
  expect(fs.existsSync(`${file}.refused.csv`)).toBe(false);

  // A running server holds the data folder's lock; this process plays that server.
  fs.writeFileSync(path.join(folder, 'data', 'lock'), String(process.pid));
  const locked = await run('zips', file);
  expect(locked).toMatchObject({ code: 1, out: '' });
  expect(locked.err).toMatch(/^Nothing was imported: The data folder .* is in use by process \d+\. Stop it first/);
}, 120_000);

test('a command that is not understood and a file that is not there end with status 2 and say why', async () => {
  const [unknown, missing] = await Promise.all([run('planets', 'x.csv', '--quick'), run('zips', 'missing.csv')]);
  expect(unknown.code).toBe(2);
  expect(unknown.err).toMatch(/Unknown option '--quick'/);
  expect(unknown.err).toMatch(
    /kinds +facilities, contacts, items, units, prices, account-prices, costs, sales, zips, territories, users/,
  );
  expect(missing).toMatchObject({ code: 2, err: 'There is no file missing.csv.\n' });
}, 60_000);

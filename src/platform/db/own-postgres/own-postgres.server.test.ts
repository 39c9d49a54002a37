// Tests what a data folder refuses before any program starts: the folder of the earlier engine, and a computer without a suitable account.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { accountOfPostgres } from './account.server.ts';
import { openOwnPostgres } from './own-postgres.server.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'own-postgres-'));
// As root, a folder that PostgreSQL's account may not enter is replaced by another one.
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

it('the folder of the earlier engine says what to do', async () => {
  const dataDir = path.join(root, 'earlier');
  fs.mkdirSync(path.join(dataDir, 'database'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'database/PG_VERSION'), '17\n');
  await expect(openOwnPostgres(dataDir, { durable: false })).rejects.toThrow(/earlier version.*move the folder away/s);
  expect(fs.existsSync(path.join(dataDir, 'lock'))).toBe(false);
});

it.runIf(process.getuid?.() === 0)('root learns which users were looked for when there is none', () => {
  const passwd = path.join(root, 'passwd');
  fs.writeFileSync(passwd, 'root:x:0:0:root:/root:/bin/sh\n');
  expect(() => accountOfPostgres(passwd)).toThrow('this computer has no user postgres or nobody');
  fs.appendFileSync(passwd, 'nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n');
  expect(accountOfPostgres(passwd)).toEqual({ name: 'nobody', uid: 65_534, gid: 65_534 });
});

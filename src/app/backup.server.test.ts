// Tests that a failed backup removes everything of its own, and nothing else.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { backUp } from './backup.server.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'backup-'));
const unreachable = { databaseUrl: 'postgres://127.0.0.1:1/nowhere', dataDir: root, storageUrl: `file:${root}/files` };
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

it('leaves no folder when the database cannot be read, and listens to no signal any more', async () => {
  const folder = path.join(root, 'of a company/failed');
  const before = process.listenerCount('SIGTERM');
  await expect(backUp(folder, unreachable)).rejects.toThrow('pg_dump');
  expect(fs.existsSync(folder)).toBe(false);
  expect(process.listenerCount('SIGTERM')).toBe(before);
});

it('refuses a folder that exists and leaves what is in it', async () => {
  const folder = path.join(root, 'of yesterday');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'complete'), 'yesterday');
  await expect(backUp(folder, unreachable)).rejects.toThrow(`${folder} already exists.`);
  expect(fs.readFileSync(path.join(folder, 'complete'), 'utf8')).toBe('yesterday');
});

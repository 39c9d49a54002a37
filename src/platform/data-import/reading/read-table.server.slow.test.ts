// Tests that a compressed file that unpacks to more than a gigabyte is refused.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openTable } from './read-table.server.ts';

test('compressed text of more than a gigabyte is refused', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'read-table-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'rows.csv.gz');
  const member = gzipSync(Buffer.alloc(32 * 2 ** 20, `${'a,b '.repeat(1000)}\n`));
  fs.writeFileSync(file, Buffer.concat(Array.from({ length: 33 }, () => member)));
  expect(fs.statSync(file).size).toBeLessThan(2_000_000);
  await expect(openTable(file)).rejects.toThrow(/unpacks to more than/);
});

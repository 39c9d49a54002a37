// Tests that files without a row, and no others, are deleted after a day, in a folder and in a bucket.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Services } from '#platform/api/services.server.ts';
import { type FileStore, openFileStore } from '#platform/outside/file-store.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { removeOrphans } from './orphaned-files.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'orphaned-files-'));
let s3: S3rver;
let server: TestServer;
let s3Address = '';
beforeAll(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 's3'),
    configureBuckets: [{ name: 'quotes', configs: [] }],
  });
  s3Address = encodeURIComponent(`http://127.0.0.1:${(await s3.run()).port}`);
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  await s3.close();
  fs.rmSync(folder, { recursive: true });
});

describe.each([
  ['a folder', () => `file:${path.join(folder, 'plain')}`, 600],
  // The bucket server of the tests handles few requests at a time.
  ['a bucket', () => `s3://quotes/some/where?endpoint=${s3Address}`, 40],
])('%s', (_name, address, used) => {
  let files: FileStore;
  let services: Services;
  /** Returns the services with a clock that many hours ahead. */
  const later = (hours: number) => ({ ...services, clock: { now: () => new Date(Date.now() + hours * 3_600_000) } });
  const isThere = (key: string) =>
    files.get(key).then(
      () => true,
      () => false,
    );
  const putMany = async (count: number): Promise<string[]> => {
    const keys: string[] = [];
    while (keys.length < count) {
      const subset = Array.from({ length: Math.min(10, count - keys.length) }, () => files.put(Buffer.from('x')));
      keys.push(...(await Promise.all(subset)));
    }
    return keys;
  };
  const named = async (key: string) =>
    server.db
      .insertInto('file')
      .values({ storage_key: key, name: 'a.pdf', media_type: 'application/pdf', size: 1 })
      .execute();
  beforeAll(async () => {
    files = await openFileStore(address());
    services = { ...server.services, files };
  });

  it('keeps files that a row refers to, and files younger than a day', async () => {
    const [used, orphan] = [await files.put(Buffer.from('used')), await files.put(Buffer.from('orphan'))];
    await named(used);
    expect(await removeOrphans(later(23))).toBe(0);
    expect(await isThere(orphan)).toBe(true);
    expect(await removeOrphans(later(25))).toBe(1);
    expect([await isThere(used), await isThere(orphan)]).toEqual([true, false]);
  });

  it('looks at all files, in batches', async () => {
    const keys = await putMany(used + used / 2);
    for (const key of keys.slice(0, used)) await named(key);
    expect(await removeOrphans(later(25))).toBe(used / 2);
    expect(await isThere(keys[used - 1] ?? '')).toBe(true);
    expect(await removeOrphans(later(25))).toBe(0);
  });

  it('removes nothing if most files belong to no row, and nothing in a restored copy', async () => {
    const orphan = await files.put(Buffer.from('orphan'));
    await server.db.updateTable('installation').set({ mail_held_at: new Date() }).execute();
    expect(await removeOrphans(later(25))).toBe(0);
    await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
    const foreign = await putMany(used + 100);
    expect(await removeOrphans(later(25))).toBe(0);
    expect([await isThere(orphan), await isThere(foreign[0] ?? '')]).toEqual([true, true]);
  });
});

it('removes what a killed server left of an unfinished file, and no foreign files', async () => {
  const place = path.join(folder, 'parts');
  const files = await openFileStore(`file:${place}`);
  const key = await files.put(Buffer.from('kept'));
  const room = path.join(place, key.slice(0, 2));
  const part = path.join(room, `${key.slice(0, 2)}000000-0000-4000-8000-000000000000.part`);
  const other = path.join(room, 'notes.txt');
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const file of [part, other]) {
    fs.writeFileSync(file, 'unfinished');
    fs.utimesSync(file, old, old);
  }
  expect(await removeOrphans({ ...server.services, files })).toBe(1);
  expect([fs.existsSync(part), fs.existsSync(other), fs.existsSync(path.join(room, key))]).toEqual([false, true, true]);
});

it('runs as a job once a day, however many servers start', async () => {
  const { jobs } = server.services;
  await jobs.work();
  await jobs.work();
  const runs = (await jobs.list()).filter(({ name }) => name === 'orphaned-files');
  expect(runs).toHaveLength(1);
});

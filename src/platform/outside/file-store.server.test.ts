// Tests that files come back byte for byte from a folder and from an S3 server, and that a failing disk or server leaves no partial file.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileMissingError, type FileStore, openFileStore } from './file-store.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-files-'));
const bucketFolder = path.join(folder, 's3');
const filesIn = (place: string) =>
  fs.readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

let s3: S3rver;
let s3Address: string;
beforeAll(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
  s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: bucketFolder,
    configureBuckets: [{ name: 'quotes', configs: [] }],
  });
  const { port } = await s3.run();
  s3Address = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await s3.close();
  fs.rmSync(folder, { recursive: true });
});

describe.each([
  ['a folder', () => `file:${path.join(folder, 'plain')}`],
  ['a bucket', () => `s3://quotes?endpoint=${encodeURIComponent(s3Address)}`],
  ['a prefix in a bucket', () => `s3://quotes/some/where?endpoint=${encodeURIComponent(s3Address)}`],
])('%s', (_name, address) => {
  let store: FileStore;
  beforeAll(async () => {
    store = await openFileStore(address());
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from([0])],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['three megabytes', randomBytes(3_000_001)],
  ])('gives back %s as it was put', async (_what, bytes) => {
    const key = await store.put(bytes);
    expect(Buffer.compare(await store.get(key), bytes)).toBe(0);
  });

  it('takes a file from the disk and gives it back in pieces', async () => {
    const [bytes, file] = [randomBytes(3_000_001), path.join(folder, 'large')];
    fs.writeFileSync(file, bytes);
    const key = await store.putFile(file);
    const pieces: Buffer[] = [];
    for await (const piece of await store.open(key)) pieces.push(piece as Buffer);
    expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
    await expect(store.putFile(path.join(folder, 'nothing'))).rejects.toThrow(/ENOENT/);
    await store.remove(key);
    await expect(store.open(key)).rejects.toThrow(FileMissingError);
  });

  it('keeps equal files apart, and a removed one is gone', async () => {
    const [a, b] = await Promise.all([store.put(Buffer.from('same')), store.put(Buffer.from('same'))]);
    expect(a).not.toBe(b);
    await store.remove(a);
    await store.remove(a);
    await expect(store.get(a)).rejects.toThrow(FileMissingError);
    expect(String(await store.get(b))).toBe('same');
  });
});

describe('a failing disk', () => {
  it('that is no folder refuses at once', async () => {
    const file = path.join(folder, 'no-folder');
    fs.writeFileSync(file, '');
    const store = await openFileStore(`file:${file}`);
    await expect(store.put(Buffer.from('x'))).rejects.toThrow('ENOTDIR');
    // The store may become available again with all its files.
    await expect(store.get('x')).rejects.not.toThrow(FileMissingError);
  });

  it.skipIf(process.platform === 'win32')('that is full in the middle of a file keeps none of it', () => {
    const place = path.join(folder, 'full');
    const program = `
      import { openFileStore } from './src/platform/outside/file-store.server.ts';
      const store = await openFileStore('file:' + process.env.PLACE);
      await store.put(Buffer.alloc(1000));
      await store.put(Buffer.alloc(1_000_000)).catch((error) => console.log(error.code));`;
    // The shell limits files to 100 blocks.
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', 'ulimit -f 100; exec "$0" --input-type=module -e "$PROGRAM"', process.execPath],
      {
        cwd: path.join(import.meta.dirname, '../../..'),
        env: { ...process.env, PROGRAM: program, PLACE: place, NODE_OPTIONS: '--disable-warning=ExperimentalWarning' },
        encoding: 'utf8',
      },
    );
    expect([stdout, stderr]).toEqual(['EFBIG\n', '']);
    expect(
      filesIn(place).map(({ name }) => [
        name.endsWith('.part'),
        fs.statSync(path.join(place, name.slice(0, 2), name)).size,
      ]),
    ).toEqual([[false, 1000]]);
  });
});

describe('a failing S3 server', () => {
  it('that is not there, or has no such bucket, refuses', async () => {
    const nobody = await openFileStore(`s3://quotes?endpoint=${encodeURIComponent('http://127.0.0.1:1')}`);
    await expect(nobody.put(Buffer.from('x'))).rejects.toThrow('ECONNREFUSED');
    const other = await openFileStore(`s3://other?endpoint=${encodeURIComponent(s3Address)}`);
    await expect(other.put(Buffer.from('x'))).rejects.toThrow('bucket does not exist');
  });

  it('that hangs is given up', async () => {
    const hanging = http.createServer(() => {}).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const store = await openFileStore(
      `s3://quotes?timeout=0.2&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    );
    await expect(store.put(Buffer.from('x'))).rejects.toThrow(/did not respond/);
    hanging.closeAllConnections();
    hanging.close();
  });
});

it('takes no other address', async () => {
  await expect(openFileStore('ftp://example.com')).rejects.toThrow('STORAGE_URL must begin with file: or s3:');
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { serveAssets } from './assets.server.ts';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-assets-'));
for (const [name, text] of Object.entries({
  'page-1.js': 'whole',
  'page-1.js.br': 'brotli',
  'page-1.js.gz': 'gzipped',
  'page-1.css': 'colors',
})) {
  fs.writeFileSync(path.join(folder, name), text);
}
const app = fastify();
serveAssets(app, folder);
afterAll(() => fs.rmSync(folder, { recursive: true }));

const get = async (url: string, accepted?: string) => {
  const { statusCode, body, headers } = await app.inject({
    url,
    headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
  });
  return [statusCode, body, headers['content-encoding'], headers['content-type']];
};
const JS = 'text/javascript; charset=utf-8';

it('sends the smallest encoding that the browser accepts', async () => {
  expect(await get('/assets/page-1.js', 'gzip, deflate, br, zstd')).toEqual([200, 'brotli', 'br', JS]);
  expect(await get('/assets/page-1.js', 'gzip, deflate')).toEqual([200, 'gzipped', 'gzip', JS]);
  expect(await get('/assets/page-1.js', 'GZIP;q=0.5, br;q=0')).toEqual([200, 'gzipped', 'gzip', JS]);
  expect(await get('/assets/page-1.js', 'gzip; q=0.0')).toEqual([200, 'whole', undefined, JS]);
  expect(await get('/assets/page-1.js')).toEqual([200, 'whole', undefined, JS]);
  expect(await get('/assets/page-1.css', 'br')).toEqual([200, 'colors', undefined, 'text/css; charset=utf-8']);
});

it('lets browsers cache it for good, and lets proxies tell the encodings apart', async () => {
  const { headers } = await app.inject({ url: '/assets/page-1.js' });
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' });
});

it('still serves its files after a new build of the folder', async () => {
  fs.rmSync(path.join(folder, 'page-1.css'));
  expect(await get('/assets/page-1.css')).toEqual([200, 'colors', undefined, 'text/css; charset=utf-8']);
});

it.each(['page-2.js', 'page-1.js.br', '..%2fassets.server.ts', '%2e%2e%2fpage-1.js', ''])(
  'has nothing else: %s',
  async (name) => {
    expect((await get(`/assets/${name}`))[0]).toBe(404);
  },
);

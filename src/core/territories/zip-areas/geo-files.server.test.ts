// Tests the built-in areas: complete, without overlaps or gaps, and served with permanent caching.
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { feature, merge } from 'topojson-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { geoUrl } from './geo-files.server.ts';
import { geoFile, builtInAreas } from './area-set.server.ts';
import { topologyOf } from './state-areas.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Ring = number[][];
const doubleArea = (ring: Ring) =>
  ring.slice(1).reduce((sum, [x = 0, y = 0], i) => sum + (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0), 0);
const corner = ([lon = 0, lat = 0]: number[]) => `${Math.round(lon * 10_000)},${Math.round(lat * 10_000)}`;

it('has an area for every state and for at least 33,700 ZIPs, no edge used twice in one direction, no gap in a state', async () => {
  const { files, zips } = await builtInAreas();
  expect(files).toHaveLength(56);
  const edges = new Map<string, string[]>();
  const [twice, turned, gaps, wrong] = [[] as string[], [] as string[], [] as string[], [] as string[]];
  let areas = 0;
  for (const file of files) {
    const { state, areas: counted } = file;
    const topology = await topologyOf(file);
    const { features } = feature(topology, topology.objects.zips);
    areas += features.length;
    if (
      counted !== features.length ||
      zips.get(state) !==
        features
          .map(({ id }) => String(id))
          .toSorted()
          .join(' ')
    )
      wrong.push(state);
    for (const { id, properties, geometry } of features) {
      if (!/^\d{5}$/.test(properties.county)) wrong.push(String(id));
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') continue;
      for (const polygon of geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) {
        for (const [i, ring] of polygon.entries()) {
          if (doubleArea(ring) > 0 !== (i === 0)) turned.push(String(id));
          for (const [k, point] of ring.slice(1).entries()) {
            const edge = `${corner(ring[k] ?? [])} ${corner(point)}`;
            const users = edges.get(edge);
            if (users) twice.push(`${edge} ${users.join()} ${id}`);
            else edges.set(edge, [String(id)]);
          }
        }
      }
    }
    const whole = merge(topology, topology.objects.zips.geometries as Parameters<typeof merge>[1]);
    if (whole.coordinates.some(({ length }) => length > 1)) gaps.push(state);
  }
  expect({ twice, turned, gaps, wrong }).toEqual({ twice: [], turned: [], gaps: [], wrong: [] });
  expect(areas).toBeGreaterThanOrEqual(33_700);
  const shared = [...edges.keys()].filter((edge) => edges.has(edge.split(' ').toReversed().join(' ')));
  expect(shared.length / edges.size).toBeGreaterThan(0.9);
}, 60_000);

it('has a version sha that matches the files', async () => {
  const { sha, files } = await builtInAreas();
  const hash = createHash('sha256');
  for (const file of [...files.map(({ state }) => `${state}.json`), 'zips.json', 'us.json']) {
    const small = await geoFile(server.db, sha, file);
    if (!small) throw new Error(`${file} is missing`);
    hash.update(`${file}\n${String(gunzipSync(small))}\n`);
  }
  expect(hash.digest('hex').slice(0, 16)).toBe(sha);
});

it('serves a state gzipped or plain, lets caches keep it forever, and answers 304 to a matching etag', async () => {
  const address = await server.listen();
  const get = (url: string, headers: Record<string, string> = {}) => fetch(address + url, { headers });
  const { sha } = await builtInAreas();
  const plain = await get(geoUrl(sha, 'RI'), { 'accept-encoding': 'identity' });
  const text = await plain.text();
  expect(Object.fromEntries(plain.headers)).toMatchObject({
    'content-type': expect.stringContaining('application/json') as string,
    'content-length': String(text.length),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(plain.headers.has('content-encoding')).toBe(false);
  expect(JSON.parse(text)).toMatchObject({ type: 'Topology', objects: { zips: { type: 'GeometryCollection' } } });
  const small = await get(geoUrl(sha, 'RI'), { 'accept-encoding': 'gzip, deflate' });
  expect(small.headers.get('content-encoding')).toBe('gzip');
  expect(small.headers.get('content-length')).toBe(String((await geoFile(server.db, sha, 'RI.json'))?.length));
  expect(await small.text()).toBe(text);
  const had = await get(geoUrl(sha, 'RI'), { 'if-none-match': `"other", ${plain.headers.get('etag')}` });
  expect([had.status, await had.text()]).toEqual([304, '']);
  const outlines = (await (await get(geoUrl(sha, 'us'))).json()) as {
    objects: Record<'states' | 'counties', { geometries: { id: string; properties: object }[] }>;
  };
  const { states, counties } = outlines.objects;
  expect(states.geometries.find(({ id }) => id === '48')?.properties).toEqual({ name: 'Texas', code: 'TX' });
  expect(counties.geometries.find(({ id }) => id === '48113')?.properties).toEqual({ name: 'Dallas', state: 'TX' });
});

it('serves nothing at other addresses', async () => {
  const { sha } = await builtInAreas();
  const urls = [
    geoUrl(sha, 'ZZ'),
    geoUrl('0123456789abcdef', 'RI'),
    `/geo/${sha}/..%2Findex.json`,
    geoUrl(sha, 'index'),
  ];
  for (const url of urls) {
    const { status, headers, text } = await server.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
    expect([url, status, headers['cache-control']]).toEqual([url, 404, 'no-store']);
    expect(text).toContain('There are no ZIP areas at this address. Load the map again.');
  }
});

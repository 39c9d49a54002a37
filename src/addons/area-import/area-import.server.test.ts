// Tests the import of real areas over HTTP: check, apply, replace, undo, repairs, refusals, and access.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DataImport, type ImportView } from '#platform/data-import/data-import.contract.ts';
import { TerritoryMapCalls } from '#addons/territory-map/territory-map.contract.ts';
import { shownAreas, builtInAreas } from '#core/territories/zip-areas/area-set.server.ts';
import { topologyOf } from '#core/territories/zip-areas/state-areas.server.ts';
import { ZipAreas, ZipFeatures, ZipRefs } from '#core/territories/zip-areas/zip-areas.contract.ts';
import { aZip } from '#testing/a-zip.server.ts';
import { anImporter, figures } from '#testing/an-importer.server.ts';
import { aTerritory, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { AreaImport } from './area-import.contract.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

type Ring = number[][];
/** A square of 0.1 degrees. Its sides have many corners, which neighbors share. */
function square(column: number, row: number, [west, south]: readonly [number, number] = [-71.8, 41.4]): Ring {
  const corners: Ring = [];
  const wave = (at: number): number => Math.sin(at * 40) / 500;
  for (let n = 0; n < 50; n += 1) corners.push([column + n / 50, row + wave(column + n / 50)]);
  for (let n = 0; n < 50; n += 1) corners.push([column + 1 + wave(row + n / 50), row + n / 50]);
  for (let n = 50; n > 0; n -= 1) corners.push([column + n / 50, row + 1 + wave(column + n / 50)]);
  for (let n = 50; n > 0; n -= 1) corners.push([column + wave(row + n / 50), row + n / 50]);
  // Two waves would shift a corner. Rounding removes them, so that neighbors meet there.
  const placed = corners.map(([x = 0, y = 0], n) => (n % 50 === 0 ? [Math.round(x), Math.round(y)] : [x, y]));
  const closed = [...placed, ...placed.slice(0, 1)];
  return closed.map(([x = 0, y = 0]) => [round(west + x / 10), round(south + y / 10)]);
}
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('It is not there.');
  return value;
}
const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const feature = (zip: unknown, geometry: unknown, name = 'ZCTA5CE20') => ({
  type: 'Feature',
  properties: { [name]: zip, ALAND20: 56_516_634 },
  geometry,
});
const polygon = (...rings: unknown[]) => ({ type: 'Polygon', coordinates: rings });
const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });
const upload = (text: string | Buffer, name = 'areas.json') =>
  server.ok(
    DataImport.UploadImport,
    { kind: 'zip-areas' },
    { as: ada, file: { name, bytes: Buffer.from(text), type: 'application/json' } },
  );
const checked = async (text: string | Buffer, name?: string) => ada.check(await upload(text, name));
const refusedUpload = async (text: string | Buffer) => {
  const { status, body } = await server.call(
    DataImport.UploadImport,
    { kind: 'zip-areas' },
    { as: ada, file: { name: 'areas.json', bytes: Buffer.from(text), type: 'application/json' } },
  );
  return [status, JSON.stringify(body)] as const;
};
const reasons = ({ report }: ImportView) =>
  (report?.refusedCells ?? []).map(({ line, column, value, reason }) =>
    `${line} ${column} ${value} ${reason}`.replace(/  +/g, ' '),
  );
const refs = async () => ZipRefs.parse(await server.ok(ZipAreas.getTerrZipGeoJson, { format: 'refs' }, { as: ada }));
const source = () => server.ok(AreaImport.GetImportedAreas, {}, { as: ada });
const imported = async () => (await source()).imported;
const BLOCK_ISLAND = '02807';
const DELAWARE = [-75.7, 39.5] as const;

it('replaces the areas of a state, draws what the file lacks as points, and undoes everything', async () => {
  const builtIn = await builtInAreas();
  const file = collection(
    feature('02818', polygon(square(0, 0))),
    feature('02816', polygon(square(1, 0))),
    feature('02827', { type: 'MultiPolygon', coordinates: [[square(0, 1)], [square(1, 1)]] }),
  );
  const result = await checked(gzipSync(file), 'ri.json.gz');
  expect(result).toMatchObject({ state: 'Checked', error: '', format: 'GeoJSON' });
  expect(figures(result)).toMatchObject({ States: 1, Areas: 3 });
  expect(figures(result)['Shown as points']).toBe((builtIn.zips.get('RI')?.split(' ').length ?? 0) - 3);
  // A check changes nothing.
  expect((await refs()).geoVersion).toBe(builtIn.sha);
  const applied = await ada.apply(result);
  expect(applied).toMatchObject({ state: 'Applied', error: '', mayUndo: true });

  const now = await refs();
  const [rhodeIsland] = now.files.filter(({ state }) => state === 'RI');
  expect(now.geoVersion).not.toBe(builtIn.sha);
  expect(rhodeIsland).toMatchObject({ approximate: false, areas: 3 });
  expect(now.files.filter(({ url }) => url.startsWith(`/geo/${builtIn.sha}/`))).toHaveLength(55);
  const served = await server.inject({ method: 'GET', url: rhodeIsland?.url ?? '' });
  expect(served.status).toBe(200);
  expect(served.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const features = ZipFeatures.parse(
    await server.ok(ZipAreas.getTerrZipGeoJson, { states: ['RI'] }, { as: ada }),
  ).features;
  expect(features.find(({ id }) => id === '02818')?.properties.approximate).toBe(false);
  expect(features.some(({ id }) => id === BLOCK_ISLAND)).toBe(false);
  expect(features.find(({ id }) => id === '02827')?.geometry.type).toBe('MultiPolygon');
  expect(await imported()).toMatchObject({
    file: 'ri.json.gz',
    by: 'Ada Admin',
    states: [{ state: 'RI', areas: 3 }],
  });

  // Neighbors keep one common border with fewer corners. Rings run in the GeoJSON direction.
  const version = await shownAreas(server.db);
  const topology = await topologyOf(required(version.files.find(({ state }) => state === 'RI')));
  const arcsOf = (zip: string) => {
    const geometry = topology.objects.zips.geometries.find(({ id }) => id === zip);
    return (geometry && 'arcs' in geometry ? (geometry.arcs as number[][]).flat(2) : []).map((arc) =>
      arc < 0 ? ~arc : arc,
    );
  };
  const common = arcsOf('02818').filter((arc) => arcsOf('02816').includes(arc));
  expect(common).toHaveLength(1);
  const corners = topology.arcs[common[0] ?? 0]?.length ?? 0;
  expect(corners).toBeGreaterThan(5);
  expect(corners).toBeLessThan(51);

  expect((await checked(file)).report?.writes).toBe(0);

  expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
  expect((await refs()).geoVersion).toBe(builtIn.sha);
  expect(await imported()).toBeNull();
  expect((await server.inject({ method: 'GET', url: rhodeIsland?.url ?? '' })).status).toBe(404);
});

it('replaces the earlier file also in states that the new one lacks, and shows it again after an undo', async () => {
  const first = collection(feature('02818', polygon(square(0, 0))), feature('19701', polygon(square(0, 0, DELAWARE))));
  await ada.apply(await checked(first, 'first.json'));
  const before = await refs();
  const second = await checked(collection(feature('02818', polygon(square(1, 0)))), 'second.json');
  expect(second.report?.notes.join(' ')).toContain('The file has no areas in Delaware');
  const applied = await ada.apply(second);
  const now = await refs();
  expect(now.files.filter(({ approximate }) => !approximate).map(({ state }) => state)).toEqual(['RI']);
  expect(now.geoVersion).not.toBe(before.geoVersion);
  await ada.undo(applied);
  expect((await refs()).geoVersion).toBe(before.geoVersion);
  const result = await imported();
  expect([result?.file, result?.states]).toEqual([
    'first.json',
    [
      { state: 'DE', areas: 1 },
      { state: 'RI', areas: 1 },
    ],
  ]);
  await server.ok(AreaImport.UseBuiltInAreas, { version: (await source()).version }, { as: ada });
});

it('counts ZIPs without an area as points', async () => {
  const territory = await aTerritory(server.db, { zips: [BLOCK_ISLAND, '02818'] });
  const points = async () =>
    (await server.ok(TerritoryMapCalls.getAllTerritories, {}, { as: ada })).find(({ id }) => id === territory.id)
      ?.pointZips;
  expect(await points()).toBe(0);
  const applied = await ada.apply(await checked(collection(feature('02818', polygon(square(0, 0))))));
  expect(await points()).toBe(1);
  await ada.undo(applied);
  expect(await points()).toBe(0);
});

it('repairs clear mistakes and reports each: open or reversed rings, latitude first, lost zeros, several parts', async () => {
  const [first, two, three, four] = [square(0, 0), square(1, 0), square(0, 1), square(1, 1)];
  const result = await checked(
    collection(
      feature(2818, polygon(first.toReversed().slice(1))),
      feature('02816', polygon(two.map(([x, y]) => [y, x, 12]))),
      feature('02827', polygon(three)),
      feature('02827', polygon(four)),
      feature('02827', polygon(four)),
    ),
  );
  expect(figures(result)).toMatchObject({ Areas: 3, Repeated: 1 });
  expect(result.report?.refused).toBe(0);
  const notes = (result.report?.notes ?? []).join(' ');
  expect(notes).toContain('latitude before longitude');
  expect(notes).toContain('not closed');
  expect(notes).toContain('leading zero');
  const applied = await ada.apply(result);
  const { features } = ZipFeatures.parse(await server.ok(ZipAreas.getTerrZipGeoJson, { states: ['RI'] }, { as: ada }));
  for (const zip of ['02818', '02816']) {
    const [ring = []] = (features.find(({ id }) => id === zip)?.geometry.coordinates ?? []) as Ring[];
    const area = ring
      .slice(1)
      .reduce((sum, [x = 0, y = 0], i) => sum + (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0), 0);
    expect(area / 2).toBeGreaterThan(0.009);
  }
  await ada.undo(applied);
});

it('refuses invalid areas with a reason for each, and imports the others', async () => {
  const good = square(0, 0);
  const bow = [
    [-71.5, 41.5],
    [-71.4, 41.6],
    [-71.4, 41.5],
    [-71.5, 41.7],
    [-71.5, 41.5],
  ];
  const nested = JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`) as unknown;
  const text = collection(
    feature('02818', polygon(good)),
    feature('99998', polygon(good)),
    feature('02816', polygon(bow)),
    feature('02827', polygon(good.map(([x = 0, y = 0]) => [x * 100_000, y * 100_000]))),
    feature('02822', polygon(good.map(([x = 0, y = 0]) => [x + 20, y]))),
    feature('02825', { type: 'Polygon', coordinates: [] }),
    feature('02831', null),
    feature('02832', { type: 'Point', coordinates: [-71.5, 41.5] }),
    feature(
      '02833',
      polygon([
        [-71.5, 41.5],
        [-71.5, null],
        [-71.4, 41.5],
      ]),
    ),
    feature(
      '02835',
      polygon([
        [-71.5, 41.5],
        [-71.4, 41.5],
        [-71.5, 41.5],
      ]),
    ),
    feature('02836', nested),
    feature('x', polygon(good)),
    feature('02837', polygon(good.map(([x = 0, y = 0]) => [x - 7, y]))),
    { type: 'Feature', properties: { ZCTA5CE20: '02838' }, geometry: { type: '<b>', coordinates: 7 } },
    12,
    ['no feature'],
  ).replace('"02833","ALAND20":56516634', '"02833","ALAND20":1e400');
  const result = await checked(text);
  expect(result.error).toBe('');
  expect(figures(result)).toMatchObject({ Areas: 1 });
  expect(reasons(result)).toEqual([
    '3 ZCTA5CE20 99998 is not a known ZIP code. If it is new, import ZIP codes first',
    expect.stringMatching(
      /^4 geometry has an outline that crosses itself near longitude -71\.[45]000, latitude 41\.[567]000$/,
    ),
    '5 geometry has the coordinate -7180000, 4140000, which is not in degrees: save the file with longitude and latitude (WGS 84)',
    '6 geometry has a point at longitude -51.8, latitude 41.4, outside the USA',
    '7 geometry is empty',
    '8 geometry is empty',
    '9 geometry is a Point, not a Polygon or MultiPolygon',
    '10 geometry has a coordinate that is not two numbers',
    '11 geometry has no size: all its corners are on one line or at one point',
    '12 The feature is nested too deeply: more than 22 levels.',
    '13 ZCTA5CE20 x is not a US ZIP code',
    '14 geometry is at longitude -78.7500, latitude 41.4500, at least 627 km from this ZIP',
    '15 geometry is not a GeoJSON geometry',
    '16 The feature is not a GeoJSON feature.',
  ]);
  const { bytes } = await server.call(DataImport.GetRefusedRows, { id: result.id }, { as: ada });
  expect(bytes.toString()).toContain('crosses itself');
});

it('refuses holes and parts that contradict the area, and one area for two ZIPs', async () => {
  const box = (x: number, y: number, size: number): Ring => [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
  const many = (...parts: Ring[]) => ({ type: 'MultiPolygon', coordinates: parts.map((ring) => [ring]) });
  const [x, y] = [-71.6, 41.6];
  const result = await checked(
    collection(
      feature('02818', {
        type: 'MultiPolygon',
        coordinates: [[box(x, y, 0.1), box(x + 0.02, y + 0.02, 0.04)], [box(x + 0.03, y + 0.03, 0.01)]],
      }),
      feature('02816', polygon(box(x + 0.2, y, 0.05), box(x + 0.3, y, 0.02))),
      feature('02816', polygon(box(x + 0.2, y, 0.05), box(x + 0.24, y + 0.04, 0.03))),
      feature('02816', polygon(box(x + 0.2, y, 0.05), box(x + 0.2, y, 0.05))),
      feature('02816', many(box(x + 0.2, y, 0.05), box(x + 0.22, y + 0.02, 0.05))),
      feature('02818', polygon(box(x, y, 0.1001))),
      feature('02818', polygon(box(x + 0.1, y, 0.02))),
      feature('02827', polygon(box(x + 0.1, y, 0.02))),
    ),
  );
  expect(reasons(result)).toEqual([
    '3 geometry has holes that overlap or are outside its outline',
    '4 geometry has holes that overlap or are outside its outline',
    '5 geometry has holes that cover the whole area',
    '6 geometry has parts that overlap',
    '7 geometry overlaps the area of the same ZIP on line 2',
    '9 geometry is the same as the area of ZIP 02818 on line 8',
  ]);
  expect(figures(result)).toMatchObject({ Areas: 1 });
});

it('refuses a file without a collection of areas at once, and does not guess columns', async () => {
  const says = async (text: string | Buffer, words: string) => {
    const [status, body] = await refusedUpload(text);
    expect([status, body]).toEqual([422, expect.stringContaining(words) as string]);
  };
  await says('{"hello": 1}', 'not a GeoJSON FeatureCollection');
  await says('[[[[', 'The JSON is incomplete');
  await says('['.repeat(3_000_000), 'not a GeoJSON FeatureCollection');
  await says(`{"type":"FeatureCollection","features":${'['.repeat(100)}`, 'The JSON is incomplete');
  await says('{"type":"FeatureCollection","features":[]}', 'its list of features is empty');
  await says('{"type":"Topology","objects":{}}', 'TopoJSON');
  const first = feature('02818', polygon(square(0, 0)));
  await says(`\u001e${JSON.stringify(first)}\n`, 'it has no list of features');
  await says(JSON.stringify({ features: [{ attributes: { ZIP: '02818' }, geometry: { rings: [] } }] }), 'JSON of Esri');
  await says(collection(JSON.parse(collection(first))), 'None of the first entries');
  await says(collection(first).replace('}]}', '}],"features":[]}'), 'lists of features one after the other');
  await says('<?xml version="1.0"?><kml/>', 'save areas as GeoJSON');
  await says(Buffer.concat([Buffer.from([0, 0, 0x27, 0x0a]), Buffer.alloc(96)]), 'shapefile');
  await says('%PDF-1.7', 'This is a PDF');
  await says(aZip([{ name: 'a.shp', bytes: Buffer.from('x') }]), 'Unpack it and choose the file inside');
  expect(figures(await checked(Buffer.from(`\ufeff${collection(first)}`, 'utf16le')))).toMatchObject({ Areas: 1 });
  await says(collection(feature('02818', polygon(square(0, 0)))).slice(0, -40), 'The JSON is incomplete');
  await says(gzipSync(collection(feature('02818', polygon(square(0, 0))))).subarray(0, 200), 'damaged');
  const named = await upload(collection(feature('02818', polygon(square(0, 0)), 'CODE')));
  expect(named.missing).not.toBe('');
  const text = await upload('Some words\nand more of them\n', 'words.txt');
  expect(text.missing).not.toBe('');
});

it('reads the ZIP from the usual column names and from the ID of the feature', async () => {
  for (const name of ['ZCTA5CE10', 'GEOID20', 'GEOID10', 'GEOID', 'ZIP', 'zip', 'postalCode', 'ZIP_CODE']) {
    const { columns, missing } = await upload(collection(feature('02818', polygon(square(0, 0)), name)));
    expect([name, missing, columns.find(({ field }) => field === 'zip5')?.heading]).toEqual([name, '', name]);
  }
  const { columns } = await upload(
    collection({ type: 'Feature', id: '02818', properties: null, geometry: polygon(square(0, 0)) }),
  );
  expect(columns.find(({ field }) => field === 'zip5')?.heading).toBe('id');
});

it('returns to built-in areas, refuses to overwrite another change, and then refuses to undo the import', async () => {
  const applied = await ada.apply(await checked(collection(feature('02818', polygon(square(0, 0))))));
  const leave = (version: string) => server.call(AreaImport.UseBuiltInAreas, { version }, { as: ada });
  const { version } = await source();
  const builtIn = (await builtInAreas()).sha;
  expect(await leave(builtIn)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('have changed since you loaded them') as string },
  });
  expect(await leave(version)).toMatchObject({ status: 200, body: { version: builtIn, imported: null } });
  expect((await refs()).geoVersion).toBe(builtIn);
  expect((await leave(version)).status).toBe(409);
  expect((await leave(builtIn)).status).toBe(409);
  expect(await ada.undo(applied)).toMatchObject({
    state: 'Applied',
    error: expect.stringContaining('built-in areas') as string,
  });
});

it('builds both sides of a state border alike, so that neighbors across it share edges', async () => {
  const rhodeIsland = feature('02818', polygon(square(0, 0)));
  const connecticut = feature('06377', polygon(square(-1, 0)));
  const applied = await ada.apply(await checked(collection(rhodeIsland, connecticut)));
  const { adjacencyOf } = await import('#core/territories/zip-areas/adjacency.server.ts');
  const adjacency = await adjacencyOf(await shownAreas(server.db));
  expect(adjacency.get('02818')).toContain('06377');
  await ada.undo(applied);
});

it('allows sales and system administrators only', async () => {
  const file = {
    name: 'areas.json',
    bytes: Buffer.from(collection(feature('02818', polygon(square(0, 0))))),
    type: 'application/json',
  };
  for (const role of ['salesrep', 'csrep', 'contractdept', 'salesQuoteManager'] as const) {
    const as = await aUser(server.db, { roles: [role] });
    const answers = [
      await server.call(DataImport.UploadImport, { kind: 'zip-areas' }, { as, file }),
      await server.call(AreaImport.GetImportedAreas, {}, { as }),
      await server.call(AreaImport.UseBuiltInAreas, { version: 'x' }, { as }),
    ];
    expect([role, ...answers.map(({ status }) => status)]).toEqual([role, 403, 403, 403]);
  }
  const sales = await aUser(server.db, { roles: ['salesadmin'] });
  expect((await server.call(DataImport.UploadImport, { kind: 'zip-areas' }, { as: sales, file })).status).toBe(200);
  expect((await server.call(AreaImport.GetImportedAreas, {}, { as: sales })).status).toBe(200);
});

it('applies one file at a time', async () => {
  const first = await checked(collection(feature('02818', polygon(square(0, 0)))));
  const other = await checked(collection(feature('02816', polygon(square(1, 0)))));
  const answers = await Promise.all(
    [first, other].map(({ id }) => server.call(DataImport.ApplyImport, { id }, { as: ada })),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  await server.drain();
  expect((await imported())?.states).toEqual([{ state: 'RI', areas: 1 }]);
});

// Measures the map of territories in a browser: first picture, redraws, frames of a drag, lassos.
import { chromium, type Page, type Request } from 'playwright-core';
import { contract } from '#app/contract.ts';
import { type AreaTopology, type Point, project, readAreas } from '#core/territories/map/drawing/areas.ts';
import type { MapRow } from '#addons/territory-map/territory-map.contract.ts';
import { builtInFile, builtInAreas, unpacked } from '#core/territories/zip-areas/area-set.server.ts';
import type { ZipRefs } from '#core/territories/zip-areas/zip-areas.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { findBrowser } from '../tools/browser.mjs';
import { webIsStale } from '../tools/built.mjs';
import { watchMap, type Watched } from './map-watch.ts';
import { sessionOf } from './screens.ts';

/** In ms unless stated otherwise. `worst` is the slowest, or for redraws the 95th percentile. */
export type MapFigure = { what: string; aim: string; measured: string; worst: string };

const VIEWPORT = { width: 1440, height: 900 };
const LOADS = 7;
const LASSO_PAGES = 4;
const LASSOS = 5;
const LASSO_AREAS = 5000;
/** The places where the map is dragged and redrawn: the country, and an area with many small ZIPs. */
const COUNTRY = { lat: 38, lon: -96, zoom: 4 };
const CLOSE = [7, 8, 9, 11].map((zoom) => ({ lat: 40.4, lon: -75.5, zoom }));

export async function mapFigures(publicUrl: string, accessToken: string): Promise<MapFigure[]> {
  if (webIsStale()) throw new Error('The pages are not built as their sources say. Run `npm run build` first.');
  const session = await sessionOf(publicUrl, accessToken);
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
    const answer = await fetch(publicUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return (await answer.json()) as T;
  };
  const refs = await ask<ZipRefs>(contract.ZipAreas.getTerrZipGeoJson.path, { format: 'refs' });
  const rows = await ask<MapRow[]>(contract.TerritoryMapCalls.getAllTerritories.path, {});
  const browser = await chromium.launch(await findBrowser());
  const open: Open = async (at, requests) => {
    const context = await browser.newContext({
      viewport: VIEWPORT,
      storageState: { cookies: [], origins: [{ origin: publicUrl, localStorage: session }] },
    });
    const page = await context.newPage();
    await page.addInitScript(watchMap);
    page.on('requestfinished', (request) => requests?.push(request));
    const place = at ? `?at=${at.lat}_${at.lon}_${at.zoom}` : '';
    await page.goto(publicUrl + paths.territoryMap + place, { waitUntil: 'commit' });
    await page.waitForFunction(() => (globalThis as unknown as Watched).watched.redraws.length > 0, null, {
      timeout: 60_000,
    });
    await page.getByText('Loading the areas').waitFor({ state: 'hidden' });
    return page;
  };
  try {
    return [
      ...(await firstMaps(open)),
      ...(await sizes(refs, rows)),
      ...(await redraws(open)),
      ...(await lassos(open)),
    ];
  } finally {
    await browser.close();
  }
}

/** `requests` collects the page's requests. */
type Open = (at?: { lat: number; lon: number; zoom: number }, requests?: Request[]) => Promise<Page>;

const close = (page: Page) => page.context().close();
const watchedIn = (page: Page) => page.evaluate(() => (globalThis as unknown as Watched).watched);

/** Opens each map in a new browser context with an empty cache. The first one only warms up the server. */
async function firstMaps(open: Open): Promise<MapFigure[]> {
  const loads: { some: number; first: number; areas: number; from: number; parts: Record<string, number> }[] = [];
  for (let n = 0; n <= LOADS; n++) {
    const requests: Request[] = [];
    const page = await open(undefined, requests);
    await page.waitForTimeout(2500);
    const { redraws: drawn } = await watchedIn(page);
    const last = drawn.at(-1);
    if (!last || last.colors < 5) throw new Error('the map has no colors');
    // The first picture that is as colored as the last one.
    const first = drawn.find(({ colored }) => colored > 0.98 * last.colored) ?? last;
    loads.push({
      some: drawn[0]?.seen ?? 0,
      first: first.seen,
      ...waitedFor(await askedBy(page, requests), first.seen),
    });
    await close(page);
  }
  const measured = loads.slice(1);
  const picked = (pick: (load: (typeof loads)[number]) => number) => measured.map(pick);
  const parts = Object.keys(measured[0]?.parts ?? {});
  return [
    figure(
      'first map with colors, cold load',
      '1000',
      picked(({ first }) => first),
    ),
    figure(
      'the first states with colors',
      '',
      picked(({ some }) => some),
    ),
    ...parts.map((part) =>
      figure(
        `— of it: ${part}`,
        '',
        picked((load) => load.parts[part] ?? 0),
      ),
    ),
    figure(
      'from the last file of areas to the first map',
      '',
      picked(({ first, from }) => first - from),
    ),
    {
      ...figure('areas and outlines of the country as loaded, kB gzip', '2000', [(measured[0]?.areas ?? 0) / 1024]),
      worst: '',
    },
  ];
}

/** A request of a page or its worker. Times in ms since the navigation began; bytes as transferred. */
type Asked = { url: string; from: number; to: number; bytes: number };

async function askedBy(page: Page, requests: readonly Request[]): Promise<Asked[]> {
  const origin = await page.evaluate(() => performance.timeOrigin);
  return Promise.all(
    requests.map(async (request) => {
      const { startTime, responseEnd } = request.timing();
      const from = startTime - origin;
      return { url: request.url(), from, to: from + responseEnd, bytes: (await request.sizes()).responseBodySize };
    }),
  );
}

/** When the data that the first map needs was requested and arrived, and the bytes of its areas. */
function waitedFor(request: readonly Asked[], until: number) {
  const matching = (part: RegExp) => request.filter(({ url, from }) => from < until && part.test(url));
  const last = (part: RegExp) => Math.max(0, ...matching(part).map(({ to }) => to));
  const first = (part: RegExp) => Math.min(...matching(part).map(({ from }) => from));
  const geo = /\/geo\//;
  return {
    areas: matching(geo).reduce((sum, { bytes }) => sum + bytes, 0),
    from: last(geo),
    parts: {
      'the page’s files are there': last(/\/assets\//),
      'who has which ZIP is asked for': first(/getTerrZipGeoJson/),
      'who has which ZIP is there': last(/getTerrZipGeoJson/),
      'the territories are there': last(/getAllTerritories/),
      'the first file of areas is asked for': first(geo),
      'the last file of areas is there': last(geo),
    },
  };
}

/** For each region, the size of the files of all states in which it has ZIPs. */
async function sizes(refs: ZipRefs, rows: MapRow[]): Promise<MapFigure[]> {
  const { zips } = await builtInAreas();
  const stateOf = new Map([...zips].flatMap(([state, all]) => all.split(' ').map((zip) => [zip, state] as const)));
  const regionOf = new Map(rows.map(({ id, region }) => [id, region.id]));
  const states = new Map<number, Set<string>>();
  for (const { id, zips: own } of refs.territories) {
    const region = regionOf.get(id) ?? 0;
    const there = states.get(region) ?? new Set();
    states.set(region, there);
    for (const zip of own.split(' ')) {
      const state = stateOf.get(zip);
      if (state) there.add(state);
    }
  }
  const outlines = builtInFile('us.json').length;
  const kilobytes = [...states.values()].map(
    (list) => [...list].reduce((sum, state) => sum + builtInFile(`${state}.json`).length, outlines) / 1024,
  );
  return [figure(`areas of a region’s states with the outlines, kB gzip (${states.size} regions)`, '600', kilobytes)];
}

async function redraws(open: Open): Promise<MapFigure[]> {
  const figures: MapFigure[] = [];
  for (const at of [COUNTRY, ...CLOSE]) {
    const page = await open(at);
    await page.waitForTimeout(1500);
    const before = (await watchedIn(page)).redraws.length;
    await drag(page, 13);
    const { redraws: drawn, frames, dragged } = await watchedIn(page);
    await close(page);
    const again = drawn.slice(before + 1);
    const where = at.zoom < 7 ? 'the country' : `zoom ${at.zoom}`;
    const aim = at.zoom < 7 ? '150' : '33';
    figures.push(
      figure(
        `redraw of ${where}`,
        aim,
        again.map(({ took }) => took),
        0.95,
      ),
      figure(
        `the frame with a redraw, ${where}`,
        '',
        again.map(({ start, took }) => frameAround(frames, start, start + took)),
        0.95,
      ),
      p95(`frames while dragging, ${where}, p95`, '16', dragged),
    );
  }
  return figures;
}

/** Drags from the middle of the page back and forth. */
async function drag(page: Page, times: number): Promise<void> {
  const box = await page.locator('.leaflet-container').boundingBox();
  if (!box) throw new Error('no map');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (let n = 0; n < times; n++) {
    const way = n % 2 === 0 ? 130 : -130;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + way, y + way / 4, { steps: 40 });
    // Holds the pointer still, so that the map does not glide on.
    await page.waitForTimeout(150);
    await page.mouse.up();
    await page.waitForTimeout(200);
  }
}

/** The time from the last frame before a redraw to the first frame after it. */
function frameAround(frames: number[], from: number, to: number): number {
  const begun = frames.findLast((frame) => frame <= from) ?? from;
  return (frames.find((frame) => frame >= to) ?? to) - begun;
}

/** Draws a lasso as soon as the map appears, and again several times. */
async function lassos(open: Open): Promise<MapFigure[]> {
  const outline = await outlineOf(LASSO_AREAS);
  const first: { found: number; shown: number }[] = [];
  const later: { found: number; shown: number }[] = [];
  for (let n = 0; n < LASSO_PAGES; n++) {
    const page = await open(COUNTRY);
    await page.locator('label', { hasText: 'Lasso' }).click();
    for (let turn = 0; turn < LASSOS; turn++) {
      const figures = await lasso(page, outline);
      (turn === 0 ? first : later).push(figures);
    }
    const selection = await page.getByRole('status').filter({ hasText: 'ZIPs:' }).innerText();
    if (n === 0) console.log(`lasso: ${selection}`);
    await close(page);
  }
  return [
    figure(
      'first lasso over 5,000 areas: what is in it',
      '50',
      first.map(({ found }) => found),
    ),
    figure(
      'later lasso over 5,000 areas: what is in it',
      '50',
      later.map(({ found }) => found),
    ),
    figure(
      'first lasso: until it is drawn as selected',
      '',
      first.map(({ shown }) => shown),
    ),
    figure(
      'later lasso: until it is drawn as selected',
      '',
      later.map(({ shown }) => shown),
    ),
  ];
}

async function lasso(page: Page, outline: Point[]): Promise<{ found: number; shown: number }> {
  const box = await page.getByRole('region', { name: 'Map of territories' }).boundingBox();
  if (!box) throw new Error('no map');
  const center = project(COUNTRY.lat, COUNTRY.lon);
  const pixels = outline.map(({ x, y }) => ({
    x: box.x + box.width / 2 + (x - center.x) * 2 ** COUNTRY.zoom,
    y: box.y + box.height / 2 + (y - center.y) * 2 ** COUNTRY.zoom,
  }));
  const [begin = { x: 0, y: 0 }] = pixels;
  await page.mouse.move(begin.x, begin.y);
  const known = (await watchedIn(page)).lassos.length;
  await page.mouse.down();
  for (const { x, y } of pixels) await page.mouse.move(x, y);
  await page.mouse.up();
  await page.waitForFunction((count) => (globalThis as unknown as Watched).watched.lassos.length > count, known);
  await page.waitForTimeout(700);
  const { lassos: done, redraws: drawn, up } = await watchedIn(page);
  const visible = drawn.find(({ start }) => start > up);
  if (!visible) throw new Error('the lasso changed nothing');
  return { found: done.at(-1) ?? 0, shown: visible.start + visible.took - up };
}

/** A circle in the middle of the country that contains the centers of `count` areas. */
async function outlineOf(count: number): Promise<Point[]> {
  const { files } = await builtInAreas();
  const middle = project(36.5, -94.5);
  const far: number[] = [];
  for (const { state } of files) {
    const topology = JSON.parse(String(await unpacked(builtInFile(`${state}.json`)))) as AreaTopology;
    const { centers, zips } = readAreas(topology);
    zips.forEach((_, i) =>
      far.push(Math.hypot((centers[i * 2] ?? 0) - middle.x, (centers[i * 2 + 1] ?? 0) - middle.y)),
    );
  }
  const radius = far.toSorted((a, b) => a - b)[count] ?? 0;
  return Array.from({ length: 72 }, (_, i) => ({
    x: middle.x + radius * Math.cos((i * Math.PI) / 36),
    y: middle.y + radius * Math.sin((i * Math.PI) / 36),
  }));
}

const display = (value: number) => value.toFixed(value < 10 ? 1 : 0);

/** The median, and the slowest or the quantile `worst`. */
function figure(what: string, aim: string, values: number[], worst = 1): MapFigure {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { what, aim, measured: display(at(0.5)), worst: display(at(worst)) };
}

/** The 95th percentile as the measured value, and the slowest. */
function p95(what: string, aim: string, values: number[]): MapFigure {
  const { worst } = figure(what, aim, values, 0.95);
  return { ...figure(what, aim, values), measured: worst };
}

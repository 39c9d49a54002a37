// Draws the map's areas as Leaflet polygons, one per ZIP, on a canvas and as SVG, for comparison with our map.
import { createRequire } from 'node:module';
import type { FeatureCollection } from 'geojson';
import type * as Leaflet from 'leaflet';
import type { Browser, Page } from 'playwright-core';
import type * as Topojson from 'topojson-client';
import type { StateTopology } from '#features/territories/zip-areas/state-areas.server.ts';
import type { ZipRefs } from '#features/territories/zip-areas/zip-areas.contract.ts';
import { watchMap, type Watched } from './map-watch.ts';

const require = createRequire(import.meta.url);
/** In ms unless stated otherwise. `worst` is the slowest, or for redraws the 95th percentile. */
export type MapFigure = {
  what: string;
  aim: string;
  measured: string;
  worst: string;
  canvas: string;
  svg: string;
};

export const VIEWPORT = { width: 1440, height: 900 };
/** About the size of the map on its page. */
const SIZE = { width: 820, height: 620 };
const COLORS = ['#7fc97f', '#beaed4', '#fdc086', '#ffff99', '#386cb0', '#f0027f', '#bf5b17', '#5ab4ac'];
const PANS = 11;

type Place = { lat: number; lon: number; zoom: number };
type Drawn = { first: number; pans: number[] };
type InPage = { draw: (at: Place) => Promise<Drawn> };

/** Leaflet's figures, by the name of the corresponding figure of our map. */
export async function leafletFigures(
  browser: Browser,
  publicUrl: string,
  refs: ZipRefs,
  places: Place[],
): Promise<Map<string, Pick<MapFigure, 'canvas' | 'svg'>>> {
  const found = new Map<string, Pick<MapFigure, 'canvas' | 'svg'>>();
  const note = (what: string, renderer: 'canvas' | 'svg', value: string) =>
    found.set(what, { canvas: '', svg: '', ...found.get(what), [renderer]: value });
  const colors = refs.territories.flatMap(({ id, zips }) =>
    zips.split(' ').map((zip) => [zip, COLORS[id % COLORS.length] ?? ''] as const),
  );
  const urls = refs.files.map(({ url }) => publicUrl + url);
  for (const renderer of ['canvas', 'svg'] as const) {
    for (const at of places) {
      const context = await browser.newContext({ viewport: VIEWPORT, bypassCSP: true });
      const page = await context.newPage();
      await page.addInitScript(watchMap);
      await page.route('**/comparison', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><div id="map" style="width:${SIZE.width}px;height:${SIZE.height}px"></div>`,
        }),
      );
      await page.goto(`${publicUrl}/comparison`);
      await page.addStyleTag({ path: require.resolve('leaflet/dist/leaflet.css') });
      await page.addScriptTag({ path: require.resolve('leaflet/dist/leaflet.js') });
      await page.addScriptTag({ path: require.resolve('topojson-client/dist/topojson-client.min.js') });
      await page.evaluate(inPage, { urls, colors, renderer, pans: PANS });
      const { first, pans } = await page.evaluate((there) => (globalThis as unknown as InPage).draw(there), at);
      await drag(page, 7);
      const { dragged } = await page.evaluate(() => (globalThis as unknown as Watched).watched);
      await context.close();
      const where = at.zoom < 7 ? 'the country' : `zoom ${at.zoom}`;
      if (at.zoom < 7) note('from the last file of areas to the first map', renderer, first.toFixed(0));
      note(`redraw of ${where}`, renderer, middle(pans));
      const sorted = dragged.toSorted((a, b) => a - b);
      note(
        `frames while dragging, ${where}, p95`,
        renderer,
        (sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(0),
      );
    }
  }
  return found;
}

const middle = (values: number[]) => (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(0);

/** Drags from the middle of the page back and forth. */
export async function drag(page: Page, times: number): Promise<void> {
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

type Given = {
  urls: string[];
  colors: (readonly [zip: string, color: string])[];
  renderer: 'canvas' | 'svg';
  pans: number;
};

type Packages = { L: typeof Leaflet; topojson: typeof Topojson };

/** Loads the areas and leaves a drawing function in the page. Uses nothing from outside except Leaflet's `L` and `topojson`. */
async function inPage({ urls, colors, renderer, pans }: Given): Promise<void> {
  const { L, topojson } = globalThis as unknown as Packages;
  const colorOf = new Map(colors);
  const files = await Promise.all(urls.map(async (url) => (await (await fetch(url)).json()) as StateTopology));
  const rendered = (work: () => void) =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const begun = performance.now();
        work();
        const { port1, port2 } = new MessageChannel();
        // The time includes drawing in the next frame; waiting for that frame adds little.
        requestAnimationFrame(() => port2.postMessage(0));
        port1.addEventListener('message', () => resolve(performance.now() - begun));
        port1.start();
      });
    });
  const draw = async ({ lat, lon, zoom }: Place) => {
    const drawn = renderer === 'canvas' ? L.canvas({ padding: 0.2 }) : L.svg({ padding: 0.2 });
    const map = L.map('map', { zoomSnap: 0.5, inertia: false, attributionControl: false, renderer: drawn });
    map.setView([lat, lon], zoom);
    const first = await rendered(() => {
      const features = files.flatMap((file) => topojson.feature(file, file.objects.zips).features);
      const all: FeatureCollection = { type: 'FeatureCollection', features };
      L.geoJSON(all, {
        style: (feature) => {
          const color = colorOf.get(String(feature?.id)) ?? '#dddddd';
          return { fillColor: color, fillOpacity: 1, weight: 0.5, color };
        },
      }).addTo(map);
    });
    const took: number[] = [];
    for (let n = 0; n < pans; n++)
      took.push(await rendered(() => map.panBy([n % 2 === 0 ? 130 : -130, 30], { animate: false })));
    return { first, pans: took };
  };
  Object.assign(globalThis, { draw });
}

// The areas from the server: each file once a visit, and from the browser's cache from then on (its address names its content).
import type { StateAreas, Topology } from './areas.ts';
import type { Posted } from './areas-worker.web.ts';
import { readFile } from './read-file.web.ts';
import { type Background, readBackground } from './scene.ts';

const states = new Map<string, Promise<StateAreas>>();
const backgrounds = new Map<string, Promise<Background>>();

/** Kept, unless it failed: then the next one asks again. */
function kept<T>(cache: Map<string, Promise<T>>, url: string, load: () => Promise<T>): Promise<T> {
  const known = cache.get(url);
  if (known) return known;
  const loading = load();
  cache.set(url, loading);
  loading.catch(() => cache.delete(url));
  return loading;
}

const waiting = new Map<string, PromiseWithResolvers<StateAreas>>();
let reader: Worker | undefined;

function openReader(): Worker {
  const worker = new Worker(new URL('./areas-worker.web.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Posted>) => {
    const asked = waiting.get(data.url);
    waiting.delete(data.url);
    if ('areas' in data) asked?.resolve(data.areas);
    else asked?.reject(new Error(data.failed));
  });
  worker.addEventListener('error', () => {
    // It did not start, or broke. The next one who asks gets another.
    worker.terminate();
    reader = undefined;
    for (const asked of waiting.values()) asked.reject(new Error('The areas could not be read.'));
    waiting.clear();
  });
  return worker;
}

function readState(url: string): Promise<StateAreas> {
  const asked = Promise.withResolvers<StateAreas>();
  waiting.set(url, asked);
  reader ??= openReader();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  reader.postMessage(url);
  return asked.promise;
}

export function loadAreas(urls: readonly string[]): Promise<StateAreas[]> {
  return Promise.all(urls.map((url) => kept(states, url, () => readState(url))));
}

export function loadBackground(url: string): Promise<Background> {
  return kept(backgrounds, url, async () => readBackground(await readFile<Topology>(url)));
}

/** Begins to load what a map will draw. What fails is asked for again by the map, which says so. */
export function preloadAreas({ files, background }: { files: readonly { url: string }[]; background: string }): void {
  loadAreas(files.map(({ url }) => url)).catch(() => {});
  loadBackground(background).catch(() => {});
}

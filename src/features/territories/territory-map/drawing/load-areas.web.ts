// Loads areas from the server: each file once per visit, later from the browser's cache, because its address identifies its content.
import type { StateAreas, Topology } from './areas.ts';
import type { Posted } from './areas-worker.web.ts';
import { readFile } from './read-file.web.ts';
import { type Background, readBackground } from './scene.ts';

const states = new Map<string, Promise<StateAreas>>();
const backgrounds = new Map<string, Promise<Background>>();

/** Remembers an answer unless it failed, so that the next call tries again. */
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
    // The worker did not start, or it crashed. The next request starts another.
    worker.terminate();
    reader = undefined;
    for (const asked of waiting.values()) asked.reject(new Error('The areas could not be read.'));
    waiting.clear();
  });
  return worker;
}

/** Opens the worker before the first file is wanted, because opening takes a while. */
export function startReader(): void {
  reader ??= openReader();
}

function readState(url: string): Promise<StateAreas> {
  const asked = Promise.withResolvers<StateAreas>();
  waiting.set(url, asked);
  startReader();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  reader?.postMessage(url);
  return asked.promise;
}

/** `onRead` gets each state as soon as it has been read. */
export function loadAreas(
  urls: readonly string[],
  onRead: (areas: StateAreas) => void = () => {},
): Promise<StateAreas[]> {
  return Promise.all(
    urls.map(async (url) => {
      const areas = await kept(states, url, () => readState(url));
      onRead(areas);
      return areas;
    }),
  );
}

export function loadBackground(url: string): Promise<Background> {
  return kept(backgrounds, url, async () => readBackground(await readFile<Topology>(url)));
}

/** Starts loading what a map will draw. Ignores failures, because the map asks again and reports them. */
export function preloadAreas({ files, background }: { files: readonly { url: string }[]; background: string }): void {
  loadAreas(files.map(({ url }) => url)).catch(() => {});
  loadBackground(background).catch(() => {});
}

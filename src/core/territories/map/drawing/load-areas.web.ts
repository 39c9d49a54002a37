// Loads areas from the server: each file once per visit, and later from the browser's cache, because its address identifies its content.
import type { StateAreas } from './areas.ts';
import type { Asked, Posted } from './areas-worker.web.ts';
import type { Background } from './scene.ts';

const states = new Map<string, Promise<StateAreas>>();
const backgrounds = new Map<string, Promise<Background>>();

/** Caches an answer unless it failed, so that the next call tries again. */
function cached<T>(cache: Map<string, Promise<T>>, url: string, load: () => Promise<T>): Promise<T> {
  const known = cache.get(url);
  if (known) return known;
  const loading = load();
  cache.set(url, loading);
  loading.catch(() => cache.delete(url));
  return loading;
}

const waiting = new Map<string, PromiseWithResolvers<StateAreas | Background>>();
let reader: Worker | undefined;

function openReader(): Worker {
  const worker = new Worker(new URL('./areas-worker.web.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Posted>) => {
    const request = waiting.get(data.url);
    waiting.delete(data.url);
    if ('read' in data) request?.resolve(data.read);
    else request?.reject(new Error(data.failed));
  });
  worker.addEventListener('error', () => {
    // The worker did not start, or it crashed. The next request starts another.
    worker.terminate();
    reader = undefined;
    for (const request of waiting.values()) request.reject(new Error('The areas could not be read.'));
    waiting.clear();
  });
  return worker;
}

/** Starts the worker before the first file is needed, because starting takes a while. */
export function startReader(): void {
  reader ??= openReader();
}

/** `what` determines which of the two the promise resolves to. */
function askReader(request: Asked): Promise<StateAreas | Background> {
  const answer = Promise.withResolvers<StateAreas | Background>();
  waiting.set(request.url, answer);
  startReader();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  reader?.postMessage(request);
  return answer.promise;
}

/** `onRead` gets each state as soon as it has been read. */
export function loadAreas(
  urls: readonly string[],
  onRead: (areas: StateAreas) => void = () => {},
): Promise<StateAreas[]> {
  return Promise.all(
    urls.map(async (url) => {
      const areas = await cached(states, url, () => askReader({ url, what: 'areas' }) as Promise<StateAreas>);
      onRead(areas);
      return areas;
    }),
  );
}

export function loadBackground(url: string): Promise<Background> {
  return cached(backgrounds, url, () => askReader({ url, what: 'background' }) as Promise<Background>);
}

/** Starts loading what a map will draw. Ignores failures, because the map loads again and reports them. */
export function preloadAreas({ files, background }: { files: readonly { url: string }[]; background: string }): void {
  loadAreas(files.map(({ url }) => url)).catch(() => {});
  loadBackground(background).catch(() => {});
}

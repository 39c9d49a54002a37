// The areas from the server: each file once a visit, and from the browser's cache from then on (its address names its content).
import { type AreaTopology, readAreas, type StateAreas, type Topology } from './areas.ts';
import { type Background, readBackground } from './scene.ts';

const states = new Map<string, Promise<StateAreas>>();
const backgrounds = new Map<string, Promise<Background>>();

async function read<T>(url: string): Promise<T> {
  const answer = await fetch(url).catch(() => {
    throw new Error('The server cannot be reached. Check the network, then try again.');
  });
  if (!answer.ok) throw new Error(`The areas could not be loaded (${answer.status}).`);
  return (await answer.json()) as T;
}

/** Kept, unless it failed: then the next one asks again. */
function kept<T>(cache: Map<string, Promise<T>>, url: string, load: () => Promise<T>): Promise<T> {
  const known = cache.get(url);
  if (known) return known;
  const loading = load();
  cache.set(url, loading);
  loading.catch(() => cache.delete(url));
  return loading;
}

export function loadAreas(urls: readonly string[]): Promise<StateAreas[]> {
  return Promise.all(urls.map((url) => kept(states, url, async () => readAreas(await read<AreaTopology>(url)))));
}

export function loadBackground(url: string): Promise<Background> {
  return kept(backgrounds, url, async () => readBackground(await read<Topology>(url)));
}

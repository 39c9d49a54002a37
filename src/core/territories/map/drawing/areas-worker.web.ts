// A worker that reads map files from their addresses and posts the results, so that the page stays responsive.
import { type AreaTopology, type Lines, readAreas, type StateAreas, type Topology } from './areas.ts';
import { type Background, readBackground } from './scene.ts';

/** A file of one state's areas, or the file of the outlines. */
export type Asked = { url: string; what: 'areas' | 'background' };
export type Posted = { url: string } & ({ read: StateAreas | Background } | { failed: string });

const buffersOf = ({ xy, start, ends }: Lines) => [xy.buffer, start.buffer, ends.buffer];

async function read({ url, what }: Asked): Promise<{ read: StateAreas | Background; transfer: Transferable[] }> {
  if (what === 'background') {
    const background = readBackground(await readFile<Topology>(url));
    return { read: background, transfer: buffersOf(background.lines) };
  }
  const areas = readAreas(await readFile<AreaTopology>(url));
  const { lines, rings, sides, boxes, centers } = areas;
  const arrays = [rings.arcs, rings.arcStart, rings.ringStart, sides, boxes, centers];
  return { read: areas, transfer: [...buffersOf(lines), ...arrays.map(({ buffer }) => buffer)] };
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { url } = data;
  read(data).then(
    ({ read: result, transfer }) => postMessage({ url, read: result } satisfies Posted, { transfer }),
    (reason: Error) => postMessage({ url, failed: reason.message } satisfies Posted),
  );
});

async function readFile<T>(url: string): Promise<T> {
  const answer = await fetch(url).catch(() => {
    throw new Error('The server cannot be reached. Check the network, then try again.');
  });
  if (!answer.ok) throw new Error(`The areas could not be loaded (${answer.status}).`);
  return (await answer.json()) as T;
}

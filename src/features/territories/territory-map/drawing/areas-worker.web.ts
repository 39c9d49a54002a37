// A worker that receives the addresses of area files and posts the areas it reads, so that the page stays responsive.
import { type AreaTopology, readAreas, type StateAreas } from './areas.ts';
import { readFile } from './read-file.web.ts';

export type Posted = { url: string } & ({ areas: StateAreas } | { failed: string });

async function read(url: string): Promise<StateAreas> {
  return readAreas(await readFile<AreaTopology>(url));
}

addEventListener('message', ({ data: url }: MessageEvent<string>) => {
  read(url).then(
    (areas) => {
      const { lines, rings, sides, boxes, centers } = areas;
      const handed = [
        lines.xy,
        lines.start,
        lines.ends,
        rings.arcs,
        rings.arcStart,
        rings.ringStart,
        sides,
        boxes,
        centers,
      ].map(({ buffer }) => buffer);
      postMessage({ url, areas } satisfies Posted, { transfer: handed });
    },
    (reason: Error) => postMessage({ url, failed: reason.message } satisfies Posted),
  );
});

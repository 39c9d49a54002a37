// Finds the area under the pointer and the ZIPs in a box or lasso: areas by their middle, ZIPs without an area by their point.
import { type Box, extend, emptyBox, hasShape, inRings, type Point, ringsOf, type StateAreas } from './areas.ts';

/** A ZIP without its own area, such as PO boxes or a single building. */
export type PointZip = Point & { zip: string };

export function areaAt(states: readonly StateAreas[], at: Point): { areas: StateAreas; index: number } | undefined {
  for (const areas of states) {
    const { box, boxes, lines } = areas;
    if (at.x < box.minX || at.x > box.maxX || at.y < box.minY || at.y > box.maxY) continue;
    const from = { x: at.x - lines.origin.x, y: at.y - lines.origin.y };
    const near = gridOf(areas)[cellAt(at.x, box.minX, box.maxX) + CELLS * cellAt(at.y, box.minY, box.maxY)] ?? [];
    for (const index of near) {
      const i = index * 4;
      if (at.x < (boxes[i] ?? 0) || at.y < (boxes[i + 1] ?? 0)) continue;
      if (at.x > (boxes[i + 2] ?? 0) || at.y > (boxes[i + 3] ?? 0)) continue;
      if (inRings(lines, ringsOf(areas.rings, index), from)) return { areas, index };
    }
  }
  return undefined;
}

/** The number of cells across and down a state's box. */
const CELLS = 32;
const grids = new WeakMap<StateAreas, number[][]>();

/** For each cell, the areas whose boxes touch it, in file order. */
function gridOf(areas: StateAreas): number[][] {
  const known = grids.get(areas);
  if (known) return known;
  const { box, boxes, zips, rings } = areas;
  const cells = Array.from({ length: CELLS * CELLS }, (): number[] => []);
  zips.forEach((_, index) => {
    if (!hasShape(rings, index)) return;
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = boxes.subarray(index * 4, index * 4 + 4);
    const [left, right] = [cellAt(minX, box.minX, box.maxX), cellAt(maxX, box.minX, box.maxX)];
    const [top, bottom] = [cellAt(minY, box.minY, box.maxY), cellAt(maxY, box.minY, box.maxY)];
    for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) cells[x + CELLS * y]?.push(index);
  });
  grids.set(areas, cells);
  return cells;
}

function cellAt(value: number, from: number, to: number): number {
  return to > from ? Math.min(CELLS - 1, Math.floor(((value - from) / (to - from)) * CELLS)) : 0;
}

/** The ZIPs within an outline: areas whose middle lies inside, and points. */
export function zipsWithin(
  states: readonly StateAreas[],
  points: readonly PointZip[],
  outline: readonly Point[],
): string[] {
  const box = boxOf(outline);
  const results: string[] = [];
  const holds = (x: number, y: number) =>
    x >= box.minX && x <= box.maxX && y >= box.minY && y <= box.maxY && inOutline(outline, x, y);
  for (const { box: whole, centers, zips, rings } of states) {
    if (whole.minX > box.maxX || whole.maxX < box.minX || whole.minY > box.maxY || whole.maxY < box.minY) continue;
    zips.forEach((zip, index) => {
      if (hasShape(rings, index) && holds(centers[index * 2] ?? 0, centers[index * 2 + 1] ?? 0)) results.push(zip);
    });
  }
  for (const { zip, x, y } of points) if (holds(x, y)) results.push(zip);
  return results;
}

function boxOf(outline: readonly Point[]): Box {
  const box = emptyBox();
  for (const { x, y } of outline) extend(box, { minX: x, minY: y, maxX: x, maxY: y });
  return box;
}

function inOutline(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  let last = outline.at(-1);
  for (const next of outline) {
    if (last && last.y > y !== next.y > y && x < last.x + ((y - last.y) / (next.y - last.y)) * (next.x - last.x))
      inside = !inside;
    last = next;
  }
  return inside;
}

/** The area that contains each point, or else the area with the nearest middle. Points in a state without areas get none. */
export function hostsOf(
  states: readonly StateAreas[],
  points: readonly PointZip[],
): { hostOf: Map<string, string>; pointsIn: Map<string, string[]> } {
  const hostOf = new Map<string, string>();
  const pointsIn = new Map<string, string[]>();
  for (const point of points) {
    const within = areaAt(states, point) ?? nearestArea(states, point);
    const host = within?.areas.zips[within.index];
    if (host === undefined) continue;
    hostOf.set(point.zip, host);
    const together = pointsIn.get(host);
    if (together) together.push(point.zip);
    else pointsIn.set(host, [point.zip]);
  }
  return { hostOf, pointsIn };
}

/** About 35 miles in the middle of the country, for points on an island or off a coarsely drawn shore. */
const BESIDE = 0.5;

function nearestArea(states: readonly StateAreas[], { x, y }: Point) {
  let [result, least]: [{ areas: StateAreas; index: number } | undefined, number] = [undefined, BESIDE * BESIDE];
  for (const areas of states) {
    const { box, centers, zips } = areas;
    if (x < box.minX - BESIDE || x > box.maxX + BESIDE || y < box.minY - BESIDE || y > box.maxY + BESIDE) continue;
    for (let index = 0; index < zips.length; index++) {
      const far = ((centers[index * 2] ?? 0) - x) ** 2 + ((centers[index * 2 + 1] ?? 0) - y) ** 2;
      if (far < least) [result, least] = [{ areas, index }, far];
    }
  }
  return result;
}

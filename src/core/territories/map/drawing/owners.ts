// Finds the territory of each area, the outline of each territory by state, and the territories that touch.
import type { Lines, StateAreas } from './areas.ts';

/** The territory of a ZIP, or null for none. */
export type OwnerOf = (zip: string) => number | null;

/** The land of one territory in one state, as rings of border numbers. */
export type Part = { owner: number | null; rings: number[][] };

export function ownersIn({ zips }: StateAreas, ownerOf: OwnerOf): (number | null)[] {
  return zips.map(ownerOf);
}

/** The parts of a state. Reuses the parts of `before` for territories whose areas have not changed. */
export function partsOf(
  areas: StateAreas,
  owners: readonly (number | null)[],
  before?: { owners: readonly (number | null)[]; parts: Part[] },
): Part[] {
  const changed = new Set<number | null>();
  if (before)
    owners.forEach((owner, index) => {
      const was = before.owners[index] ?? null;
      if (was !== owner) changed.add(was).add(owner);
    });
  const borders = new Map<number | null, number[]>();
  const note = (owner: number | null, line: number) => {
    if (before && !changed.has(owner)) return;
    const own = borders.get(owner);
    if (own) own.push(line);
    else borders.set(owner, [line]);
  };
  eachLine(areas, (line, a, b) => {
    const [left, right] = [owners[a] ?? null, b < 0 ? undefined : (owners[b] ?? null)];
    if (left === right) return;
    note(left, line);
    if (right !== undefined) note(right, line);
  });
  const unchanged = before ? before.parts.filter(({ owner }) => !changed.has(owner)) : [];
  return [...unchanged, ...[...borders].map(([owner, lines]): Part => ({ owner, rings: joined(areas.lines, lines) }))];
}

/** The outline of some areas of a state. `indexes` are their positions in the file. */
export function outlineOfAreas(areas: StateAreas, indexes: ReadonlySet<number>): number[][] {
  const lines: number[] = [];
  eachLine(areas, (line, a, b) => {
    if (indexes.has(a) !== (b >= 0 && indexes.has(b))) lines.push(line);
  });
  return joined(areas.lines, lines);
}

function eachLine({ sides }: StateAreas, visit: (line: number, a: number, b: number) => void): void {
  for (let line = 0; line * 2 < sides.length; line++) {
    const [a = -1, b = -1] = [sides[line * 2], sides[line * 2 + 1]];
    if (a >= 0) visit(line, a, b);
  }
}

/**
 * Joins the borders of an outline into closed rings. At every point as many borders end as begin, so each walk returns to its start. The even-odd
 * fill works without knowing which ring is a hole in which.
 */
function joined({ ends }: Lines, lines: readonly number[]): number[][] {
  const at = new Map<number, number[]>();
  const note = (node: number, line: number) => {
    const there = at.get(node);
    if (there) there.push(line);
    else at.set(node, [line]);
  };
  for (const line of lines) {
    note(ends[line * 2] ?? 0, line);
    note(ends[line * 2 + 1] ?? 0, line);
  }
  const used = new Set<number>();
  const rings: number[][] = [];
  for (const first of lines) {
    if (used.has(first)) continue;
    used.add(first);
    const ring = [first];
    const begin = ends[first * 2] ?? 0;
    let node = ends[first * 2 + 1] ?? 0;
    while (node !== begin) {
      const next = at.get(node)?.find((line) => !used.has(line));
      if (next === undefined) break;
      used.add(next);
      const forward = ends[next * 2] === node;
      ring.push(forward ? next : ~next);
      node = ends[next * 2 + (forward ? 1 : 0)] ?? 0;
    }
    rings.push(ring);
  }
  return rings;
}

/** The borders of a state between areas of different owners. */
export function bordersBetween(areas: StateAreas, owners: readonly (number | null)[]): number[] {
  const borders: number[] = [];
  eachLine(areas, (line, a, b) => {
    if (b >= 0 && owners[a] !== owners[b]) borders.push(line);
  });
  return borders;
}

/** The neighbors of each territory. Across state lines, territories touch if they share a point of the border. */
export function neighborsOf(
  states: readonly StateAreas[],
  ownersOf: (areas: StateAreas) => readonly (number | null)[],
): Map<number, Set<number>> {
  const touching = new Map<number, Set<number>>();
  const join = (a: number | null | undefined, b: number | null | undefined) => {
    if (a === null || b === null || a === undefined || b === undefined || a === b) return;
    if (!touching.get(a)?.add(b)) touching.set(a, new Set([b]));
    if (!touching.get(b)?.add(a)) touching.set(b, new Set([a]));
  };
  const onEdge = new Map<number, number>();
  for (const areas of states) {
    const owners = ownersOf(areas);
    const { lines } = areas;
    eachLine(areas, (line, a, b) => {
      if (b >= 0) {
        join(owners[a], owners[b]);
        return;
      }
      const owner = owners[a] ?? null;
      if (owner === null) return;
      for (let i = lines.start[line] ?? 0; i < (lines.start[line + 1] ?? 0); i += 2) {
        // Points within about ten yards are treated as the same point, because they come from two files.
        const x = Math.round(((lines.xy[i] ?? 0) + lines.origin.x) * 10_000);
        const y = Math.round(((lines.xy[i + 1] ?? 0) + lines.origin.y) * 10_000);
        const place = x * 4_000_000 + y;
        const other = onEdge.get(place);
        if (other === undefined) onEdge.set(place, owner);
        else join(other, owner);
      }
    });
  }
  return touching;
}

// Evens out what territories have of a measure by moving ZIPs along their borders: greedy, connected, the same answer for the same input.
import type { Ground, Owners } from './ground.ts';

export type BalanceInput = {
  neighbors: Ground['neighbors'];
  /** The areas of the territories to be evened out; no others. */
  owners: Owners;
  /** What comes along with each area; none: nothing. */
  weights: ReadonlyMap<string, number>;
  /** What each territory has besides, which does not move. Names every territory. */
  fixed: ReadonlyMap<number, number>;
  /** How far from the mean is even enough: 0.05. */
  tolerance: number;
  /** At most this many areas move. */
  most: number;
};

type Balanced = {
  moves: Map<string, number>;
  before: Map<number, number>;
  after: Map<number, number>;
  /** even: all are within the tolerance. stuck: no move helps any more. limit: as many areas moved, or as much was tried, as allowed. */
  stopped: 'even' | 'stuck' | 'limit';
};

/** How many areas deep a move may reach: behind areas with nothing in them lie those that count. */
const DEPTH = 4;
/** How many of the best moves of a territory are tried before it counts as stuck. */
const TRIED = 40;
/** Visits of areas in all: a bound on time that is the same on every machine. */
const VISITS = 20_000_000;

type Path = { zips: string[]; to: number; score: number };

export function balance({ neighbors, owners, weights, fixed, tolerance, most }: BalanceInput): Balanced {
  const ids = [...fixed.keys()].toSorted((a, b) => a - b);
  const owner = new Map(owners);
  const areas = new Map(ids.map((id) => [id, new Set<string>()]));
  const load = new Map(ids.map((id) => [id, fixed.get(id) ?? 0]));
  for (const [zip, id] of [...owners].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    areas.get(id)?.add(zip);
    load.set(id, (load.get(id) ?? 0) + (weights.get(zip) ?? 0));
  }
  const before = new Map(load);
  const loadOf = (id: number) => load.get(id) ?? 0;
  const mean = ids.reduce((sum, id) => sum + loadOf(id), 0) / Math.max(1, ids.length);
  const isOff = (id: number) => Math.abs(loadOf(id) - mean) > tolerance * mean;
  const stuck = new Set<number>();
  let moved = 0;
  let visits = 0;

  /** The moves out of a territory that make it more even with a neighbor, the best first. */
  const pathsOf = (from: number): Path[] => {
    const own = areas.get(from) ?? new Set();
    const beside = new Map<number, string[]>();
    for (const zip of own)
      for (const next of neighbors.get(zip) ?? []) {
        const other = owner.get(next);
        if (other === undefined || other === from || loadOf(other) >= loadOf(from)) continue;
        const rim = beside.get(other);
        if (!rim) beside.set(other, [zip]);
        else if (rim.at(-1) !== zip) rim.push(zip);
      }
    visits += own.size;
    const paths: Path[] = [];
    for (const [to, rim] of beside) {
      if (!isOff(from) && !isOff(to)) continue;
      const gap = loadOf(from) - loadOf(to);
      const seen = new Set(rim);
      let ring = rim.map((zip): string[] => [zip]);
      for (let depth = 1; depth <= DEPTH && ring.length > 0; depth++) {
        const next: string[][] = [];
        for (const path of ring) {
          const weight = path.reduce((sum, zip) => sum + (weights.get(zip) ?? 0), 0);
          visits += path.length;
          if (weight > 0 && weight < gap)
            paths.push({ zips: path, to, score: (weight * (gap - weight) * roundness(path, to)) / path.length });
          if (weight >= gap) continue;
          for (const zip of neighbors.get(path.at(-1) ?? '') ?? [])
            if (own.has(zip) && !seen.has(zip)) {
              seen.add(zip);
              next.push([...path, zip]);
            }
        }
        ring = next;
      }
    }
    return paths.toSorted((a, b) => b.score - a.score || a.to - b.to || (a.zips.join() < b.zips.join() ? -1 : 1));
  };
  /** How much of its neighbors a path has in the territory that it goes to: a border without spikes is liked better. */
  const roundness = (path: readonly string[], to: number): number => {
    let [there, all] = [1, 2];
    for (const zip of path)
      for (const next of neighbors.get(zip) ?? []) {
        if (path.includes(next)) continue;
        all++;
        if (owner.get(next) === to) there++;
      }
    return there / all;
  };
  /** Whether what a territory keeps hangs together as much as before. */
  const staysWhole = (from: number, path: readonly string[]): boolean => {
    const own = areas.get(from) ?? new Set();
    if (own.size <= path.length) return false;
    const gone = new Set(path);
    const rim = new Set(
      path.flatMap((zip) => (neighbors.get(zip) ?? []).filter((one) => own.has(one) && !gone.has(one))),
    );
    const [first] = rim;
    if (first === undefined) return true;
    const reached = new Set([first]);
    rim.delete(first);
    for (const zip of reached) {
      if (rim.size === 0) break;
      visits++;
      for (const next of neighbors.get(zip) ?? [])
        if (own.has(next) && !gone.has(next) && !reached.has(next)) {
          reached.add(next);
          rim.delete(next);
        }
    }
    return rim.size === 0;
  };
  const move = (from: number, { zips, to }: Path) => {
    for (const zip of zips) {
      const weight = weights.get(zip) ?? 0;
      areas.get(from)?.delete(zip);
      areas.get(to)?.add(zip);
      owner.set(zip, to);
      load.set(from, loadOf(from) - weight);
      load.set(to, loadOf(to) + weight);
    }
    moved += zips.length;
    // Whoever touches one of the two may have a move again.
    for (const id of [from, to]) {
      stuck.delete(id);
      for (const zip of areas.get(id) ?? [])
        for (const next of neighbors.get(zip) ?? []) {
          const other = owner.get(next);
          if (other !== undefined) stuck.delete(other);
        }
    }
  };
  const step = (): boolean => {
    for (const from of ids.toSorted((a, b) => loadOf(b) - loadOf(a) || a - b)) {
      if (stuck.has(from)) continue;
      const path = pathsOf(from)
        .slice(0, TRIED)
        .find(({ zips }) => staysWhole(from, zips));
      if (path) {
        move(from, path);
        return true;
      }
      stuck.add(from);
    }
    return false;
  };

  let stopped: Balanced['stopped'] = 'stuck';
  for (;;) {
    if (!ids.some(isOff)) stopped = 'even';
    else if (moved >= most || visits > VISITS) stopped = 'limit';
    else if (step()) continue;
    break;
  }
  const moves = new Map(
    [...owner].filter(([zip, id]) => owners.get(zip) !== id).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return { moves, before, after: load, stopped };
}

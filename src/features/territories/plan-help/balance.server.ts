// Evens out a measure between territories by moving ZIPs along their borders. Greedy; keeps territories connected; deterministic.
import type { Ground, Owners } from './geography.ts';

export type BalanceInput = {
  neighbors: Ground['neighbors'];
  /** Only the areas of the territories to balance. */
  owners: Owners;
  /** The amount that moves with each area; zero if missing. */
  weights: ReadonlyMap<string, number>;
  /** The amount of each territory that no area carries, so it never moves. Has an entry for every territory. */
  fixed: ReadonlyMap<number, number>;
  /** How far from the mean still counts as even, such as 0.05. */
  tolerance: number;
  /** The most areas that may move. */
  most: number;
};

type Balanced = {
  moves: Map<string, number>;
  before: Map<number, number>;
  after: Map<number, number>;
  /** even: all are within the tolerance. stuck: no further move helps. limit: the most allowed areas have moved, or the search took too long. */
  stopped: 'even' | 'stuck' | 'limit';
};

/** How many areas deep a move may reach, because areas that count may lie behind empty ones. */
const DEPTH = 4;
/** The number of a territory's best moves to try before it counts as stuck. */
const TRIED = 40;
/** The most area visits in total: a time limit that gives the same result on every machine. */
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

  /** The moves that bring a territory and a neighbor closer to even, the best first. */
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
  /** The share of a path's neighbors that already belong to the receiving territory. Prefers borders without spikes. */
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
  /** Whether the rest of a territory stays as connected as before. */
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
    // Territories that touch one of the two may have a useful move again.
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

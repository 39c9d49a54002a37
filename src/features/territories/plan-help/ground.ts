// The ground that help in planning stands on: which ZIPs touch, which lie in which area, and who has them.

export type Ground = {
  /** The ZIPs that share an edge with each ZIP that has an area. */
  neighbors: ReadonlyMap<string, readonly string[]>;
  /** The area in which each ZIP without an area lies. */
  hostOf: ReadonlyMap<string, string>;
  pointsIn: ReadonlyMap<string, readonly string[]>;
  /** The pieces of a set of ZIPs that other areas cut off from its largest one. */
  islandsOf: (zips: Iterable<string>) => string[][];
};

/** The territory of each ZIP that has one. */
export type Owners = ReadonlyMap<string, number>;

/** ZIPs of areas with those ZIPs without an area that lie in them and that `goes` with them. */
export function withPoints({ pointsIn }: Ground, areas: readonly string[], goes: (point: string) => boolean): string[] {
  return areas.flatMap((zip) => [zip, ...(pointsIn.get(zip) ?? []).filter(goes)]).toSorted();
}

/** The territory with the most votes; of several the one with the smallest number. */
export function mostOf(votes: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [id, count] of votes) {
    const most = best === undefined ? 0 : (votes.get(best) ?? 0);
    if (count > most || (count === most && best !== undefined && id < best)) best = id;
  }
  return best;
}

/** The parts of a set of areas that hang together, each in order; `isOne` may part what touches. */
export function partsOf(
  neighbors: Ground['neighbors'],
  zips: Iterable<string>,
  isOne: (one: string, other: string) => boolean = () => true,
): string[][] {
  const left = new Set([...zips].toSorted());
  const parts: string[][] = [];
  for (const start of left) {
    left.delete(start);
    const part = [start];
    for (const zip of part)
      for (const next of neighbors.get(zip) ?? [])
        if (left.has(next) && isOne(zip, next) && left.delete(next)) part.push(next);
    parts.push(part.toSorted());
  }
  return parts;
}

// The geography for planning help: which ZIPs touch, which area each point ZIP lies in, and which territory has them.

export type Ground = {
  /** For each ZIP with an area, the ZIPs that share an edge with it. */
  neighbors: ReadonlyMap<string, readonly string[]>;
  /** The area that each ZIP without an area lies in. */
  hostOf: ReadonlyMap<string, string>;
  pointsIn: ReadonlyMap<string, readonly string[]>;
  /** The pieces of a set of ZIPs that other areas cut off from its largest piece. */
  islandsOf: (zips: Iterable<string>) => string[][];
};

/** The territory of each ZIP that has one. */
export type Owners = ReadonlyMap<string, number>;

/** The ZIPs of areas, plus the point ZIPs in them for which `goes` returns true. */
export function withPoints({ pointsIn }: Ground, areas: readonly string[], goes: (point: string) => boolean): string[] {
  return areas.flatMap((zip) => [zip, ...(pointsIn.get(zip) ?? []).filter(goes)]).toSorted();
}

/** The territory with the most votes. In a tie, the smallest ID wins. */
export function mostOf(votes: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [id, count] of votes) {
    const most = best === undefined ? 0 : (votes.get(best) ?? 0);
    if (count > most || (count === most && best !== undefined && id < best)) best = id;
  }
  return best;
}

/** The connected parts of a set of areas, each in order. `isOne` may separate areas that touch. */
export function connectedParts(
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

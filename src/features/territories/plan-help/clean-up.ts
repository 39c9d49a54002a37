// Finds problems in a plan's territories and suggests moves to fix them: ZIPs without a territory, islands, points apart from their area.
import { type Ground, mostOf, type Owners, connectedParts, withPoints } from './geography.ts';

export const FIX_KINDS = ['unassigned', 'island', 'point'] as const;

/** `to` is null if no neighboring territory may get the ZIPs. */
export type Fix = { kind: (typeof FIX_KINDS)[number]; from: number | null; to: number | null; zips: string[] };

type Given = {
  ground: Ground;
  owners: Owners;
  /** All ZIPs without an area. */
  points: Iterable<string>;
  /** Whether the plan may move ZIPs out of and into a territory. */
  may: (territory: number) => boolean;
};

/** Sorted by kind, then size, then ZIP. Each ZIP appears once. */
export function cleanUp(given: Given): Fix[] {
  return [...unassigned(given), ...islands(given), ...points(given)];
}

const bySize = (one: Fix, other: Fix) =>
  other.zips.length - one.zips.length || ((one.zips[0] ?? '') < (other.zips[0] ?? '') ? -1 : 1);

/** Suggests the territory that most neighbors belong to. ZIPs surrounded by other unassigned ones follow them. */
function unassigned({ ground, owners, points: all, may }: Given): Fix[] {
  const { neighbors, hostOf } = ground;
  const open = [...neighbors.keys()].filter((zip) => !owners.has(zip));
  const given = new Map<string, number>();
  const left = new Set(open);
  let frontier = open;
  while (frontier.length > 0) {
    const round: [string, number][] = [];
    for (const zip of frontier) {
      const votes = new Map<number, number>();
      for (const next of neighbors.get(zip) ?? []) {
        const owner = owners.get(next) ?? given.get(next);
        if (owner !== undefined && may(owner)) votes.set(owner, (votes.get(owner) ?? 0) + 1);
      }
      const to = mostOf(votes);
      if (to !== undefined) round.push([zip, to]);
    }
    for (const [zip, to] of round) {
      given.set(zip, to);
      left.delete(zip);
    }
    const beside = new Set(round.flatMap(([zip]) => neighbors.get(zip) ?? []));
    frontier = [...beside].filter((zip) => left.has(zip)).toSorted();
  }
  const fixes = connectedParts(neighbors, open, (one, other) => given.get(one) === given.get(other)).map(
    (zips): Fix => {
      const all5 = withPoints(ground, zips, (point) => !owners.has(point));
      return { kind: 'unassigned', from: null, to: given.get(zips[0] ?? '') ?? null, zips: all5 };
    },
  );
  const loose = new Map<number | null, string[]>();
  for (const zip of all) {
    const host = hostOf.get(zip);
    // Points in an unassigned area move with that area.
    if (owners.has(zip) || (host !== undefined && !owners.has(host))) continue;
    const owner = host === undefined ? undefined : owners.get(host);
    const to = owner !== undefined && may(owner) ? owner : null;
    const together = loose.get(to);
    if (together) together.push(zip);
    else loose.set(to, [zip]);
  }
  for (const [to, zips] of loose) fixes.push({ kind: 'unassigned', from: null, to, zips: zips.toSorted() });
  return fixes.toSorted(bySize);
}

/** Suggests the territory that shares the most border edges with the island. */
function islands({ ground, owners, may }: Given): Fix[] {
  const areas = Map.groupBy(
    [...ground.neighbors.keys()].filter((zip) => owners.has(zip)),
    (zip) => owners.get(zip) ?? 0,
  );
  const fixes: Fix[] = [];
  for (const [from, zips] of areas) {
    if (!may(from)) continue;
    for (const island of ground.islandsOf(zips)) {
      const votes = new Map<number, number>();
      for (const zip of island)
        for (const next of ground.neighbors.get(zip) ?? []) {
          const owner = owners.get(next);
          if (owner !== undefined && owner !== from && may(owner)) votes.set(owner, (votes.get(owner) ?? 0) + 1);
        }
      fixes.push({
        kind: 'island',
        from,
        to: mostOf(votes) ?? null,
        zips: withPoints(ground, island, (point) => owners.get(point) === from),
      });
    }
  }
  return fixes.toSorted(bySize);
}

/** ZIPs without an area whose territory differs from that of the area around them. */
function points({ ground, owners, points: all, may }: Given): Fix[] {
  const apart = new Map<string, Fix>();
  for (const zip of all) {
    const [from, to] = [owners.get(zip), owners.get(ground.hostOf.get(zip) ?? '')];
    if (from === undefined || to === undefined || from === to || !may(from) || !may(to)) continue;
    const key = `${from} ${to}`;
    const fix = apart.get(key);
    if (fix) fix.zips.push(zip);
    else apart.set(key, { kind: 'point', from, to, zips: [zip] });
  }
  return [...apart.values()].map((fix) => ({ ...fix, zips: fix.zips.toSorted() })).toSorted(bySize);
}

// Chooses how each territory looks on every map: one of sixteen looks, different from its neighbors.

/** Eight colors, each plain and striped. */
export const HUES = 8;
export const LOOKS = 2 * HUES;

type Neighbors = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Assigns each ID the number of a look that none of its neighbors has. The IDs choose in order of creation, so that a new one does not change the
 * looks of the others. The same input always returns the same looks. Neighbors look alike only if more than sixteen territories all touch each other.
 */
export function looksOf(ids: Iterable<number>, neighbors: Neighbors): Map<number, number> {
  const inOrder = [...ids].toSorted((a, b) => a - b);
  const looks = choose(inOrder, neighbors);
  return hasAlike(looks, neighbors) ? choose(fewestLast(inOrder, neighbors), neighbors) : looks;
}

/** Each ID gets the look that the fewest neighbors have, then the color that the fewest neighbors have, then the least used look. */
function choose(order: readonly number[], neighbors: Neighbors): Map<number, number> {
  const looks = new Map<number, number>();
  const used = Array.from({ length: LOOKS }, () => 0);
  for (const id of order) {
    const near = Array.from({ length: LOOKS }, () => 0);
    for (const other of neighbors.get(id) ?? []) {
      const look = looks.get(other);
      if (look !== undefined) near[look] = (near[look] ?? 0) + 1;
    }
    const cost = (look: number) => [near[look] ?? 0, near[(look + HUES) % LOOKS] ?? 0, used[look] ?? 0] as const;
    let [best, least] = [0, cost(0)];
    for (let look = 1; look < LOOKS; look++) {
      const own = cost(look);
      const differs = own.findIndex((part, at) => part !== least[at]);
      if ((own[differs] ?? 0) < (least[differs] ?? 0)) [best, least] = [look, own];
    }
    looks.set(id, best);
    used[best] = (used[best] ?? 0) + 1;
  }
  return looks;
}

function hasAlike(looks: ReadonlyMap<number, number>, neighbors: Neighbors): boolean {
  return [...looks].some(([id, look]) => [...(neighbors.get(id) ?? [])].some((other) => looks.get(other) === look));
}

/** The IDs with the fewest neighbors among the rest choose last. On a plane, each then finds at most five looks in use. */
function fewestLast(ids: readonly number[], neighbors: Neighbors): number[] {
  const left = new Map(ids.map((id) => [id, neighbors.get(id)?.size ?? 0]));
  const order: number[] = [];
  while (left.size > 0) {
    let [fewest, count] = [0, Infinity];
    for (const [id, own] of left) if (own < count) [fewest, count] = [id, own];
    left.delete(fewest);
    order.push(fewest);
    for (const other of neighbors.get(fewest) ?? []) {
      const own = left.get(other);
      if (own !== undefined) left.set(other, own - 1);
    }
  }
  return order.toReversed();
}

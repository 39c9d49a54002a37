// Computes the order of lines, as a list of ids, after some of them move by one place or to another line.

/** The order with some lines moved up or down one place as a block. Unchanged when they are already at the end. */
export function movedBy(order: readonly number[], moving: ReadonlySet<number>, by: -1 | 1): number[] {
  const block = order.filter((id) => moving.has(id));
  const rest = order.filter((id) => !moving.has(id));
  const edge = by === -1 ? order.findIndex((id) => moving.has(id)) : order.findLastIndex((id) => moving.has(id));
  const before = order.slice(0, Math.max(0, edge)).filter((id) => !moving.has(id)).length;
  const at = Math.min(rest.length, Math.max(0, before + by));
  return rest.toSpliced(at, 0, ...block);
}

/** The order with some lines moved before or behind another line. Unchanged when that line is one of them. */
export function movedTo(
  order: readonly number[],
  moving: ReadonlySet<number>,
  target: number,
  side: 'before' | 'behind',
): number[] {
  const rest = order.filter((id) => !moving.has(id));
  const at = rest.indexOf(target);
  if (at === -1) return [...order];
  return rest.toSpliced(side === 'before' ? at : at + 1, 0, ...order.filter((id) => moving.has(id)));
}

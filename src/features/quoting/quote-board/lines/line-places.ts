// Where lines stand after some of them were moved: by one place, or to another line. Orders are ids.

/** The order with some lines one place up or down, together; the same when they stand at the end already. */
export function movedBy(order: readonly number[], moving: ReadonlySet<number>, by: -1 | 1): number[] {
  const block = order.filter((id) => moving.has(id));
  const rest = order.filter((id) => !moving.has(id));
  const edge = by === -1 ? order.findIndex((id) => moving.has(id)) : order.findLastIndex((id) => moving.has(id));
  const before = order.slice(0, Math.max(0, edge)).filter((id) => !moving.has(id)).length;
  const at = Math.min(rest.length, Math.max(0, before + by));
  return rest.toSpliced(at, 0, ...block);
}

/** The order with some lines before or behind another one; the same when that is one of them. */
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

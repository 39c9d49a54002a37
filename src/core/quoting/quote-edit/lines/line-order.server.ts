// Computes the order of lines: free lines directly after the line that earns them, moved ones at the requested position.
import type { Line } from '#core/quoting/quotes/quote-rows.ts';

/** Puts free lines directly after the line that earns them, and numbers all lines from 1. */
export function numberLines(lines: readonly Line[]): Line[] {
  const free = Map.groupBy(
    lines.filter((line) => line.type === 'free'),
    (line) => line.parent_id,
  );
  const ordered = lines.filter((line) => line.type !== 'free').flatMap((line) => [line, ...(free.get(line.id) ?? [])]);
  return ordered.map((line, index) => (line.line_no === index + 1 ? line : { ...line, line_no: index + 1 }));
}

/** Moves lines to the requested positions (from 1, as displayed). The other lines keep their order around them. */
export function placeLines(lines: readonly Line[], places: ReadonlyMap<number, number>): Line[] {
  if (places.size === 0) return [...lines];
  const ordered = lines.filter((line) => !places.has(line.id));
  const moved = lines
    .filter((line) => places.has(line.id))
    .toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  for (const line of moved) ordered.splice(Math.max(0, (places.get(line.id) ?? 1) - 1), 0, line);
  return ordered;
}

// Lets a mark fade on cells that somebody else changed, but not on the cell that this person is in.
import type { FreshCells } from './fresh-cells.ts';

const FADE_MS = 3000;

export function showFresh({ id, columns }: FreshCells): void {
  const line = document.querySelector(`[data-line="${id}"], [data-card="${id}"]`);
  if (!line) return;
  const cells = line.matches('[data-card]')
    ? [line]
    : columns
      ? columns.flatMap((column) => [...line.querySelectorAll(`[data-column="${column}"]`)])
      : [...line.children];
  // For so long the cell has the height of its row.
  const whole = { alignSelf: 'stretch', alignContent: 'center' };
  const start = { ...whole, backgroundColor: 'var(--fresh)' };
  // Whoever wants no motion sees a mark that stays as it is and goes.
  const frames = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    ? [start, start]
    : [start, { ...start, offset: 0.4 }, whole];
  for (const cell of cells) if (!cell.contains(document.activeElement)) cell.animate(frames, FADE_MS);
}

// Lets a mark fade on cells, terms and totals that somebody else changed, but not where this person is.
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
  fade(cells, { alignSelf: 'stretch', alignContent: 'center' });
}

/** Marks every place that shows one of the quote's own fields. */
export function showFreshFields(fields: readonly string[]): void {
  for (const field of fields) fade(document.querySelectorAll(`[data-shows~="${field}"]`), {});
}

function fade(places: Iterable<Element>, whole: Keyframe): void {
  const start = { ...whole, backgroundColor: 'var(--fresh)' };
  // Whoever wants no motion sees a mark that stays as it is and goes.
  const frames = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    ? [start, start]
    : [start, { ...start, offset: 0.4 }, whole];
  for (const place of places) if (!place.contains(document.activeElement)) place.animate(frames, FADE_MS);
}

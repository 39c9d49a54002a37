// Formats percentages: short, but never 0 for a value that is not 0.
import { withMinus } from './money.ts';

/** The maximum number of decimals of a percentage, the same as for amounts and prices. */
const MAX_PLACES = 4;

/** Returns the number of decimals that a percentage needs so that it does not show as 0: `least`, or up to four. */
export function percentPlaces(percent: number, least = 1): number {
  for (let places = least; places <= MAX_PLACES; places += 1) {
    if (Number(percent.toFixed(places)) !== 0) return places;
  }
  return least;
}

/** Formats a percentage with one decimal: 31.4%, −3.0%; or with more if it would show as 0: 0.03%. Smaller values show as 0.0%. */
export function formatPercent(percent: number): string {
  const text = percent.toFixed(percentPlaces(percent));
  return `${withMinus(Number(text) === 0 ? text.replace('-', '') : text)}%`;
}

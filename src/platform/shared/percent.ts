// Percentages for people: short, but never 0 for something that is not.
import { withMinus } from './money.ts';

/** The most decimals of a percentage, which amounts and prices have, too. */
const MOST_PLACES = 4;

/** The decimals that a percentage needs so that it does not read as 0 when it is not: `least`, or up to four. */
export function percentPlaces(percent: number, least = 1): number {
  for (let places = least; places <= MOST_PLACES; places += 1) {
    if (Number(percent.toFixed(places)) !== 0) return places;
  }
  return least;
}

/** A percentage with one decimal: 31.4 %, −3.0 %; with more where it would read as 0: 0.03 %. What is less than that reads as 0.0 %. */
export function formatPercent(percent: number): string {
  const text = percent.toFixed(percentPlaces(percent));
  return `${withMinus(Number(text) === 0 ? text.replace('-', '') : text)} %`;
}

// Scores how well a product matches an item, with the reasons in words (docs/decisions/0026).
import { compareMeasurements, measurementsIn } from './measurements.ts';

/** From this score on, the number alone identifies the product; such pairs may be mapped in bulk. */
export const EXACT = 95;
/** Products below this score are hidden. */
export const LEAST = 50;
/** The number of products shown for an item. */
export const BEST = 5;

export type ItemFacts = {
  description: string;
  className: string;
  manufacturer: string;
  manufacturerNo: string;
};
export type ProductFacts = {
  name: string;
  brand: string;
  className: string;
  /** The product's own number, and those of its items. */
  numbers: { manufacturer: string; manufacturerNo: string }[];
  /** The similarity of its name and the item's description, from 0 to 1. */
  likeness: number;
};
export type Score = { score: number; reasons: string[] };

/** Keeps only letters and digits; `bare_text` in the database does the same. */
export function bare(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** 0 to 100, with the reasons for and against, most important first. */
export function scoreOf(item: ItemFacts, product: ProductFacts): Score {
  const exact = byNumber(item, product.numbers);
  if (exact) return exact;
  const reasons: [points: number, words: string][] = [];
  const percent = Math.round(product.likeness * 100);
  reasons.push([product.likeness * 60, `Description ${percent}% similar`]);
  if (item.className !== '' && item.className === product.className)
    reasons.push([10, `Same class: ${item.className}`]);
  if (hasBrand(item, product.brand)) reasons.push([15, `Same brand: ${product.brand}`]);
  const { same, different } = compareMeasurements(measurementsIn(item.description), measurementsIn(product.name));
  if (different.length > 0) {
    reasons.push([-40, `Different measure: ${different.map(([mine, its]) => `${mine}, not ${its}`).join('; ')}`]);
  } else if (same.length > 0) {
    reasons.push([15, `Same measure: ${same.join(', ')}`]);
  }
  const score = Math.round(reasons.reduce((sum, [points]) => sum + points, 0));
  // Only a number makes a match exact.
  return {
    score: Math.max(0, Math.min(EXACT - 1, score)),
    reasons: reasons.toSorted(([a], [b]) => Math.abs(b) - Math.abs(a)).map(([, words]) => words),
  };
}

function byNumber(item: ItemFacts, numbers: ProductFacts['numbers']): Score | null {
  const number = bare(item.manufacturerNo);
  if (number === '') return null;
  const maker = bare(item.manufacturer);
  const alike = numbers.filter((candidate) => bare(candidate.manufacturerNo) === number);
  const whole = alike.find(
    (candidate) =>
      maker !== '' &&
      bare(candidate.manufacturer) === maker &&
      candidate.manufacturerNo.trim().toLowerCase() === item.manufacturerNo.trim().toLowerCase(),
  );
  if (whole)
    return {
      score: 100,
      reasons: [`Same manufacturer and number: ${item.manufacturer} ${item.manufacturerNo}`],
    };
  // Two manufacturers may both have a number 100.
  const near = alike.find((candidate) => [maker, ''].includes(bare(candidate.manufacturer)) || maker === '');
  return near ? { score: EXACT, reasons: [`Same number without punctuation: ${near.manufacturerNo}`] } : null;
}

function hasBrand(item: ItemFacts, brand: string): boolean {
  const wanted = bare(brand);
  if (wanted === '') return false;
  const words = ` ${item.description.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return (
    bare(item.manufacturer) === wanted ||
    words.includes(
      ` ${brand
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim()} `,
    )
  );
}

/** The products to show for an item, best first. */
export function bestOf<P extends Score>(scored: P[]): P[] {
  return scored
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, BEST);
}

/** Returns whether the number matches several products, so that the user must decide. */
export function isContested(scored: Score[]): boolean {
  const top = Math.max(0, ...scored.map(({ score }) => score));
  return top >= EXACT && scored.filter(({ score }) => score === top).length > 1;
}

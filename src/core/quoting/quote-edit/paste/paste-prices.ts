// Reads the prices of a paste: number, currency and unit from the cell or the heading, and the price per unit of the row.
import { convertPrice, type Currency, currencyWords, type Decimal, subtract } from '#platform/shared/money.ts';
import { MAX_TYPED_AMOUNT } from '#platform/shared/typed-money.ts';
import { readNumber } from '#platform/shared/typed-number.ts';
import { isUnit, unitMeant } from '#platform/shared/unit-of-measure.ts';
import type { ReadyRow } from './paste-rows.ts';

/** `currency` is null and `unit` is '' when neither the cell nor the heading names them. */
export type ReadPrice = { price: Decimal | null; currency: Currency | null; unit: string; problem: string };

/** A pasted price for a row: per the row's unit, or null with the reason. `typedAs` is the price as pasted when it was per another unit. */
export type Offer = { theirs: Decimal | null; problem: string; typedAs: { price: Decimal; unit: string } | null };

const EURO = /€|\beur(os?)?\b/i;
const DOLLAR = /\$|\busd\b|\bdollars?\b/i;
/** A currency, with or without parentheses. */
const MARKS = /\(?(?:US\$|[$€]|\b(?:usd|eur|euros?|dollars?)\b)\)?/gi;
const PER = /(?:\/|\bper\b)\s*([a-z]+)\s*\)?$/i;
/** 'Case Price', 'Price (CS)', 'Cost each'. */
const BESIDE = /^([a-z]{1,30})\s{1,3}(?:price|cost)$|^(?:price|cost)\s{0,3}[(,:-]?\s{0,3}([a-z]{1,30})\)?$/i;
/** These words do not name a unit. They refer to the unit of the row. */
const ROW_UNIT = /^(unit|uom|um|uofm|item|line)$/i;

function currencyIn(text: string): Currency | null {
  if (EURO.test(text)) return 'EUR';
  return DOLLAR.test(text) ? 'USD' : null;
}

function unitIn(text: string): string {
  const words = text.replaceAll(MARKS, '').trim();
  const [, before, after] = BESIDE.exec(words) ?? [];
  const beside = before ?? after ?? '';
  const unit = PER.exec(words)?.[1] ?? (isUnit(beside) ? beside : '');
  return ROW_UNIT.test(unit) ? '' : unit;
}

/** Reads a cell. The cell's own currency and unit take precedence over those of its heading. */
export function readPrice(cell: string, title: string): ReadPrice {
  const currency = currencyIn(cell) ?? currencyIn(title);
  const unit = unitIn(cell) || unitIn(title);
  const bare = cell.replace(PER, '').replaceAll(MARKS, '').trim();
  const { value, problem } = readNumber(bare, { min: 0, max: MAX_TYPED_AMOUNT });
  return { price: value, currency, unit, problem: value === null ? `‘${cell}’ is not a price: ${problem}.` : '' };
}

/** Converts a read price to an offer for a row of a quote in `currency`. */
export function offerOf(read: ReadPrice, { item, unit }: ReadyRow, currency: Currency): Offer {
  const no = (problem: string): Offer => ({ theirs: null, problem, typedAs: null });
  if (read.price === null) return no(read.problem);
  if (read.currency !== null && read.currency !== currency) {
    return no(`The price is in ${currencyWords(read.currency)}, the quote in ${currencyWords(currency)}.`);
  }
  if (read.unit === '') return { theirs: read.price, problem: '', typedAs: null };
  const meant = unitMeant(read.unit, item.itemNumber, item.units);
  if (meant.unit === '') return no(meant.problem);
  const factor = (name: string) => item.units.find((candidate) => candidate.unit === name)?.factor ?? 0;
  if (meant.unit === unit) return { theirs: read.price, problem: '', typedAs: null };
  const [from, to] = [factor(meant.unit), factor(unit)];
  if ((read.price * to) / from > MAX_TYPED_AMOUNT) return no(`The price per ${unit} would be too large.`);
  const typedAs = { price: read.price, unit: meant.unit };
  return { theirs: convertPrice(read.price, from, to), problem: '', typedAs };
}

/** Counts how the offers compare with our prices. `none` means that we have no price. */
export function comparison(pairs: readonly { theirs: Decimal | null; ours: Decimal | null | undefined }[]) {
  const counts = { lower: 0, higher: 0, same: 0, none: 0, unusable: 0 };
  for (const { theirs, ours } of pairs) {
    if (theirs === null) counts.unusable += 1;
    else if (ours === null || ours === undefined) counts.none += 1;
    else {
      const difference = subtract(theirs, ours);
      counts[difference < 0 ? 'lower' : difference > 0 ? 'higher' : 'same'] += 1;
    }
  }
  return counts;
}

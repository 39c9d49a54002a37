// Parses units of measure as users write them ('CS', 'Case', 'CS of 10', 'BX/100', '50 EA/CA') and checks them against the units of an item.
import type { Decimal } from './money.ts';

/** The words for a unit, by its code. */
const WORDS: Record<string, readonly string[]> = {
  EA: ['each', 'pc', 'pcs', 'piece', 'pieces', 'single', 'unit', 'units'],
  CS: ['case', 'cases', 'cas', 'ca'],
  CT: ['ctn', 'carton', 'cartons'],
  BX: ['box', 'boxes'],
  PK: ['pack', 'packs', 'package', 'packages', 'pkg', 'pac'],
  BG: ['bag', 'bags'],
  PCH: ['pouch', 'pouches'],
  BT: ['bo', 'btl', 'bottle', 'bottles'],
  TB: ['tube', 'tubes'],
  TR: ['tray', 'trays'],
  VL: ['vial', 'vials'],
  KT: ['kit', 'kits'],
  RL: ['roll', 'rolls'],
  PR: ['pair', 'pairs'],
  DZ: ['doz', 'dozen', 'dozens'],
  CRT: ['crate', 'crates'],
  PL: ['plt', 'pallet', 'pallets'],
  SL: ['slv', 'sleeve', 'sleeves'],
};
const CODE_OF = new Map(
  Object.entries(WORDS).flatMap(([code, words]) => [code.toLowerCase(), ...words].map((word) => [word, code] as const)),
);

/** One reading of a unit: its word, its pack size (null if missing), and the inner unit ('' if missing). */
export type UnitReading = { unit: string; holds: number | null; of: string };

const WORD = '([a-z]{1,30})\\.?';
const COUNT = '(\\d{1,3}(?:,\\d{3}){1,4}|\\d{1,15})';
const FORMS: readonly [RegExp, (...parts: string[]) => UnitReading[]][] = [
  [new RegExp(`^${WORD}$`), (unit = '') => [{ unit, holds: null, of: '' }]],
  // 'CS of 10', 'BX/100', 'BX (100 EA)', 'CASE12'
  [
    new RegExp(`^${WORD}\\s{0,5}(?:of|with|w/|[/(:x,-])?\\s{0,5}${COUNT}\\s{0,5}(?:${WORD})?\\s{0,5}\\)?$`),
    (unit = '', count = '', target = '') => [{ unit, holds: figureOf(count), of: target }],
  ],
  // '10/CS', '100 per box'
  [
    new RegExp(`^${COUNT}\\s{0,5}(?:/|per)?\\s{0,5}${WORD}$`),
    (count = '', unit = '') => [{ unit, holds: figureOf(count), of: '' }],
  ],
  // '50 EA/CA' means a case of 50 pieces, or one piece of the 50 in a case.
  [
    new RegExp(`^${COUNT}\\s{0,5}${WORD}\\s{0,5}(?:/|per|in|a)\\s{0,5}${WORD}$`),
    (count = '', target = '', unit = '') => [
      { unit, holds: figureOf(count), of: target },
      { unit: target, holds: null, of: '' },
    ],
  ],
];

/** Returns all possible readings of a text, the most likely first; an empty list if the text is not a unit. */
export function readUnit(text: string): UnitReading[] {
  const plain = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  for (const [form, readings] of FORMS) {
    const match = form.exec(plain);
    if (match) return readings(...match.slice(1).map((part) => part ?? ''));
  }
  return [];
}

/**
 * Returns the code of the most likely unit of a text: 'Case' and 'CS of 10' are CS. A unit without a known code is returned in capitals, and '' if
 * the text is not a unit.
 */
export function unitCode(text: string): string {
  const unit = readUnit(text)[0]?.unit ?? '';
  return CODE_OF.get(unit) ?? unit.toUpperCase();
}

/** Returns whether a text names a unit of the trade, with or without its content. */
export function isUnit(text: string): boolean {
  return readUnit(text).some(({ unit }) => CODE_OF.has(unit));
}

/** A unit of an item. `factor` is how many base units it contains. */
type ItemUnit = { unit: string; factor: Decimal };

/** Returns the unit of an item that a text means. `problem` says why the user must decide; `unit` is '' then. */
export function unitMeant(
  text: string,
  itemNumber: string,
  units: readonly ItemUnit[],
): { unit: string; problem: string } {
  const typed = text.trim();
  const literal = units.find(({ unit }) => unit.toLowerCase() === typed.toLowerCase());
  if (literal) return { unit: literal.unit, problem: '' };
  const ask = (problem: string) => ({ unit: '', problem });
  const readings = readUnit(typed);
  const [first, second] = readings;
  const result = first && unitNamed(first.unit, units);
  if (!first || !result) {
    return ask(
      `${itemNumber} is not sold by ${typed}. Its units: ${units.map((unit) => unitWithContent(unit, units)).join(', ')}.`,
    );
  }
  if (second) {
    const other = unitNamed(second.unit, units);
    if (other && other !== result) {
      return ask(
        `'${typed}' can mean ${unitWithContent(result, units)} or ${unitWithContent(other, units)}: choose the unit.`,
      );
    }
  }
  if (first.holds !== null && !holds(result, first.holds, first.of, units)) {
    const unitWords = `${result.unit} of ${first.holds}${first.of ? ` ${(CODE_OF.get(first.of) ?? first.of).toUpperCase()}` : ''}`;
    return ask(
      `'${typed}' says ${unitWords}, but ${itemNumber} has ${unitWithContent(result, units)}: choose the unit.`,
    );
  }
  return { unit: result.unit, problem: '' };
}

/** Formats a unit with its content: 'BX (100 EA)'. The base unit, the first in the list, has no content. */
export function unitWithContent(unit: ItemUnit, units: readonly ItemUnit[]): string {
  const [base] = units;
  return unit === base || !base ? unit.unit : `${unit.unit} (${unit.factor.toLocaleString('en-US')} ${base.unit})`;
}

/** Returns the only unit of the item with this name or a synonym of it. */
function unitNamed(word: string, units: readonly ItemUnit[]): ItemUnit | undefined {
  const same = units.filter(({ unit }) => unit.toLowerCase() === word);
  if (same.length > 0) return same[0];
  const code = CODE_OF.get(word);
  const alike = code ? units.filter(({ unit }) => CODE_OF.get(unit.toLowerCase()) === code) : [];
  return alike.length === 1 ? alike[0] : undefined;
}

/** Returns whether a unit of the item contains `count` of another unit: of the named one, or of any if none is named. */
function holds(whole: ItemUnit, count: number, alias: string, units: readonly ItemUnit[]): boolean {
  const part = alias === '' ? undefined : unitNamed(alias, units);
  if (alias !== '' && !part) return false;
  return (part ? [part] : units).some((unit) => Math.abs(unit.factor * count - whole.factor) < 0.000_05);
}

function figureOf(figures: string): number {
  return Number(figures.replaceAll(',', ''));
}

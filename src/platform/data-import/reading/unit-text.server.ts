// Parses a unit of measure: alone ('each', 'BX') or with a pack size ('Case of 10 EA', '50 EA/CA'). It never guesses.
import { Refusal } from './refusal.server.ts';

/** The meaning of a text: a unit, and its pack size and inner unit if the text contains them. */
export type UnitText = { unit: string; count?: string; of?: string };

const WORDS: Readonly<Record<string, string>> = {
  EA: 'ea each pc pcs piece pieces single singles unit units',
  CS: 'cs case cases cas ca',
  CT: 'ct ctn carton cartons',
  BX: 'bx box boxes',
  PK: 'pk pack packs package packages pkg pac',
  BG: 'bg bag bags',
  PCH: 'pch pouch pouches',
  BT: 'bt bo btl bottle bottles',
  TB: 'tb tube tubes',
  TR: 'tr tray trays',
  VL: 'vl vial vials',
  KT: 'kt kit kits',
  RL: 'rl roll rolls',
  PR: 'pr pair pairs',
  DZ: 'dz doz dozen',
  CRT: 'crt crate crates',
};
const UNIT_OF = new Map(Object.entries(WORDS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit])));

/** Returns whether a text is a single word for a unit. */
export const isUnitWord = (text: string): boolean => UNIT_OF.has(text.trim().toLowerCase());

/** Words about the use or the material of a package, not about its unit. */
const PASSED_OVER = new Set(
  `inner outer master shipping shipper poly tyvek tyvec plastic paper cardboard selling sales stocking base display`.split(
    ' ',
  ),
);
const HOLDS = new Set(['of', 'or', 'x', '×', '*', '=', ':', '@', ',', '(', ')', '-', 'with', 'contains', 'containing']);
const PER = new Set(['/', 'per', 'in']);
const TOKEN = /\d+(?:,\d{3})*(?:\.\d+)?|[\p{L}]+|[^\s\p{L}\d.]/gu;

/** `shape` has a letter for each token: a number (N), a unit (U), 'contains' (o) or 'per' (/). `words` has the numbers and units in order. */
type Shape = { shape: string; words: string[] };

function shapeOf(text: string): Shape | null {
  let shape = '';
  const words: string[] = [];
  for (const token of text.toLowerCase().replaceAll('_', ' ').replaceAll('w/', ' of ').match(TOKEN) ?? []) {
    const known = UNIT_OF.get(token);
    if (PASSED_OVER.has(token)) continue;
    else if (/^\d/.test(token)) [shape, words[words.length]] = [`${shape}N`, String(Number(token.replaceAll(',', '')))];
    else if (HOLDS.has(token)) shape += 'o';
    else if (PER.has(token)) shape += '/';
    // The code may be defined by items only; the caller checks whether the item has such a unit.
    else if (known ?? /^[a-z]{1,4}$/.test(token))
      [shape, words[words.length]] = [`${shape}U`, known ?? token.toUpperCase()];
    else return null;
  }
  return { shape: shape.replace(/o+/g, 'o').replace(/^o|o$/g, ''), words };
}

const NO_UNIT = new Refusal('is not a unit of measure');

/** Parses the text, or returns why it is not a single unit. Refuses an ambiguous text and names both readings. */
export function readUnit(text: string): UnitText | Refusal {
  // Codes such as P5 or 1N are units. 'CS12' is a case of 12, and 'X12' a pack size without a unit.
  const code = /^([a-z]{1,3})\d{1,3}$|^\d[a-z]{1,2}$/i.exec(text);
  if (code && text.length <= 4 && !UNIT_OF.has((code[1] ?? text.slice(1)).toLowerCase()) && !/^x/i.test(text))
    return { unit: text.toUpperCase() };
  // Alone these are units. Among other words, 'in' means 'per', and 'inner' describes a box.
  if (/^in$/i.test(text)) return { unit: 'IN' };
  if (/^inner$/i.test(text)) return { unit: 'PK' };
  const read = shapeOf(text);
  if (!read) return NO_UNIT;
  const { shape, words } = read;
  const [first = '', second = '', third = ''] = words;
  if (/^\/?U(?:[o/]?U)*$/.test(shape)) {
    const other = words.find((unit) => unit !== first);
    return other === undefined
      ? { unit: first }
      : new Refusal(`names two units, ${first} and ${other}: write the one you mean`);
  }
  if (/^No?U$/.test(shape)) return first === '1' ? { unit: second } : twoReadings(first, second);
  if (/^U[o/]?N$/.test(shape)) return packed({ unit: first, count: second });
  if (shape === 'N/U') return packed({ unit: second, count: first });
  if (/^U[o/]?No?U$/.test(shape)) return packed({ unit: first, count: second, of: third });
  if (/^No?U\/U$/.test(shape)) return packed({ unit: third, count: first, of: second });
  return words.some((word) => !/^\d/.test(word))
    ? new Refusal("is not one unit with one pack size: write the unit alone, or as in 'CS of 10 EA'")
    : NO_UNIT;
}

const twoReadings = (count: string, unit: string): Refusal =>
  new Refusal(`may be ${unit}, or a unit that holds ${count} ${unit}: write the one you mean`);

function packed(read: { unit: string; count: string; of?: string }): UnitText | Refusal {
  const { unit, count, of } = read;
  if (Number(count) === 0) return new Refusal('has a pack size of 0');
  // A single piece contains nothing, so 'EA/100' may be a piece or a pack of 100.
  if (unit === 'EA' && of === undefined) return count === '1' ? { unit } : twoReadings(count, unit);
  if (unit === 'EA' || unit === of)
    return new Refusal(`may be ${unit}, or ${count} ${of ?? unit}: write the one you mean`);
  return read;
}

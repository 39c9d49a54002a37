// Made-up items of medical families, and how lists of hospitals disturb their words. The same in each run.
import type { RowToMatch } from '#addons/savings/matching/match-row.server.ts';

/** Numbers without a pattern that repeats: the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
export const random = randomFrom(20_261_126);
export const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

export const MAKERS =
  'Acmeron,Bexley Surgical,Corvane,Dalton Medical,Everhart,Fenwick Health,Garroway,Hollin,Ivorne,Jessup Care'.split(
    ',',
  );
/** What varies within a family: each word of a list makes another item. */
export const FAMILIES: readonly [string, ...string[][]][] = [
  ['Exam glove', ['nitrile', 'vinyl', 'latex'], ['powder free', 'powdered'], ['small', 'medium', 'large', 'x-large']],
  ['Surgical glove sterile', ['latex', 'polyisoprene'], ['powder free', 'micro textured'], ['6.5', '7', '7.5', '8']],
  [
    'IV catheter',
    ['14G', '16G', '18G', '20G', '22G', '24G'],
    ['0.75 in', '1 in', '1.25 in', '1.75 in'],
    ['straight', 'winged'],
  ],
  [
    'Hypodermic needle',
    ['18G', '20G', '21G', '23G', '25G', '27G'],
    ['5/8 in', '1 in', '1.5 in'],
    ['regular bevel', 'safety'],
  ],
  ['Syringe', ['1 mL', '3 mL', '5 mL', '10 mL', '20 mL', '60 mL'], ['luer lock', 'slip tip', 'eccentric tip']],
  ['Gauze sponge', ['2x2', '3x3', '4x4', '4x8'], ['8 ply', '12 ply', '16 ply'], ['sterile', 'non-sterile']],
  ['Foley catheter', ['12 Fr', '14 Fr', '16 Fr', '18 Fr', '20 Fr'], ['5 cc', '30 cc'], ['silicone', 'latex coated']],
  ['Suture absorbable braided', ['2-0', '3-0', '4-0', '5-0'], ['violet', 'undyed'], ['18 in', '27 in', '36 in']],
  ['Conforming bandage', ['2 in', '3 in', '4 in', '6 in'], ['sterile', 'non-sterile'], ['cotton', 'rayon']],
  ['Transparent film dressing', ['2x3', '4x5', '6x8', '4x10'], ['frame style', 'with label']],
  ['Endotracheal tube', ['6.0 mm', '6.5 mm', '7.0 mm', '7.5 mm', '8.0 mm'], ['cuffed', 'uncuffed'], ['oral', 'nasal']],
  ['Suction catheter kit', ['8 Fr', '10 Fr', '12 Fr', '14 Fr'], ['straight pack', 'coiled']],
  ['Procedure mask', ['ear loop', 'tie on'], ['blue', 'yellow', 'white'], ['level 1', 'level 2', 'level 3']],
  ['Isolation gown', ['regular', 'large', 'x-large'], ['blue', 'yellow'], ['knit cuff', 'elastic wrist']],
  ['Specimen container', ['20 mL', '60 mL', '90 mL', '120 mL'], ['sterile', 'non-sterile'], ['screw cap', 'snap lid']],
  ['Blood collection tube', ['3 mL', '4 mL', '6 mL', '10 mL'], ['lavender', 'red', 'gold', 'green']],
];

export function withCheck(digits: string): string {
  const sum = Array.from(digits.padStart(13, '0')).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  return digits.padStart(13, '0') + ((10 - (sum % 10)) % 10);
}

const VOWELS = /(?<=[a-z])[aeiou]/gi;
/** A word as lists shorten it: cut, or without its vowels. Numbers stay. */
export const shortened = (word: string): string =>
  /\d/.test(word) || word.length < 6
    ? word
    : random() < 0.5
      ? word.slice(0, 4 + Math.floor(random() * 2))
      : word.replaceAll(VOWELS, '');
/** Two neighbors in the other order, or a letter twice or not at all. */
export function mistyped(word: string): string {
  if (word.length < 5 || /\d/.test(word)) return word;
  const at = 1 + Math.floor(random() * (word.length - 2));
  const kinds = [
    word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + (word[at] ?? '') + word.slice(at),
  ];
  return pick(kinds);
}

export const wordsOf = (item: Item): string[] => item.description.replaceAll(',', '').split(' ');
export const listed = (item: Item): string => wordsOf(item).map(shortened).join(' ').toUpperCase();
export const bare = (number: string): string => number.replaceAll(/[^a-z0-9]/gi, '');

export type Item = {
  id: number;
  number: string;
  makerNo: string;
  maker: string;
  description: string;
  box: number;
  case: number;
  gtin: string;
  other: string;
};

/** All descriptions of a family, in the order of its lists. */
export function descriptionsOf([family, ...parts]: (typeof FAMILIES)[number]): string[] {
  return parts.reduce<string[]>(
    (created, list) => created.flatMap((begun) => list.map((word) => `${begun}, ${word}`)),
    [family],
  );
}

export function usageItem(id: number, description: string, maker: string): Item {
  const box = pick([10, 25, 50, 100]);
  return {
    id,
    number: `${id % 4 === 0 ? '00' : ''}${10_000 + id * 37}${id % 3 === 0 ? `-${id % 90}` : ''}`,
    makerNo: `${pick(['DM', 'KX', '0', 'A-'])}${20_000 + id * 53}${id % 5 === 0 ? '-1' : ''}`,
    maker,
    description,
    box,
    case: box * pick([4, 10, 20]),
    gtin: withCheck(`1${String(700_000_000_000 + id * 9973)}`),
    other: `ZQ${pick(['-', ' ', ''])}${400_000 + id * 71}`,
  };
}

/** A row of a usage file without anything in it. */
export const blankRow: RowToMatch = {
  item_no: '',
  distributor: '',
  catalog_no: '',
  maker: '',
  maker_no: '',
  description: '',
  gtin: '',
  unit: '',
  pack: '',
  eaches: null,
  sizes_differ: false,
};

export const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;
export const line = (name: string, cells: (string | number)[]): void =>
  console.log(`| ${name.padEnd(38)} | ${cells.map((cell) => String(cell).padStart(8)).join(' | ')} |`);

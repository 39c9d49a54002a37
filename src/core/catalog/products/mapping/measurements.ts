// Reads the measurements in a description: '8 x 10', '18 Fr', '500 mL', 'XL'. The same measurement in two units is equal.

/** By kind ('length', 'size', 'dimensions'): the value in one unit, and the text as written. */
export type Measurements = Map<string, { value: string; written: string }[]>;

/** A unit as descriptions write it, its kind of measure, and its size in the base unit of that kind. */
const UNITS: Record<string, [kind: string, factor: number]> = {
  mm: ['length', 1],
  cm: ['length', 10],
  m: ['length', 1000],
  in: ['length', 25.4],
  inch: ['length', 25.4],
  inches: ['length', 25.4],
  '"': ['length', 25.4],
  '”': ['length', 25.4],
  ft: ['length', 304.8],
  yd: ['length', 914.4],
  ml: ['volume', 1],
  cc: ['volume', 1],
  l: ['volume', 1000],
  liter: ['volume', 1000],
  oz: ['ounces', 1],
  mg: ['weight', 1],
  g: ['weight', 1000],
  gm: ['weight', 1000],
  kg: ['weight', 1_000_000],
  lb: ['pounds', 1],
  lbs: ['pounds', 1],
  fr: ['French', 1],
  ga: ['gauge', 1],
  gauge: ['gauge', 1],
  '%': ['percent', 1],
  deg: ['degrees', 1],
};

/** Letter sizes, each with its spellings. */
const SIZES: Record<string, string> = {
  xxs: 'XXS',
  xs: 'XS',
  'x-small': 'XS',
  'extra small': 'XS',
  s: 'S',
  small: 'S',
  sm: 'S',
  m: 'M',
  medium: 'M',
  med: 'M',
  l: 'L',
  large: 'L',
  lg: 'L',
  xl: 'XL',
  'x-large': 'XL',
  'extra large': 'XL',
  xxl: 'XXL',
  '2xl': 'XXL',
  'xx-large': 'XXL',
  xxxl: 'XXXL',
  '3xl': 'XXXL',
};

const NUMBER = String.raw`(?:\d+ \d+\/\d+|\d+-\d+\/\d+|\d+\/\d+|\d*\.\d+|\d+(?:\.\d+)?)`;
const UNIT = String.raw`(?:${Object.keys(UNITS).join('|')})`;
const BEFORE = String.raw`(?<![\p{L}\p{N}.\/-])`;
const AFTER = String.raw`(?![\p{L}\p{N}])`;
const DIMENSIONS = new RegExp(
  String.raw`${BEFORE}(${NUMBER})\s*(${UNIT})?\s*[x×]\s*(${NUMBER})\s*(${UNIT})?(?:\s*[x×]\s*(${NUMBER})\s*(${UNIT})?)?${AFTER}`,
  'giu',
);
const MEASURED = new RegExp(String.raw`${BEFORE}(${NUMBER})[\s-]?(${UNIT})${AFTER}\.?`, 'giu');
const NUMBERED = new RegExp(String.raw`${BEFORE}(?:size|sz|no\.?|#)\s*(${NUMBER})${AFTER}`, 'giu');
const LETTERS = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’-])(${Object.keys(SIZES)
    .toSorted((a, b) => b.length - a.length)
    .join('|')})(?![\p{L}\p{N}'’-])`,
  'giu',
);

export function measurementsIn(description: string): Measurements {
  const result: Measurements = new Map();
  const add = (kind: string, value: string, written: string) => {
    const there = result.get(kind) ?? [];
    if (!there.some((candidate) => candidate.value === value))
      result.set(kind, [...there, { value, written: written.trim() }]);
  };
  let rest = description;
  // Each text is read only once: the 10 of '8 x 10 cm' is not a separate length.
  const read = (pattern: RegExp, take: (match: string[]) => void) => {
    rest = rest.replaceAll(pattern, (...match) => {
      take(match.slice(0, -2).map((part) => (typeof part === 'string' ? part : '')));
      return ' ; ';
    });
  };
  read(DIMENSIONS, ([written = '', first = '', unit1 = '', second = '', unit2 = '', third = '', unit3 = '']) => {
    // A unit at the end applies to all numbers.
    const last = unit3 || unit2 || unit1;
    const sides = [
      [first, unit1 || last],
      [second, unit2 || last],
      [third, unit3 || last],
    ].flatMap(([side = '', unit = '']) => (side ? [inOneUnit(side, unit)] : []));
    add(last ? 'dimensions' : 'plain dimensions', sides.join(' x '), written);
  });
  read(MEASURED, ([written = '', number = '', unit = '']) => {
    const [kind] = UNITS[unit.toLowerCase()] ?? ['length'];
    // '3M' is a manufacturer.
    if (unit !== 'M') add(kind, inOneUnit(number, unit), written);
  });
  read(NUMBERED, ([written = '', number = '']) => add('number', String(measuredNumber(number)), written));
  read(LETTERS, ([written = '']) => add('size', SIZES[written.toLowerCase()] ?? '', written));
  return result;
}

/** Compares two descriptions and returns equal and different measurements. It compares only the kinds that both contain. */
export function compareMeasurements(measurements: Measurements, other: Measurements) {
  const same: string[] = [];
  const different: [one: string, other: string][] = [];
  for (const [kind, values] of measurements) {
    const others = other.get(kind);
    if (!others) continue;
    const key = (list: { value: string }[]) =>
      list
        .map(({ value }) => value)
        .toSorted()
        .join();
    const written = (list: { written: string }[]) => list.map((entry) => entry.written).join(', ');
    if (key(values) === key(others)) same.push(written(values));
    else different.push([written(values), written(others)]);
  }
  return { same, different };
}

function inOneUnit(number: string, unit: string): string {
  const [, factor] = UNITS[unit.toLowerCase()] ?? ['', 1];
  return String(Math.round(measuredNumber(number) * factor * 100) / 100);
}

/** '1 1/2', '1-1/2', '.5' and '2' as numbers. */
function measuredNumber(written: string): number {
  return written
    .split(/[ -]/)
    .map((part) => {
      const [above = '0', below = '1'] = part.split('/');
      return Number(below) === 0 ? 0 : Number(above) / Number(below);
    })
    .reduce((sum, part) => sum + part, 0);
}

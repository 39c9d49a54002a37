// Tests scores as a table, and the laws that hold for any comparison.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { compareMeasurements, measurementsIn } from './measurements.ts';
import { bare, bestOf, EXACT, isContested, type ItemFacts, type ProductFacts, scoreOf } from './score.ts';

const item = (overrides: Partial<ItemFacts> = {}): ItemFacts => ({
  description: 'Nitrile exam glove, XS',
  className: 'Gloves',
  manufacturer: 'Acme',
  manufacturerNo: 'NX-100/B',
  ...overrides,
});
const product = (overrides: Partial<ProductFacts> = {}): ProductFacts => ({
  name: 'Nitrile exam glove',
  brand: '',
  className: '',
  numbers: [],
  likeness: 0.8,
  ...overrides,
});
const number = (manufacturer: string, manufacturerNo: string) => ({ numbers: [{ manufacturer, manufacturerNo }] });

describe('by number', () => {
  const table: [what: string, numbers: ProductFacts['numbers'], score: number][] = [
    ['the same manufacturer and number', number('ACME', 'nx-100/b').numbers, 100],
    ['the same number without punctuation', number('Acme', 'NX100B').numbers, 95],
    ['the same number, manufacturer unknown', number('', 'NX-100/B').numbers, 95],
    ['the number of another manufacturer', number('Bolt', 'NX-100/B').numbers, 48],
    ['a number that only begins so', number('Acme', 'NX-100/B2').numbers, 48],
    ['one of several numbers', [...number('Acme', 'X').numbers, ...number('Acme', 'NX-100/B').numbers], 100],
  ];
  it.each(table)('%s', (_what, numbers, score) => {
    expect(scoreOf(item(), product({ numbers })).score).toBe(score);
  });
  it('an item without a number matches none', () => {
    expect(scoreOf(item({ manufacturerNo: '' }), product(number('Acme', ''))).score).toBe(48);
  });
});

describe('by words', () => {
  const table: [what: string, product: Partial<ProductFacts>, score: number, reasons: string[]][] = [
    ['likeness alone', {}, 48, ['Description 80% similar']],
    ['the same class', { className: 'Gloves' }, 58, ['Description 80% similar', 'Same class: Gloves']],
    ['the same brand', { brand: 'ACME' }, 63, ['Description 80% similar', 'Same brand: ACME']],
    ['the same measure', { name: 'Nitrile glove X-Small' }, 63, ['Description 80% similar', 'Same measure: XS']],
    [
      'another measure',
      { name: 'Nitrile glove XL', className: 'Gloves' },
      18,
      ['Description 80% similar', 'Different measure: XS, not XL', 'Same class: Gloves'],
    ],
  ];
  it.each(table)('%s', (_what, overrides, score, reasons) => {
    expect(scoreOf(item({ manufacturerNo: '' }), product(overrides))).toEqual({ score, reasons });
  });
  it('a brand is found as whole words of the description', () => {
    const brand = { brand: 'Sure-Grip' };
    expect(scoreOf(item({ description: 'Sure Grip glove' }), product(brand)).reasons).toContain(
      'Same brand: Sure-Grip',
    );
    expect(scoreOf(item({ description: 'Sure Gripper' }), product(brand)).reasons).toHaveLength(1);
  });
});

describe('measurements', () => {
  const same = [
    ['Drape 8 x 10 in', 'DRAPE 8"X10"'],
    ['Catheter 18 Fr', 'Foley 18FR catheter'],
    ['Bag 1 L', 'Bag 1000 mL'],
    ['Tape 1/2"', 'Tape 12.7 mm'],
    ['Glove, Large', 'glove L'],
    ['Gown XX-Large', 'Gown 2XL'],
    ['Needle 1-1/2 in', 'needle 1.5"'],
    ['Bur size 4', 'Bur #4'],
    ['Sponge 4x4', 'Sponge 4 X 4'],
  ] as const;
  it.each(same)('%s is %s', (left, other) => {
    const { same: alike, different } = compareMeasurements(measurementsIn(left), measurementsIn(other));
    expect([alike.length, different]).toEqual([1, []]);
  });
  const different = [
    ['Glove XS', 'Glove XL'],
    ['Sponge 8 x 10', 'Sponge 8 x 12'],
    ['Catheter 16 Fr', 'Catheter 18 Fr'],
    ['Bag 500 mL', 'Bag 50 mL'],
    ['Needle 21 ga', 'Needle 25 ga'],
  ] as const;
  it.each(different)('%s is not %s', (left, other) => {
    expect(compareMeasurements(measurementsIn(left), measurementsIn(other)).different).toHaveLength(1);
  });
  it('are compared only where both texts have one, and plain words are not taken for one', () => {
    expect(compareMeasurements(measurementsIn('Glove XS'), measurementsIn('Glove 9 mm'))).toEqual({
      same: [],
      different: [],
    });
    expect(measurementsIn("Children's mask, A-frame, 3M type, Kirschner's").size).toBe(0);
  });
});

const text = fc.oneof(
  fc.constantFrom('Glove XS', '8 x 10 cm', '1/0 mL', '', 'Ä-7', '#4', '100%', '1/2" x 3', 'x x x'),
  fc.string(),
);
test('laws: 0 to 100, exact by number alone, a text against itself is never different', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      text,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (description, name, maker, no, likeness) => {
        const scored = scoreOf(
          item({ description, manufacturer: maker, manufacturerNo: no }),
          product({ name, likeness, ...number(maker, name) }),
        );
        expect(scored.score).toBeGreaterThanOrEqual(0);
        expect(scored.score).toBeLessThanOrEqual(100);
        expect(scored.reasons.length).toBeGreaterThan(0);
        expect(scored.score >= EXACT).toBe(bare(no) !== '' && bare(no) === bare(name));
        expect(compareMeasurements(measurementsIn(name), measurementsIn(name)).different).toEqual([]);
      },
    ),
  );
});

test('the best five of at least 50 are shown; a person decides between two exact ones', () => {
  const scores = [40, 50, 70, 60, 95, 80, 90].map((score) => ({ score, reasons: [] }));
  expect(bestOf(scores).map(({ score }) => score)).toEqual([95, 90, 80, 70, 60]);
  const contested = (...all: number[]) => isContested(all.map((score) => ({ score, reasons: [] })));
  expect([contested(), contested(94, 94), contested(95), contested(100, 95), contested(95, 95, 60)]).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
});

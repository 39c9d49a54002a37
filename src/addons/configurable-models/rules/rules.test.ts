// Tests the rules of a model by example: the words of refusals, missing choices, quantities and errors.
import { describe, expect, it } from 'vitest';
import { aGroup, aModel, anOption, excludes, needs } from './a-model.server.ts';
import { errorsOf } from './check-model.ts';
import { judge, toggled } from './judge.ts';
import { limitInWords, joinList, quantityInWords } from './model.ts';
import { circlesOf, quantitiesOf } from './quantities.ts';

const foam = anOption(1, { label: 'Foam mattress' });
const air = anOption(2, { label: 'Air mattress' });
const rails = anOption(3, { label: 'Side rails', quantity: 'asked', qty: 2, minQty: 1, maxQty: 4 });
const pump = anOption(4, { label: 'Pump' });
const covers = anOption(5, { label: 'Rail covers', quantity: 'from', fromId: 3, factor: 2 });
const gray = anOption(6, { label: 'Gray', itemNumber: '' });
const bed = aModel(
  [
    aGroup(10, [foam, air], { name: 'Mattress', min: 1, max: 1 }),
    aGroup(11, [rails, pump, covers], { name: 'Extras' }),
    aGroup(12, [gray], { name: 'Color', max: 1 }),
  ],
  [needs(4, 2), excludes(1, 4)],
  { baseItemNumber: 'BED-1', name: 'Ward bed' },
);
const chosen = (...ids: number[]) => ({ sets: 1, picks: ids.map((optionId) => ({ optionId })) });

describe('judging choices', () => {
  it('says what is missing, and what fixes it', () => {
    expect(judge(bed, chosen()).missing).toEqual([
      { partId: 10, message: 'Mattress: choose one; 0 chosen.', fixedBy: [1, 2] },
    ]);
    expect(judge(bed, chosen(1, 5)).missing).toEqual([
      { partId: 5, message: 'Rail covers needs Side rails.', fixedBy: [3] },
    ]);
    expect(judge(bed, chosen(1, 4)).missing.map(({ message }) => message)).toEqual([
      'Pump needs Air mattress.',
      'Foam mattress cannot be combined with Pump.',
    ]);
    expect(judge(bed, chosen(1, 99)).missing.map(({ message }) => message)).toEqual([
      '1 choice is no longer available.',
    ]);
  });

  it('says why an option cannot be chosen, and what else it needs', () => {
    const { blocked, needs: wanted } = judge(bed, chosen(1));
    expect(blocked.get(4)).toBe('Cannot be combined with Foam mattress.');
    expect(blocked.get(2)).toBeUndefined();
    expect(wanted.get(5)).toBe('Needs Side rails');
    const sold = { ...air, problem: 'I-2 is discontinued and cannot be added.' };
    const without = {
      ...bed,
      groups: bed.groups.map((group) => (group.id === 10 ? { ...group, options: [foam, sold] } : group)),
    };
    expect(judge(without, chosen()).blocked.get(4)).toBe('Needs Air mattress, which cannot be chosen.');
    const two = aModel([aGroup(10, [foam, air, pump], { name: 'Extras', max: 2 })]);
    expect(judge(two, chosen(1, 2)).blocked.get(4)).toBe('You can choose at most 2 in Extras. Remove one first.');
    expect(judge(two, chosen(1, 2, 4)).missing[0]?.message).toBe('Extras: choose up to 2; 3 chosen.');
  });

  it('in a group that allows one choice, a new choice replaces the old one and frees what the old one excluded', () => {
    const { picks } = toggled(bed, chosen(1), 2);
    expect(picks).toEqual([{ optionId: 2 }]);
    expect(toggled(bed, chosen(1), 1).picks).toEqual([]);
    const model = aModel([aGroup(10, [foam, air], { max: 1 })], [excludes(1, 2)]);
    expect(judge(model, chosen(1)).blocked.size).toBe(0);
    expect(toggled(bed, chosen(1), 77)).toEqual(chosen(1));
  });

  it('lists the items with quantities for all sets, and names choices without an item at the first item', () => {
    const picks = [{ optionId: 1 }, { optionId: 3, qty: 3 }, { optionId: 5 }, { optionId: 6 }];
    const { items, missing } = judge(bed, { sets: 12, picks });
    expect(missing).toEqual([]);
    expect(items).toEqual([
      { optionId: 0, itemNumber: 'BED-1', label: 'Ward bed', qty: 12, unit: 'EA', optionText: 'Color: Gray' },
      {
        optionId: 1,
        itemNumber: 'I-1',
        label: 'Foam mattress',
        qty: 12,
        unit: 'EA',
        optionText: 'Mattress: Foam mattress',
      },
      { optionId: 3, itemNumber: 'I-3', label: 'Side rails', qty: 36, unit: 'EA', optionText: 'Extras: Side rails' },
      { optionId: 5, itemNumber: 'I-5', label: 'Rail covers', qty: 72, unit: 'EA', optionText: 'Extras: Rail covers' },
    ]);
    expect(judge(aModel([aGroup(1, [gray])]), chosen(6)).missing[0]?.message).toBe(
      'None of the chosen options adds an item.',
    );
  });

  it.each([
    [5, 'Side rails: enter a quantity from 1 to 4.'],
    [0, 'Side rails: enter a quantity from 1 to 4.'],
    [Number.NaN, 'Side rails: enter a quantity from 1 to 4.'],
  ])('refuses a quantity of %s outside the limits, once', (qty, message) => {
    const picks = [{ optionId: 1 }, { optionId: 3, qty }, { optionId: 5 }];
    expect(judge(bed, { sets: 1, picks }).missing.map((entry) => entry.message)).toEqual([message]);
  });

  it.each([0, -1, 1.5, 10_000_000, Number.NaN])('refuses %s sets', (sets) => {
    const { missing, items } = judge(bed, { sets, picks: [{ optionId: 1 }] });
    expect([items, missing.map(({ message }) => message)]).toEqual([
      [],
      ['Enter the number of sets as a whole number above 0.'],
    ]);
  });
});

describe('quantities', () => {
  const modelWith = (input: Parameters<typeof anOption>[1], source: Parameters<typeof anOption>[1] = {}) => {
    const model = aModel([aGroup(10, [anOption(1, source), anOption(2, { quantity: 'from', fromId: 1, ...input })])]);
    return quantitiesOf(
      model,
      new Map([
        [1, null],
        [2, null],
      ]),
    ).get(2);
  };

  it('multiplies exactly, rounds up when asked, and refuses a quantity that no line can hold', () => {
    expect(modelWith({ factor: 0.1 }, { qty: 3 })).toEqual({ qty: 0.3, problem: '' });
    expect(modelWith({ factor: 0.5, roundUp: true }, { qty: 3 })).toEqual({ qty: 2, problem: '' });
    expect(modelWith({ factor: 0.3333 }, { qty: 0.3333 })).toEqual({
      qty: null,
      problem: 'The quantity of O2 has more than four decimals.',
    });
    expect(modelWith({ factor: 9_999_999 }, { qty: 2 })).toEqual({
      qty: null,
      problem: 'The quantity of O2 is more than 9,999,999.',
    });
  });

  it('adds up the chosen options of a group', () => {
    const sources = [anOption(1, { qty: 2 }), anOption(2, { qty: 3 }), anOption(3)];
    const model = aModel([aGroup(10, sources), aGroup(11, [anOption(4, { quantity: 'from', fromId: 10, factor: 2 })])]);
    expect(quantitiesOf(model, new Map([1, 2, 4].map((id) => [id, null]))).get(4)).toEqual({ qty: 10, problem: '' });
    expect(quantitiesOf(model, new Map([[4, null]])).get(4)?.problem).toContain('an option that is not chosen');
  });

  it('never goes in a circle, and names every circle', () => {
    const a = anOption(1, { quantity: 'from', fromId: 2 });
    const b = anOption(2, { quantity: 'from', fromId: 10 });
    const model = aModel([aGroup(10, [a]), aGroup(11, [b])]);
    expect(circlesOf(model)).toEqual([{ optionId: 1, names: ['O1', 'O2', 'G10', 'O1'] }]);
    expect(
      quantitiesOf(
        model,
        new Map([
          [1, null],
          [2, null],
        ]),
      ).get(1)?.problem,
    ).toBe('O1 cannot take its quantity from itself.');
  });
});

describe('errors that keep a model from being stored', () => {
  const errors = (...input: Parameters<typeof aModel>) =>
    errorsOf(aModel(...input)).map(({ path, message }) => `${path}: ${message}`);

  it('name the field of each error', () => {
    const two = [aGroup(10, [foam, air]), aGroup(11, [pump])];
    expect(errors(two, [needs(1, 4), excludes(1, 2)])).toEqual([]);
    expect(errors(two, [needs(99, 1), needs(1, 99), needs(1), needs(1, 1), needs(1, 2, 4), needs(1, 4, 2)])).toEqual([
      'rules.0.optionId: This rule refers to an option that does not exist.',
      'rules.1.otherIds: This rule refers to an option that does not exist.',
      'rules.2.otherIds: Choose at least one other option.',
      'rules.3.otherIds: Foam mattress cannot refer to itself.',
      'rules.5.optionId: This rule is the same as rule 5.',
    ]);
    expect(errors([aGroup(10, [foam], { min: 2 }), aGroup(11, [pump], { name: 'g10', min: 2, max: 1 })])).toEqual([
      'groups.1.name: Another group is already named g10.',
      'groups.0.min: The group has only 1 option.',
      'groups.1.max: The maximum cannot be less than the minimum.',
      'groups.1.min: The group has only 1 option.',
    ]);
    const self = anOption(1, { quantity: 'from', fromId: 1 });
    expect(errors([aGroup(10, [self, anOption(2, { quantity: 'from', fromId: 77, label: 'o1' })])])).toEqual([
      'groups.0.options.1.label: Another option in this group is already named o1.',
      'groups.0.options.1.fromId: Choose the option or group to take the quantity from.',
      'groups.0.options.0.fromId: These quantities depend on each other: O1 → O1.',
    ]);
    const option = { quantity: 'asked' as const, minQty: 2 };
    expect(
      errors([aGroup(10, [anOption(1, { ...option, maxQty: 1 }), anOption(2, { ...option, maxQty: 4, qty: 9 })])]),
    ).toEqual([
      'groups.0.options.0.maxQty: The maximum cannot be less than the minimum.',
      'groups.0.options.1.qty: The default quantity is outside the limits.',
    ]);
  });
});

it('says limits, lists and quantities in words', () => {
  const limits: [number, number | null][] = [
    [1, 1],
    [0, 1],
    [0, null],
    [2, null],
    [2, 2],
    [0, 3],
    [1, 3],
  ];
  expect(limits.map(([min, max]) => limitInWords({ min, max }))).toEqual([
    'Choose one',
    'Choose one or none',
    'Choose any number',
    'Choose at least 2',
    'Choose 2',
    'Choose up to 3',
    'Choose 1 to 3',
  ]);
  expect(joinList(['A', 'B', 'C'], 'or')).toBe('A, B or C');
  expect(joinList([...'ABCDEFGH'], 'or')).toBe('A, B, C, D, E or 3 more');
  expect(quantityInWords(bed, rails)).toBe('1 to 4 EA, entered when chosen');
  expect(quantityInWords(bed, { ...covers, roundUp: true })).toBe('as many EA as Side rails × 2, rounded up');
});

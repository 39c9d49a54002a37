// Tests the approval rules with tables: when each metric fires, with which figure, and which edits an approval survives.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Role } from '#platform/shared/roles.ts';
import type { Metric } from './approval-shapes.ts';
import { judge, noWorse, type Rule, type TestedLine, type TestedQuote } from './rules-that-fire.server.ts';

const quote: TestedQuote = {
  facility_id: 7,
  region_id: 3,
  currn_idx: 1007,
  discount_pct: 0,
  total_amount: 500,
  payment_terms: 'Net 30',
  quote_date: '2026-11-02',
  valid_until: '2027-01-01',
};

function line(overrides: Partial<TestedLine> = {}): TestedLine {
  const lineNo = overrides.line_no ?? 1;
  return {
    id: lineNo * 10,
    line_no: lineNo,
    type: 'item',
    item_id: 1,
    active: true,
    optional: false,
    qty: 5,
    list_price: 20,
    system_price: 10,
    unit_price: 10,
    manual_discount_pct: null,
    cost: 6,
    floor_price: 7,
    contract_price: 10,
    class_id: 1,
    ...overrides,
  };
}

function rule(metric: Metric, operator: Rule['operator'], threshold: number, filters: Rule['filters'] = {}): Rule {
  return { id: 1, name: `${metric} rule`, metric, operator, threshold, filters, role: 'salesadmin' };
}

const cases: [string, Rule, Partial<TestedQuote>, TestedLine[], string | null][] = [
  ['no discount', rule('discountPct', '>', 5), {}, [line()], null],
  ['exactly the limit', rule('discountPct', '>', 5), {}, [line({ unit_price: 9.5 })], null],
  ['exactly the limit with >=', rule('discountPct', '>=', 5), {}, [line({ unit_price: 9.5 })], 'Discount 5% >= 5%'],
  ['a hair over', rule('discountPct', '>', 5), {}, [line({ unit_price: 9.4999 })], 'Discount 5.001% > 5%'],
  [
    'line and quote discount together',
    rule('discountPct', '>', 5),
    { discount_pct: 4 },
    [line({ unit_price: 9.8 })],
    'Discount 5.92% > 5%',
  ],
  [
    'a typed percentage is not rounded over its limit',
    rule('discountPct', '>', 5),
    {},
    [line({ system_price: 0.0333, unit_price: 0.0316, manual_discount_pct: 5 })],
    null,
  ],
  ['a dearer price', rule('discountPct', '>', 5), {}, [line({ unit_price: 12 })], null],
  ['an inactive line', rule('discountPct', '>', 5), {}, [line({ unit_price: 1, active: false })], null],
  ['an optional line', rule('discountPct', '>', 5), {}, [line({ unit_price: 8, optional: true })], 'Discount 20% > 5%'],
  [
    'an optional line has no part in the quote discount',
    rule('discountPct', '>', 5),
    { discount_pct: 10 },
    [line({ optional: true })],
    null,
  ],
  [
    'free goods are no discount',
    rule('discountPct', '>', 5),
    {},
    [line(), line({ line_no: 2, type: 'free', unit_price: 0, system_price: 0 })],
    null,
  ],
  ['off list', rule('offListPct', '>', 40), {}, [line()], 'Off list 50% > 40%'],
  ['margin', rule('marginPct', '<', 50), {}, [line()], 'Margin 40% < 50%'],
  ['margin unknown without a cost', rule('marginPct', '<', 50), {}, [line({ cost: null })], null],
  [
    'margin of the whole counts free goods',
    rule('marginPct', '<', 40),
    {},
    [line(), line({ line_no: 2, type: 'free', unit_price: 0, qty: 1 })],
    'Margin 28% < 40%',
  ],
  ['given away', rule('marginPct', '<', 20), {}, [line({ unit_price: 0 })], 'Margin −100% < 20%'],
  ['at the floor', rule('underFloor', '>', 0), {}, [line({ unit_price: 7 })], null],
  ['under the floor', rule('underFloor', '>', 0), {}, [line({ line_no: 7, unit_price: 6.9999 })], 'Line 7 under floor'],
  [
    'under the floor by the quote discount',
    rule('underFloor', '>', 0),
    { discount_pct: 1 },
    [line({ unit_price: 7 }), line({ line_no: 2 }), line({ line_no: 3, unit_price: 5 })],
    'Lines 1, 3 under floor',
  ],
  ['below contract', rule('belowContract', '>', 0), {}, [line({ unit_price: 9.99 })], 'Line 1 below contract price'],
  ['no contract', rule('belowContract', '>', 0), {}, [line({ unit_price: 1, contract_price: null })], null],
  ['total', rule('quoteTotal', '>', 100), {}, [line()], 'Total $500.00 > $100.00'],
  [
    'custom item',
    rule('customLine', '>', 0),
    {},
    [line(), line({ line_no: 4, type: 'custom' })],
    'Custom item on line 4',
  ],
  ['class filter', rule('discountPct', '>', 5, { classIds: [2] }), {}, [line({ unit_price: 5 })], null],
  [
    'class filter met',
    rule('discountPct', '>', 5, { classIds: [1] }),
    {},
    [line({ unit_price: 5 })],
    'Discount 50% > 5%',
  ],
  ['region filter', rule('quoteTotal', '>', 1, { regionIds: [9] }), {}, [line()], null],
  ['facility filter met', rule('quoteTotal', '>', 1, { facilityIds: [7] }), {}, [line()], 'Total $500.00 > $1.00'],
  ['payment within the limit', rule('paymentTermsDays', '>', 30), {}, [line()], null],
  [
    'payment later than the limit',
    rule('paymentTermsDays', '>', 30),
    { payment_terms: '2% 10, Net 45' },
    [line()],
    'Payment in 45 days > 30 days',
  ],
  [
    'payment terms that nobody can read ask',
    rule('paymentTermsDays', '>', 30),
    { payment_terms: 'as agreed' },
    [line()],
    'Payment terms ‘as agreed’ cannot be read as days',
  ],
  [
    'no payment terms ask too',
    rule('paymentTermsDays', '>', 30),
    { payment_terms: '' },
    [line()],
    'There are no payment terms',
  ],
  ['validity to the day', rule('validityDays', '>', 60), {}, [line()], null],
  [
    'validity a day longer, over the change of the clock',
    rule('validityDays', '>', 60),
    { valid_until: '2027-01-02' },
    [line()],
    'Valid for 61 days > 60 days',
  ],
  [
    'a limit of one day',
    rule('validityDays', '>', 1),
    { valid_until: '2027-01-02' },
    [line()],
    'Valid for 61 days > 1 day',
  ],
  ['requester filter', rule('quoteTotal', '>', 1, { requesterRoles: ['insiderep'] }), {}, [line()], null],
];

test.each(cases)('%s', (_name, judged, overrides, lines, text) => {
  const { fired } = judge([judged], { ...quote, ...overrides }, lines, ['csrep']);
  expect(fired.map((entry) => entry.text)).toEqual(text === null ? [] : [text]);
});

describe('a limit for some roles (limit of authority)', () => {
  const limit = (requesterRoles: Role[], role: Role): Rule => ({
    ...rule('discountPct', '>', 5, { requesterRoles }),
    role,
  });
  const ofReps = limit(['salesrep', 'insiderep'], 'salesQuoteManager');
  const asks = (judged: Rule, roles: Role[]) =>
    judge([judged], quote, [line({ unit_price: 9 })], roles).fired.length > 0;
  test.each<[string, Rule, Role[], boolean]>([
    ['holds for the role', ofReps, ['insiderep'], true],
    ['does not hold for others', ofReps, ['csrep'], false],
    ['does not hold for a holder who could decide it for others', ofReps, ['insiderep', 'salesQuoteManager'], false],
    ['nor for a sales administrator', ofReps, ['insiderep', 'salesadmin'], false],
    [
      'holds for a manager whose own limit it is',
      limit(['salesQuoteManager'], 'salesadmin'),
      ['salesQuoteManager'],
      true,
    ],
    ['a system administrator counts as an inside representative', ofReps, ['systemadmin'], true],
    ['but not as a sales representative', limit(['salesrep'], 'salesQuoteManager'), ['systemadmin'], false],
    ['without roles it holds for everybody', limit([], 'salesQuoteManager'), ['salesadmin'], true],
  ])('%s', (_name, judged, roles, expected) => {
    expect(asks(judged, roles)).toBe(expected);
  });
});

describe('an approval of payment terms and validity survives an edit', () => {
  const days = rule('paymentTermsDays', '>', 30);
  const figures = (payment_terms: string) => judge([days], { ...quote, payment_terms }, [line()], []).figures;
  test.each<[string, string, string, boolean]>([
    ['shorter terms', 'Net 60', 'Net 45', true],
    ['longer terms', 'Net 60', 'Net 90', false],
    ['the same words that nobody can read', 'as agreed', 'as agreed', true],
    ['other words that nobody can read', 'as agreed', 'as discussed', false],
    ['words instead of days', 'Net 60', 'as agreed', false],
  ])('%s', (_name, before, after, isKept) => {
    expect(noWorse([days], figures(before), figures(after))).toBe(isKept);
  });
});

test('a fired rule names the worst figure, the limit, the role and the lines', () => {
  const lines = [line({ unit_price: 9 }), line({ line_no: 2 }), line({ line_no: 3, unit_price: 8.8 })];
  const { fired } = judge([rule('discountPct', '>', 5)], quote, lines, []);
  expect(fired).toEqual([
    {
      ruleId: 1,
      name: 'discountPct rule',
      metric: 'discountPct',
      figure: 12,
      limit: 5,
      role: 'salesadmin',
      lines: [1, 3],
      text: 'Discount 12% > 5%',
    },
  ]);
});

describe('an approval survives an edit only if no tested figure got worse', () => {
  const discount = rule('discountPct', '>', 5);
  const before = [line({ unit_price: 8 }), line({ line_no: 2, unit_price: 9.8 })];
  const edits: [string, Rule, Partial<TestedQuote>, TestedLine[], boolean][] = [
    ['nothing', discount, {}, before, true],
    ['a better price', discount, {}, [line({ unit_price: 8.5 }), line({ line_no: 2, unit_price: 9.8 })], true],
    ['a worse price', discount, {}, [line({ unit_price: 7.99 }), line({ line_no: 2, unit_price: 9.8 })], false],
    ['worse within the limit', discount, {}, [line({ unit_price: 8 }), line({ line_no: 2, unit_price: 9.7 })], false],
    ['discounts exchanged', discount, {}, [line({ unit_price: 9.8 }), line({ line_no: 2, unit_price: 8 })], false],
    ['a line removed', discount, {}, [line({ unit_price: 8 })], false],
    ['the discounted line removed', discount, {}, [line({ line_no: 2, unit_price: 9.8 })], true],
    ['a new line at full price', discount, {}, [...before, line({ line_no: 3 })], true],
    ['a new line with a discount of its own', discount, {}, [...before, line({ line_no: 3, unit_price: 9 })], false],
    ['a quote discount', discount, { discount_pct: 1 }, before, false],
    ['a greater total under its limit', rule('quoteTotal', '>', 1000), { total_amount: 900 }, before, true],
    ['a greater total over its limit', rule('quoteTotal', '>', 1000), { total_amount: 1100 }, before, false],
  ];
  test.each(edits)('%s', (_name, judged, overrides, after, isKept) => {
    const then = judge([judged], quote, before, []).figures;
    const now = judge([judged], { ...quote, ...overrides }, after, []).figures;
    expect(noWorse([judged], then, now)).toBe(isKept);
  });

  test('a figure over its limit may go down but not up', () => {
    const total = rule('quoteTotal', '>', 100);
    const figures = (amount: number) => judge([total], { ...quote, total_amount: amount }, before, []).figures;
    expect(noWorse([total], figures(500), figures(400))).toBe(true);
    expect(noWorse([total], figures(500), figures(501))).toBe(false);
  });

  test('a rule added after the approval asks for a new one', () => {
    const now = judge([discount], quote, before, []).figures;
    expect(noWorse([discount], {}, now)).toBe(false);
  });
});

test('raising a price never makes another rule fire (law)', () => {
  const price = fc.integer({ min: 1, max: 500_000 }).map((units) => units / 10_000);
  const metrics = fc.constantFrom<Metric>('discountPct', 'offListPct', 'marginPct', 'underFloor', 'belowContract');
  fc.assert(
    fc.property(metrics, price, price, fc.integer({ min: 0, max: 60 }), (metric, low, more, discount_pct) => {
      const judged =
        metric === 'marginPct' ? rule(metric, '<', 30) : rule(metric, '>', metric.endsWith('Pct') ? 10 : 0);
      const at = (unit_price: number) => judge([judged], { ...quote, discount_pct }, [line({ unit_price })], []);
      const [cheap, dear] = [at(low), at(Math.round((low + more) * 10_000) / 10_000)];
      expect(cheap.fired.length > 0 || dear.fired.length === 0).toBe(true);
      expect(noWorse([judged], cheap.figures, dear.figures)).toBe(true);
    }),
  );
});

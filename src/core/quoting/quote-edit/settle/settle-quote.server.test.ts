// Tests settling a quote without a database: which lines are priced, the free lines and totals, and invariants.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import { blankLine, type Line, type QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { add } from '#platform/shared/money.ts';
import { blankQuote } from '../make/blank-quote.server.ts';
import { type Draft, LineTooLarge, settle } from './settle-quote.server.ts';

const DAY = '2026-11-21';
const NOBODY = new Map<number, string>();

const aQuote = (fields: Partial<QuoteRecord> = {}): QuoteRecord => ({
  ...blankQuote(
    { id: 1, roles: ['insiderep'], regionIds: [], supportedRepIds: [], deputyFor: [] },
    DAY,
    60,
    `${DAY}T15:00:00Z`,
  ),
  id: 7,
  ...fields,
});

/** An item sold each and in boxes of ten, at half the price from 100 on. */
const anItem = (id: number, price: number, promotions: Partial<DatedPromotion>[] = []): PricedItem => {
  const row = { unit: 'EA', currnIdx: 1007, from: '2020-01-01', to: null };
  return {
    id,
    product_id: null,
    class_id: null,
    item_number: `I-${id}`,
    description: `Item ${id}`,
    base_unit: 'EA',
    status: 'Active',
    visible: true,
    cost: 1,
    floor_price: 2,
    units: [
      { unit: 'EA', factor: 1 },
      { unit: 'BX', factor: 10 },
    ],
    list: [
      { ...row, id: 1, minQty: 1, price },
      { ...row, id: 2, minQty: 100, price: price / 2 },
    ],
    account: [],
    contracts: [],
    requested: [],
    promotions: promotions.map((promotion, index) => ({
      id: id * 10 + index,
      itemId: id,
      itemNumber: `I-${id}`,
      promotionType: 'BuyXGetYFree',
      buyXGetYFreeBuyQty: 5,
      buyXGetYFreeGetQty: 1,
      promotionAmt: 0,
      minQty: 0,
      maxQty: 0,
      uom: '',
      validTo: null,
      ...promotion,
    })),
  };
};

const aLine = (id: number, itemId: number, fields: Partial<Line> = {}): Line => ({
  ...blankLine(id, 7, 'item'),
  line_no: id,
  item_id: itemId,
  item_number: `I-${itemId}`,
  qty: 1,
  unit: 'EA',
  ...fields,
});

function aDraft(lines: Line[], items: PricedItem[], quote: Partial<QuoteRecord> = {}): Draft {
  const known = new Map(items.map((item) => [item.id, item]));
  return {
    quote: aQuote(quote),
    lines,
    items: new Map(known),
    prices: { of: '', items: known },
    validityDays: 60,
    places: 4,
  };
}

describe('settling', () => {
  test('prices the requested lines, adds up, and leaves the draft unchanged', () => {
    const draft = aDraft([aLine(1, 1, { qty: 3 }), aLine(2, 1, { qty: 100 })], [anItem(1, 10)], { tax_rate: 5 });
    const before = structuredClone(draft);
    const { quote, lines } = settle(draft, 'all', NOBODY);
    expect(lines.map((line) => [line.unit_price, line.line_total, line.cost])).toEqual([
      [10, 30, 1],
      [5, 500, 1],
    ]);
    expect(quote).toMatchObject({ list_total: 530, subtotal: 530, tax_amount: 26.5, total_amount: 556.5 });
    expect(draft).toEqual(before);
  });

  test('keeps an unchanged line as the same object', () => {
    const first = settle(aDraft([aLine(1, 1), aLine(2, 1)], [anItem(1, 10)]), 'all', NOBODY);
    const draft = { ...aDraft(first.lines, [anItem(1, 12)]), quote: first.quote };
    const { lines } = settle(draft, new Set([2]), NOBODY);
    expect(lines[0]).toBe(first.lines[0]);
    expect(lines.map((line) => line.unit_price)).toEqual([10, 12]);
  });

  test('keeps the name of who typed a price, from the proof or from this edit', () => {
    const manual = { manual_price: 9, price_reason: 'Match' };
    const proof = [{ step: 'Manual', source: 'Ann', ref: '', amount: 9, note: '' }];
    const lines = [aLine(1, 1, { ...manual, price_proof: proof }), aLine(2, 1, manual)];
    const settled = settle(aDraft(lines, [anItem(1, 10)]), 'all', new Map([[2, 'Bob']]));
    const by = settled.lines.map((line) => line.price_proof?.find(({ step }) => step === 'Manual')?.source);
    expect(by).toEqual(['Ann', 'Bob']);
  });

  test('adds, changes and removes free lines with their parent, directly behind it', () => {
    const draft = aDraft([aLine(1, 1, { qty: 10, promotion_id: 10 }), aLine(2, 1)], [anItem(1, 10, [{}])]);
    const input = settle(draft, 'all', NOBODY);
    expect(input.lines.map(({ id, type, qty, line_no: no }) => [id, type, qty, no])).toEqual([
      [1, 'item', 10, 1],
      [-1, 'free', 2, 2],
      [2, 'item', 1, 3],
    ]);
    const stored = input.lines.map((line) => (line.id < 0 ? { ...line, id: 9 } : line));
    const withQty = (qty: number) => stored.map((line) => (line.id === 1 ? { ...line, qty } : line));
    const more = settle({ ...draft, lines: withQty(26) }, new Set([1]), NOBODY);
    expect(more.lines.find(({ id }) => id === 9)).toMatchObject({ type: 'free', qty: 5, unit_price: 0 });
    const none = settle({ ...draft, lines: withQty(4) }, new Set([1]), NOBODY);
    expect(none.lines.map(({ id }) => id)).toEqual([1, 2]);
    const without = settle({ ...draft, lines: stored.filter(({ id }) => id !== 1) }, new Set(), NOBODY);
    expect(without.lines.map(({ id }) => id)).toEqual([2]);
  });

  test('ends the validity with the first price or promotion that an active line uses', () => {
    const item = anItem(1, 10, [{ promotionType: 'DiscountPct', promotionAmt: 10, validTo: '2026-12-24' }]);
    const validUntil = (fields: Partial<Line>, quote: Partial<QuoteRecord> = {}) =>
      settle(aDraft([aLine(1, 1, { promotion_id: 10, ...fields })], [item], quote), 'all', NOBODY).quote.valid_until;
    expect(validUntil({})).toBe('2026-12-24');
    expect(validUntil({ active: false })).toBe('2027-01-20');
    expect(validUntil({ promotion_id: null }, { valid_until_typed: true, valid_until: '2026-12-01' })).toBe(
      '2026-12-01',
    );
  });

  test('names the line whose amount is too large', () => {
    const draft = aDraft([aLine(1, 1), aLine(2, 1, { qty: 9_999_999, manual_price: 9_999_999 })], [anItem(1, 10)]);
    expect(() => settle(draft, 'all', NOBODY)).toThrow(LineTooLarge);
  });
});

describe('laws', () => {
  const items = [anItem(1, 10, [{}]), anItem(2, 0.37, [{ promotionType: 'DiscountPct', promotionAmt: 12.5 }])];
  const someLine = fc.record({
    item_id: fc.constantFrom(1, 2),
    qty: fc.integer({ min: 1, max: 5_000_000 }).map((units) => units / 10_000),
    unit: fc.constantFrom('EA', 'BX'),
    promotion_id: fc.constantFrom(null, 10, 20),
    manual_price: fc.option(fc.integer({ min: 0, max: 2_000_000 }).map((units) => units / 10_000)),
    active: fc.boolean(),
    optional: fc.boolean(),
  });
  const someDraft = fc
    .record({
      lines: fc.array(someLine, { maxLength: 12 }),
      discount: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100),
    })
    .map(({ lines, discount }) =>
      aDraft(
        lines.map(({ item_id: itemId, ...fields }, index) => aLine(index + 1, itemId, fields)),
        items,
        { discount_pct: discount },
      ),
    );

  test('settling again changes nothing, whichever lines it prices', () => {
    fc.assert(
      fc.property(someDraft, fc.constantFrom<'all' | Set<number>>('all', new Set()), (draft, again) => {
        const first = settle(draft, 'all', NOBODY);
        const second = settle({ ...draft, ...first }, again, NOBODY);
        expect(second).toEqual(first);
      }),
    );
  });

  test('the subtotal is the sum of the lines that count, and the shares add up to the quote discount', () => {
    fc.assert(
      fc.property(someDraft, (draft) => {
        const { quote, lines } = settle(draft, 'all', NOBODY);
        const counted = lines.filter((line) => line.active && !line.optional);
        expect(quote.subtotal).toBe(add(...counted.map((line) => line.line_total)));
        expect(lines.every((line) => line.line_total >= 0 && line.quote_discount >= 0)).toBe(true);
        expect(lines.map((line) => line.line_no)).toEqual(lines.map((_line, index) => index + 1));
      }),
    );
  });

  test('pricing one line changes no price of another', () => {
    fc.assert(
      fc.property(someDraft, fc.integer({ min: 1, max: 12 }), (draft, id) => {
        const first = settle(draft, 'all', NOBODY);
        const entry = settle({ ...draft, ...first }, new Set([id]), NOBODY);
        const prices = ({ lines }: { lines: Line[] }) => lines.map((line) => [line.id, line.unit_price, line.qty]);
        expect(prices(entry)).toEqual(prices(first));
      }),
    );
  });
});

// Tests the saving of a tier: which lines are included, what is not a saving, and the worked example of two lines.
import { expect, test } from 'vitest';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { blankQuote } from '#core/quoting/quote-edit/make/blank-quote.server.ts';
import { type Draft, settle } from '#core/quoting/quote-edit/settle/settle-quote.server.ts';
import { blankLine, type Line } from '#core/quoting/quotes/quote-rows.ts';
import { nextTiers, type TierPrices } from './total-at-tier.server.ts';

const DAY = '2026-11-21';
const CONTRACT = 5;

/** An item under the contract at tier 2, with list price 200. Its contract line has the item's id. */
const anItem = (id: number, price: number): PricedItem => ({
  id,
  product_id: null,
  class_id: null,
  item_number: `I-${id}`,
  description: `Item ${id}`,
  base_unit: 'BX',
  status: 'Active',
  visible: true,
  cost: null,
  floor_price: null,
  units: [{ unit: 'BX', factor: 1 }],
  list: [{ id, unit: 'BX', minQty: 1, price: 200, currnIdx: 1007, from: '2020-01-01', to: null }],
  account: [],
  requested: [],
  promotions: [],
  contracts: [
    {
      contractId: CONTRACT,
      number: 'V-1',
      predecessorIds: [],
      currnIdx: 1007,
      from: '2026-01-01',
      to: '2026-12-31',
      day: DAY,
      gpoName: null,
      membership: null,
      primary: { declared: false, gpos: [] },
      listedBy: 'roster',
      parent: '',
      listedFrom: '2026-01-01',
      listedTo: null,
      lineId: id,
      unit: 'BX',
      lineFrom: null,
      lineTo: null,
      tiers: [{ id: 2, no: 2, needsLoc: false, loc: null, price, from: '2026-01-01', to: null }],
    },
  ],
});

const aLine = (id: number, itemId: number, qty: number, overrides: Partial<Line> = {}): Line => ({
  ...blankLine(id, 7, 'item'),
  item_id: itemId,
  unit: 'BX',
  qty,
  ...overrides,
});

/** The quote, priced in its current tier. */
function quoted(items: PricedItem[], lines: Line[], discountPct = 0): Draft {
  const byId = new Map(items.map((item) => [item.id, item]));
  const quote = {
    ...blankQuote(
      { id: 1, roles: ['insiderep'], regionIds: [], supportedRepIds: [], deputyFor: [] },
      DAY,
      60,
      `${DAY}T15:00:00Z`,
    ),
    id: 7,
    facility_id: 3,
    discount_pct: discountPct,
  };
  const draft: Draft = { quote, lines, items: byId, prices: { of: '', items: byId }, validityDays: 60, places: 4 };
  return { ...draft, ...settle(draft, 'all', new Map()) };
}

const aTier = (no: number, prices: [lineId: number, price: number][], needsLoc = false): TierPrices => ({
  contractId: CONTRACT,
  number: 'V-1',
  tierId: no,
  tierNo: no,
  tierName: `Tier ${no}`,
  requirement: 'Commitment of 85%',
  needsLoc,
  prices: new Map(prices.map(([lineId, price]) => [lineId, { price, from: '2026-01-01', to: null }])),
});

test('two lines: 200 at 41.00 or 38.50 and 30 at 100 or 90 come to 800.00 less', () => {
  const draft = quoted([anItem(1, 41), anItem(2, 100)], [aLine(11, 1, 200), aLine(12, 2, 30)]);
  const third = aTier(
    3,
    [
      [1, 38.5],
      [2, 90],
    ],
    true,
  );
  const first = aTier(1, [
    [1, 45],
    [2, 110],
  ]);
  expect(
    nextTiers(draft, [
      first,
      aTier(2, [
        [1, 41],
        [2, 100],
      ]),
      third,
    ]),
  ).toEqual([
    {
      contractId: CONTRACT,
      number: 'V-1',
      tierId: 3,
      tierNo: 3,
      tierName: 'Tier 3',
      requirement: 'Commitment of 85%',
      needsLoc: true,
      lines: 2,
      total: 10_400,
      saving: 800,
    },
  ]);
});

test('typed prices, optional and inactive lines do not count in the saving; the quote discount lowers it', () => {
  const lines = [
    aLine(11, 1, 10),
    aLine(12, 1, 10, { manual_price: 40, price_reason: 'Agreed' }),
    aLine(13, 1, 10, { optional: true }),
    aLine(14, 1, 10, { active: false }),
  ];
  const [result] = nextTiers(quoted([anItem(1, 41)], lines, 10), [aTier(3, [[1, 31]])]);
  expect(result).toMatchObject({ saving: 90, total: 639 });
});

test('a typed discount follows its price, in percent and as an amount', () => {
  const lines = [
    aLine(11, 1, 10, { manual_discount_pct: 10, price_reason: 'Agreed' }),
    aLine(12, 1, 10, { manual_discount_amount: 1, price_reason: 'Agreed' }),
  ];
  // 10 × (36.90 + 40) = 769 becomes 10 × (27.90 + 30) = 579.
  const [result] = nextTiers(quoted([anItem(1, 41)], lines), [aTier(3, [[1, 31]])]);
  expect(result).toMatchObject({ saving: 190, total: 579, lines: 2 });
});

test('a line without a price in the tier counts with the price it would then have', () => {
  const draft = quoted([anItem(1, 41), anItem(2, 100)], [aLine(11, 1, 200), aLine(12, 2, 1)]);
  expect(nextTiers(draft, [aTier(3, [[1, 38.5]])])).toMatchObject([{ saving: 400, lines: 2 }]);
});

test('a price that has changed since the quote was priced is no saving', () => {
  const draft = quoted([anItem(1, 41)], [aLine(11, 1, 10)]);
  const since = anItem(1, 30);
  const later = { ...draft, prices: { of: '', items: new Map([[1, since]]) } };
  expect(nextTiers(later, [aTier(3, [[1, 30]])])).toEqual([]);
});

test('a facility that is excluded saves nothing', () => {
  const item = anItem(1, 41);
  const excluded = {
    ...item,
    contracts: item.contracts.map((offer) => ({ ...offer, listedBy: 'excluded' as const, tiers: [] })),
  };
  expect(nextTiers(quoted([excluded], [aLine(11, 1, 10)]), [aTier(3, [[1, 30]])])).toEqual([]);
});

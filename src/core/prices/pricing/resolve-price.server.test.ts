// Tests the order of prices, their days, units, breaks and tiers, and the arithmetic of the proof.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, convertPrice } from '#platform/shared/money.ts';
import type { AccountPriceRow, ContractOffer, OfferedTier, PriceFacts, PriceRow } from './price-facts.server.ts';
import { priceLadder, resolvePrice } from './resolve-price.server.ts';

const DAY = '2026-11-21';
let nextId = 1;
const list = (price: number, overrides: Partial<PriceRow> = {}): PriceRow => ({
  id: nextId++,
  unit: 'BX',
  minQty: 1,
  price,
  currnIdx: 1007,
  from: '2026-01-01',
  to: null,
  ...overrides,
});
const account = (price: number, overrides: Partial<AccountPriceRow> = {}): AccountPriceRow => ({
  ...list(price),
  holder: 'own',
  facilityName: 'Mercy',
  reference: '',
  ...overrides,
});
type GivenOffer = Partial<Omit<ContractOffer, 'tiers'>> &
  Partial<Omit<OfferedTier, 'id'>> & { tierId?: number } & {
    tiers?: OfferedTier[];
  };
const offer = (
  price: number | null,
  { tierId = 1, no = 2, needsLoc = false, loc = null, ...fields }: GivenOffer = {},
): ContractOffer => ({
  contractId: nextId,
  number: `V-${nextId}`,
  predecessorIds: [],
  currnIdx: 1007,
  from: '2026-01-01',
  to: '2026-12-31',
  day: fields.from && fields.from > DAY ? fields.from : DAY,
  gpoName: 'Vizient',
  membership: { from: '2020-01-01', to: null },
  primary: { declared: true, gpos: ['Vizient'] },
  listedBy: 'roster',
  parent: '',
  listedFrom: '2026-02-01',
  listedTo: null,
  lineId: nextId++,
  unit: 'BX',
  lineFrom: null,
  lineTo: null,
  tiers: [tier(no, price, { id: tierId, needsLoc, loc })],
  ...fields,
});
const tier = (no: number, price: number | null, overrides: Partial<OfferedTier> = {}): OfferedTier => ({
  id: no,
  no,
  needsLoc: false,
  loc: null,
  price,
  from: '2026-01-01',
  to: null,
  ...overrides,
});
const letter = (state: string, from = '2026-01-01', to: string | null = null) => ({ state, from, to });
const facts = (overrides: Partial<PriceFacts> = {}): PriceFacts => ({
  itemNumber: '5520',
  baseUnit: 'EA',
  unit: 'BX',
  qty: 10,
  currnIdx: 1007,
  priceDate: DAY,
  places: 4,
  units: [
    { unit: 'EA', factor: 1 },
    { unit: 'BX', factor: 50 },
    { unit: 'CS', factor: 500 },
  ],
  list: [],
  account: [],
  contracts: [],
  ...overrides,
});
const local = { gpoName: null, membership: null, primary: { declared: false, gpos: [] } };
const secondary = { primary: { declared: true, gpos: ['Premier'] } };

describe('a price that is computed from another unit', () => {
  const box = [list(61.73), list(617.3, { unit: 'CS' })];
  test('is rounded to the company’s places, as a step of the proof', () => {
    const each = { unit: 'EA', list: [list(61.73)] };
    expect(resolvePrice(facts({ ...each, places: 4 }))).toMatchObject({ systemPrice: 1.2346, listPrice: 1.2346 });
    const { systemPrice, listPrice, proof } = resolvePrice(facts({ ...each, places: 2 }));
    expect([systemPrice, listPrice]).toEqual([1.23, 1.23]);
    expect(proof.map(({ step, amount, note }) => [step, amount, note])).toEqual([
      ['List', 1.2346, '$61.73 per BX × 1 ÷ 50 = $1.2346 per EA'],
      ['Resolved', 1.2346, 'Per EA on 11/21/2026'],
      ['Rounded', 1.23, '$1.2346 to 2 places'],
    ]);
    // When an account price takes precedence over a list price, the list price's rounding step is next to it.
    const other = resolvePrice(facts({ ...each, places: 2, account: [account(0.9, { unit: 'EA' })] }));
    expect(other.proof.map(({ step, amount }) => [step, amount])).toEqual([
      ['List', 1.2346],
      ['Rounded', 1.23],
      ['Account', 0.9],
      ['Resolved', 0.9],
    ]);
    expect(priceLadder(facts({ ...each, places: 2 })).rows.map(({ amount }) => amount)).toEqual([1.23]);
  });

  test('keeps four places below one; a price stored for the unit is not rounded', () => {
    expect(resolvePrice(facts({ unit: 'EA', list: [list(2.59)], places: 2 })).systemPrice).toBe(0.0518);
    expect(resolvePrice(facts({ unit: 'EA', list: [list(1.2346, { unit: 'EA' })], places: 2 })).systemPrice).toBe(
      1.2346,
    );
    expect(resolvePrice(facts({ list: box, places: 2 })).proof.map(({ step }) => step)).toEqual(['List', 'Resolved']);
  });

  test('is never below a contract price that was computed the same way', () => {
    const { systemPrice, contractPrice } = resolvePrice(facts({ unit: 'EA', contracts: [offer(61.73)], places: 2 }));
    expect([systemPrice, contractPrice]).toEqual([1.23, 1.23]);
  });
});

describe('which price is taken', () => {
  const cases: [string, Partial<PriceFacts>, number | null, string][] = [
    ['list alone', { list: [list(10)] }, 10, 'List'],
    ['account before list', { list: [list(10)], account: [account(9)] }, 9, 'Account'],
    ['account also when above list', { list: [list(10)], account: [account(11)] }, 11, 'Account'],
    ['own account before the parent’s', { account: [account(8, { holder: 'parent' }), account(9)] }, 9, 'Account'],
    ['the parent’s account', { list: [list(10)], account: [account(8, { holder: 'parent' })] }, 8, 'Account'],
    ['contract before account', { list: [list(10)], account: [account(9)], contracts: [offer(8)] }, 8, 'Contract'],
    ['contract also when above account', { account: [account(9)], contracts: [offer(9.5)] }, 9.5, 'Contract'],
    ['local agreement before primary GPO', { contracts: [offer(7), offer(8, local)] }, 8, 'Contract'],
    ['the lower of two local agreements', { contracts: [offer(9, local), offer(8, local)] }, 8, 'Contract'],
    ['another membership is offered, not taken', { list: [list(10)], contracts: [offer(5, secondary)] }, 10, 'List'],
    ['no membership', { list: [list(10)], contracts: [offer(5, { membership: null })] }, 10, 'List'],
    [
      'membership ended',
      {
        list: [list(10)],
        contracts: [offer(5, { membership: { from: '2020-01-01', to: '2026-11-20' } })],
      },
      10,
      'List',
    ],
    [
      'the one GPO whose rosters name the facility',
      { list: [list(10)], contracts: [offer(5, { primary: { declared: false, gpos: ['Vizient'] } })] },
      5,
      'Contract',
    ],
    [
      'two GPOs whose rosters name the facility',
      { list: [list(10)], contracts: [offer(5, { primary: { declared: false, gpos: ['Premier', 'Vizient'] } })] },
      10,
      'List',
    ],
    [
      'a local agreement beside two GPOs',
      {
        list: [list(10)],
        contracts: [offer(5, { primary: { declared: false, gpos: ['Premier', 'Vizient'] } }), offer(8, local)],
      },
      8,
      'Contract',
    ],
    ['tier without a price', { list: [list(10)], contracts: [offer(null)] }, 10, 'List'],
    [
      'letter of commitment missing',
      { list: [list(10)], contracts: [offer(5, { needsLoc: true, loc: letter('Received') })] },
      10,
      'List',
    ],
    [
      'letter of commitment approved',
      { list: [list(10)], contracts: [offer(5, { needsLoc: true, loc: letter('Approved') })] },
      5,
      'Contract',
    ],
    [
      'the newest entry on the roster',
      {
        contracts: [
          offer(5, { contractId: 1, number: 'A' }),
          offer(6, { contractId: 1, number: 'A', tierId: 9, no: 3, listedFrom: '2026-06-01' }),
        ],
      },
      6,
      'Contract',
    ],
    [
      'one contract speaks with its nearest unit, however cheap another is',
      {
        contracts: [offer(1, { contractId: 1, unit: 'CS' }), offer(9, { contractId: 1 }), offer(8, { contractId: 2 })],
      },
      8,
      'Contract',
    ],
    ['contract ends today', { contracts: [offer(5, { to: DAY })] }, 5, 'Contract'],
    ['contract ended yesterday', { list: [list(10)], contracts: [offer(5, { to: '2026-11-20' })] }, 10, 'List'],
    ['contract line not yet', { list: [list(10)], contracts: [offer(5, { lineFrom: '2026-11-22' })] }, 10, 'List'],
    ['contract line over', { list: [list(10)], contracts: [offer(5, { lineTo: '2026-11-20' })] }, 10, 'List'],
    ['roster entry over', { list: [list(10)], contracts: [offer(5, { listedTo: '2026-11-20' })] }, 10, 'List'],
    ['list starts today', { list: [list(10, { from: DAY })] }, 10, 'List'],
    ['list not yet', { list: [list(10, { from: '2026-11-22' })] }, null, ''],
    ['list ended', { list: [list(10, { to: '2026-11-20' })] }, null, ''],
    ['the newer of two list prices', { list: [list(10), list(12, { from: '2026-06-01' })] }, 12, 'List'],
    ['other currency', { list: [list(10, { currnIdx: 1009 })] }, null, ''],
    ['any index but 1009 is US dollars', { currnIdx: 1007, list: [list(10, { currnIdx: 1 })] }, 10, 'List'],
    ['euro', { currnIdx: 1009, list: [list(10), list(9, { currnIdx: 1009 })] }, 9, 'List'],
    ['the break reached', { list: [list(10), list(9, { minQty: 10 }), list(8, { minQty: 11 })] }, 9, 'List'],
    [
      'a break counts in its own unit',
      { unit: 'EA', qty: 499, list: [list(50, { minQty: 10 }), list(60)] },
      1.2,
      'List',
    ],
    [
      'a break counts in its own unit, reached',
      { unit: 'EA', qty: 500, list: [list(50, { minQty: 10 }), list(60)] },
      1,
      'List',
    ],
    ['below the only break', { list: [list(8, { minQty: 11 })] }, null, ''],
    ['half a box has the box’s price', { qty: 0.5, list: [list(8)] }, 8, 'List'],
    ['the unit asked for before a converted one', { list: [list(0.1, { unit: 'EA' }), list(10)] }, 10, 'List'],
    ['converted up', { list: [list(0.1, { unit: 'EA' })] }, 5, 'List'],
    ['converted down, to four places', { unit: 'EA', list: [list(9.99)] }, 0.1998, 'List'],
    ['the largest smaller unit first', { unit: 'CS', list: [list(0.1, { unit: 'EA' }), list(4)] }, 40, 'List'],
    [
      'the smallest larger unit, when none is smaller',
      { unit: 'EA', list: [list(300, { unit: 'CS' }), list(40)] },
      0.8,
      'List',
    ],
    ['base unit without a row of factors', { unit: '', units: [], list: [list(3, { unit: 'EA' })] }, 3, 'List'],
    ['a unit that prices itself needs no factor', { unit: 'PK', list: [list(3, { unit: 'PK' })] }, 3, 'List'],
    ['no factor for the unit', { unit: 'PK', list: [list(3)] }, null, ''],
    ['no factor for the price’s unit', { list: [list(3, { unit: 'PK' })] }, null, ''],
    ['too small a part', { unit: 'EA', list: [list(0.0001, { unit: 'CS' })] }, null, ''],
    ['a price of nothing is a price', { list: [list(0)] }, 0, 'List'],
  ];
  test.each(cases)('%s', (_name, overrides, price, source) => {
    const resolved = resolvePrice(facts(overrides));
    expect(resolved).toMatchObject({ systemPrice: price, priceSource: source });
    expect(resolved.problem === '').toBe(price !== null);
    expect(resolved.proof.at(-1)).toMatchObject({ step: 'Resolved', amount: price });
  });
});

test('says why there is no price', () => {
  const problem = (overrides: Partial<PriceFacts>) => resolvePrice(facts(overrides)).problem;
  expect(problem({})).toBe('There is no price in USD for item 5520 on 11/21/2026.');
  expect(problem({ currnIdx: 1009, list: [list(1)] })).toBe('There is no price in EUR for item 5520 on 11/21/2026.');
  expect(problem({ unit: 'PK', list: [list(1)] })).toBe(
    'There is no factor for the unit PK, so the price per BX cannot be converted to one per PK.',
  );
  expect(problem({ list: [list(1, { minQty: 11 })] })).toBe('Only from 11 BX up.');
});

test('flags a contract price above the account price, and says so in the proof', () => {
  const resolved = resolvePrice(facts({ account: [account(9)], contracts: [offer(9.5)] }));
  expect(resolved.contractAboveAccount).toBe(true);
  expect(resolved.proof.at(-1)?.note).toContain('higher than the account price');
  expect(resolvePrice(facts({ account: [account(9.5)], contracts: [offer(9.5)] })).contractAboveAccount).toBe(false);
});

test.each([
  ['list without end', { list: [list(10)] }, null],
  ['list', { list: [list(10, { to: '2027-01-31' })] }, '2027-01-31'],
  [
    'only of what was used',
    { list: [list(10, { to: '2026-11-30' })], account: [account(9, { to: '2027-03-01' })] },
    '2027-03-01',
  ],
  ['contract', { contracts: [offer(5)] }, '2026-12-31'],
  ['contract line', { contracts: [offer(5, { lineTo: '2026-12-15' })] }, '2026-12-15'],
  ['roster', { contracts: [offer(5, { listedTo: '2026-12-01', lineTo: '2026-12-15' })] }, '2026-12-01'],
  ['membership', { contracts: [offer(5, { membership: { from: '2020-01-01', to: '2026-11-25' } })] }, '2026-11-25'],
])('price ends with %s', (_name, input, ends) => {
  expect(resolvePrice(facts(input)).priceEnds).toBe(ends);
});

test('the proof names every step, its row, its days and its arithmetic', () => {
  const contract = offer(0.09, { number: 'V-2231', unit: 'EA', lineId: 5, tierId: 7 });
  const other = offer(4, { gpoName: 'Premier', primary: contract.primary, number: 'P-1', lineId: 6, tierId: 8 });
  const resolved = resolvePrice(
    facts({
      list: [list(10, { id: 17 })],
      account: [account(9, { id: 3, reference: 'Letter 12' })],
      contracts: [contract, other],
    }),
  );
  expect(resolved).toMatchObject({
    listPrice: 10,
    accountPrice: 9,
    contractPrice: 4.5,
    systemPrice: 4.5,
    contractLineId: 5,
  });
  expect(resolved.proof).toEqual([
    { step: 'List', source: 'List price', ref: 'item_price 17', amount: 10, note: '' },
    { step: 'Account', source: 'Account price (Letter 12)', ref: 'account_price 3', amount: 9, note: '' },
    {
      step: 'Contract',
      source: 'Contract V-2231, tier 2 (Vizient)',
      ref: 'contract_line 5 tier 7',
      amount: 4.5,
      note: 'Taken. 02/01/2026 to 12/31/2026. $0.09 per EA × 50 ÷ 1 = $4.50 per BX',
    },
    {
      step: 'Contract',
      source: 'Contract P-1, tier 2 (Premier)',
      ref: 'contract_line 6 tier 8',
      amount: 4,
      note: 'Offered, not used: Premier is not the declared primary GPO. 02/01/2026 to 12/31/2026',
    },
    {
      step: 'Resolved',
      source: 'Contract V-2231, tier 2 (Vizient)',
      ref: '',
      amount: 4.5,
      note: 'Per BX on 11/21/2026',
    },
  ]);
});

test('a line says that somebody has to choose between GPOs, unless another contract prices it', () => {
  const choose = (gpoName: string, price = 5) =>
    offer(price, { gpoName, primary: { declared: false, gpos: ['Premier', 'Vizient'] } });
  const sentence =
    'Two GPOs: choose. The rosters of Premier and Vizient name the facility, and none of them is its primary GPO';
  const undecided = resolvePrice(facts({ list: [list(10)], contracts: [choose('Vizient'), choose('Premier')] }));
  expect(undecided).toMatchObject({ systemPrice: 10, priceSource: 'List', choice: sentence });
  expect(undecided.proof.filter(({ step }) => step === 'Contract').map(({ note }) => note)).toEqual([
    `${sentence}. 02/01/2026 to 12/31/2026`,
    `${sentence}. 02/01/2026 to 12/31/2026`,
  ]);
  expect(resolvePrice(facts({ contracts: [choose('Vizient'), offer(8, local)] })).choice).toBe('');
  // A contract without a price for the line does not wait for a choice.
  const missing = { primary: { declared: false, gpos: ['Premier', 'Vizient'] } };
  expect(resolvePrice(facts({ list: [list(10)], contracts: [offer(null, missing)] })).choice).toBe('');
});

test('the ladder shows today’s valid prices, marks the one in use and says why the others are not used', () => {
  const { rows } = priceLadder(
    facts({
      list: [list(10), list(9, { minQty: 100 }), list(7, { to: '2026-01-31' }), list(0.3, { unit: 'EA' })],
      account: [account(9), account(8, { holder: 'parent' })],
      contracts: [offer(5, { needsLoc: true, loc: letter('Sent') })],
    }),
  );
  expect(rows.map(({ source, price, used, why }) => ({ source, price, used, why }))).toEqual([
    { source: 'List', price: 0.3, used: false, why: 'The price per BX comes first' },
    { source: 'List', price: 10, used: false, why: 'The account price takes precedence over the list price' },
    { source: 'List', price: 9, used: false, why: 'Only from 100 BX up' },
    { source: 'Account', price: 9, used: true, why: 'Used' },
    { source: 'Account', price: 8, used: false, why: "The facility's own price comes first" },
    { source: 'Contract', price: 5, used: false, why: 'Tier 2 needs an approved letter of commitment (now: sent)' },
  ]);
});

const amount = fc.integer({ min: 1, max: 99_999_999 }).map((units) => units / 10_000);
const factor = fc.integer({ min: 1, max: 5_000 });

test('a converted price matches the arithmetic in its proof', () => {
  fc.assert(
    fc.property(amount, factor, factor, (price, from, to) => {
      const resolved = resolvePrice(
        facts({
          unit: 'TO',
          units: [
            { unit: 'FROM', factor: from },
            { unit: 'TO', factor: to },
          ],
          list: [list(price, { unit: 'FROM' })],
        }),
      );
      const [step] = resolved.proof;
      const note = step?.note.replaceAll(',', '') ?? '';
      const parts = /^\$([\d.]+) per FROM × (\d+) ÷ (\d+) = \$([\d.]+) per TO$/.exec(note);
      const [, stored, multiplier, divisor, result] = (parts ?? []).map(Number);
      // A price that rounds to zero is not a price and has no arithmetic.
      const recomputed = parts ? convertPrice(stored ?? 0, divisor ?? 0, multiplier ?? 0) : null;
      expect(resolved.systemPrice).toBe(recomputed);
      expect(recomputed ?? convertPrice(price, from, to)).toBe(result ?? 0);
    }),
  );
});

test('converting to a larger unit and back is exact', () => {
  fc.assert(
    fc.property(amount, factor, (price, times) => {
      const there = convertPrice(price, 1, times);
      fc.pre(there < 99_999_999_999);
      expect(convertPrice(there, times, 1)).toBe(price);
    }),
  );
});

test('the answer does not depend on the order of rows', () => {
  const rows = fc.array(
    fc.record({ price: amount, unit: fc.constantFrom('EA', 'BX', 'CS'), minQty: fc.constantFrom(1, 5, 20) }),
    {
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(rows, rows, rows, (lists, accounts, contracts) => {
      const input = {
        list: lists.map((row) => list(row.price, row)),
        account: accounts.map((row) => account(row.price, row)),
        contracts: contracts.map((row, index) => offer(row.price, { unit: row.unit, ...(index % 2 ? local : {}) })),
      };
      const turned = {
        list: input.list.toReversed(),
        account: input.account.toReversed(),
        contracts: input.contracts.toReversed(),
      };
      const [price, other] = [resolvePrice(facts(input)), resolvePrice(facts(turned))];
      expect(other.systemPrice).toBe(price.systemPrice);
      // The source is the first of contract, account and list that has a price.
      const first = price.contractPrice ?? price.accountPrice ?? price.listPrice;
      expect(price.systemPrice === null ? first === null : compare(price.systemPrice, first ?? -1) === 0).toBe(true);
    }),
  );
});

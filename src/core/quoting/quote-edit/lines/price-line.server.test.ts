// Tests the steps from the resolved price to a line's net price: promotions, manual prices, and a proof that can be recomputed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ResolvedPrice } from '#core/prices/pricing/price-proof.ts';
import type { DatedPromotion } from '#core/prices/promotions/promotion.ts';
import { compare, EURO_INDEX, extend } from '#platform/shared/money.ts';
import { quoteTotals } from '#core/quoting/quotes/totals/quote-totals.ts';
import { freeProof, type LineToPrice, priceLine, withNet } from './price-line.server.ts';

function resolvedAt(systemPrice: number | null): ResolvedPrice {
  return {
    listPrice: 12,
    accountPrice: null,
    contractPrice: systemPrice,
    systemPrice,
    priceSource: systemPrice === null ? '' : 'Contract',
    contractAboveAccount: false,
    contractLineId: systemPrice === null ? null : 5,
    priceEnds: systemPrice === null ? null : '2027-03-31',
    choice: '',
    problem: systemPrice === null ? 'There is no price.' : '',
    proof: [{ step: 'Resolved', source: 'Contract V-2231', ref: 'contract_line 5', amount: systemPrice, note: '' }],
  };
}

function promotion(overrides: Partial<DatedPromotion>): DatedPromotion {
  return {
    id: 9,
    promotionType: 'DiscountPct',
    itemNumber: '5520',
    buyXGetYFreeBuyQty: 0,
    buyXGetYFreeGetQty: 0,
    promotionAmt: 0,
    minQty: 0,
    maxQty: 0,
    uom: '',
    validTo: '2026-12-31',
    ...overrides,
  };
}

const nobody = { price: null, discountPct: null, discountAmount: null, reason: '', by: '' };

function line(overrides: Partial<LineToPrice> = {}): LineToPrice {
  const { promotion: applied = null } = overrides;
  return {
    currnIdx: 1007,
    qty: 40,
    unit: 'BX',
    date: '2026-11-21',
    resolved: resolvedAt(10),
    promotion: applied,
    promotionId: applied?.id ?? null,
    manual: nobody,
    places: 4,
    ...overrides,
  };
}

describe('promotions', () => {
  test.each([
    ['percent', promotion({ promotionAmt: 10 }), 9, 'Promotion', '2026-12-31', 0],
    ['fixed and lower', promotion({ promotionType: 'Special', promotionAmt: 8.5 }), 8.5, 'Promotion', '2026-12-31', 0],
    ['fixed but not lower', promotion({ promotionType: 'Special', promotionAmt: 10 }), 10, 'Contract', '2027-03-31', 0],
    ['too few', promotion({ promotionAmt: 10, minQty: 41 }), 10, 'Contract', '2027-03-31', 0],
    ['too many', promotion({ promotionAmt: 10, maxQty: 39 }), 10, 'Contract', '2027-03-31', 0],
    ['no upper limit', promotion({ promotionAmt: 10, maxQty: -1 }), 9, 'Promotion', '2026-12-31', 0],
    ['another unit', promotion({ promotionAmt: 10, uom: 'CS' }), 10, 'Contract', '2027-03-31', 0],
    ['over', promotion({ promotionAmt: 10, validTo: '2026-11-20' }), 10, 'Contract', '2027-03-31', 0],
    [
      'free goods',
      promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 12, buyXGetYFreeGetQty: 2 }),
      10,
      'Contract',
      '2026-12-31',
      6,
    ],
  ] as const)('%s', (_name, applied, systemPrice, priceSource, priceEnds, freeQty) => {
    expect(priceLine(line({ promotion: applied }))).toMatchObject({
      systemPrice,
      unitPrice: systemPrice,
      discountPct: 0,
      priceSource,
      priceEnds,
      freeQty,
    });
  });

  test('a fixed price is named with all of its decimals', () => {
    for (const [promotionAmt, source] of [
      [0.0449, 'Promotional price $0.0449'],
      [8.5, 'Promotional price $8.50'],
    ] as const) {
      const { proof } = priceLine(line({ promotion: promotion({ promotionType: 'Special', promotionAmt }) }));
      expect(proof.find(({ step }) => step === 'Promotion')).toMatchObject({ source, amount: promotionAmt });
    }
  });

  test('one that no longer runs is named, not applied', () => {
    const price = priceLine(line({ promotionId: 9 }));
    expect(price).toMatchObject({ systemPrice: 10, priceSource: 'Contract' });
    expect(price.proof.at(-1)).toMatchObject({ step: 'Promotion', note: 'Not applied: it is not valid on 11/21/2026' });
  });
});

describe('manual prices', () => {
  const by = { ...nobody, reason: 'Match', by: 'Kim Cole' };
  test.each([
    ['a price', { ...by, price: 9.35 }, 9.35, 6.5, 'Typed instead of $10.00. Match'],
    ['a higher price', { ...by, price: 11 }, 11, -10, 'Typed instead of $10.00. Match'],
    ['a percentage', { ...by, discountPct: 12 }, 8.8, 12, '12% off $10.00. Match'],
    ['an amount', { ...by, discountAmount: 0.5 }, 9.5, 5, '$0.50 off $10.00. Match'],
    ['an amount above the price', { ...by, discountAmount: 11 }, 0, 100, '$11.00 off $10.00. Match'],
  ])('%s', (_name, manual, unitPrice, discountPct, note) => {
    const price = priceLine(line({ manual }));
    expect(price).toMatchObject({ systemPrice: 10, unitPrice, discountPct, priceSource: 'Manual', problem: '' });
    expect(price.proof.at(-1)).toEqual({ step: 'Manual', source: 'Kim Cole', ref: '', amount: unitPrice, note });
  });

  test('a typed price stays when the quantity changes; a percentage follows the system price', () => {
    const typed = { ...by, price: 9.35 };
    expect(priceLine(line({ qty: 400, resolved: resolvedAt(8), manual: typed }))).toMatchObject({
      systemPrice: 8,
      unitPrice: 9.35,
    });
    expect(priceLine(line({ qty: 400, resolved: resolvedAt(8), manual: { ...by, discountPct: 10 } })).unitPrice).toBe(
      7.2,
    );
  });

  test('a typed price does not end with the contract it replaces; a percentage off it does', () => {
    expect(priceLine(line({ manual: { ...by, price: 9.35 } })).priceEnds).toBeNull();
    expect(priceLine(line({ manual: { ...by, discountPct: 1 } })).priceEnds).toBe('2027-03-31');
  });

  test('without a system price a typed price applies; without either, a sentence names the problem', () => {
    const none = resolvedAt(null);
    expect(priceLine(line({ resolved: none, manual: { ...by, price: 3 } }))).toMatchObject({
      unitPrice: 3,
      problem: '',
    });
    expect(priceLine(line({ resolved: none, manual: { ...by, discountPct: 5 } }))).toMatchObject({
      unitPrice: null,
      priceSource: '',
      problem: 'There is no price.',
    });
    expect(priceLine(line({ resolved: null })).problem).toBe('Enter a price for this custom item.');
  });
});

describe('rounding to the company’s places', () => {
  const by = { ...nobody, reason: 'Match', by: 'Kim Cole' };
  test.each([
    ['12% off', 13_604.4855, { ...by, discountPct: 12 }, 11_971.95, 12],
    ['an amount off', 10.5, { ...by, discountAmount: 0.1234 }, 10.38, 1.18],
    ['below one', 1.1, { ...by, discountPct: 12.34 }, 0.9643, 12.34],
    ['a typed price', 10.5, { ...by, price: 9.8765 }, 9.8765, 5.94],
    ['an agreed price', 10.1234, nobody, 10.1234, 0],
    ['never above the price that was discounted', 1.4951, { ...by, discountPct: 0.01 }, 1.495, 0.01],
  ])('%s', (_name, systemPrice, manual, unitPrice, discountPct) => {
    const price = priceLine(line({ resolved: resolvedAt(systemPrice), manual, places: 2 }));
    expect(price).toMatchObject({ systemPrice, unitPrice, discountPct });
  });

  test('is a separate step, which is absent when nothing changes', () => {
    const stepsOf = (overrides: Partial<LineToPrice>) =>
      priceLine(line({ resolved: resolvedAt(10.05), ...overrides })).proof.map(({ step, amount }) => [step, amount]);
    const promoted = { promotion: promotion({ promotionAmt: 10 }) };
    const discounted = { ...promoted, manual: { ...by, discountPct: 5 } };
    expect(stepsOf({ ...discounted, places: 2 })).toEqual([
      ['Resolved', 10.05],
      ['Promotion', 9.045],
      ['Rounded', 9.05],
      ['Manual', 8.5975],
      ['Rounded', 8.6],
    ]);
    expect(stepsOf({ ...discounted, places: 4 }).map(([step]) => step)).toEqual(['Resolved', 'Promotion', 'Manual']);
    expect(stepsOf({ ...promoted, manual: { ...by, price: 8.5975 }, places: 2 }).at(-1)).toEqual(['Manual', 8.5975]);
  });
});

test('the net price comes last, once, however often the quote discount changes', () => {
  const { proof } = priceLine(line());
  const first = withNet(
    proof,
    { unitPrice: 10, qty: 40, quoteDiscount: 20, lineTotal: 380 },
    { discountPct: 5, currnIdx: 1007 },
  );
  expect(first.map(({ step, amount, note }) => [step, amount, note])).toEqual([
    ['Resolved', 10, ''],
    ['Quote discount', 9.5, '$20.00 off $400.00'],
    ['Net', 9.5, '$10.00 × 40 − $20.00 = $380.00'],
  ]);
  const second = withNet(
    first,
    { unitPrice: 10, qty: 40, quoteDiscount: 0, lineTotal: 400 },
    { discountPct: 0, currnIdx: 1007 },
  );
  expect(second.map(({ step }) => step)).toEqual(['Resolved', 'Net']);
  expect(
    withNet(second, { unitPrice: null, qty: 40, quoteDiscount: 0, lineTotal: 0 }, { discountPct: 0, currnIdx: 1007 }),
  ).toHaveLength(1);
});

test('every amount of a proof has the sign of the quote’s currency', () => {
  const special = promotion({ promotionType: 'Special', promotionAmt: 8.5 });
  const manual = { ...nobody, discountAmount: 1.25 };
  const { proof } = priceLine(line({ currnIdx: EURO_INDEX, promotion: special, manual, places: 2 }));
  const rest = { unitPrice: 7.25, qty: 40, quoteDiscount: 20, lineTotal: 270 };
  const steps = withNet(proof, rest, { discountPct: 5, currnIdx: EURO_INDEX });
  expect(steps.slice(1).map(({ source, note }) => [source, note])).toEqual([
    ['Promotional price €8.50', 'To 12/31/2026'],
    ['', '€1.25 off €8.50'],
    ['5% on the quote', '€20.00 off €290.00'],
    ['Net price', '€7.25 × 40 − €20.00 = €270.00'],
  ]);
});

test('a free line names the line that earned it', () => {
  const buy = promotion({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10, buyXGetYFreeGetQty: 1 });
  expect(freeProof(buy, { qty: 40, unit: 'BX', freeQty: 4 })).toEqual([
    { step: 'Promotion', source: 'Buy 10, get 1 free', ref: 'promotion 9', amount: 0, note: '4 BX free with 40 BX' },
  ]);
});

test('the proof recomputes to the price (law)', () => {
  const price = fc.integer({ min: 1, max: 9_000_000 }).map((n) => n / 10_000);
  const percent = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100);
  const manual = fc.oneof(
    fc.constant(nobody),
    price.map((value) => ({ ...nobody, price: value, reason: 'x', by: 'Kim' })),
    percent.map((value) => ({ ...nobody, discountPct: value, reason: 'x', by: 'Kim' })),
    price.map((value) => ({ ...nobody, discountAmount: value, reason: 'x', by: 'Kim' })),
  );
  fc.assert(
    fc.property(
      price,
      fc.integer({ min: 1, max: 900 }),
      percent,
      percent,
      manual,
      fc.constantFrom(2 as const, 4 as const),
      (system, qty, off, quoteOff, byHand, places) => {
        const applied = promotion({ promotionAmt: off });
        const input = { qty, resolved: resolvedAt(system), promotion: applied, manual: byHand };
        const result = priceLine(line({ ...input, places }));
        // For each of the two discounts, rounding moves a price by at most half a cent from the exact one.
        const exact = priceLine(line({ ...input, places: 4 }));
        expect(Math.abs((result.unitPrice ?? 0) - (exact.unitPrice ?? 0))).toBeLessThanOrEqual(0.0101);
        expect(result.unitPrice).toBe(byHand.price ?? result.unitPrice);
        // A discount never raises a price.
        const isRaised = byHand.price === null && compare(result.unitPrice ?? 0, system) > 0;
        expect(isRaised).toBe(false);
        // The last step with an amount is the unit price.
        expect(result.proof.findLast(({ amount }) => amount !== null)?.amount).toBe(result.unitPrice);
        const quote = { discountPct: quoteOff, freightAmount: 0, taxRate: 0, taxExempt: false };
        const { unitPrice } = result;
        const { lines } = quoteTotals(
          [{ type: 'item', active: true, optional: false, qty, listPrice: null, unitPrice }],
          quote,
        );
        const { quoteDiscount = 0, lineTotal = 0 } = lines[0] ?? {};
        const proof = withNet(
          result.proof,
          { unitPrice, qty, quoteDiscount, lineTotal },
          { discountPct: quoteOff, currnIdx: 1007 },
        );
        const net = proof.at(-1)?.amount ?? 0;
        // Net × quantity is the line's total, up to the fourth place of the net price.
        expect(Math.abs(extend(net, qty) - lineTotal)).toBeLessThanOrEqual(qty * 0.00005 + 0.0051);
        expect(compare(net, unitPrice ?? 0)).toBeLessThanOrEqual(quoteDiscount === 0 ? 0 : 1);
      },
    ),
    { numRuns: 300 },
  );
});

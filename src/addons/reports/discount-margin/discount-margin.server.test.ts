// Tests the steps from list to total, leakage and margin against figures computed by hand, and that a rep never gets the cost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const YEAR = { from: '2026-01-01', to: '2026-12-31' };
type Line = {
  qty: number;
  list: number | null;
  system: number | null;
  unit: number;
  share?: number;
  cost?: number | null;
  itemId?: number;
  type?: 'item' | 'custom' | 'free';
  promotion?: { before: number; id: number };
  optional?: boolean;
};

async function aQuoteWith(ownerId: number, lines: Line[], more: { freight?: number; tax?: number } = {}) {
  const { id } = await aQuote(server.db, { ownerId, quoteDate: '2026-05-05' });
  let net = 0;
  for (const [index, line] of lines.entries()) {
    const {
      qty,
      list,
      system,
      unit,
      share = 0,
      cost = null,
      itemId,
      type = 'item',
      promotion,
      optional = false,
    } = line;
    const total = Math.round((unit * qty - share) * 100) / 100;
    if (!optional) net += total;
    const proof = promotion
      ? [
          { step: 'Resolved', source: 'List price', ref: '', amount: promotion.before, note: '' },
          { step: 'Promotion', source: '', ref: `promotion ${promotion.id}`, amount: system, note: '' },
        ]
      : [];
    await server.db
      .insertInto('quote_item')
      .values({
        quote_id: id,
        line_no: index + 1,
        type,
        item_id: itemId ?? null,
        qty,
        unit: 'EA',
        list_price: list,
        system_price: system,
        unit_price: unit,
        quote_discount: share,
        line_total: total,
        cost,
        optional,
        promotion_id: promotion?.id ?? null,
        price_proof: JSON.stringify(proof),
      })
      .execute();
  }
  const { freight = 0, tax = 0 } = more;
  await server.db
    .updateTable('quote')
    .set({ subtotal: net, freight_amount: freight, tax_amount: tax, total_amount: net + freight + tax })
    .where('id', '=', id)
    .execute();
  return id;
}

async function aPromotion(itemId: number) {
  const values = {
    name: 'Sale',
    promotion_type: 'DiscountPct' as const,
    item_id: itemId,
    amount: 10,
    valid_from: '2020-01-01',
  };
  return server.db.insertInto('promotion').values(values).returning('id').executeTakeFirstOrThrow();
}

test('each step from list to total has its own share', async () => {
  const { id: rep } = await aUser(server.db);
  const manager = await aUser(server.db, { roles: ['systemadmin'] });
  const first = await anItemClass(server.db);
  const item = await anItem(server.db, { classId: first.id });
  const promotion = await aPromotion(item.id);
  await aQuoteWith(
    rep,
    [
      // List 20, contract 18, typed 15, and 1 of the quote discount each.
      { qty: 10, list: 20, system: 18, unit: 15, share: 10, cost: 9, itemId: item.id },
      // A promotion lowered its contract price from 9 to 8.
      { qty: 10, list: 10, system: 8, unit: 8, promotion: { before: 9, id: promotion.id } },
      { qty: 2, list: 10, system: 0, unit: 0, type: 'free', cost: 4 },
      // Above the system price, which does not offset other lines.
      { qty: 1, list: 10, system: 10, unit: 12 },
      { qty: 1, list: null, system: null, unit: 50, type: 'custom' },
      { qty: 9, list: 10, system: 10, unit: 1, optional: true },
    ],
    { freight: 7, tax: 3 },
  );
  const report = await server.ok(Report.GetDiscountMargin, { ...YEAR, repId: rep }, { as: manager });
  expect(report.waterfall.map(({ step, amount }) => [step, amount])).toEqual([
    ['list', 200 + 100 + 20 + 10 + 50],
    ['contract', -20 - 10],
    ['promotion', -10 - 20],
    ['typed', -30 + 2],
    ['quoteDiscount', -10],
    ['net', 140 + 80 + 0 + 12 + 50],
    ['freight', 7],
    ['tax', 3],
    ['total', 292],
  ]);
  expect(report.waterfall[1]?.pct).toBe(-7.89);
  // Only the first line: 180 by the rules, 140 net.
  expect(report.leakage).toMatchObject({ count: 1, lines: 1, amount: 40, pct: 14.81 });
  expect(report.leakage.byRep.map(({ amount }) => amount)).toEqual([40]);
  expect(report.leakage.byClass).toMatchObject([{ key: String(first.id), amount: 40 }]);
  expect(report.byClass.map(({ key, amount, listAmount }) => [key, amount, listAmount])).toEqual([
    ['none', 142, 180],
    [String(first.id), 140, 200],
  ]);
  // Lines of 30%, and of 0, 100, 20 and -20%.
  expect(report.byClass.map(({ lowPct, medianPct, highPct }) => [lowPct, medianPct, highPct])).toEqual([
    [-20, 0, 100],
    [30, 30, 30],
  ]);
  // Cost 90 and 8 of net 140 and 0.
  expect(report.margin).toEqual({ amount: 42, pct: 30, costed: 140 });
  expect(report.uncosted).toMatchObject({ count: 1, lines: 3, amount: 142 });
  expect(report.byRep[0]?.marginPct).toBe(30);

  const own = await server.ok(Report.GetDiscountMargin, YEAR, { as: rep });
  expect(own.waterfall).toEqual(report.waterfall);
  expect([own.margin, own.uncosted]).toEqual([null, null]);
  expect([...own.byRep, ...own.byClass, ...own.outliers.quotes].map(({ marginPct }) => marginPct)).toEqual([
    null,
    null,
    null,
  ]);
  const list = await server.call(Report.GetReportQuotes, { ...YEAR, slice: 'uncosted' }, { as: rep });
  expect(list.status).toBe(403);
  const csv = await server.call(Report.ExportReportQuotes, { ...YEAR, slice: 'uncosted' }, { as: rep });
  expect(csv.status).toBe(403);

  const ofClass = await server.ok(
    Report.GetDiscountMargin,
    { ...YEAR, repId: rep, classId: first.id },
    { as: manager },
  );
  expect(ofClass.byClass).toHaveLength(1);
  expect(ofClass.leakage).toMatchObject({ amount: 40, pct: 22.22 });
});

test('outliers are far above the usual, and few quotes tell nothing', async () => {
  const { id: rep } = await aUser(server.db);
  const discounted = (pct: number) => aQuoteWith(rep, [{ qty: 1, list: 100, system: 100, unit: 100 - pct }]);
  for (const pct of [1, 2, 2, 3, 3, 4, 5]) await discounted(pct);
  const few = await server.ok(Report.GetDiscountMargin, YEAR, { as: rep });
  expect(few.outliers).toMatchObject({ count: 0, abovePct: null, quotes: [] });
  const far = await discounted(40);
  const { outliers } = await server.ok(Report.GetDiscountMargin, YEAR, { as: rep });
  // The middle half is 2 to 4%, so that 7% is still usual.
  expect(outliers).toMatchObject({ count: 1, amount: 60, abovePct: 7 });
  expect(outliers.quotes).toMatchObject([{ quoteId: far, discountPct: 40, marginPct: null }]);
});

test('sums may be larger than any amount that is stored', async () => {
  const { id: rep } = await aUser(server.db);
  const manager = await aUser(server.db, { roles: ['systemadmin'] });
  const line = { qty: 9_000, list: 10_000_000, system: 9_900_000, unit: 9_000_000, cost: 4_500_000 };
  for (let at = 0; at < 3; at += 1) await aQuoteWith(rep, [line]);
  const report = await server.ok(Report.GetDiscountMargin, { ...YEAR, repId: rep }, { as: manager });
  expect(report.margin).toEqual({ amount: 121_500_000_000, pct: 50, costed: 243_000_000_000 });
  expect(report.byRep[0]).toMatchObject({ amount: 243_000_000_000, discountPct: 10 });
  for (const call of [Report.GetPipeline, Report.GetWonLost, Report.GetTerritorySales] as const) {
    expect((await server.call(call, { ...YEAR, repId: rep }, { as: manager })).status).toBe(200);
  }
});

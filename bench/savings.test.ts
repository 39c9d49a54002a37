// Measures the comparison of a savings analysis: what each change of 20,000 rows takes. Its figures are in RESULTS.md.
// npm run bench -- savings [rows]
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { priceRows } from '#addons/savings/comparison/price-analysis-rows.server.ts';
import { Savings } from '#addons/savings/savings.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { aContract, aTier } from '#testing/factories/contracts.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';

const ROWS = Number(process.env['ROWS'] ?? '300');

const { server, office } = await startOffice();
const { db } = server;
afterAll(() => server.close());

let id: number;
beforeAll(async () => {
  await sql`insert into item (item_number, description, base_unit, cost, floor_price)
    select 'B-' || n, 'Bench item ' || n, 'EA', 1 + n % 7, 1 from generate_series(1, ${ROWS}::int) n`.execute(db);
  await sql`insert into item_unit (item_id, unit, factor) select id, 'BX', 10 from item where item_number like 'B-%'`.execute(
    db,
  );
  await sql`insert into item_price (item_id, unit, price) select id, 'BX', 100 from item where item_number like 'B-%'`.execute(
    db,
  );
  // Three contracts of three tiers, each with a third of the items; one of them names the facility.
  for (const part of [0, 1, 2]) {
    const contract = await aContract(db, { facilityIds: [office.facility.id] });
    const tiers = [contract.tierId];
    for (const no of [2, 3]) tiers.push((await aTier(db, { contractId: contract.id, no, needsLoc: no === 3 })).id);
    await sql`insert into contract_line (contract_id, item_id, unit) select ${contract.id}, id, 'BX' from item
      where item_number like 'B-%' and id % 3 = ${part}`.execute(db);
    for (const [at, tierId] of tiers.entries())
      await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
        select id, ${tierId}, ${80 - at * 5}, '2020-01-01' from contract_line where contract_id = ${contract.id}`.execute(
        db,
      );
  }
  ({ id } = await aSavingsAnalysis(db, {
    facility_id: office.facility.id,
    owner_id: office.rep.id,
    sales_rep_id: office.rep.id,
    price_date: '2026-11-21',
  }));
  await sql`insert into savings_row (analysis_id, row_no, item_no, distributor, catalog_no, maker, maker_no,
      description, unit, pack, qty_year, price, gtin, ndc, hcpcs, their_number, read_doubts, matched, confidence,
      item_id, our_unit, our_eaches, their_eaches)
    select ${id}, row_number() over (), item_number, '', '', 'Maker ' || id % 40, '', description, 'BX',
      '', 120, 90, '', '', '', item_number, '{}', true, 'certain', id, 'BX', 10, 10
      from item where item_number like 'B-%'`.execute(db);
  await sql`analyze`.execute(db);
}, 300_000);

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`${name}: ${Math.round(performance.now() - begun)} ms for ${ROWS.toLocaleString('en-US')} rows`);
  return result;
}

const by = { as: office.rep };
const DAY = { currn_idx: 1007, price_date: '2026-11-21' };

it('prices rows, with each tier of their contracts', async () => {
  const rows = await db.selectFrom('savings_row').selectAll().where('analysis_id', '=', id).execute();
  const priced = await timed('Price', () => priceRows(db, { ...DAY, facility_id: office.facility.id }, rows));
  expect(priced[0]).toMatchObject({ our_price: 80, price_source: 'Contract', tiers: [{}, {}, {}] });
  const figures = rows.map((row, at) => ({ id: row.id, ...priced[at] }));
  await sql`update savings_row r set our_price = p.our_price, price_source = p.price_source, cost = p.cost,
      their_each = p.their_each, our_each = p.our_each, their_year = p.their_year, our_year = p.our_year,
      cost_year = p.cost_year, tiers = p.tiers
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as p(id int, our_price numeric, price_source text,
      cost numeric, their_each numeric, our_each numeric, their_year numeric, our_year numeric, cost_year numeric,
      tiers jsonb) where p.id = r.id`.execute(db);
  await sql`analyze savings_row`.execute(db);
}, 300_000);

it('adds up after a lever, a typed price and a tier', async () => {
  const [row] = (await server.ok(Savings.SearchAnalysisRows, { id, pageSize: 1 }, by)).records;
  const least = await timed('Minimum saving', () => server.ok(Savings.SetRows, { id, minimumSavingPct: 5 }, by));
  expect(least.analysis.totals.rows).toBe(ROWS);
  const typed = { id: row?.id ?? 0, version: row?.version ?? 0, typedPrice: 70, priceReason: 'Match' };
  const first = await timed('Typed price', () => server.ok(Savings.SetRows, { id, rows: [typed] }, by));
  expect(first.rows[0]?.approvals.length).toBeGreaterThan(0);
  const tiers = await timed('Next tiers', () => server.ok(Savings.GetTierSavings, { id }, by));
  expect(tiers.map((contract) => contract.tiers.length)).toEqual([2, 2, 2]);
  await timed('Page of rows', () => server.ok(Savings.SearchAnalysisRows, { id, pageSize: 100 }, by));
}, 300_000);

it('splits a row', async () => {
  const [row] = (await server.ok(Savings.SearchAnalysisRows, { id, pageSize: 1 }, by)).records;
  const request = { id, row: { id: row?.id ?? 0, version: row?.version ?? 0 }, qtyPerYear: 20 };
  const { rows } = await timed('Split', () => server.ok(Savings.SplitRow, request, by));
  const [, part] = rows;
  expect(part?.qtyPerYear).toBe(20);
  await timed('Join', () =>
    server.ok(Savings.JoinRow, { id, row: { id: part?.id ?? 0, version: part?.version ?? 0 } }, by),
  );
}, 300_000);

it('prices again', async () => {
  const { version } = await server.ok(Savings.GetAnalysis, { id }, by);
  await sql`update contract_line_price set price = price + 1`.execute(db);
  await timed('Price again', () => server.ok(Savings.RepriceAnalysis, { id, version }, by));
  const { changed } = await timed('What changed', () => server.ok(Savings.GetPriceChanges, { id }, by));
  expect(changed).toBe(ROWS);
}, 300_000);

it('previews approvals', async () => {
  const { quotes } = await timed('Approvals', () => server.ok(Savings.PreviewQuotes, { id, quantities: 'year' }, by));
  expect(quotes.reduce((lines, quote) => lines + quote.lines, 0)).toBe(ROWS);
}, 300_000);

// Measures the comparison of a savings analysis: what each change of 20,000 rows takes. Its figures are in RESULTS.md.
// npm run bench -- savings [rows]
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { priceRows } from '#features/quoting/savings/comparison/price-rows.server.ts';
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
    await sql`insert into contract_line (contract_id, item_id, unit) select ${contract.id}, id, 'BX' from item where item_number like 'B-%' and id % 3 = ${part}`.execute(
      db,
    );
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
  await sql`insert into savings_row (analysis_id, row_no, item_no, distributor, catalog_no, maker, maker_no, description, unit, pack, qty_year, price, gtin, ndc, hcpcs, their_number,
      read_doubts, matched, confidence, item_id, our_unit, our_eaches, their_eaches)
    select ${id}, row_number() over (), item_number, '', '', 'Maker ' || id % 40, '', description, 'BX', '', 120, 90, '', '', '', item_number, '{}', true, 'certain', id, 'BX', 10, 10
      from item where item_number like 'B-%'`.execute(db);
  await sql`analyze`.execute(db);
}, 300_000);

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const found = await work();
  console.log(`${name}: ${Math.round(performance.now() - begun)} ms for ${ROWS.toLocaleString('en-US')} rows`);
  return found;
}

it('prices rows', async () => {
  const rows = await db.selectFrom('savings_row').selectAll().where('analysis_id', '=', id).execute();
  const day = { facility_id: office.facility.id, currn_idx: 1007, price_date: '2026-11-21' };
  for (let n = 0; n < 3; n++) {
    const priced = await timed('price', () => priceRows(db, day, rows));
    expect(priced[0]).toMatchObject({ our_price: 80, price_source: 'Contract' });
  }
}, 300_000);

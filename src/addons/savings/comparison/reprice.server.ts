// Prices the rows of an analysis again at today's prices, keeps the earlier figures, and reports what changed.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { recordEvent } from '../analysis-history.server.ts';
import { requireAnalysis } from '../analysis-sight.server.ts';
import { settleState } from '../analysis-state.server.ts';
import { getAnalysis, withDifference } from '../analysis-view.server.ts';
import { openAnalysis } from '../decide-rows.server.ts';
import { versionConflict } from '../reading/take-usage.server.ts';
import type { Analysis, PriceChanges, Savings } from '../savings.contract.ts';
import { priceRows } from './price-analysis-rows.server.ts';

const MAX_SHOWN = 200;
const AT_ONCE = 2_500;

/** Throws 409 while the file is read, and over another change since the caller read the analysis. */
export async function repriceAnalysis(
  context: ReadContext,
  { id, version }: ParsedInputOf<typeof Savings.RepriceAnalysis>,
): Promise<Analysis> {
  const { db, user, services } = context;
  const analysis = await openAnalysis(db, user, id);
  if (analysis.version !== version) throw versionConflict();
  const day = today(services, await loadCompany(db));
  const { totals } = await getAnalysis({ db, user }, id);
  const rows = await db
    .selectFrom('savings_row')
    .select(['id', 'item_id', 'our_unit', 'their_eaches', 'qty_year', 'price', 'price_each', 'typed_price'])
    .where('analysis_id', '=', id)
    .execute();
  const pricing = await db
    .insertInto('savings_pricing')
    .values({
      analysis_id: id,
      price_date: analysis.price_date,
      rows: totals.rows,
      theirs: totals.theirs,
      ours: totals.ours,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // In batches, because a statement for a screen may take only seconds.
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const part = rows.slice(from, from + AT_ONCE);
    const priced = await priceRows(db, { ...analysis, price_date: day }, part);
    await writePrices(
      db,
      pricing.id,
      part.map((row, at) => ({ id: row.id, ...priced[at] })),
    );
  }
  if (day === analysis.price_date && !(await hasChanged(db, pricing.id))) {
    // If nothing changed on the same day, the earlier changes stay visible.
    await db.deleteFrom('savings_pricing').where('id', '=', pricing.id).execute();
  }
  await db.updateTable('savings_analysis').set({ price_date: day }).where('id', '=', id).execute();
  await settleState(db, id);
  const after = await getAnalysis({ db, user }, id);
  const sum = (ours: number) => formatAmount(ours, analysis.currn_idx);
  const changes = [
    { field: 'Prices as of', before: formatDate(analysis.price_date), after: formatDate(day) },
    { field: 'Annual spend with us', before: sum(totals.ours), after: sum(after.totals.ours) },
  ];
  await recordEvent(
    db,
    user,
    analysis,
    'Price again',
    changes.filter((change) => change.before !== change.after),
  );
  return after;
}

async function hasChanged(db: Db, pricingId: number): Promise<boolean> {
  const first = db.selectFrom('savings_row_before').select('row_id').where('pricing_id', '=', pricingId).limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

/** Writes the prices that differ, and keeps the earlier ones. */
async function writePrices(db: Db, pricingId: number, prices: readonly object[]): Promise<void> {
  await sql`
    with p as (
      select * from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as p(id int, our_eaches numeric,
        our_price numeric, price_source text, price_problem text, cost numeric, their_each numeric,
        our_each numeric, their_year numeric, our_year numeric, cost_year numeric, tiers jsonb)),
    before as (
      insert into savings_row_before (pricing_id, row_id, item_id, our_unit, our_price, price_source)
      select ${pricingId}, r.id, r.item_id, r.our_unit, r.our_price, r.price_source from savings_row r join p on p.id = r.id
       where (r.our_price, r.price_source) is distinct from (p.our_price, p.price_source))
    update savings_row r set our_eaches = p.our_eaches, our_price = p.our_price, price_source = p.price_source,
        price_problem = p.price_problem, cost = p.cost, their_each = p.their_each, our_each = p.our_each,
        their_year = p.their_year, our_year = p.our_year, cost_year = p.cost_year, tiers = p.tiers, version = r.version + 1
      from p where p.id = r.id
       and (r.our_eaches, r.our_price, r.price_source, r.price_problem, r.cost, r.their_each, r.our_each,
         r.their_year, r.our_year, r.cost_year, r.tiers)
           is distinct from
           (p.our_eaches, p.our_price, p.price_source, p.price_problem, p.cost, p.their_each, p.our_each,
           p.their_year, p.our_year, p.cost_year, p.tiers)`.execute(db);
}

/** Throws 404 if the user does not see the analysis. A row that now means another item or unit has no earlier price. */
export async function getPriceChanges(
  { db, user }: { db: Db; user: Caller },
  id: number,
): Promise<OutputOf<typeof Savings.GetPriceChanges>> {
  await requireAnalysis(db, user, id);
  const earlier = await db
    .selectFrom('savings_pricing')
    .select(['id', 'price_date as priceDate', 'rows', 'theirs', 'ours'])
    .where('analysis_id', '=', id)
    .orderBy('id', 'desc')
    .execute();
  const { rows } = await sql<Omit<PriceChanges, 'earlier'>>`
    with moved as (
      select r.*, b.our_price as price_before, b.price_source as source_before,
             round((r.our_price - b.our_price) * units.year, 2) as year_change,
             coalesce(r.typed_price is null and r.our_year > r.their_year and b.our_price * units.year <= r.their_year, false) as turned
        from savings_row_before b join savings_row r on r.id = b.row_id and r.item_id = b.item_id and r.our_unit = b.our_unit,
             lateral (select r.qty_year * r.their_eaches / nullif(r.our_eaches, 0) as year) units
       where b.pricing_id = ${earlier[0]?.id ?? 0} and r.taken),
    shown as (
      select m.id as "rowId", m.row_no as "rowNo", i.item_number as "itemNumber", i.description,
             m.our_unit as unit, m.price_before as "priceBefore", m.our_price as "priceNow",
             m.source_before as "sourceBefore", m.price_source as "sourceNow", m.year_change as "yearChange",
             m.turned as "turnedDearer", m.typed_price is not null as typed
        from moved m join item i on i.id = m.item_id order by m.turned desc, abs(m.year_change) desc nulls last,
          m.row_no, m.part limit ${MAX_SHOWN})
    select (select count(*)::int from moved) as changed, (select count(*)::int from moved where turned) as "turnedDearer",
           (select coalesce(sum(year_change) filter (where typed_price is null), 0) from moved) as "yearChange",
           (select coalesce(json_agg(shown), '[]') from shown) as rows`.execute(db);
  const [result] = rows;
  if (!result) throw new Error('a query without a table answers one row');
  return {
    ...result,
    earlier: earlier.map((entry) => ({ ...withDifference(entry), id: entry.id, priceDate: entry.priceDate })),
  };
}

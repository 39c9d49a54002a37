// Splits a customer's row that contains several items, and merges its parts again. The quantities of all parts add up to that of the row.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { compare, type Decimal } from '#platform/shared/money.ts';
import { recordEvent } from './analysis-history.server.ts';
import { rowsById } from './analysis-rows.server.ts';
import type { AnalysisRecord } from './analysis-sight.server.ts';
import { settleState } from './analysis-state.server.ts';
import { getAnalysis } from './analysis-view.server.ts';
import { YEAR_PLACES } from './comparison/compare-per-each.server.ts';
import { priceRows } from './comparison/price-analysis-rows.server.ts';
import { lockRows, openAnalysis } from './decide-rows.server.ts';
import type { Savings } from './savings.contract.ts';

type SplitResult = OutputOf<typeof Savings.SplitRow>;

const MAX_PARTS = 20;
const TO_DECIDE = 'This is part of a split row. Choose its item.';

/** Throws 409 if another user changed the row, and 422 for a quantity that leaves nothing, and for a row without a quantity. */
export async function splitRow(
  context: ReadContext,
  { id, row: read, qtyPerYear }: ParsedInputOf<typeof Savings.SplitRow>,
): Promise<SplitResult> {
  const { db, user } = context;
  const analysis = await openAnalysis(db, user, id);
  const [row] = await lockRows(db, id, [read]);
  if (!row) throw new Error('lockRows returned no row');
  if (row.qty_year === null)
    throw invalid([{ path: 'row', message: 'The row has no quantity, so it cannot be split.' }]);
  const remainingQty = yearQuantity(row.qty_year - qtyPerYear);
  if (compare(remainingQty, 0) <= 0)
    throw invalid([
      { path: 'qtyPerYear', message: `Enter less than ${shownQuantity(row.qty_year)}. The rest stays in the row.` },
    ]);
  const parts = await rowParts(db, row);
  if (parts.length >= MAX_PARTS)
    throw invalid([{ path: 'row', message: `A row can have at most ${MAX_PARTS} parts.` }]);
  // The customer's item number stays with the first part, so that a decision for all rows with that number does not change the new part.
  const { rows: created } = await sql<{ id: number }>`
    insert into savings_row (analysis_id, row_no, part, item_no, distributor, catalog_no, maker, maker_no,
        description, unit, eaches, pack, sizes_differ, qty_year, price, price_each, gtin, ndc, hcpcs, their_number,
        read_doubts, doubts, matched, candidates, confidence, item_id, our_unit, our_eaches, their_eaches, score, reasons)
    select analysis_id, row_no, ${Math.max(...parts.map(({ part }) => part)) + 1}, item_no, distributor,
        catalog_no, maker, maker_no, description, unit, eaches, pack, sizes_differ, ${qtyPerYear}, price,
        price_each, gtin, ndc, hcpcs, '', read_doubts, array_append(read_doubts, ${TO_DECIDE}), true, candidates,
        confidence, item_id, our_unit, our_eaches, their_eaches, score, reasons
      from savings_row where id = ${row.id} returning id`.execute(db);
  await setQuantity(db, row.id, remainingQty);
  const ids = [row.id, ...created.map((entry) => entry.id)];
  await priceAgain(db, analysis, ids);
  await recordEvent(db, user, analysis, 'Split row', [quantities(row.row_no, parts, await rowParts(db, row))]);
  await settleState(db, id);
  return { rows: await rowsById(context, id, ids), analysis: await getAnalysis({ db, user }, id) };
}

/** Throws 409 for the first part, which cannot be joined to another one, and if another user changed the row. */
export async function joinRow(
  context: ReadContext,
  { id, row: read }: ParsedInputOf<typeof Savings.JoinRow>,
): Promise<SplitResult> {
  const { db, user } = context;
  const analysis = await openAnalysis(db, user, id);
  const [row] = await lockRows(db, id, [read]);
  if (!row) throw new Error('lockRows returned no row');
  const parts = await rowParts(db, row);
  const [first] = parts;
  if (row.part === 0 || !first)
    throw new HttpError(409, 'This is the first part of the row. Rejoin one of its other parts instead.');
  await db.deleteFrom('savings_row').where('id', '=', row.id).execute();
  await setQuantity(db, first.id, yearQuantity((first.qty_year ?? 0) + (row.qty_year ?? 0)));
  await priceAgain(db, analysis, [first.id]);
  await recordEvent(db, user, analysis, 'Join row', [quantities(row.row_no, parts, await rowParts(db, row))]);
  await settleState(db, id);
  return { rows: await rowsById(context, id, [first.id]), analysis: await getAnalysis({ db, user }, id) };
}

/** All parts of the row, the first part first. */
function rowParts(db: Db, row: { analysis_id: number; row_no: number }) {
  return db
    .selectFrom('savings_row')
    .select(['id', 'part', 'qty_year'])
    .where('analysis_id', '=', row.analysis_id)
    .where('row_no', '=', row.row_no)
    .orderBy('part')
    .execute();
}

type Part = { qty_year: number | null };

/** A quantity per year is stored with ten decimals and shown with four. */
const yearQuantity = (qty: number): number => Number(qty.toFixed(YEAR_PLACES));
const shownQuantity = (qty: number | null): number | null => (qty === null ? null : Number(qty.toFixed(4)));

const quantities = (rowNo: number, before: readonly Part[], after: readonly Part[]): FieldChange => ({
  field: `Row ${rowNo}, quantity per year`,
  before: before.map((part) => shownQuantity(part.qty_year)).join(' and '),
  after: after.map((part) => shownQuantity(part.qty_year)).join(' and '),
});

const setQuantity = (db: Db, id: number, qty: Decimal) =>
  db
    .updateTable('savings_row')
    .set({ qty_year: qty, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute();

/** Prices the parts again: another quantity may have another price, and always has another amount per year. */
async function priceAgain(db: Db, analysis: AnalysisRecord, ids: readonly number[]): Promise<void> {
  const rows = await db.selectFrom('savings_row').selectAll().where('id', 'in', ids).execute();
  const priced = await priceRows(db, analysis, rows);
  for (const [index, row] of rows.entries()) {
    const { tiers, ...figures } = priced[index] ?? {};
    await db
      .updateTable('savings_row')
      .set({ ...figures, tiers: JSON.stringify(tiers ?? []) })
      .where('id', '=', row.id)
      .execute();
  }
}

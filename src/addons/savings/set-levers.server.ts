// Sets the levers of an analysis: leaves rows out, stores typed prices, and sets the minimum saving.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { rowChanges, recordEvent } from './analysis-history.server.ts';
import { rowsById } from './analysis-rows.server.ts';
import { requireAnalysis } from './analysis-sight.server.ts';
import { settleState } from './analysis-state.server.ts';
import { getAnalysis } from './analysis-view.server.ts';
import { compareRow } from './comparison/compare-per-each.server.ts';
import { lockRows, openAnalysis } from './decide-rows.server.ts';
import { versionConflict, fileOf } from './reading/take-usage.server.ts';
import type { Savings } from './savings.contract.ts';

type By = { db: Db; user: Caller; services: Services };

/** Changes all rows or none. Throws 409 if another user changed a row, and 422 for a typed price without an item or a reason. */
export async function setRows(
  context: By,
  input: ParsedInputOf<typeof Savings.SetRows>,
): Promise<OutputOf<typeof Savings.SetRows>> {
  const { db, user } = context;
  const analysis = await openAnalysis(db, user, input.id);
  const { id } = analysis;
  const rows = input.rows.length === 0 ? [] : await lockRows(db, id, input.rows);
  const inputById = new Map(input.rows.map((row) => [row.id, row]));
  const changed = rows.map((row) => {
    const {
      included = row.included,
      typedPrice = row.typed_price,
      priceReason = row.price_reason,
    } = inputById.get(row.id) ?? {};
    const isTyped = typedPrice !== null;
    const at = input.rows.findIndex((candidate) => candidate.id === row.id);
    if (isTyped && (row.item_id === null || row.our_unit === ''))
      throw invalid([{ path: `rows.${at}.typedPrice`, message: 'Choose an item for this row first.' }]);
    if (isTyped && priceReason === '')
      throw invalid([{ path: `rows.${at}.priceReason`, message: 'Enter a reason for the typed price.' }]);
    const ours = { price: typedPrice ?? row.our_price, cost: row.cost, our_eaches: row.our_eaches };
    return {
      id: row.id,
      included,
      typed_price: typedPrice,
      price_reason: isTyped ? priceReason : '',
      ...compareRow(row, ours),
    };
  });
  if (changed.length > 0) {
    await sql`
      update savings_row r set included = c.included, typed_price = c.typed_price, price_reason = c.price_reason, their_each = c.their_each,
          our_each = c.our_each, their_year = c.their_year, our_year = c.our_year, cost_year = c.cost_year, version = r.version + 1
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(id int, included boolean,
          typed_price numeric, price_reason text, their_each numeric, our_each numeric, their_year numeric,
          our_year numeric, cost_year numeric)
       where r.id = c.id`.execute(db);
  }
  const changes = rows.length === 0 ? [] : await rowChanges(db, rows, analysis.currn_idx);
  if (input.dearer) {
    const { numAffectedRows = 0n } =
      await sql`update savings_row set included = ${input.dearer === 'take-in'}, version = version + 1
       where analysis_id = ${id} and our_year > their_year and included = ${input.dearer === 'leave-out'}`.execute(db);
    const [before, after] = input.dearer === 'leave-out' ? ['included', 'left out'] : ['left out', 'included'];
    if (numAffectedRows > 0n)
      changes.push({ field: `${countOf(Number(numAffectedRows), 'row')} where we cost more`, before, after });
  }
  if (input.minimumSavingPct !== undefined) {
    await db
      .updateTable('savings_analysis')
      .set({ minimum_saving_pct: input.minimumSavingPct })
      .where('id', '=', id)
      .execute();
    const { minimum_saving_pct: before } = analysis;
    if (before !== input.minimumSavingPct)
      changes.push({
        field: 'Minimum savings',
        before: percentOrNone(before),
        after: percentOrNone(input.minimumSavingPct),
      });
  }
  await recordEvent(db, user, analysis, 'Edit', changes);
  await settleState(db, id);
  return { rows: await rowsById(context, id, [...inputById.keys()]), analysis: await getAnalysis({ db, user }, id) };
}

const percentOrNone = (percent: number | null): string => (percent === null ? 'none' : `${percent}%`);

/** Deletes the analysis with its rows, and its file after the transaction. Cross-references learned from it stay. Throws 409 over a later change. */
export async function deleteAnalysis(
  { db, user, services }: By,
  { id, version }: ParsedInputOf<typeof Savings.DeleteAnalysis>,
): Promise<{ deleted: true }> {
  const analysis = await requireAnalysis(db, user, id, { lock: true });
  if (analysis.version !== version) throw versionConflict();
  const stored = await fileOf(db, id);
  await db.deleteFrom('savings_analysis').where('id', '=', id).execute();
  await recordEvent(db, user, analysis, 'Remove', []);
  if (stored) {
    await db.deleteFrom('file').where('id', '=', stored.file_id).execute();
    // If this process dies first, the job that clears orphaned files removes the bytes.
    afterCommit(db, () => void services.files.remove(stored.storage_key).catch(() => {}));
  }
  return { deleted: true };
}

// Reads a usage file, matches its rows and prices them, in the background. After a kill it continues where it stopped.
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { openTable, spool } from '#platform/data-import/reading/read-table.server.ts';
import { UnusableFile } from '#platform/data-import/reading/table-file.server.ts';
import { type StoredHeader, storedTable } from '#platform/data-import/running/upload-table.server.ts';
import { GivenUp, type JobKind } from '#platform/jobs/jobs.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { Id } from '#platform/shared/wire.ts';
import type { AnalysisRecord } from './analysis-sight.server.ts';
import { settleState } from './analysis-state.server.ts';
import { isUnlikely } from './comparison/compare-per-each.server.ts';
import { priceRows } from './comparison/price-analysis-rows.server.ts';
import type { ItemIndex } from './matching/item-index.server.ts';
import { indexCatalog, knownNumbers, matchRows } from './matching/match-rows.server.ts';
import { isRowOf, type UsageOptions } from './reading/facilities-of-file.server.ts';
import { type UsageRow, usageReader } from './reading/usage-row.server.ts';
import { MAX_USAGE_ROWS } from './savings.contract.ts';

/** After this many tries, a stopping server is no longer the likely cause. */
const MAX_ATTEMPTS = 8;
const READ_AT_ONCE = 1000;
const MATCHED_AT_ONCE = 250;
/** A price or a quantity is doubted if it differs from the others of its item by this factor. */
const OFF = sql.lit(9.5);

export const READING = 'Reading';
export const MATCHING = 'Matching';

const LOST = 'The file is missing from storage. Upload it again.';
const STOPPED = 'The server stopped several times while reading the file. Upload it again later.';
const TOO_MANY = `The file has more than ${MAX_USAGE_ROWS.toLocaleString('en-US')} rows. Split it, or remove items that are no longer bought.`;
const EMPTY = 'The file has no rows below its headings.';

export const analysisJob = {
  name: 'savings-analysis',
  payload: z.object({ analysisId: Id }),
  retryLimit: MAX_ATTEMPTS + 1,
  expireInSeconds: 3600,
  run: (services: Services, { analysisId }: { analysisId: number }) => analyze(services, analysisId),
} satisfies JobKind<z.ZodType, Services>;

/** Thrown if the analysis no longer exists, or if a user changed how to read it in the meantime. Another job then handles it. */
class Overtaken extends Error {}

async function analyze(services: Services, id: number): Promise<void> {
  const { db } = services.database;
  const begun = await db
    .updateTable('savings_analysis')
    .set({ tries: sql<number>`tries + 1` })
    .where('id', '=', id)
    .where('state', '=', 'reading')
    .returningAll()
    .executeTakeFirst();
  if (!begun) return;
  const fail = (problem: string) =>
    db
      .updateTable('savings_analysis')
      .set({ state: 'failed', problem, step: '', version: sql<number>`version + 1` })
      .where('id', '=', id)
      .where('version', '=', begun.version)
      .where('state', '=', 'reading')
      .execute();
  if (begun.tries > MAX_ATTEMPTS) return void (await fail(STOPPED));
  try {
    if (begun.step !== MATCHING) await readUsageFile(services, begun);
    await matchAll(services, begun);
    await inTransaction(db, async (trx) => {
      await hold(trx, begun);
      await doubtByOthers(trx, id);
      await trx.updateTable('savings_analysis').set({ step: '' }).where('id', '=', id).execute();
      await settleState(trx, id);
    });
  } catch (error) {
    if (error instanceof Overtaken) return;
    if (error instanceof FileMissingError) return void (await fail(LOST));
    if (error instanceof UnusableFile) return void (await fail(error.message));
    // The store or the database may be back soon, or the server is stopping. The next try continues.
    if (begun.tries < MAX_ATTEMPTS) throw error;
    await fail(error instanceof HttpError ? error.message : STOPPED);
    throw new GivenUp(messageOf(error), { cause: error });
  }
}

/** Locks the analysis for this transaction. */
async function hold(trx: Db, { id, version }: AnalysisRecord): Promise<void> {
  const held = await trx
    .selectFrom('savings_analysis')
    .select('id')
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', 'reading')
    .forUpdate()
    .executeTakeFirst();
  if (!held) throw new Overtaken();
}

function goOn({ jobs }: Services): void {
  if (jobs.isStopping()) throw new Error('The server stops. The next try of this job goes on.');
}

async function readUsageFile(services: Services, begun: AnalysisRecord): Promise<void> {
  const { db } = services.database;
  const file = await db
    .selectFrom('savings_file')
    .innerJoin('file', 'file.id', 'savings_file.file_id')
    .select('file.storage_key')
    .where('savings_file.analysis_id', '=', begun.id)
    .executeTakeFirst();
  if (!file) throw new UnusableFile('The file is no longer stored. Upload it again.');
  const spooled = await spool(await services.files.open(file.storage_key));
  try {
    const table = await openTable(spooled.path);
    try {
      const { sheet, header } = storedTable(table, begun.mapping as StoredHeader);
      const read = usageReader({ header, months: begun.months, isBook: !table.separated, currnIdx: begun.currn_idx });
      const { rows: known } = await sql<{ last: number; count: number }>`
        select coalesce(max(row_no), 0) as last, count(*)::int as count from savings_row where analysis_id = ${begun.id}`.execute(
        db,
      );
      const { last = 0, count: before = 0 } = known[0] ?? {};
      let count = before;
      let rows: UsageRow[] = [];
      const { rowsOf } = begun.options as UsageOptions;
      const isOurs = rowsOf ? isRowOf(rowsOf) : () => true;
      for await (const row of sheet.rows()) {
        if (row.line <= header.line || row.line <= last || !isOurs(row)) continue;
        const usage = read(row);
        if (!usage) continue;
        if (++count > MAX_USAGE_ROWS) throw new UnusableFile(TOO_MANY);
        rows.push(usage);
        if (rows.length < READ_AT_ONCE) continue;
        goOn(services);
        await storeMatches(services, begun, rows, count);
        rows = [];
      }
      if (count === 0) throw new UnusableFile(EMPTY);
      await storeMatches(services, begun, rows, count, MATCHING);
    } finally {
      await table.close();
    }
  } finally {
    await spooled.remove();
  }
}

async function storeMatches(
  services: Services,
  begun: AnalysisRecord,
  rows: UsageRow[],
  count: number,
  step = READING,
): Promise<void> {
  await inTransaction(services.database.db, async (trx) => {
    await hold(trx, begun);
    await sql`
      insert into savings_row (analysis_id, row_no, item_no, distributor, catalog_no, maker, maker_no, description,
        unit, eaches, pack, sizes_differ, qty_year, price, price_each, gtin, ndc, hcpcs, their_number, read_doubts)
      select ${begun.id}, row_no, item_no, distributor, catalog_no, maker, maker_no, description, unit, eaches,
        pack, sizes_differ, qty_year, price, price_each, gtin, ndc, hcpcs, their_number,
        array(select jsonb_array_elements_text(read_doubts))
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(row_no int, item_no text, distributor text,
          catalog_no text, maker text, maker_no text, description text, unit text, eaches numeric, pack text,
          sizes_differ boolean, qty_year numeric, price numeric, price_each numeric, gtin text, ndc text,
          hcpcs text, their_number text, read_doubts jsonb)
      on conflict (analysis_id, row_no, part) do nothing`.execute(trx);
    const isRead = step === MATCHING;
    await trx
      .updateTable('savings_analysis')
      .set(isRead ? { step, done: 0, total: count } : { step, done: count })
      .where('id', '=', begun.id)
      .execute();
  });
}

async function matchAll(services: Services, begun: AnalysisRecord): Promise<void> {
  const { db } = services.database;
  let built: Promise<ItemIndex> | null = null;
  const index = () => (built ??= indexCatalog(db));
  const take = async (after: number) => {
    const rows = await db
      .selectFrom('savings_row')
      .selectAll()
      .where('analysis_id', '=', begun.id)
      .where('matched', '=', false)
      .where('row_no', '>', after)
      .orderBy('row_no')
      .limit(MATCHED_AT_ONCE)
      .execute();
    return { rows, numbers: await knownNumbers(db, begun.facility_id, rows) };
  };
  // The database looks up the numbers of the next rows while this process compares the descriptions of the current ones.
  for (let next = take(-1); ; ) {
    goOn(services);
    const { rows, numbers } = await next;
    const last = rows.at(-1);
    if (!last) return;
    next = take(last.row_no);
    // Its error is thrown when it is awaited. Until then, another error may end the job.
    next.catch(() => {});
    const candidates = await matchRows(db, rows, numbers, index);
    const matched = rows.map((row, at) => {
      const proposed = candidates[at] ?? [];
      const [best] = proposed;
      return {
        id: row.id,
        candidates: proposed,
        confidence: best?.confidence ?? 'none',
        item_id: best?.itemId ?? null,
        our_unit: best?.unit ?? '',
        their_eaches: row.eaches ?? best?.eaches ?? null,
        score: best?.score ?? 0,
        reasons: best?.reasons ?? [],
        doubts: row.read_doubts,
        qty_year: row.qty_year,
        price: row.price,
        price_each: row.price_each,
        typed_price: null,
      };
    });
    const priced = await priceRows(db, begun, matched);
    const whole = matched.map((row, at) => {
      const price = priced[at];
      const doubts = price && isUnlikely(price) ? [...row.doubts, apart(row.our_unit)] : row.doubts;
      return { ...row, ...price, doubts };
    });
    await inTransaction(db, async (trx) => {
      await hold(trx, begun);
      await writeMatches(trx, whole);
      await sql`update savings_analysis set done = done + ${rows.length} where id = ${begun.id}`.execute(trx);
    });
  }
}

const apart = (unit: string): string =>
  `Their price per each and ours are far apart. Their price may be for a different unit than the row says, or our ${unit || 'unit'} may be the wrong unit.`;

/** Writes matches with their prices. */
async function writeMatches(trx: Db, rows: readonly object[]): Promise<void> {
  await sql`
    update savings_row r set matched = true, candidates = m.candidates, confidence = m.confidence,
        item_id = m.item_id, our_unit = m.our_unit, our_eaches = m.our_eaches, their_eaches = m.their_eaches,
        score = m.score, reasons = array(select jsonb_array_elements_text(m.reasons)),
        doubts = array(select jsonb_array_elements_text(m.doubts)), our_price = m.our_price,
        price_source = coalesce(m.price_source, ''), price_problem = coalesce(m.price_problem, ''), cost = m.cost,
        their_each = m.their_each, our_each = m.our_each, their_year = m.their_year, our_year = m.our_year,
        cost_year = m.cost_year, tiers = coalesce(m.tiers, '[]')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id int, candidates jsonb, confidence text,
        item_id int, our_unit text, our_eaches numeric, their_eaches numeric, score numeric, reasons jsonb,
        doubts jsonb, our_price numeric, price_source text, price_problem text, cost numeric, their_each numeric,
        our_each numeric, their_year numeric, our_year numeric, cost_year numeric, tiers jsonb)
     where r.id = m.id and not r.matched`.execute(trx);
}

/**
 * Adds doubts that only the whole file shows: a price 10 times off the others of its item, and a quantity 10 times off their median. The rows of an
 * item are aggregated with their medians instead of joined to them. The statistics do not include the new rows yet, so a planner that expects few
 * rows would join every row with every other.
 */
async function doubtByOthers(trx: Db, id: number): Promise<void> {
  await sql`
    with grouped as (
      select percentile_cont(0.5) within group (order by their_each)::numeric as usual_price,
          percentile_cont(0.5) within group (order by qty_year * their_eaches)::numeric as usual_quantity,
          array_agg(id) as ids, array_agg(their_each) as prices, array_agg(qty_year * their_eaches) as quantities
        from savings_row where analysis_id = ${id} and their_number <> '' group by their_number having count(their_each) >= 3),
    price_doubts as (
      select one.id, array_remove(array[
          case when price not between usual_price / ${OFF} and usual_price * ${OFF} then format(
            'The price per each is %s, but most rows of this item have %s. It may be for a different unit.',
            trim_scale(round(price, 4)), trim_scale(round(usual_price, 4))) end,
          case when quantity not between usual_quantity / ${OFF} and usual_quantity * ${OFF} then format(
            'The annual quantity is %s eaches, but most rows of this item have %s.', trim_scale(round(quantity, 2)),
            trim_scale(round(usual_quantity, 2))) end], null) as doubts
        from grouped, unnest(ids, prices, quantities) as one(id, price, quantity))
    update savings_row r set doubts = r.doubts || price_doubts.doubts from price_doubts
     where price_doubts.id = r.id and price_doubts.doubts <> '{}'`.execute(trx);
}

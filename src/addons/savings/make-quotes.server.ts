// Makes quotes of the included rows: sections by class, quantities of a year, a month or one unit, and the customer's item numbers.
import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { saveQuote } from '#core/quoting/quote-edit/save-quote.server.ts';
import type { ReadContext } from '#core/quoting/quote-edit/view/quote-view.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { add, type Decimal } from '#platform/shared/money.ts';
import { recordEvent } from './analysis-history.server.ts';
import { COUNTS } from './analysis-rows.server.ts';
import { settleState } from './analysis-state.server.ts';
import { yearInOurUnits } from './comparison/compare-per-each.server.ts';
import { monthOf } from './comparison/price-analysis-rows.server.ts';
import { openAnalysis } from './decide-rows.server.ts';
import type { Savings } from './savings.contract.ts';
import type { QuoteQuantities } from './savings-words.ts';

type Output = OutputOf<typeof Savings.MakeQuotes>;

/** The most lines of one quote. The remaining rows become further quotes. */
const MAX_LINES = 1_500;

type Counted = {
  id: number;
  item_no: string;
  catalog_no: string;
  maker_no: string;
  item_id: number;
  our_unit: string;
  our_eaches: Decimal | null;
  their_eaches: Decimal | null;
  qty_year: Decimal | null;
  typed_price: Decimal | null;
  price_reason: string;
  /** Per year; 0 without a comparison. */
  saving: Decimal;
  class: string;
};

/** Throws 422 if no row is included, and for anything that prevents a quote. If the key was used before, returns the quotes made then. */
export async function makeQuotes(
  context: ReadContext,
  { id, quantities, rows, clientKey }: ParsedInputOf<typeof Savings.MakeQuotes>,
): Promise<Output> {
  const { db, user } = context;
  const analysis = await openAnalysis(db, user, id);
  const madeAlready = clientKey ? await madeBefore(context, id, { clientKey, quantities, rows }) : [];
  if (madeAlready.length > 0) return { quotes: madeAlready };
  const parts = await countedParts(db, id, rows);
  const quotes: Output['quotes'] = [];
  for (const part of parts) {
    const { quote } = await saveQuote(context, {
      quote: {
        id: 0,
        facilityId: analysis.facility_id,
        ...(analysis.sales_rep_id === null ? {} : { salesRepId: analysis.sales_rep_id }),
        internalNotes: undefined,
      },
      items: linesToMake(part, quantities),
    });
    await db
      .insertInto('savings_quote')
      .values({
        analysis_id: id,
        quote_id: quote.id,
        client_key: clientKey ?? '',
        row_ids: part.map((row) => row.id),
        quantities,
        promised: add(...part.map((row) => row.saving)),
      })
      .execute();
    quotes.push({ id: quote.id, number: quoteNumber(quote.num, quote.revision), lines: part.length });
  }
  await db.updateTable('savings_analysis').set({ state: 'quoted' }).where('id', '=', id).execute();
  await settleState(db, id);
  const created = quotes.map(({ number, lines }) => ({
    field: 'Quote',
    before: '',
    after: `${number}, ${countOf(lines, 'line')}`,
  }));
  await recordEvent(db, user, analysis, 'Make quote', created);
  return { quotes };
}

/** The included rows, or those of `rows` among them, one list per quote. Throws 422 if there are none. */
export async function countedParts(db: Db, id: number, rows: readonly number[] | undefined): Promise<Counted[][]> {
  const { rows: counted } = await sql<Counted>`
    select r.id, r.item_no, r.catalog_no, r.maker_no, r.item_id, r.our_unit, r.our_eaches, r.their_eaches,
        r.qty_year, r.typed_price, r.price_reason, coalesce(r.their_year - r.our_year, 0) as saving, coalesce(c.name, 'Other') as class
      from savings_row r join savings_analysis a on a.id = r.analysis_id join item i on i.id = r.item_id
      left join item_class c on c.id = i.class_id
     where r.analysis_id = ${id} and ${COUNTS} and r.our_unit <> '' ${rows ? sql`and r.id = any(${[...rows]}::int[])` : sql``}
     order by class, r.row_no, r.part`.execute(db);
  if (counted.length === 0)
    throw invalid([{ path: 'rows', message: 'No rows are included yet. Accept items for some rows first.' }]);
  const parts: Counted[][] = [];
  for (let from = 0; from < counted.length; from += MAX_LINES) parts.push(counted.slice(from, from + MAX_LINES));
  return parts;
}

/** Throws 409 if the key was used for quotes with other quantities, or of rows that are not requested now. */
async function madeBefore(
  { db, user }: ReadContext,
  id: number,
  request: { clientKey: string; quantities: QuoteQuantities; rows: readonly number[] | undefined },
): Promise<Output['quotes']> {
  const { clientKey: key, quantities, rows: ofRows = null } = request;
  const { rows } = await sql<{ id: number; num: number; revision: number; lines: number; isSame: boolean }>`
    select coalesce(s.quantities = ${quantities}::text and s.row_ids <@ ${ofRows}::int[], true) as "isSame",
           quote.id, quote.num, quote.revision, (select count(*)::int from quote_item i
      where i.quote_id = quote.id and i.type = 'item') as lines
      from savings_quote s join quote on quote.id = s.quote_id
     where s.analysis_id = ${id} and s.client_key = ${key} and ${inSight(user)} order by quote.id`.execute(db);
  if (rows.some(({ isSame }) => !isSame)) {
    const numbers = rows.map(({ num }) => num).join(', ');
    throw new HttpError(
      409,
      `This key was already used for quote ${numbers} with other rows or quantities. Send another key.`,
    );
  }
  return rows.map(({ id: quoteId, num, revision, lines }) => ({
    id: quoteId,
    lines,
    number: quoteNumber(num, revision),
  }));
}

/** The lines of a quote: a section for each class, and the customer's item numbers on its lines. */
export function linesToMake(
  rows: readonly Counted[],
  quantities: QuoteQuantities,
): QuoteItemInput[] & { id: number }[] {
  return [...Map.groupBy(rows, (row) => row.class)].flatMap(([name, ofClass]) => [
    { id: 0, type: 'section' as const, description: name },
    ...ofClass.map((row) => ({
      id: 0,
      type: 'item' as const,
      itemId: row.item_id,
      unit: row.our_unit,
      qty: quantityOf(row, quantities),
      customerItemNumber: row.item_no || row.catalog_no || row.maker_no,
      ...(row.typed_price === null ? {} : { unitPrice: row.typed_price, priceReason: row.price_reason }),
    })),
  ]);
}

/** The whole number of our units that covers the quantity. */
function quantityOf(row: Counted, quantities: QuoteQuantities): Decimal {
  const year = yearInOurUnits({ ...row, price: null, price_each: null }, row.our_eaches);
  if (quantities === 'order' || year === null) return 1;
  return quantities === 'month' ? monthOf(year) : Math.max(1, Math.ceil(year - 0.000_05));
}

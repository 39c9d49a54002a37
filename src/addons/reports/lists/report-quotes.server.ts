// Reads the list of quotes behind a figure: a page, the whole sum, and the list as CSV.
import { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { quoteRows, SORT_KEYS, SORT_REPS } from '#core/quoting/quotes/list/quote-list.server.ts';
import { CSV_HEADER, csvCells } from '#core/quoting/quotes/quotes.server.ts';
import { csvLine } from '#platform/shared/csv.ts';
import type { Part } from '../facts/quotes-of-figure.server.ts';
import { type Asked, inReport, selected, type Terms } from '../facts/selection.server.ts';
import type { ReportQuoteRow, ReportQuotes, ReportQuotesInput } from '../reports.contract.ts';
import { partOf } from './slice-part.server.ts';
import { sliceTitle } from './slice-title.server.ts';

const EXPORT_LIMIT = 50_000;
type Order = ReportQuotesInput['sort'];

const TOTAL = sql`quote.total_amount`;

/** The quotes behind a figure, and the amount that each adds to it. The figures of reports are sums over the same rows. */
function quotesOfPart(
  terms: Terms,
  { where, amount = TOTAL, from = sql`report_quote quote` }: Part,
): RawBuilder<unknown> {
  return sql`select quote.id, quote.quote_date, ${amount} as slice_amount from ${from} where ${selected(terms)} and ${where}`;
}

/** The ids of one range, newest first by default and among equal ones. */
async function range(
  db: Db,
  result: RawBuilder<unknown>,
  order: Order,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ id: number; amount: number }[]> {
  const { field, dir } = order ?? { field: 'quoteDate', dir: 'desc' };
  const by =
    field === 'sliceAmount'
      ? sql`found.slice_amount`
      : field === 'quoteDate'
        ? sql`found.quote_date`
        : SORT_KEYS[field];
  const rep = field === 'sliceAmount' ? undefined : SORT_REPS[field];
  // Only the other columns need the wide rows.
  const quote = field === 'sliceAmount' || field === 'quoteDate' ? sql`` : sql`join quote on quote.id = found.id`;
  const places = rep
    ? sql`left join (select id, dense_rank() over (order by lower(full_name)) as place from app_user) rep on rep.id = ${rep}`
    : sql``;
  const { rows } = await sql<{ id: number; amount: number }>`
    select found.id, found.slice_amount as amount from (${result}) found ${quote} ${places}
    order by ${by} ${direction(dir)} nulls last, found.quote_date ${direction(field === 'quoteDate' ? dir : 'desc')}, found.id desc
    offset ${offset} limit ${limit}`.execute(db);
  return rows;
}

async function rowsOfQuotes(db: Db, terms: Terms, ids: { id: number; amount: number }[]): Promise<ReportQuoteRow[]> {
  const rows = await quoteRows(
    db,
    ids.map(({ id }) => id),
    terms.today,
  );
  const amounts = new Map(ids.map(({ id, amount }) => [id, amount]));
  return rows.map((row) => ({ ...row, sliceAmount: amounts.get(row.id) ?? 0 }));
}

/**
 * A page of the quotes behind a figure, with the figure itself. Throws 422 for an unknown slice, and 403 for one whose figure the reader may not
 * know.
 */
export function getReportQuotes(request: Asked, input: ReportQuotesInput): Promise<ReportQuotes> {
  const { slice: text, page, pageSize, sort, ...filters } = input;
  return inReport(request, filters, async ({ db }, terms, head) => {
    const { slice, part } = partOf(text, terms);
    const result = quotesOfPart(terms, part);
    const { rows } = await sql<{ count: number; amount: number }>`
      select count(*)::int as count, coalesce(sum(slice_amount), 0) as amount from (${result}) found`.execute(db);
    const { count = 0, amount = 0 } = rows[0] ?? {};
    const ids = await range(db, result, sort, { offset: (page - 1) * pageSize, limit: pageSize });
    return {
      ...head,
      records: await rowsOfQuotes(db, terms, ids),
      pageCount: Math.ceil(count / pageSize),
      total: count,
      count,
      amount,
      title: await sliceTitle(db, slice, { isEmpty: count === 0 }),
      amountTitle: part.amountTitle ?? 'Total',
    };
  });
}

/** The same list as CSV, at most 50,000 rows. */
export async function exportReportQuotes(
  request: Asked,
  input: Omit<ReportQuotesInput, 'page' | 'pageSize'>,
): Promise<FileAnswer> {
  const { slice: text, sort, ...filters } = input;
  return inReport(request, filters, async ({ db }, terms) => {
    const { part } = partOf(text, terms);
    const ids = await range(db, quotesOfPart(terms, part), sort, { offset: 0, limit: EXPORT_LIMIT });
    const rows = await rowsOfQuotes(db, terms, ids);
    return { name: `quotes-${terms.today}.csv`, bytes: Readable.from(csvOf(rows, part.amountTitle ?? null)) };
  });
}

/**
 * Generates the CSV in batches, so that a long export does not delay other requests. A separate column shows what each quote adds, if that is not its
 * total.
 */
function* csvOf(rows: ReportQuoteRow[], amountTitle: string | null): Generator<string> {
  yield `\uFEFF${csvLine([...CSV_HEADER, ...(amountTitle === null ? [] : [amountTitle])])}`;
  for (let start = 0; start < rows.length; start += 500) {
    yield rows
      .slice(start, start + 500)
      .map((row) => csvLine([...csvCells(row), ...(amountTitle === null ? [] : [row.sliceAmount.toFixed(2)])]))
      .join('');
  }
}

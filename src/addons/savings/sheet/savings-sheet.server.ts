// Writes the savings sheet: what the customer pays and would pay, as PDF and as a workbook. Only the internal one contains cost and margin.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { FileAnswer } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf, type Decimal, formatAmount, formatPrice } from '#platform/shared/money.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { formatPercent } from '#platform/shared/percent.ts';
import { COUNTS, SAVED_PCT } from '../analysis-rows.server.ts';
import { requireAnalysis } from '../analysis-sight.server.ts';
import { getAnalysis } from '../analysis-view.server.ts';
import type { Analysis, Savings } from '../savings.contract.ts';
import { freightText } from '../savings-labels.ts';
import type { SheetContent, SheetPdf } from './sheet-process.server.ts';
import { type Cell, type SheetColumn, writeXlsx } from './write-xlsx.server.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The most rows in the PDF. The workbook contains all rows. */
const MAX_ON_PAPER = 1000;

const pool = new ProcessPool<SheetContent, SheetPdf>(new URL('./sheet-process.server.ts', import.meta.url), {
  size: 1,
  timeout: 60_000,
  says: 'The PDF could not be made. Try again in a moment.',
});

type SheetRow = {
  theirNumber: string;
  maker: string;
  makerNo: string;
  description: string;
  theirUnit: string;
  theirEaches: Decimal;
  qty: Decimal;
  theirPrice: Decimal;
  theirEach: Decimal;
  number: string;
  ours: string;
  unit: string;
  eaches: Decimal;
  price: Decimal;
  ourEach: Decimal;
  theirYear: Decimal;
  ourYear: Decimal;
  saved: Decimal;
  savedPct: Decimal | null;
  source: string;
  cost: Decimal | null;
  marginPct: Decimal | null;
};

/** Throws 403 for the internal sheet if the user may not see costs, and 409 if no row is included yet. */
export async function getSavingsSheet(
  { db, user }: { db: Db; user: Caller },
  { id, format, audience }: ParsedInputOf<typeof Savings.GetSavingsSheet>,
): Promise<FileAnswer> {
  await requireAnalysis(db, user, id);
  const internal = audience === 'internal';
  if (internal && !seesInternalFigures(user))
    throw new HttpError(403, 'The internal sheet shows cost and margin. You do not have access to them.');
  const analysis = await getAnalysis({ db, user }, id);
  const rows = await sheetRows(db, id);
  if (rows.length === 0) throw new HttpError(409, 'No rows are included yet. Accept items for some rows first.');
  const name = `Savings ${analysis.facility.name} ${analysis.priceDate}${internal ? ' internal' : ''}`.replaceAll(
    /[\\/:*?"<>|\r\n]+/g,
    ' ',
  );
  if (format === 'xlsx') return { name: `${name}.xlsx`, bytes: workbook(analysis, rows, internal), mediaType: XLSX };
  const company = await loadCompany(db);
  const { pdf } = await pool.run(paperOf(analysis, rows, internal, company.name));
  return { name: `${name}.pdf`, bytes: Buffer.from(pdf) };
}

/** The included rows with a comparison, by class and in the order of the file. */
async function sheetRows(db: Db, id: number): Promise<SheetRow[]> {
  const { rows } = await sql<SheetRow>`
    select coalesce(nullif(r.item_no, ''), nullif(r.catalog_no, ''), r.maker_no) as "theirNumber", r.maker,
        r.maker_no as "makerNo", r.description, r.unit as "theirUnit", r.their_eaches as "theirEaches",
        round(r.qty_year, 4) as qty, coalesce(r.price, round(r.price_each * r.their_eaches, 4)) as "theirPrice",
        r.their_each as "theirEach", i.item_number as number, i.description as ours, r.our_unit as unit,
        r.our_eaches as eaches, coalesce(r.typed_price, r.our_price) as price, r.our_each as "ourEach",
        r.their_year as "theirYear", r.our_year as "ourYear", r.their_year - r.our_year as saved,
        ${SAVED_PCT} as "savedPct",
          case when r.typed_price is not null then 'Typed' else r.price_source end as source, r.cost,
          round((r.our_year - r.cost_year) * 100 / nullif(r.our_year, 0), 2) as "marginPct"
      from savings_row r join savings_analysis a on a.id = r.analysis_id join item i on i.id = r.item_id
      left join item_class c on c.id = i.class_id
     where r.analysis_id = ${id} and ${COUNTS} and r.their_year is not null and r.our_year is not null
     order by coalesce(c.name, 'Other'), r.row_no`.execute(db);
  return rows;
}

const COLUMNS: readonly (SheetColumn & { of: (row: SheetRow) => Cell; internal?: true })[] = [
  { title: 'Your item #', width: 16, look: 'text', of: ({ theirNumber }) => theirNumber },
  { title: 'Manufacturer', width: 18, look: 'text', of: ({ maker }) => maker },
  { title: 'Manufacturer #', width: 16, look: 'text', of: ({ makerNo }) => makerNo },
  { title: 'Your description', width: 40, look: 'text', of: ({ description }) => description },
  { title: 'Your unit', width: 9, look: 'text', of: ({ theirUnit }) => theirUnit },
  { title: 'Your eaches per unit', width: 19, look: 'count', of: ({ theirEaches }) => theirEaches },
  { title: 'Annual quantity', width: 14, look: 'count', of: ({ qty }) => qty },
  { title: 'Your price', width: 12, look: 'price', of: ({ theirPrice }) => theirPrice },
  { title: 'Your price per each', width: 18, look: 'price', of: ({ theirEach }) => theirEach },
  { title: 'Our item #', width: 16, look: 'text', of: ({ number }) => number },
  { title: 'Our description', width: 40, look: 'text', of: ({ ours }) => ours },
  { title: 'Our unit', width: 9, look: 'text', of: ({ unit }) => unit },
  { title: 'Our eaches per unit', width: 18, look: 'count', of: ({ eaches }) => eaches },
  { title: 'Our price', width: 12, look: 'price', of: ({ price }) => price },
  { title: 'Our price per each', width: 17, look: 'price', of: ({ ourEach }) => ourEach },
  { title: 'Current annual spend', width: 20, look: 'money', of: ({ theirYear }) => theirYear },
  { title: 'Annual spend with us', width: 19, look: 'money', of: ({ ourYear }) => ourYear },
  { title: 'Annual savings', width: 14, look: 'money', of: ({ saved }) => saved },
  { title: 'Savings %', width: 11, look: 'percent', of: ({ savedPct }) => savedPct },
  { title: 'Price source', width: 12, look: 'text', of: ({ source }) => source, internal: true },
  { title: 'Cost', width: 12, look: 'price', of: ({ cost }) => cost, internal: true },
  { title: 'Margin %', width: 10, look: 'percent', of: ({ marginPct }) => marginPct, internal: true },
];

function workbook(analysis: Analysis, rows: readonly SheetRow[], internal: boolean): Buffer {
  const columns = COLUMNS.filter((column) => internal || !column.internal);
  const groups = (title: string, classes: Analysis['byClass']) => ({
    name: title,
    before: [],
    columns: [
      { title: title.replace(/^By (.)/, (_, first: string) => first.toUpperCase()), width: 30, look: 'text' as const },
      { title: 'Rows', width: 8, look: 'count' as const },
      { title: 'Current annual spend', width: 20, look: 'money' as const },
      { title: 'Annual spend with us', width: 19, look: 'money' as const },
      { title: 'Annual savings', width: 14, look: 'money' as const },
      { title: 'Savings %', width: 11, look: 'percent' as const },
    ],
    rows: classes.map((entry) => [
      entry.name,
      entry.rows,
      entry.theirs,
      entry.ours,
      entry.difference,
      entry.differencePct,
    ]),
  });
  return writeXlsx([
    {
      name: 'Savings',
      before: [titleOf(analysis, internal), resultOf(analysis), ...assumptionsOf(analysis)],
      columns,
      rows: rows.map((row) => columns.map(({ of }) => of(row))),
    },
    groups('By class', analysis.byClass),
    groups('By manufacturer', analysis.byMaker),
  ]);
}

const titleOf = ({ facility }: Analysis, internal: boolean): string =>
  `${internal ? 'Internal: savings' : 'Savings'} for ${facility.name}`;

function resultOf({ totals }: Analysis): string {
  const { theirs, ours, difference, differencePct, currnIdx } = totals;
  const money = (amount: Decimal): string => formatAmount(amount, currnIdx);
  const percent = differencePct === null ? '' : ` (${formatPercent(Math.abs(differencePct))})`;
  const statement =
    difference >= 0
      ? `You would save ${money(difference)} per year${percent}`
      : `You would pay ${money(-difference)} more per year${percent}`;
  return `${statement}: ${money(ours)} instead of ${money(theirs)}.`;
}

function assumptionsOf({ months, priceDate, freightTerms, totals, counts, fileName }: Analysis): string[] {
  const left = counts.all - totals.rows;
  return [
    `Based on ${fileName}, with quantities for ${months === 1 ? 'one month' : `${months} months`} scaled to a year. Prices as of ${formatDate(priceDate)} in ${currencyOf(totals.currnIdx)}, based on one month's quantity and excluding tax.`,
    freightText(freightTerms),
    `${totals.rows.toLocaleString('en-US')} of ${counts.all.toLocaleString('en-US')} rows are compared${left > 0 ? `; ${left.toLocaleString('en-US')} are not included` : ''}.`,
    ...(totals.dearerRows > 0
      ? [`Our price is higher in ${totals.dearerRows.toLocaleString('en-US')} of these rows. The totals include them.`]
      : []),
  ];
}

/** The content of the template. All text is written here. */
function paperOf(analysis: Analysis, rows: readonly SheetRow[], internal: boolean, company: string): SheetContent {
  const { totals, byClass, priceDate } = analysis;
  const { currnIdx } = totals;
  const money = (amount: Decimal): string => formatAmount(amount, currnIdx);
  const percent = (value: Decimal | null): string => (value === null ? '' : formatPercent(value));
  const visible =
    rows.length <= MAX_ON_PAPER ? rows : rows.toSorted((a, b) => b.saved - a.saved).slice(0, MAX_ON_PAPER);
  const most = MAX_ON_PAPER.toLocaleString('en-US');
  return {
    title: titleOf(analysis, internal),
    company,
    date: formatDate(priceDate),
    day: [Number(priceDate.slice(0, 4)), Number(priceDate.slice(5, 7)), Number(priceDate.slice(8, 10))],
    result: resultOf(analysis),
    sums: [
      { label: 'Current annual spend', value: money(totals.theirs) },
      { label: 'Annual spend with us', value: money(totals.ours) },
      {
        label: totals.difference < 0 ? 'Additional cost per year' : 'Annual savings',
        value: money(Math.abs(totals.difference)),
      },
      { label: 'Percent', value: percent(totals.differencePct) },
      ...(internal ? [{ label: 'Margin', value: percent(totals.marginPct ?? null) }] : []),
    ],
    assumptions: [
      ...assumptionsOf(analysis),
      ...(visible.length < rows.length
        ? [`The table shows the ${most} rows with the largest savings. The Excel workbook has all rows.`]
        : []),
    ],
    classes: byClass.map((entry) => [
      entry.name,
      String(entry.rows),
      money(entry.theirs),
      money(entry.ours),
      money(entry.difference),
      percent(entry.differencePct),
    ]),
    headings: [
      'Your item',
      'Your price',
      'Per each',
      'Our item',
      'Our price',
      'Per each',
      'Per year: us, now',
      'Savings',
      ...(internal ? ['Margin'] : []),
    ],
    rows: visible.map((row) => [
      { main: row.theirNumber || '–', small: row.description },
      {
        main: `${formatPrice(row.theirPrice, currnIdx)} / ${row.theirUnit || 'unit'}`,
        small: `${row.qty.toLocaleString('en-US')} per year`,
      },
      { main: formatPrice(row.theirEach, currnIdx), small: '' },
      { main: row.number, small: row.ours },
      {
        main: `${formatPrice(row.price, currnIdx)} / ${row.unit}`,
        small: countOf(row.eaches, 'each', 'eaches'),
      },
      { main: formatPrice(row.ourEach, currnIdx), small: '' },
      { main: money(row.ourYear), small: money(row.theirYear) },
      { main: money(row.saved), small: percent(row.savedPct) },
      ...(internal
        ? [{ main: percent(row.marginPct), small: row.cost === null ? '' : formatPrice(row.cost, currnIdx) }]
        : []),
    ]),
  };
}

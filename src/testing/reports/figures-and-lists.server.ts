// What the tests of all reports share: the figures of an answer, and the lists that the figures lead to.
import { expect } from 'vitest';
import type { Endpoint } from '#platform/api/endpoint.ts';
import type { ReportFilters } from '#addons/reports/report-filters.ts';
import { Report } from '#addons/reports/reports.contract.ts';
import { sliceText, WEEK_STEPS } from '#addons/reports/slices.ts';
import type { aReportCompany } from '../a-report-company.server.ts';
import type { TestServer } from '../test-server.server.ts';

export const REPORTS = Object.entries(Report).filter(
  ([name]) => name !== 'GetReportQuotes' && name !== 'ExportReportQuotes',
) as [string, Endpoint][];

/** What a report is asked besides the filters. */
export const MORE: Record<string, object> = { GetPivot: { rows: 'rep', columns: 'month', measure: 'amount' } };

/** Filters that a report is read with, each with its name. */
export const FILTERS: [string, (of: Awaited<ReturnType<typeof aReportCompany>>) => Partial<ReportFilters>][] = [
  ['all', () => ({})],
  ['one rep', ({ reps }) => ({ repId: reps[0]?.id ?? null })],
  [
    'one territory and class',
    ({ territories, classes }) => ({ territoryId: territories[2]?.id ?? null, classId: classes[0]?.id ?? null }),
  ],
  ['one contract', ({ contract }) => ({ contractId: contract.id })],
  ['euros', () => ({ currnIdx: 1009 })],
  ['a month', () => ({ from: '2026-08-01', to: '2026-08-31' })],
];

/** A figure of a report, and the slice whose quotes it counts. */
type SliceFigure = { slice: string; count: number; amount: number | null };

/** Every figure of an answer with its slice. */
export function figuresOf(value: unknown): SliceFigure[] {
  if (Array.isArray(value)) return value.flatMap(figuresOf);
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  // A week names its slices by the steps alone.
  if ('week' in fields)
    return WEEK_STEPS.map((step): SliceFigure => {
      const slice = sliceText({ kind: 'week', week: String(fields['week']), step });
      return { slice, count: fields[step], amount: fields[`${step}Amount`] } as SliceFigure;
    });
  const own = Object.entries(fields).flatMap(([name, slice]): SliceFigure[] => {
    if (typeof slice !== 'string' || !/[sS]lice$/.test(name)) return [];
    if (name === 'slice')
      return 'amount' in fields ? [{ slice, count: fields['count'], amount: fields['amount'] } as SliceFigure] : [];
    const what = name.replace(/Slice$/, '');
    // { quoted, quotedAmount } in most reports, { won, wonCount, wonYearBefore, wonCountYearBefore } of territories.
    const isMoney = `${what}Amount` in fields;
    const count = isMoney ? fields[what] : (fields[`${what}Count`] ?? fields[what.replace('won', 'wonCount')]);
    return [{ slice, count, amount: fields[isMoney ? `${what}Amount` : what] } as SliceFigure];
  });
  return [...own, ...Object.values(fields).flatMap(figuresOf)];
}

type ListOfSlice = { filters: ReportFilters; slice: string; as: { id: number } };

/** All pages of the list behind a slice. */
export async function listOf(server: TestServer, { filters, slice, as }: ListOfSlice) {
  const records = [];
  for (let page = 1; ; page++) {
    const body = await server.ok(Report.GetReportQuotes, { ...filters, slice, page, pageSize: 200 }, { as });
    records.push(...body.records);
    if (page >= body.pageCount) return { ...body, records };
  }
}

type FigureToCheck = { figure: SliceFigure; filters: ReportFilters; as: { id: number } };

/** Expects a figure to be the count and the sum of its list. */
export async function checkList(server: TestServer, { figure, filters, as }: FigureToCheck): Promise<void> {
  const { slice, count, amount } = figure;
  const list = await listOf(server, { filters, slice, as });
  const sum = list.records.reduce((total, row) => total + Math.round(row.sliceAmount * 10_000), 0) / 10_000;
  const { count: listed, amount: whole } = list;
  expect({ slice, listed, whole, sum }).toEqual({
    slice,
    listed: list.records.length,
    whole: amount ?? whole,
    sum: whole,
  });
  expect({ slice, listed }).toEqual({ slice, listed: count });
}

/** Of each kind of slice the figure with the most quotes. A kind is the name of a slice without its ids, days and months. */
export function oneOfEachKind(figures: readonly SliceFigure[]): SliceFigure[] {
  const kinds = Map.groupBy(figures, ({ slice }) => slice.replaceAll(/\d+/g, ''));
  return [...kinds.values()].map((kind) => kind.reduce((most, figure) => (figure.count > most.count ? figure : most)));
}

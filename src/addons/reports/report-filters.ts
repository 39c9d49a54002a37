// The filters of every report: their schema for calls, and their form in the address of a screen.
import { z } from 'zod';
import { addDays, addMonths, type IsoDate, parseDate } from '#platform/shared/dates.ts';
import { DAYS_IN_ORDER, Id, TypedDate } from '#platform/shared/wire.ts';

/** The filters that contain the id of a record. */
const IDS = ['regionId', 'territoryId', 'repId', 'classId', 'contractId', 'currnIdx'] as const;

const FilterFields = z.object({
  /** First day of the period, in the company's time zone. The definitions of each report explain what a period selects. */
  from: TypedDate,
  /** Last day of the period, inclusive. */
  to: TypedDate,
  /** Only quotes of this region. */
  regionId: Id.nullish(),
  /** Only quotes of this territory. */
  territoryId: Id.nullish(),
  /** Only quotes of this sales rep. */
  repId: Id.nullish(),
  /** Only quotes with a line that is included in the total and whose item is in this class or in one below it. */
  classId: Id.nullish(),
  /** Only quotes with a line that is included in the total and priced by this contract, even if a user changed that price. */
  contractId: Id.nullish(),
  /** The currency of all amounts. Omitted means US dollars. Amounts of two currencies are never added. */
  currnIdx: Id.nullish(),
});

export const ReportFilters = FilterFields.refine(...DAYS_IN_ORDER);
export type ReportFilters = z.infer<typeof ReportFilters>;

/** Adds fields to the filters, and keeps the check on the order of the days. */
export function filtersAnd<S extends z.ZodRawShape>(fields: S) {
  return FilterFields.extend(fields).refine(
    (input) => DAYS_IN_ORDER[0](input as { from: string; to: string }),
    DAYS_IN_ORDER[1],
  );
}

/** The periods that the user can choose with one click. */
export const PERIODS = ['thisMonth', 'lastMonth', 'quarter', 'year', 'twelveMonths'] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_LABELS: Record<Period, string> = {
  thisMonth: 'This month',
  lastMonth: 'Last month',
  quarter: 'This quarter',
  year: 'This year',
  twelveMonths: 'Last 12 months',
};

/** First and last day of a period. `today` is the company's day. */
export function periodDays(period: Period, today: IsoDate): { from: IsoDate; to: IsoDate } {
  const month = `${today.slice(0, 7)}-01`;
  switch (period) {
    case 'thisMonth':
      return { from: month, to: today };
    case 'lastMonth':
      return { from: addMonths(month, -1), to: addDays(month, -1) };
    case 'quarter':
      return { from: addMonths(month, -((Number(month.slice(5, 7)) - 1) % 3)), to: today };
    case 'year':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    case 'twelveMonths':
      return { from: addDays(addMonths(today, -12), 1), to: today };
  }
}

export type Address = Record<string, string | undefined>;

/** Reads the filters in an address. Ignores invalid values. Without days, the period is the last twelve months. */
export function filtersOf(address: Address, today: IsoDate): ReportFilters {
  const standard = periodDays('twelveMonths', today);
  const from = parseDate(address['from'] ?? '') ?? standard.from;
  const to = parseDate(address['to'] ?? '') ?? standard.to;
  const filters: ReportFilters = from <= to ? { from, to } : standard;
  for (const name of IDS) {
    const text = address[name] ?? '';
    if (/^[1-9]\d{0,8}$/.test(text)) filters[name] = Number(text);
  }
  return filters;
}

/** The filters as fields of an address. */
export function addressOf(filters: ReportFilters): Record<string, string> {
  const address: Record<string, string> = { from: filters.from, to: filters.to };
  for (const name of IDS) {
    const id = filters[name];
    if (id !== null && id !== undefined) address[name] = String(id);
  }
  return address;
}

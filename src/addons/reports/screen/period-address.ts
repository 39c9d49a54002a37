// The part of a report's address that says what it is of. A chosen period stays a word, so that a saved view means this month in every month.
import { type IsoDate, parseDate } from '#platform/shared/dates.ts';
import { addressOfPivot, type PivotChoice, pivotIn } from '../pivot-choice.ts';
import {
  type Address,
  addressOf,
  periodDays,
  filtersOf,
  type Period,
  PERIODS,
  type ReportFilters,
} from '../report-filters.ts';

/** What the address holds besides the filters of the calls. */
export type Chosen = {
  filters: ReportFilters;
  /** Null: the days were typed. */
  period: Period | null;
  /** The number of the chosen contract, for its field. */
  contractNumber: string;
  /** Whether plots count quotes or add up their amounts. */
  measure: 'count' | 'amount';
  pivot: PivotChoice;
};

const STANDARD: Period = 'twelveMonths';

export function chosenIn(address: Address, today: IsoDate): Chosen {
  const named = PERIODS.find((candidate) => candidate === address['period']);
  const hasDays = Boolean(parseDate(address['from'] ?? '') ?? parseDate(address['to'] ?? ''));
  const period = named ?? (hasDays ? null : STANDARD);
  return {
    filters: filtersOf(period ? { ...address, ...periodDays(period, today) } : address, today),
    period,
    contractNumber: (address['contract'] ?? '').slice(0, 100),
    measure: address['measure'] === 'count' ? 'count' : 'amount',
    pivot: pivotIn(address),
  };
}

export function addressOfChosen({ filters, period, contractNumber, measure, pivot }: Chosen): Record<string, string> {
  const { from, to, ...others } = addressOf(filters);
  return {
    ...(period ? { period } : { from: from ?? '', to: to ?? '' }),
    ...others,
    ...(filters.contractId && contractNumber ? { contract: contractNumber } : {}),
    ...(measure === 'count' ? { measure } : {}),
    ...addressOfPivot(pivot),
  };
}

/**
 * The address of the list behind a figure. Its days are fixed: the list is of the figure that was looked at. That of a pivot keeps what was crossed, for
 * the way back.
 */
export function addressOfSlice({ filters, pivot }: Chosen, report: string, slice: string): Record<string, string> {
  return { slice, report, ...addressOf(filters), ...(report === 'pivot' ? addressOfPivot(pivot) : {}) };
}

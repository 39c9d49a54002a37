// The filters in a report's address. A chosen period is stored by its name, so that a saved view of this month follows the calendar.
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

/** The content of the address, besides the filters of the calls. */
export type Chosen = {
  filters: ReportFilters;
  /** Null if the user typed the days. */
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
 * The address of the list behind a figure. Its days are fixed, because the list belongs to the figure that the user saw. For a pivot, it includes the
 * dimensions, for the way back.
 */
export function addressOfSlice({ filters, pivot }: Chosen, report: string, slice: string): Record<string, string> {
  return { slice, report, ...addressOf(filters), ...(report === 'pivot' ? addressOfPivot(pivot) : {}) };
}

// Derives the displayed status of a contract from its state, its days and its successor on a day.
import type { IsoDate } from '#platform/shared/dates.ts';

/** The state that a user set for the contract. */
export const CONTRACT_STATES = ['Draft', 'Active', 'Terminated'] as const;
export type ContractState = (typeof CONTRACT_STATES)[number];

export const CONTRACT_STATUSES = [
  'Draft',
  'Pending',
  'Active',
  'Expiring',
  'Expired',
  'Superseded',
  'Terminated',
] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

/** An active contract that ends within this many days is Expiring. */
export const EXPIRING_DAYS = 90;

export type ContractDays = {
  state: ContractState;
  from: IsoDate;
  /** The last day as agreed. */
  to: IsoDate;
  extendedTo: IsoDate | null;
  terminatedOn: IsoDate | null;
  /** The first day of a successor that is itself Active. The earliest if there are several. */
  successorFrom: IsoDate | null;
};

/** The last day on which a contract is valid: the day of its extension, if any, but no later than the day of its termination. */
export function lastDayOf({
  to,
  extendedTo,
  terminatedOn,
}: Omit<ContractDays, 'state' | 'from' | 'successorFrom'>): IsoDate {
  const end = extendedTo ?? to;
  return terminatedOn !== null && terminatedOn < end ? terminatedOn : end;
}

/** Days from today to the last day: 0 on the last day, negative after it. */
export function daysLeft(lastDay: IsoDate, today: IsoDate): number {
  return Math.round((Date.parse(lastDay) - Date.parse(today)) / 86_400_000);
}

/**
 * The status on the list and the page. Drafts and terminated contracts keep that status on any day. A successor that has begun takes precedence over
 * the days, because users should look there next. `contract-days.server.ts` computes the same in the database.
 */
export function contractStatus(contract: ContractDays, today: IsoDate): ContractStatus {
  if (contract.state !== 'Active') return contract.state;
  if (contract.successorFrom !== null && contract.successorFrom <= today) return 'Superseded';
  if (contract.from > today) return 'Pending';
  const left = daysLeft(lastDayOf(contract), today);
  return left < 0 ? 'Expired' : left <= EXPIRING_DAYS ? 'Expiring' : 'Active';
}

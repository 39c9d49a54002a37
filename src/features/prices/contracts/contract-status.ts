// The status of a contract as people see it: what its state, its days and its successor come to on a day.
import type { IsoDate } from '#shared/dates.ts';

/** What somebody decided about a contract. */
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

/** An active contract that ends within so many days is Expiring. */
export const EXPIRING_DAYS = 90;

export type ContractDays = {
  state: ContractState;
  from: IsoDate;
  /** The last day as it was agreed. */
  to: IsoDate;
  extendedTo: IsoDate | null;
  terminatedOn: IsoDate | null;
  /** The first day of a successor that is Active itself; the earliest of several. */
  successorFrom: IsoDate | null;
};

/** The last day on which a contract holds: its extension's where there is one, no later than the day it was terminated for. */
export function lastDayOf({
  to,
  extendedTo,
  terminatedOn,
}: Omit<ContractDays, 'state' | 'from' | 'successorFrom'>): IsoDate {
  const end = extendedTo ?? to;
  return terminatedOn !== null && terminatedOn < end ? terminatedOn : end;
}

/** Days from today to the last day: 0 on the last day itself, negative when it is over. */
export function daysLeft(lastDay: IsoDate, today: IsoDate): number {
  return Math.round((Date.parse(lastDay) - Date.parse(today)) / 86_400_000);
}

/**
 * What the list and the page show. Drafts and terminated contracts stay so whatever the day. A successor that has begun comes before the days, because
 * it is where to look next; `contract-days.server.ts` says the same to the database.
 */
export function contractStatus(contract: ContractDays, today: IsoDate): ContractStatus {
  if (contract.state !== 'Active') return contract.state;
  if (contract.successorFrom !== null && contract.successorFrom <= today) return 'Superseded';
  if (contract.from > today) return 'Pending';
  const left = daysLeft(lastDayOf(contract), today);
  return left < 0 ? 'Expired' : left <= EXPIRING_DAYS ? 'Expiring' : 'Active';
}

// The ten statuses: labels, colors, and which of them are open (specification section 4).
import { z } from 'zod';
import type { IsoDate } from '#platform/shared/dates.ts';

export const STATUSES = [
  'Editing',
  'WaitingForProcess',
  'Processing',
  'NeedMoreInfo',
  'DiscountApproved',
  'SentToCustomer',
  'Revising',
  'Won',
  'Lost',
  'Cancelled',
] as const;
/** The name of a status is its id in the API. */
export const StatusId = z.enum(STATUSES);
export type StatusId = z.infer<typeof StatusId>;

export const STATUS_LABELS: Record<StatusId, string> = {
  Editing: 'Editing',
  WaitingForProcess: 'Waiting For Process',
  Processing: 'Processing',
  NeedMoreInfo: 'Need More Info',
  DiscountApproved: 'Discount Approved',
  SentToCustomer: 'Sent To Customer',
  Revising: 'Revising',
  Won: 'Won',
  Lost: 'Lost',
  Cancelled: 'Cancelled',
};

export const STATUS_COLORS: Record<StatusId, 'red' | 'orange' | 'blue' | 'green' | 'violet'> = {
  Cancelled: 'red',
  Lost: 'red',
  NeedMoreInfo: 'orange',
  Editing: 'blue',
  Processing: 'blue',
  DiscountApproved: 'blue',
  Revising: 'blue',
  WaitingForProcess: 'blue',
  Won: 'green',
  SentToCustomer: 'violet',
};

export const CLOSED_STATUSES: readonly StatusId[] = ['Won', 'Lost', 'Cancelled'];
export const OPEN_STATUSES: readonly StatusId[] = STATUSES.filter((status) => !CLOSED_STATUSES.includes(status));

/** `104512`, or `104512-R2` from revision 2 on. */
export function quoteNumber(num: number, revision: number): string {
  return revision > 1 ? `${num}-R${revision}` : String(num);
}

/** Returns whether `valid_until` has passed, only while SentToCustomer (design 2). `date` is `today()`. Computed, never stored. */
export function isExpired(quote: { status_id: string; valid_until: IsoDate }, date: IsoDate): boolean {
  return quote.status_id === 'SentToCustomer' && quote.valid_until < date;
}

// How often a customer opened the page of a revision. Pure.
import { z } from 'zod';
import { formatDate, formatInstant } from '#platform/shared/dates.ts';

export const Openings = z.object({ times: z.number().int(), first: z.string(), last: z.string() });
export type Openings = z.infer<typeof Openings>;

/** 'Opened by the customer 3 times, last 11/26/2026 2:15 PM' */
export function openingsWords({ times, first, last }: Openings): string {
  return times === 1
    ? `Opened by the customer once, ${formatInstant(first)}`
    : `Opened by the customer ${times} times, since ${formatDate(first)}, last ${formatInstant(last)}`;
}

// The texts about rosters and letters of commitment on screens.
import { countOf } from '#platform/shared/count-of.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type { LetterState, RosterFilter, RosterRow } from './rosters.contract.ts';

export const ROSTER_FILTER_LABELS: Record<RosterFilter, string> = {
  Current: 'On the day',
  Coming: 'Scheduled',
  Ended: 'Ended',
  Excluded: 'Excluded',
  LetterMissing: 'Letter missing',
  All: 'All rows',
};

export const LETTER_TONES: Record<LetterState, Tone> = {
  Sent: 'blue',
  Received: 'blue',
  Signed: 'orange',
  Approved: 'green',
  Rejected: 'red',
  Revoked: 'red',
};

/** 'covers 12 children' */
export function childrenInWords({
  coversChildren,
  children,
  excluded,
}: Pick<RosterRow, 'coversChildren' | 'children' | 'excluded'>): string {
  const counted = countOf(children, 'child', 'children');
  if (coversChildren) return excluded ? `with ${counted}` : `covers ${counted}`;
  return children > 0 ? `${counted}, not covered` : '';
}

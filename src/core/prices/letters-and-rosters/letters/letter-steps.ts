// Defines which state of a letter of commitment may follow which other state.
import type { LetterState } from '../rosters/rosters.contract.ts';

/** A letter may arrive signed without having been sent from here. */
export const FIRST_STATES: readonly LetterState[] = ['Sent', 'Received', 'Signed'];

export const LETTER_STEPS: Record<LetterState, readonly LetterState[]> = {
  Sent: ['Received', 'Signed', 'Rejected'],
  Received: ['Signed', 'Rejected'],
  Signed: ['Approved', 'Rejected'],
  Approved: ['Revoked'],
  Rejected: ['Sent'],
  Revoked: [],
};

/** In these states both sides have agreed on the letter, or it is over. Only its last day and its note can change. */
export const SETTLED: readonly LetterState[] = ['Approved', 'Rejected', 'Revoked'];
/** A letter in these states contains who signed it, and when. */
export const SIGNED: readonly LetterState[] = ['Signed', 'Approved', 'Revoked'];
/** These steps need a reason. */
export const NEEDS_REASON: readonly LetterState[] = ['Rejected', 'Revoked'];

export function mayFollow(before: LetterState | null, state: LetterState): boolean {
  if (before === null) return FIRST_STATES.includes(state);
  return before === state || LETTER_STEPS[before].includes(state);
}

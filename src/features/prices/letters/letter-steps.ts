// The way of a letter of commitment: which state may follow which.
import type { LetterState } from '#features/prices/rosters/rosters.contract.ts';

/** A letter may come in signed without having been sent from here. */
export const FIRST_STATES: readonly LetterState[] = ['Sent', 'Received', 'Signed'];

export const LETTER_STEPS: Record<LetterState, readonly LetterState[]> = {
  Sent: ['Received', 'Signed', 'Rejected'],
  Received: ['Signed', 'Rejected'],
  Signed: ['Approved', 'Rejected'],
  Approved: ['Revoked'],
  Rejected: ['Sent'],
  Revoked: [],
};

/** States in which a letter is what both sides agreed, or is over: only its last day and its note change. */
export const SETTLED: readonly LetterState[] = ['Approved', 'Rejected', 'Revoked'];
/** A letter in these states names who signed it, and when. */
export const SIGNED: readonly LetterState[] = ['Signed', 'Approved', 'Revoked'];
/** Taking these steps needs a reason. */
export const NEEDS_REASON: readonly LetterState[] = ['Rejected', 'Revoked'];

export function mayFollow(before: LetterState | null, state: LetterState): boolean {
  if (before === null) return FIRST_STATES.includes(state);
  return before === state || LETTER_STEPS[before].includes(state);
}

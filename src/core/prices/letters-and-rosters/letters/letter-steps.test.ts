// Tests the steps of a letter of commitment as a table: which state may follow which.
import { expect, it } from 'vitest';
import { LETTER_STATES } from '../rosters/rosters.contract.ts';
import { mayFollow } from './letter-steps.ts';

it('goes from sent to approved, and back only when it is sent again', () => {
  const rows = [null, ...LETTER_STATES].map((before) =>
    [before ?? 'new', ...LETTER_STATES.map((state) => (mayFollow(before, state) ? state : '·'))].join(' '),
  );
  expect(rows).toEqual([
    'new Sent Received Signed · · ·',
    'Sent Sent Received Signed · Rejected ·',
    'Received · Received Signed · Rejected ·',
    'Signed · · Signed Approved Rejected ·',
    'Approved · · · Approved · Revoked',
    'Rejected Sent · · · Rejected ·',
    'Revoked · · · · · Revoked',
  ]);
});

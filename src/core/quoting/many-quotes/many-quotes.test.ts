// Tests applying a step in batches: whatever fails, each outcome is known or reported as unknown.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { type Outcome, PIECE } from './many-quotes.contract.ts';
import { type Fate, fateOf, inPieces, putBackFate } from './run-piecewise.ts';
import { canWords, resultWords } from './step-words.ts';

const DONE = { done: true, version: 2, message: '', was: null };

it('goes on until everything is done, whatever breaks, and never takes one for done that is not', async () => {
  const Break = fc.constantFrom('none', 'before', 'after', 'refused', 'stop');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 130 }), fc.array(Break, { maxLength: 8 }), async (count, breaks) => {
      const rows = Array.from({ length: count }, (_, at) => ({ id: at + 1 }));
      const taken = new Set<number>();
      const fates = new Map<number, Fate>();
      const next = [...breaks];
      let isStopped = false;
      const send = async (piece: { id: number }[]): Promise<{ outcomes: Outcome[] }> => {
        const now = next.shift() ?? 'none';
        expect(piece.length).toBeLessThanOrEqual(PIECE);
        isStopped = now === 'stop';
        if (now === 'refused') throw new HttpError(429, 'Too many calls.');
        if (now === 'before') throw new HttpError(0, 'No connection.');
        // The server treats a quote that this user has already changed as done.
        for (const { id } of piece) taken.add(id);
        if (now === 'after') throw new HttpError(503, 'No response from the server.');
        return { outcomes: piece.map(({ id }) => ({ id, ...DONE })) };
      };
      for (let round = 0; round <= breaks.length; round++) {
        isStopped = false;
        const toDo = rows.filter(({ id }) => (fates.get(id)?.state ?? 'left') !== 'done');
        const failure = await inPieces(toDo, {
          send,
          onPiece: (outcomes) => {
            for (const [{ id }, outcome] of outcomes) fates.set(id, fateOf(outcome));
          },
          isStopped: () => isStopped,
        });
        // What was done is known, or reported as unknown.
        const wrong = rows.filter(({ id }) => {
          const { state } = fates.get(id) ?? {};
          return taken.has(id) ? state !== 'done' && state !== 'unknown' : state === 'done';
        });
        expect(wrong).toEqual([]);
        if (!failure && !isStopped) break;
      }
      const isWhole = rows.every(({ id }) => fates.get(id)?.state === 'done');
      expect(isWhole || next.length === 0).toBe(true);
    }),
  );
});

it('keeps what to put back from the check when the step itself no longer knows it', () => {
  const was = { isRepId: 7 };
  expect(fateOf({ id: 1, ...DONE, message: 'Already done.' }, was)).toMatchObject({ state: 'done', was });
  expect(fateOf({ id: 1, ...DONE, done: false }, was)).toMatchObject({ state: 'refused', was: null });
});

it('can undo again when the answer was lost, and not when it was refused', () => {
  const before: Fate = { state: 'done', message: '', version: 2, was: { validUntil: '2027-01-01' } };
  expect(putBackFate(before, undefined)).toMatchObject({ state: 'done', was: before.was });
  expect(putBackFate(before, { id: 1, ...DONE, done: false, message: 'Kim changed it.' })).toEqual({
    ...before,
    message: 'Not undone: Kim changed it.',
    was: null,
  });
  expect(putBackFate(before, { id: 1, ...DONE, version: 3 })).toMatchObject({ state: 'back', version: 3 });
});

it('says how many can be and were', () => {
  expect(canWords('cancel', 9, 12)).toBe('9 of 12 quotes can be canceled. The others do not change.');
  expect(canWords('assign', 3, 3)).toBe('All 3 quotes can be assigned.');
  expect(canWords('extend', 0, 2)).toBe('None of the 2 quotes can be extended.');
  expect(canWords('extend', 1, 1)).toBe('The quote can be extended.');
  const fates = (['done', 'refused', 'done', 'unknown'] as const).map((state) => ({ ...fateOf(undefined), state }));
  expect(resultWords('cancel', fates)).toBe('2 canceled, 1 not canceled, 1 unknown');
});

// Tests undo and redo of numbers, where an operation sets a number and its reverse sets the previous one.
import { expect, it } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { undoHistory } from './undo-history.ts';

/** `fail` is the error of the next change that undo or redo makes. */
function aNumber({ most = 50 } = {}) {
  const held: { value: number; fail: Error | null } = { value: 0, fail: null };
  const set = async (value: number): Promise<number> => {
    const { fail, value: before } = held;
    held.fail = null;
    if (fail) throw fail;
    held.value = value;
    return before;
  };
  const history = undoHistory<number>({
    carryOut: set,
    applicable: (value) => (value === held.value ? null : value),
    changed: () => {},
    most,
  });
  const change = async (value: number, block?: string) => {
    const back = set(value);
    history.add(`to ${value}`, back, { block });
    await back;
  };
  return { held, history, change };
}

it('takes changes back, the newest first, and makes them again', async () => {
  const { held, history, change } = aNumber();
  await change(1);
  await change(2);
  expect([await history.undo(), await history.undo(), await history.undo(), held.value]).toEqual([
    'to 2',
    'to 1',
    null,
    0,
  ]);
  expect([await history.redo(), held.value, history.canUndo(), history.canRedo()]).toEqual(['to 1', 1, true, true]);
});

it('keeps the newest steps, and passes over those that would change nothing', async () => {
  const { held, history, change } = aNumber({ most: 2 });
  for (const value of [1, 2, 3]) await change(value);
  held.value = 2;
  expect([await history.undo(), held.value, history.canUndo()]).toEqual(['to 2', 1, false]);
});

it('offers a step again whose failure may pass, and no other', async () => {
  const { held, history, change } = aNumber();
  await change(1);
  held.fail = new HttpError(0, 'no network');
  await expect(history.undo()).rejects.toThrow('no network');
  expect([history.canUndo(), history.canRedo()]).toEqual([true, false]);
  held.fail = new HttpError(422, 'not now');
  await expect(history.undo()).rejects.toThrow('not now');
  expect([history.canUndo(), history.canRedo()]).toEqual([false, false]);
});

it('takes a block of steps back at once, and reports a failing one only to who made it', async () => {
  const { held, history, change } = aNumber();
  await change(1, 'line 7');
  await change(2, 'line 7');
  // An unhandled rejection fails the test.
  history.add('to 3', Promise.reject(new Error('refused')), { block: 'line 7' });
  expect([await history.undo(), held.value, history.canUndo()]).toEqual(['to 1', 0, false]);
});

// Tests pending changes: saved one after the other, merged while they wait, kept when refused, offered on conflict.
import { describe, expect, it, vi } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { type Change, saveQueue } from './save-queue.ts';

/** A server that responds on command, with the record as stored at that time. */
function heldServer() {
  const calls: { change: Change; answer: (stored?: object) => void; refuse: (error: Error) => void }[] = [];
  const save = (change: Change) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      calls.push({ change, answer: (stored = {}) => resolve({ ...stored }), refuse: reject });
    });
  return { calls, save };
}

const forget = () => {};
const change = (target: Change['target'], patch: object, base: object = {}): Change => ({
  target,
  patch: { ...patch },
  base: { ...base },
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('saveQueue', () => {
  it('sends one change at a time and merges waiting changes of the same line', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    queue.add(change(1, { qty: 2 }));
    queue.add(change(1, { qty: 3 }));
    queue.add(change(1, { notes: 'x' }));
    queue.add(change(2, { qty: 9 }));
    expect(calls.map((call) => call.change.patch)).toEqual([{ qty: 2 }]);
    calls[0]?.answer();
    await settle();
    expect(calls.map((call) => call.change.patch)).toEqual([{ qty: 2 }, { qty: 3, notes: 'x' }]);
    calls[1]?.answer();
    await settle();
    calls[2]?.answer();
    await queue.settled();
    expect(queue.pending()).toEqual([]);
  });

  it('sends a unit after the price typed before it, and of two typed prices the last', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    for (const patch of [{ qty: 2 }, { unitPrice: 3 }, { discountPct: 5 }, { unit: 'CS' }]) queue.add(change(1, patch));
    for (const at of [0, 1, 2]) {
      calls[at]?.answer();
      await settle();
    }
    await queue.settled();
    expect(calls.map((call) => call.change.patch)).toEqual([{ qty: 2 }, { discountPct: 5 }, { unit: 'CS' }]);
  });

  it('keeps a refused change with its error, and continues with the others', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    queue.add(change(1, { qty: 0.5 }));
    queue.add(change(2, { qty: 2 }));
    calls[0]?.refuse(new HttpError(422, 'Sold whole only.'));
    await settle();
    calls[1]?.answer();
    await queue.settled();
    expect(queue.pending()).toMatchObject([{ target: 1, state: 'failed', error: { message: 'Sold whole only.' } }]);
    queue.drop(1);
    expect(queue.pending()).toEqual([]);
  });

  it('asks an unreachable server again by itself', async () => {
    vi.useFakeTimers();
    const save = vi
      .fn<(change: Change) => Promise<Record<string, unknown>>>()
      .mockRejectedValueOnce(new HttpError(0, 'no network'))
      .mockResolvedValue({});
    const queue = saveQueue(save, forget);
    queue.add(change(1, { qty: 2 }));
    await vi.advanceTimersByTimeAsync(10);
    expect(queue.pending()).toMatchObject([{ state: 'failed' }]);
    await vi.advanceTimersByTimeAsync(9000);
    expect(queue.pending()).toEqual([]);
    expect(save).toHaveBeenCalledTimes(2);
    queue.dispose();
    vi.useRealTimers();
  });

  it('holds a conflict until the user chooses; applies what they keep and drops the rest', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    const stored = { qty: 9, unit: 'EA', notes: '', description: 'theirs' };
    queue.add(change(1, { qty: 5, description: 'mine' }, { qty: '1 EA', description: '' }));
    calls[0]?.refuse(
      new HttpError(409, 'Changed in the meantime.', {
        conflict: { changedBy: 'Kim', changedAt: null, changes: [], current: stored },
      }),
    );
    await settle();
    queue.add(change(1, { notes: 'still typing' }, { notes: '' }));
    expect(queue.pending()).toMatchObject([{ state: 'conflict', patch: { qty: 5, notes: 'still typing' } }]);
    expect(calls).toHaveLength(1);
    queue.resolve(1, ['qty', 'notes'], stored);
    await settle();
    // The user has seen this conflict, so the next response does not report it again.
    expect(calls[1]?.change).toMatchObject({
      patch: { qty: 5, notes: 'still typing' },
      base: { qty: '9 EA', notes: '' },
    });
    expect(calls[1]?.change.patch).not.toHaveProperty('description');
    calls[1]?.answer({ qty: 5 });
    await queue.settled();
    expect(queue.pending()).toEqual([]);
  });

  it('treats a refusal without two values to choose from as no conflict', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    queue.add(change(1, { qty: 5 }));
    calls[0]?.refuse(new HttpError(409, 'Kim submitted the quote.'));
    await queue.settled();
    expect(queue.pending()).toMatchObject([{ state: 'failed', patch: { qty: 5 } }]);
  });

  it('adds input typed during a refused save to it, and bases input typed during a successful save on the saved values', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, forget);
    queue.add(change(1, { qty: 5 }, { qty: '1 EA' }));
    queue.add(change(1, { qty: 6 }, { qty: '5 EA' }));
    calls[0]?.refuse(new HttpError(422, 'Sold by the dozen.'));
    await settle();
    expect(queue.pending()).toMatchObject([{ state: 'failed', patch: { qty: 6 }, base: { qty: '1 EA' } }]);
    queue.retry();
    queue.add(change(1, { unit: 'BX' }, { unit: '6 EA' }));
    calls[1]?.answer({ qty: 12, unit: 'EA' });
    await settle();
    expect(calls[2]?.change).toMatchObject({ patch: { unit: 'BX' }, base: { unit: '12 EA' } });
    calls[2]?.answer();
    await queue.settled();
  });

  it('backs up unsaved changes, and restores those of an earlier visit without sending them unseen', async () => {
    const stored: Change[][] = [];
    const first = heldServer();
    saveQueue(first.save, (unsaved) => stored.push(unsaved)).add(change(7, { qty: 4 }, { qty: '1 EA' }));
    const latest = stored.at(-1) ?? [];
    expect(latest).toEqual([{ target: 7, patch: { qty: 4 }, base: { qty: '1 EA' } }]);
    const second = heldServer();
    const queue = saveQueue(second.save, (unsaved) => stored.push(unsaved));
    queue.restore(latest);
    expect(second.calls).toHaveLength(0);
    expect(queue.pending()).toMatchObject([{ target: 7, patch: { qty: 4 }, state: 'failed' }]);
    queue.retry();
    second.calls[0]?.answer();
    await queue.settled();
    expect(stored.at(-1)).toEqual([]);
  });
});

// Changes on their way: one after the other, merged while they wait, kept when refused, offered on conflict.
import { describe, expect, it, vi } from 'vitest';
import { HttpError } from '#api/http-error.ts';
import { type Change, saveQueue } from './save-queue.ts';

function memory(start: string | null = null) {
  let text = start;
  return { get: () => text, set: (next: string | null) => void (text = next), read: () => text };
}

/** A server that answers when told to. */
function heldServer() {
  const calls: { change: Change; answer: () => void; refuse: (error: Error) => void }[] = [];
  const save = (change: Change) =>
    new Promise<void>((resolve, reject) => {
      calls.push({ change, answer: resolve, refuse: reject });
    });
  return { calls, save };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('saveQueue', () => {
  it('sends one change at a time and merges what waits for the same line', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, memory());
    queue.add({ target: 1, patch: { qty: 2 } });
    queue.add({ target: 1, patch: { qty: 3 } });
    queue.add({ target: 1, patch: { notes: 'x' } });
    queue.add({ target: 2, patch: { qty: 9 } });
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

  it('keeps a refused change with what was said, and goes on with the others', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, memory());
    queue.add({ target: 1, patch: { qty: 0.5 } });
    queue.add({ target: 2, patch: { qty: 2 } });
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
      .fn<(change: Change) => Promise<void>>()
      .mockRejectedValueOnce(new HttpError(0, 'no network'))
      .mockResolvedValue();
    const queue = saveQueue(save, memory());
    queue.add({ target: 1, patch: { qty: 2 } });
    await vi.advanceTimersByTimeAsync(10);
    expect(queue.pending()).toMatchObject([{ state: 'failed' }]);
    await vi.advanceTimersByTimeAsync(9000);
    expect(queue.pending()).toEqual([]);
    expect(save).toHaveBeenCalledTimes(2);
    queue.dispose();
    vi.useRealTimers();
  });

  it('holds a conflict until the person insists', async () => {
    const { calls, save } = heldServer();
    const queue = saveQueue(save, memory());
    queue.add({ target: 1, patch: { qty: 5 } });
    calls[0]?.refuse(new HttpError(409, 'Changed meanwhile.', { conflict: { who: 'Kim' } }));
    await settle();
    queue.add({ target: 1, patch: { notes: 'still typing' } });
    expect(queue.pending()).toMatchObject([{ state: 'conflict', patch: { qty: 5, notes: 'still typing' } }]);
    expect(calls).toHaveLength(1);
    queue.insist(1);
    await settle();
    expect(calls[1]?.change.patch).toEqual({ qty: 5, notes: 'still typing' });
    calls[1]?.answer();
    await queue.settled();
    expect(queue.pending()).toEqual([]);
  });

  it('stores what is not saved, and takes it up again after a crash without sending it unseen', async () => {
    const storage = memory();
    const first = heldServer();
    saveQueue(first.save, storage).add({ target: 7, patch: { qty: 4 } });
    expect(storage.read()).toContain('"qty":4');
    const second = heldServer();
    const queue = saveQueue(second.save, storage);
    expect(second.calls).toHaveLength(0);
    expect(queue.pending()).toMatchObject([{ target: 7, patch: { qty: 4 }, state: 'failed' }]);
    queue.retry();
    second.calls[0]?.answer();
    await queue.settled();
    expect(storage.read()).toBeNull();
  });
});

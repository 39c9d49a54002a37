// Tests that a worker loses no work that is added while it stops, and that tasks keep their order when one fails.
import { afterEach, expect, it, vi } from 'vitest';
import { inTurn, RETRY_MS, worker } from './one-after-the-other.ts';

afterEach(() => vi.useRealTimers());

/** Creates a worker over a list of pieces. A piece with the name 'fails' stops it. */
function aWorker() {
  const waiting: string[] = [];
  const done: string[] = [];
  const own = worker(() => {
    const [piece] = waiting.splice(0, 1);
    if (piece === undefined) return null;
    return Promise.resolve().then(() => {
      done.push(piece);
      return piece !== 'fails';
    });
  });
  return { waiting, done, ...own };
}

it('does one piece after the other, also those that come while it runs', async () => {
  const { waiting, done, run, isRunning } = aWorker();
  waiting.push('a');
  const first = run();
  expect(isRunning()).toBe(true);
  waiting.push('b');
  await Promise.all([first, run()]);
  expect(done).toEqual(['a', 'b']);
  expect(isRunning()).toBe(false);
});

it('loses no piece, however late it comes', async () => {
  for (let ticks = 0; ticks < 8; ticks += 1) {
    const { waiting, done, run, stopped } = aWorker();
    waiting.push('a');
    void run();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    waiting.push('b');
    await run();
    await stopped();
    expect([ticks, done]).toEqual([ticks, ['a', 'b']]);
  }
});

it('stops at a piece that fails and begins again after a pause, once', async () => {
  vi.useFakeTimers();
  const { waiting, done, run, runIn, dispose } = aWorker();
  waiting.push('fails', 'b');
  await run();
  expect(done).toEqual(['fails']);
  runIn(1);
  runIn(RETRY_MS);
  await vi.advanceTimersByTimeAsync(RETRY_MS - 1);
  expect(done).toEqual(['fails']);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['fails', 'b']);
  waiting.push('c');
  runIn(1);
  dispose();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['fails', 'b']);
});

it('begins each task after the one before, also after one that failed', async () => {
  const done: string[] = [];
  const turns = inTurn();
  const failing = turns(async () => {
    await Promise.resolve();
    done.push('a');
    throw new Error('no');
  });
  const next = turns(async () => done.push('b'));
  await expect(failing).rejects.toThrow('no');
  await next;
  expect(done).toEqual(['a', 'b']);
});

// Tests how the browser's stream recovers: after a break, a farewell, silence, and if it never gets through.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { keepLink, type LinkState, type News, POLL_MS, SILENT_MS } from './live-link.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HELLO = 'event: hello\ndata: {}\n\n';
const FACT = { kind: 'quote', id: 7, version: 3 };

/** Creates a link whose streams the test writes: `say` sends to the newest one, `end` ends it. */
function aLink() {
  const received: (LinkState | News)[] = [];
  const over = new AbortController();
  let opened = 0;
  let down: Error | null = null;
  let now: ReadableStreamDefaultController<Uint8Array> | undefined;
  const running = keepLink({
    open: async (signal) => {
      opened++;
      if (down) throw down;
      return new ReadableStream({
        start: (controller) => {
          now = controller;
          signal.addEventListener('abort', () => controller.error(new Error('aborted')));
        },
      });
    },
    news: (news) => received.push(news),
    here: () => {},
    state: (state) => received.push(state),
    signal: over.signal,
    wait: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    random: () => 0.5,
  });
  return {
    received,
    opened: () => opened,
    say: async (text: string) => {
      await vi.advanceTimersByTimeAsync(0);
      now?.enqueue(new TextEncoder().encode(text));
      await vi.advanceTimersByTimeAsync(0);
    },
    end: () => now?.close(),
    goDown: (why = new Error('no way in')) => (down = why),
    comeUp: () => (down = null),
    stop: async () => {
      over.abort();
      await vi.advanceTimersByTimeAsync(POLL_MS * 2);
      await running;
    },
  };
}

it('passes on facts, in whatever pieces they come', async () => {
  const link = aLink();
  const facts = `event: facts\ndata: ${JSON.stringify([FACT])}\n\n`;
  await link.say(HELLO + facts.slice(0, 20));
  await link.say(facts.slice(20));
  expect(link.received).toEqual(['live', [FACT]]);
  await link.stop();
});

it('says away after a break, comes back, and reads everything again', async () => {
  const link = aLink();
  await link.say(HELLO);
  link.end();
  await vi.advanceTimersByTimeAsync(0);
  expect(link.received).toEqual(['live', 'away']);
  await vi.advanceTimersByTimeAsync(3000);
  await link.say(HELLO);
  expect(link.received).toEqual(['live', 'away', 'live', 'all']);
  await link.stop();
});

it('comes back after a goodbye and after silence', async () => {
  const link = aLink();
  await link.say(`${HELLO}event: bye\ndata: "stopping"\n\n`);
  await vi.advanceTimersByTimeAsync(3000);
  await link.say(HELLO);
  expect(link.opened()).toBe(2);
  await vi.advanceTimersByTimeAsync(SILENT_MS - 1000);
  await link.say(':\n\n');
  await vi.advanceTimersByTimeAsync(SILENT_MS - 1000);
  expect(link.opened()).toBe(2);
  await vi.advanceTimersByTimeAsync(1000 + 3000);
  expect(link.opened()).toBe(3);
  await link.stop();
});

it('polls where no stream gets through, and is live again once one does', async () => {
  const link = aLink();
  await link.say(HELLO);
  link.goDown();
  link.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(link.received).toContain('polling');
  const polled = link.received.filter((candidate) => candidate === 'all').length;
  await vi.advanceTimersByTimeAsync(3 * POLL_MS);
  expect(link.received.filter((candidate) => candidate === 'all').length).toBeGreaterThanOrEqual(polled + 2);
  link.comeUp();
  const tries = link.opened();
  while (link.opened() === tries) await vi.advanceTimersByTimeAsync(1000);
  await link.say(HELLO);
  expect(link.received.slice(-2)).toEqual(['live', 'all']);
  await link.stop();
});

it('says away for as long as the server is out of reach', async () => {
  const link = aLink();
  await link.say(HELLO);
  link.goDown(new HttpError(0, 'The server cannot be reached.'));
  link.end();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(link.received).not.toContain('polling');
  expect(link.received.filter((candidate) => candidate === 'away').length).toBeGreaterThan(3);
  await link.stop();
});

it('does not wait for a proxy that holds the answer back', async () => {
  const link = aLink();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(link.received).toContain('polling');
  await link.stop();
});

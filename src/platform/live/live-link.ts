// Keeps one stream open, reconnects after it breaks, and reports its state. It has no user interface, so tests can drive it.
import { HttpError } from '#platform/api/http-error.ts';
import type { Fact, Farewell, Here } from './live.contract.ts';

/** `away`: it broke, or the server is unreachable. `polling`: only the stream does not get through, so everything is read again every `POLL_MS`. */
export type LinkState = 'opening' | 'live' | 'away' | 'polling';
/** What to read again: the changed records, or everything that is shown. */
export type News = readonly Fact[] | 'all';

type Setup = {
  /** Opens the stream. Rejects if that is not possible. */
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  news: (news: News) => void;
  here: (here: Here) => void;
  state: (state: LinkState) => void;
  signal: AbortSignal;
  /** Waits; resolves early if the signal aborts. */
  wait: (ms: number) => Promise<void>;
  /** Returns a number from 0 to 1. */
  random: () => number;
};

export const POLL_MS = 20_000;
/**
 * The server sends a heartbeat every 20 seconds. A stream that is silent for longer is dead, for example because a laptop slept or a proxy dropped
 * the connection.
 */
export const SILENT_MS = 45_000;
/** The server sends hello at once. A proxy that buffers answers holds it back. */
const HELLO_MS = 10_000;
/** After this many attempts at a server that answers, the screen no longer shows that it is reconnecting, because polling keeps it current. */
const PATIENCE = 3;

/** Runs until the signal aborts. */
export async function keepLink({ open, news, here, state, signal, wait, random }: Setup): Promise<void> {
  let failures = 0;
  let wasOpen = false;
  while (!signal.aborted) {
    const end = new AbortController();
    let isOutOfReach = false;
    const stop = () => end.abort();
    signal.addEventListener('abort', stop, { once: true });
    let silence: ReturnType<typeof setTimeout> | undefined;
    const within = (ms: number) => {
      clearTimeout(silence);
      silence = setTimeout(stop, ms);
    };
    /** Returns whether to continue reading. */
    const take = (message: LiveMessage | null): boolean => {
      within(SILENT_MS);
      if (message?.event === 'hello') {
        failures = 0;
        state('live');
        // Changes during the break are unknown.
        if (wasOpen) news('all');
        wasOpen = true;
      }
      if (message?.event === 'facts') news(message.facts);
      if (message?.event === 'here') here(message.here);
      return message?.event !== 'bye';
    };
    try {
      within(HELLO_MS);
      for await (const message of messagesOf(await open(end.signal))) if (!take(message)) break;
    } catch (error) {
      isOutOfReach = error instanceof HttpError && (error.status === 0 || error.status >= 500) && !end.signal.aborted;
    }
    clearTimeout(silence);
    stop();
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return;
    wasOpen = true;
    failures++;
    state(failures > PATIENCE && !isOutOfReach ? 'polling' : 'away');
    if (failures > PATIENCE) news('all');
    // The random wait spreads the reconnections of many browsers after a server has restarted.
    await wait(failures > PATIENCE ? POLL_MS * (0.8 + 0.4 * random()) : (500 + 4000 * random()) * failures);
  }
}

type LiveMessage =
  | { event: 'hello' }
  | { event: 'facts'; facts: Fact[] }
  | { event: 'here'; here: Here }
  | { event: 'bye'; why: Farewell };

/** Yields the messages of a stream, and null for each heartbeat between them. Ends with the stream. */
async function* messagesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<LiveMessage | null> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield liveMessage(block);
    }
  } finally {
    reader.releaseLock();
  }
}

function liveMessage(block: string): LiveMessage | null {
  const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  if (event === 'hello') return { event };
  if (event === 'facts') return { event, facts: JSON.parse(data) as Fact[] };
  if (event === 'here') return { event, here: JSON.parse(data) as Here };
  if (event === 'bye') return { event, why: JSON.parse(data) as Farewell };
  return null;
}

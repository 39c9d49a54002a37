// The stream of changes in the browser, which all its tabs share, and how each tab handles a message.
import { useSyncExternalStore } from 'react';
import { openStream } from '#platform/api/request.web.ts';
import { listeners } from '#platform/shared/listeners.ts';
import { type Fact, type Here, LIVE_PATH } from './live.contract.ts';
import { keepLink, type LinkState, type News, POLL_MS } from './live-link.ts';

type Word = { news: News } | { here: Here } | { state: LinkState } | 'state?';

const readers = listeners<[News]>();
const neighbors = listeners<[Here]>();
const watchers = listeners();
let state: LinkState = 'opening';

/** Calls the listener with all changes until the returned function is called. */
export const onNews = readers.add;

/** Calls the listener with the other users on a quote that a tab of this browser has open, until the returned function is called. */
export const onHere = neighbors.add;

/** Returns whether the news includes this record, in this version or a later one. */
export function isIn(news: News, kind: Fact['kind'], id: number, version = 0): boolean {
  return (
    news === 'all' ||
    news.some((fact) => fact.kind === kind && (fact.id === 0 || (fact.id === id && fact.version >= version)))
  );
}

export function useLinkState(): LinkState {
  return useSyncExternalStore(watchers.add, () => state);
}

/** Listens for a user until the returned function is called. One of the tabs holds the stream and shares its messages. */
export function listenFor(userId: number): () => void {
  const over = new AbortController();
  const { signal } = over;
  const hear = (word: Word) => {
    if (word === 'state?') return;
    if ('news' in word) readers.notify(word.news);
    else if ('here' in word) neighbors.notify(word.here);
    else {
      state = word.state;
      watchers.notify();
    }
  };
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    // Without locks, each tab would need its own stream and use up the browser's connections to the server, so it polls.
    hear({ state: 'polling' });
    const poll = setInterval(() => hear({ news: 'all' }), POLL_MS);
    return () => clearInterval(poll);
  }
  const name = `quoteboard-live-${userId}`;
  const others = new BroadcastChannel(name);
  const write = others.postMessage.bind(others) as (word: Word) => void;
  let hasStream = false;
  others.addEventListener('message', ({ data }: MessageEvent<Word>) => {
    if (!hasStream) hear(data);
    else if (data === 'state?') write({ state });
  });
  write('state?');
  const share = (word: Word) => {
    hear(word);
    write(word);
  };
  void navigator.locks
    .request(name, { signal }, async () => {
      hasStream = true;
      await keepLink({
        open: async (until) => openStream(LIVE_PATH, until),
        news: (news) => share({ news }),
        here: (here) => share({ here }),
        state: (now) => share({ state: now }),
        signal,
        wait: async (ms) => pause(ms, signal),
        random: Math.random,
      });
    })
    .catch(() => {});
  return () => {
    over.abort();
    others.close();
    hear({ state: 'opening' });
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    window.addEventListener('online', end, { once: true });
  });
}

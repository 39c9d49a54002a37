// Reads again what a screen shows when another user has changed it.
import type { QueryClient } from '@tanstack/react-query';
import type { News } from '#platform/live/live-link.ts';
import { onNews } from '#platform/live/live.web.ts';
import { isOldByNews } from './reads-after-write.ts';

/** The minimum time between two reads, however often something changes. */
const REST_MS = 2000;
/** Changes within this time are read together. */
const GATHER_MS = 200;

export function readNews(client: QueryClient): void {
  let gathered: News = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => {
    const news = gathered;
    gathered = [];
    timer = undefined;
    if (news.length === 0) return;
    timer = setTimeout(read, REST_MS);
    void client.invalidateQueries({
      predicate: ({ queryKey }) => isOldByNews(news, String(queryKey[0])),
      // A hidden tab reads again when the user returns to it.
      refetchType: document.visibilityState === 'visible' ? 'active' : 'none',
    });
  };
  onNews((news) => {
    gathered = news === 'all' || gathered === 'all' ? 'all' : [...gathered, ...news];
    timer ??= setTimeout(read, GATHER_MS);
  });
}

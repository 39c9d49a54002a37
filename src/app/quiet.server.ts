// What a busy time has taken of memory goes back to the system once nobody asks for anything: by itself Node would keep it for good.
import type { Server } from 'node:http';
import { giveMemoryBack } from '#outside/memory.server.ts';

/** Milliseconds without a call. */
const QUIET = 10_000;
/** Bytes more than were left the last time: for less it is not worth its tenth of a second. */
const WORTH = 32 * 1024 * 1024;

export function giveMemoryBackWhenQuiet(server: Server): void {
  let left = process.memoryUsage.rss();
  const timer = setTimeout(() => {
    if (process.memoryUsage.rss() - left < WORTH) return;
    giveMemoryBack();
    left = process.memoryUsage.rss();
  }, QUIET).unref();
  server.on('request', ({ url }) => {
    // A probe comes every few seconds for ever.
    if (url?.startsWith('/api/')) timer.refresh();
  });
}

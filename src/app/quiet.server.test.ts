// Memory that a busy time took is given back after ten seconds without a call, which probes do not put off.
import { createServer } from 'node:http';
import { expect, test, vi } from 'vitest';
import { giveMemoryBackWhenQuiet } from './quiet.server.ts';

const MB = 1024 * 1024;
const memory = () => process.memoryUsage.rss() / MB;

test('memory goes back to the system once nobody asks for anything', () => {
  vi.useFakeTimers();
  const server = createServer();
  giveMemoryBackWhenQuiet(server);
  const asked = (url: string) => server.emit('request', { url });
  const idle = memory();
  waste();
  const busy = memory();
  expect(busy - idle).toBeGreaterThan(100);
  vi.advanceTimersByTime(9000);
  asked('/api/QuoteSearch/SearchQuotesForSalesRep');
  vi.advanceTimersByTime(9000);
  expect(busy - memory()).toBeLessThan(50);
  asked('/readyz');
  vi.advanceTimersByTime(1000);
  expect(busy - memory()).toBeGreaterThan(100);
  vi.useRealTimers();
});

/** As many objects as live long enough to get into the old part of the heap, and then are let go. */
function waste(): void {
  let kept: number[][] = [];
  for (let n = 0; n < 2000; n++) kept.push(Array.from({ length: 10_000 }, (_, index) => index + 0.5));
  kept = [];
  expect(kept).toHaveLength(0);
}

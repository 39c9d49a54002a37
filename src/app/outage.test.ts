// Tests what is logged while the database is unavailable.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLog } from './log.server.ts';

let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => vi.useRealTimers());

const open = () => openLog('info', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
const away = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const reported = () => lines.map(({ msg, failures, seconds }) => [msg, failures, seconds]);

it('an outage is a line at its start, one a minute and one at its end', () => {
  const log = open();
  const request = log.child({ reqId: 'a' });
  for (let second = 0; second < 150; second++) {
    request.error({ err: away() }, 'request failed');
    log.error({ err: { message: 'timeout exceeded when trying to connect (Queue: mail, Worker: 1)' } }, 'job queue');
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(30_000);
  expect(reported()).toEqual([
    ['request failed', undefined, undefined],
    ['the database still cannot be reached', 120, 60],
    ['the database still cannot be reached', 240, 120],
    ['the database can be reached again', 300, 149],
  ]);
  // The next outage is reported again.
  log.error({ err: away() }, 'job queue');
  expect(lines).toHaveLength(5);
});

it('other errors, and what others fail to reach, are written each time', async () => {
  const log = open();
  for (let n = 0; n < 3; n++) {
    log.error({ err: new Error('no such column') }, 'request failed');
    log.warn({ err: away(), job: 'mail' }, 'job failed');
    log.info('request');
  }
  await sleep(0);
  expect(lines).toHaveLength(9);
});

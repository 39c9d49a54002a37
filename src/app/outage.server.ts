// Keeps the log readable while the database is unavailable: one line when the outage begins, one a minute, and one when it ends.
import type { Logger } from 'pino';
import { isUnreachable } from '#platform/db/database.server.ts';

/** The lines that every failed request and every check of the job queue writes. */
const REPEATED = new Set(['job queue', 'request failed']);
const EVERY_MS = 60_000;
/** Requests and the job queue use the database constantly. After this time without a failure, it is considered available again. */
const OVER_AFTER_MS = 10_000;
const LOOK_MS = 2_500;

/**
 * Returns a filter that decides whether to write a log line. It writes the first connection failure; later failures appear only as counts in the
 * summary lines.
 */
export function outages(): (log: Logger, line: unknown, text: unknown) => boolean {
  const now = () => performance.now();
  let outage: { begun: number; reported: number; last: number; failures: number } | undefined;
  const look = (log: Logger, timer: NodeJS.Timeout) => {
    if (!outage) return;
    const { begun, failures, last, reported } = outage;
    const seconds = (until: number) => Math.round((until - begun) / 1000);
    if (now() - last >= OVER_AFTER_MS) {
      clearInterval(timer);
      outage = undefined;
      log.warn({ failures, seconds: seconds(last) }, 'the database can be reached again');
    } else if (now() - reported >= EVERY_MS) {
      outage.reported = now();
      log.error({ failures, seconds: seconds(now()) }, 'the database still cannot be reached');
    }
  };
  return (log, line, text) => {
    if (typeof text !== 'string' || !REPEATED.has(text)) return true;
    const { err } = (line ?? {}) as { err?: { message?: string; code?: string } };
    // The job queue passes copies of errors.
    if (!err || !isUnreachable(err instanceof Error ? err : Object.assign(new Error(err.message), { code: err.code })))
      return true;
    if (outage) {
      outage.failures++;
      outage.last = now();
      return false;
    }
    outage = { begun: now(), reported: now(), last: now(), failures: 1 };
    const timer = setInterval(() => look(log, timer), LOOK_MS);
    timer.unref();
    return true;
  };
}

// Keeps the log readable while the database is unavailable: one line when the outage begins, one a minute, and one when it ends.
import type { Logger } from 'pino';
import { isUnreachable } from '#platform/db/database.server.ts';

/** The lines that every failed request and every check of the job queue writes. */
const REPEATED = new Set(['job queue', 'request failed']);
const REPORT_INTERVAL_MS = 60_000;
/** Requests and the job queue use the database constantly. After this time without a failure, it is considered available again. */
const RECOVERY_AFTER_MS = 10_000;
const CHECK_INTERVAL_MS = 2_500;

/**
 * Returns a filter that decides whether to write a log line. It writes the first connection failure; later failures appear only as counts in the
 * summary lines.
 */
export function createOutageFilter(): (log: Logger, line: unknown, text: unknown) => boolean {
  const now = () => performance.now();
  let outage: { startedAt: number; reportedAt: number; lastFailureAt: number; failures: number } | undefined;
  const checkOutage = (log: Logger, timer: NodeJS.Timeout) => {
    if (!outage) return;
    const { startedAt, failures, lastFailureAt, reportedAt } = outage;
    const seconds = (until: number) => Math.round((until - startedAt) / 1000);
    if (now() - lastFailureAt >= RECOVERY_AFTER_MS) {
      clearInterval(timer);
      outage = undefined;
      log.warn({ failures, seconds: seconds(lastFailureAt) }, 'the database can be reached again');
    } else if (now() - reportedAt >= REPORT_INTERVAL_MS) {
      outage.reportedAt = now();
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
      outage.lastFailureAt = now();
      return false;
    }
    outage = { startedAt: now(), reportedAt: now(), lastFailureAt: now(), failures: 1 };
    const timer = setInterval(() => checkOutage(log, timer), CHECK_INTERVAL_MS);
    timer.unref();
    return true;
  };
}

// Runs reports one after another, so that many readers of reports leave processors to users who write quotes.
import { seesAllQuotes, type Viewer } from '#core/quoting/quotes/sight.server.ts';

/** The newest report of each lane. Reports over all quotes take longest, so other reports do not wait for them. */
const newest = new Map<boolean, Promise<unknown>>();

/** Runs `work` after the reports before it. A server computes one report over all quotes and one over some quotes at a time. */
export function inTurn<T>(user: Pick<Viewer, 'roles'>, work: () => Promise<T>): Promise<T> {
  const lane = seesAllQuotes(user);
  const report = (newest.get(lane) ?? Promise.resolve()).then(work, work);
  newest.set(lane, report);
  return report;
}

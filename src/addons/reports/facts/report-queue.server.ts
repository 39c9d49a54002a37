// Lets reports wait for one another, so that many readers of reports leave the processors to those who write quotes.
import { seesAllQuotes, type Viewer } from '#core/quoting/quotes/sight.server.ts';

/** The newest report of each lane. Reports over everybody's quotes take longest, so the others need not wait for them. */
const newest = new Map<boolean, Promise<unknown>>();

/** Runs `work` when the reports before it are done. A server computes one report over all quotes and one over some at a time. */
export function inTurn<T>(user: Pick<Viewer, 'roles'>, work: () => Promise<T>): Promise<T> {
  const lane = seesAllQuotes(user);
  const report = (newest.get(lane) ?? Promise.resolve()).then(work, work);
  newest.set(lane, report);
  return report;
}

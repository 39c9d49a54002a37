// What a process of a `ProcessPool` does: its jobs one by one, until the server is gone.
import { messageOf } from '#platform/shared/message-of.ts';
import type { PoolAnswer } from './process-pool.server.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Makes this process do the jobs of its pool. A job fails when `work` throws. Call it last, because the pool counts a job's time from here. */
export function answerJobs<Job, Result extends object>(work: (job: Job) => Result | Promise<Result>): void {
  process.on('message', async (job: Job) => {
    const answer = await Promise.resolve(job)
      .then(work)
      .then(
        (result): PoolAnswer<Result> => ({ ...result, memory: Math.round(process.memoryUsage.rss() / 1024 / 1024) }),
        (error: unknown) => ({ error: messageOf(error) }),
      );
    // What native code made lives outside the heap, so that its size does not trigger the garbage collector.
    process.send?.(answer, collectRecent);
  });
  // A stop signal can reach all processes at once. This one exits when the server disconnects.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

setFlagsFromString('--expose-gc');
/** Where Node's own timing is not enough. */
const collect = runInNewContext('gc') as (how: { type: 'minor'; execution: 'sync' }) => void;

/** Collects recently created objects that are no longer used. Takes a fraction of a millisecond. */
function collectRecent(): void {
  collect({ type: 'minor', execution: 'sync' });
}

// The code of a process in a `ProcessPool`: it runs jobs one by one, until the server is gone.
import { messageOf } from '#platform/shared/message-of.ts';
import type { PoolAnswer } from './process-pool.server.ts';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Makes this process run the jobs of its pool. A job fails if `work` throws. Call it last, because the pool measures the time of a job from here. */
export function answerJobs<Job, Result extends object>(work: (job: Job) => Result | Promise<Result>): void {
  process.on('message', async (job: Job) => {
    const answer = await Promise.resolve(job)
      .then(work)
      .then(
        (result): PoolAnswer<Result> => ({ ...result, memory: Math.round(process.memoryUsage.rss() / 1024 / 1024) }),
        (error: unknown) => ({ error: messageOf(error) }),
      );
    // Objects of native code are outside the heap, so their size does not trigger the garbage collector.
    process.send?.(answer, collectRecent);
  });
  // A stop signal may reach all processes at once. This process ignores it and exits when the server disconnects.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

setFlagsFromString('--expose-gc');
/** The garbage collector, for cases where Node's own timing is not enough. */
const collect = runInNewContext('gc') as (how: { type: 'minor'; execution: 'sync' }) => void;

/** Collects recently created objects that are no longer used. Takes a fraction of a millisecond. */
function collectRecent(): void {
  collect({ type: 'minor', execution: 'sync' });
}

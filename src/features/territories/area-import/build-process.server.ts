// The process in which the areas of a state are built, so that large files neither block the server nor take it along.
import type { PoolAnswer } from '#outside/process-pool.server.ts';
import { type BuildJob, type BuiltState, buildState } from './build-state.server.ts';

process.on('message', (job: BuildJob) => {
  let answer: PoolAnswer<BuiltState>;
  try {
    answer = { ...buildState(job), memory: Math.round(process.memoryUsage.rss() / 1024 / 1024) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(answer);
});
// This process ends with the server, which stops all its processes at once.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());

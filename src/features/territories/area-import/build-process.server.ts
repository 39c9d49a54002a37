// Builds the areas of a state in a separate process, so that large files neither block the server nor crash it.
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
// Ignores signals: the server stops all its processes at once, and this one exits when the server disconnects.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());

// Builds the areas of a state in a separate process, so that large files neither block the server nor crash it.
import { answerJobs } from '#platform/outside/pool-worker.server.ts';
import { buildState } from './build-state.server.ts';

answerJobs(buildState);

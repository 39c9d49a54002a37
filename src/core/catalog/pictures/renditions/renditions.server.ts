// Makes the renditions of a picture in separate processes.
import { availableParallelism } from 'node:os';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import type { Rendered, RenderJob } from './render-picture.server.ts';

/** The number of pictures that are decoded at a time. */
export const DECODERS = Math.min(4, Math.max(1, availableParallelism()));

/** Rejects in plain words if the machine fails. Returns `refused` for a picture that can never be read. */
export function renderPicture(job: RenderJob): Promise<Rendered> {
  return pool.run(job);
}

const pool = new ProcessPool<RenderJob, Rendered>(new URL('./render-picture.server.ts', import.meta.url), {
  size: DECODERS,
  timeout: 120_000,
  // Only one thread decodes, so several heaps would waste memory. This saves a quarter for 12-megapixel photographs, at the same speed.
  env: { MALLOC_ARENA_MAX: '1' },
  says: 'The picture could not be resized.',
});

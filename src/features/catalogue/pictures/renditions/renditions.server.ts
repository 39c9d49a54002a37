// Makes the renditions of a picture in processes of their own.
import { availableParallelism } from 'node:os';
import { ProcessPool } from '#outside/process-pool.server.ts';
import type { Rendered, RenderJob } from './render-picture.server.ts';

/** How many pictures are decoded at a time. */
export const DECODERS = Math.min(4, Math.max(1, availableParallelism()));

/** Rejects in plain words when the machine fails; a picture that never can be read is an answer. */
export function renderPicture(job: RenderJob): Promise<Rendered> {
  return pool.run(job);
}

const pool = new ProcessPool<RenderJob, Rendered>(new URL('./render-picture.server.ts', import.meta.url), {
  size: DECODERS,
  timeout: 120_000,
  // One thread decodes, so several heaps would only keep memory apart: a quarter less for photographs of 12 megapixels, at the same speed.
  env: { MALLOC_ARENA_MAX: '1' },
  says: 'The sizes of the picture could not be made.',
});

// Background work: waiting, running, and failed jobs (our own calls; design 1).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';

export const WORK_STATES = ['created', 'retry', 'active', 'completed', 'failed', 'cancelled'] as const;

export const BackgroundWork = {
  GetJobs: post(
    '/api/BackgroundWork/GetJobs',
    z.object({ state: z.enum(WORK_STATES).nullish() }),
    z.object({
      /** How many there are in each state. */
      counts: z.array(z.object({ state: z.enum(WORK_STATES), count: z.number().int() })),
      /** The newest 200 of the state. */
      jobs: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          state: z.enum(WORK_STATES),
          /** Tries after the first. */
          retries: z.number().int(),
          createdAt: z.string(),
          error: z.string(),
        }),
      ),
    }),
    { access: ['systemadmin'] },
  ),
  RetryJobs: post(
    '/api/BackgroundWork/RetryJobs',
    z.object({
      /** One job; without it all failed jobs. */
      id: z.uuid().nullish(),
    }),
    z.object({
      retried: z.number().int(),
      /** Failed mails that may have arrived, which only a decision sends again. */
      undecided: z.number().int(),
    }),
    { changes: true, access: ['systemadmin'], summary: 'Puts failed work back in line.' },
  ),
};

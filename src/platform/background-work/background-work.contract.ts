// Our own calls for background work: waiting, running and failed jobs (design 1).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';

export const WORK_STATES = ['created', 'retry', 'active', 'completed', 'failed', 'cancelled'] as const;

export const BackgroundWork = {
  GetJobs: post(
    '/api/BackgroundWork/GetJobs',
    z.object({
      state: z.enum(WORK_STATES).nullish(),
      /** Also returns checks of a watched folder that found nothing. */
      idle: z.boolean().default(false),
    }),
    z.object({
      /** The number of jobs in each state. */
      counts: z.array(z.object({ state: z.enum(WORK_STATES), count: z.number().int() })),
      /** The newest 200 jobs in the requested state. */
      jobs: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          state: z.enum(WORK_STATES),
          /** The number of tries after the first. */
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
      /** One job; without it, all failed jobs. */
      id: z.uuid().nullish(),
    }),
    z.object({
      retried: z.number().int(),
      /** Failed mails that may have arrived. They are not sent again until the user decides so. */
      undecided: z.number().int(),
    }),
    { changes: true, access: ['systemadmin'], summary: 'Queues failed work again.' },
  ),
};

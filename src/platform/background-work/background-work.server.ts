// Answers the BackgroundWork calls.
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { retryFailed } from '#platform/mail/uncertain.server.ts';
import { type BackgroundWork, WORK_STATES } from './background-work.contract.ts';

export const backgroundWorkAnswers: Answers<typeof BackgroundWork> = {
  GetJobs: async ({ services }, { state, idle }) => {
    const counts = await services.jobs.count({ idle });
    const jobs = await services.jobs.list({ state: state ?? undefined, idle });
    return { counts: WORK_STATES.map((workState) => ({ state: workState, count: counts[workState] ?? 0 })), jobs };
  },

  /** Throws 409 if the named job has not failed. */
  RetryJobs: async ({ services }, { id }) => {
    const { retried, undecided } = await retryFailed(services, id ? { id } : {});
    if (id && undecided > 0)
      throw new HttpError(409, 'This email may have arrived. Decide in the mailbox whether to send it again.');
    if (id && retried === 0) throw new HttpError(409, 'This work has not failed, or it is already queued again.');
    return { retried, undecided };
  },
};

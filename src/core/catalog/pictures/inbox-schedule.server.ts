// Checks at intervals whether a check of the watched inbox is due. The first process that asks queues the job.
import type { Services } from '#platform/api/services.server.ts';
import { inboxRound } from './inbox/scan-inbox.server.ts';

const ASK_EVERY = 5_000;

/** Checks until the process ends. A failed check does not stop the next one. */
export function startPictureRounds(services: Services, log: { warn: (about: object, what: string) => void }): void {
  const ask = async () => {
    await inboxRound(services).catch((error: unknown) => log.warn({ err: error }, 'a round of the pictures'));
  };
  setInterval(() => void ask(), ASK_EVERY).unref();
  void ask();
}

// Asks again and again whether something is due: a look into the watched inbox. Whichever process asks first queues it.
import type { Services } from '#api/services.server.ts';
import { inboxRound } from './inbox/scan-inbox.server.ts';

const ASK_EVERY = 5_000;

/** Asks until the process ends; an asking that fails is followed by the next one. */
export function startPictureRounds(services: Services, log: { warn: (about: object, what: string) => void }): void {
  const ask = async () => {
    await inboxRound(services).catch((error: unknown) => log.warn({ err: error }, 'a round of the pictures'));
  };
  setInterval(() => void ask(), ASK_EVERY).unref();
  void ask();
}

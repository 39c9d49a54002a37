// Reads bytes from the file store, or explains why it cannot: the file is lost, or the store is temporarily unavailable.
import type { Readable } from 'node:stream';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { HttpError } from './http-error.ts';
import type { Services } from './services.server.ts';

type Store = Pick<Services, 'files' | 'log'>;

/** Throws 410 and logs if the store has lost the file, and 503 if the store does not answer. `what` names the file in the message. */
export function readStored({ files, log }: Store, key: string, what = 'file'): Promise<Buffer> {
  return files.get(key).catch((error: unknown) => refuseFile({ log }, key, what, error));
}

/** Like `readStored`, but as a stream. */
export function openStored({ files, log }: Store, key: string, what = 'file'): Promise<Readable> {
  return files.open(key).catch((error: unknown) => refuseFile({ log }, key, what, error));
}

function refuseFile({ log }: Pick<Services, 'log'>, key: string, what: string, cause: unknown): never {
  if (cause instanceof FileMissingError) throw lost({ log }, key, what);
  throw Object.assign(new HttpError(503, `The ${what} cannot be read right now. Try again in a moment.`), { cause });
}

export function lost({ log }: Pick<Services, 'log'>, key: string, what: string): HttpError {
  log.warn({ key }, `the file store has lost a ${what}`);
  return new HttpError(410, `This ${what} is missing from the file store. Contact your system administrator.`);
}

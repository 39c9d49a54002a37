// Checks an upload that customers may receive: its type, and that a PDF does nothing except show pages (docs/decisions/0047).
import type { FastifyBaseLogger } from 'fastify';
import { HttpError } from '#platform/api/http-error.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import { type FileType, fileType } from '#platform/shared/file-type.server.ts';
import type { PdfFound } from './read-pdf.server.ts';

const SAYS = 'The PDF could not be checked. Nothing was saved; try again in a moment.';

export type PdfPool = ProcessPool<{ bytes: Uint8Array }, PdfFound>;

/** Creates the process that reads PDFs one at a time. `timeout` is in milliseconds. */
export function pdfPool(file: URL, timeout = 20_000): PdfPool {
  return new ProcessPool(file, { size: 1, timeout, says: SAYS });
}

const readers = pdfPool(new URL('./read-pdf.server.ts', import.meta.url));

/**
 * Like `fileType`, but also refuses a PDF that runs actions, contains files or cannot be read. Throws 503 if the check itself fails; `log` gets the
 * reason.
 */
export async function customerFileType(
  name: string,
  bytes: Buffer,
  log: Pick<FastifyBaseLogger, 'error'>,
  pool = readers,
): Promise<FileType> {
  const type = fileType(name, bytes);
  if ('refused' in type || type.mediaType !== 'application/pdf') return type;
  const { fault } = await pool.run({ bytes }).catch((error: unknown) => {
    log.error({ err: error }, 'a PDF could not be checked');
    throw new HttpError(503, SAYS);
  });
  return fault === '' ? type : { refused: `${name} ${fault}` };
}

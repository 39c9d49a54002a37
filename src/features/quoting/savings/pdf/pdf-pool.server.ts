// Hands PDFs to the process that reads them, one at a time, so that a hostile one costs that process and not the server.

import { HttpError } from '#api/http-error.ts';
import type { Services } from '#api/services.server.ts';
import { ProcessPool } from '#outside/process-pool.server.ts';
import type { PdfTable } from './pdf-table.server.ts';

const SAYS = 'The PDF could not be read right now. Nothing was saved; try again in a moment.';
/** 500 full pages take 10 seconds on an idle computer. */
const TIMEOUT = 60_000;
const SLOW =
  'The PDF takes too long to read. Split it into smaller files, ask for the list as CSV or Excel, or copy its rows and paste them.';

const readers = new ProcessPool<{ path: string }, PdfTable>(new URL('./read-pdf-table.server.ts', import.meta.url), {
  size: 1,
  timeout: TIMEOUT,
  says: SAYS,
});

/** The table of a PDF, or why there is none. Throws 503 when the process fails. */
export async function readPdfTable({ log }: Pick<Services, 'log'>, path: string): Promise<PdfTable> {
  try {
    return await readers.run({ path });
  } catch (error) {
    log.warn({ err: error }, 'a PDF could not be read');
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    // It would take as long the next time.
    if (cause.startsWith('took longer')) return { fault: SLOW, rows: [], notes: [] };
    throw new HttpError(503, SAYS);
  }
}

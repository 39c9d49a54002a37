// Renders the PDF of a quote in a separate process. A process that dies or hangs is replaced, and its caller gets a plain message.
import fs from 'node:fs/promises';
import type { Services } from '#platform/api/services.server.ts';
import { logoPicture } from '#platform/company/logo.server.ts';
import { ProcessPool } from '#platform/outside/process-pool.server.ts';
import type { PdfJob, RenderedPdf } from './pdf-process.server.ts';
import { bringPictures } from './pdf-pictures.server.ts';
import type { QuoteDocument } from './quote-document.ts';

/**
 * Returns the PDF of a quote on Letter paper, with DRAFT across each page of a draft. The same document produces the same bytes. Rejects with an
 * Error in plain words when the PDF cannot be rendered. Its `cause` is the reason.
 */
export async function renderQuotePdf(document: QuoteDocument, job: Omit<PdfJob, 'document'>): Promise<Buffer> {
  return Buffer.from((await pool.run({ document, ...job })).pdf);
}

/** `whole` is false when the logo or a picture could not be read. A later attempt may succeed, so do not store this PDF. */
export type QuotePdf = { pdf: Buffer; whole: boolean };

/**
 * Like `renderQuotePdf`, with the document's logo and pictures. If the logo cannot be read, the company's initial replaces it. The place of a missing
 * picture stays empty.
 */
export async function quotePdf(
  services: Pick<Services, 'database' | 'files' | 'log'>,
  document: QuoteDocument,
  { draft }: { draft: boolean },
): Promise<QuotePdf> {
  const { logo: named } = document.company;
  let whole = true;
  const logo =
    named &&
    (await logoPicture(services.database.db, services, named.id).catch((error: unknown) => {
      services.log.warn({ logo: named.id, err: error }, 'a logo could not be read just now');
      whole = false;
    }));
  const brought = await bringPictures(services, document);
  try {
    const { pictures } = brought;
    const pdf = await renderQuotePdf(document, {
      draft,
      ...(logo ? { logo } : {}),
      ...(Object.keys(pictures).length > 0 ? { pictures } : {}),
    });
    return { pdf, whole: whole && brought.whole };
  } finally {
    if (brought.folder) await fs.rm(brought.folder, { recursive: true, force: true });
  }
}

/** The pool of processes that run `file` to typeset quotes. */
export const pdfPool = (
  file: URL,
  limits: { size: number; timeout: number; idle?: number; warm?: number; memory?: number },
) =>
  new ProcessPool<PdfJob, RenderedPdf>(file, {
    ...limits,
    says: 'The PDF could not be made. Try again in a moment.',
  });

const pool = pdfPool(new URL('./pdf-process.server.ts', import.meta.url), { size: 2, timeout: 20_000, warm: 1 });

/** Starts the process before the first PDF, so that no user waits for it to start. */
export const keepPdfsWarm = () => pool.keepWarm();

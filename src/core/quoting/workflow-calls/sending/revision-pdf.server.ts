// The one PDF of a sent revision, rendered from the frozen document, stored once, and the same for every reader (design 2).

import { setTimeout } from 'node:timers/promises';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { removeUncommitted } from '#platform/outside/remove-uncommitted.server.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { quotePdf } from '#core/quoting/quote-pdf/render-pdf.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';

export type FrozenRevision = { id: number; document: unknown; pdf_file_id: number | null };

/** `quote-104512-R2.pdf` */
export function pdfName(num: number, revision: number): string {
  return `quote-${quoteNumber(num, revision)}.pdf`;
}

/** The bytes of the revision's PDF. If the store fails, renders them from the frozen document. */
export async function frozenPdf(services: Services, revision: FrozenRevision): Promise<Buffer> {
  const stored = revision.pdf_file_id === null ? undefined : await soon(readStoredPdf(services, revision.pdf_file_id));
  if (stored) return stored;
  const { pdf, whole } = await quotePdf(services, QuoteDocument.parse(revision.document), { draft: false });
  // A read must not fail because the store does. The job that sends the mail stores the PDF and retries.
  if (revision.pdf_file_id === null && whole) await soon(storePdf(services, revision, pdf).catch(() => {}));
  return pdf;
}

/** The file store's response if it arrives within a second. There is no need to wait longer, because the server can render the PDF without it. */
function soon<T>(work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, setTimeout(1000, undefined, { ref: false })]);
}

/** The file id of the revision's PDF, rendered if needed. Rejects when rendering or storing fails. */
export async function pdfFileOf(services: Services, revision: FrozenRevision): Promise<number> {
  if (revision.pdf_file_id !== null) return revision.pdf_file_id;
  const { pdf, whole } = await quotePdf(services, QuoteDocument.parse(revision.document), { draft: false });
  if (!whole) throw new Error('The logo or a picture cannot be read right now.');
  return storePdf(services, revision, pdf);
}

async function readStoredPdf(services: Services, fileId: number): Promise<Buffer | undefined> {
  const file = await services.database.db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', fileId)
    .executeTakeFirst();
  return file && services.files.get(file.storage_key).catch(() => undefined);
}

/** Stores the PDF unless another process was first. Returns the id of the stored file. */
async function storePdf(services: Services, revision: FrozenRevision, bytes: Buffer): Promise<number> {
  const { num, revision: number } = QuoteDocument.parse(revision.document);
  const key = await services.files.put(bytes);
  const fileId = await inTransaction(services.database.db, async (db) => {
    const { pdf_file_id: first } = await db
      .selectFrom('quote_revision')
      .select('pdf_file_id')
      .where('id', '=', revision.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (first !== null) return first;
    const { id } = await db
      .insertInto('file')
      .values({ storage_key: key, name: pdfName(num, number), media_type: 'application/pdf', size: bytes.length })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.updateTable('quote_revision').set({ pdf_file_id: id }).where('id', '=', revision.id).execute();
    return id;
  }).catch(async (error: unknown) => {
    await removeUncommitted(services.files, [key], error);
    throw error;
  });
  const stored = await services.database.db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', fileId)
    .executeTakeFirst();
  if (stored?.storage_key !== key) await services.files.remove(key).catch(() => {});
  return fileId;
}

// The files of a quote: upload, download, show to or hide from the customer, remove (specification section 7, QuoteFileUpload).
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { audiencesOf, documentsOfItems } from '#core/catalog/documents/visible-documents.server.ts';
import { customerFileType } from '#platform/customer-files/check-customer-upload.server.ts';
import { notifyOfQuote } from '#platform/live/channel.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { QuoteFile } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { fileName } from '#platform/shared/file-type.server.ts';
import { itemsOf } from '../documents/sent-documents.server.ts';
import type { QuoteFileUpload } from '../workflow-calls.contract.ts';

/** `id` is the quote's entry, and `fileId` is the stored file behind it. */
export type StoredQuoteFile = QuoteFile & {
  quoteId: number;
  fileId: number;
  storageKey: string;
  /** When the file became visible to the customer, if that is later than its upload. */
  shownAt: string | null;
};

const quoteFiles = (db: Db) =>
  db
    .selectFrom('quote_file')
    .innerJoin('file', 'file.id', 'quote_file.file_id')
    .select([
      'quote_file.id',
      'quote_file.quote_id as quoteId',
      'quote_file.file_id as fileId',
      'file.storage_key as storageKey',
      'file.name',
      'file.media_type as mediaType',
      'file.size',
      'quote_file.visible_to_customer as visibleToCustomer',
      'quote_file.uploaded_at as uploadedAt',
      'quote_file.shown_at as shownAt',
      whoDid('quote_file.uploaded_by').as('uploadedBy'),
    ])
    .where('quote_file.removed_at', 'is', null);

/** The files on a quote, oldest first. */
export function filesOf(db: Db, quoteId: number): Promise<StoredQuoteFile[]> {
  return quoteFiles(db).where('quote_file.quote_id', '=', quoteId).orderBy('quote_file.id').execute();
}

/** The files that the customer sees on the page of a revision. Files added from `until` on belong to a later revision. */
export async function filesOnPage(db: Db, quoteId: number, until: string | null): Promise<StoredQuoteFile[]> {
  const files = await filesOf(db, quoteId);
  return files.filter(
    ({ visibleToCustomer, uploadedAt, shownAt }) =>
      visibleToCustomer && (until === null || Date.parse(shownAt ?? uploadedAt) < Date.parse(until)),
  );
}

/** Reads one file by its entry's id. Throws 404 when it was removed or the user cannot see its quote. */
async function requireFile(db: Db, user: Viewer, id: number): Promise<{ file: StoredQuoteFile; quote: QuoteRecord }> {
  const file = await quoteFiles(db).where('quote_file.id', '=', id).executeTakeFirst();
  if (!file) throw notFound('file');
  const quote = await requireQuote(db, user, file.quoteId).catch(() => {
    throw notFound('file');
  });
  return { file, quote };
}

export const quoteFileUploadAnswers: Answers<typeof QuoteFileUpload> = {
  UploadQuoteFile: async ({ db, services, user, upload, request }, { quoteId, visibleToCustomer }) => {
    const quote = await requireQuote(db, user, quoteId);
    if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
    const name = fileName(upload.name);
    const type = await customerFileType(name, upload.bytes, request.log);
    if ('refused' in type) throw invalid([{ path: 'file', message: type.refused }]);
    const key = await services.files.put(upload.bytes).catch((error: unknown) => {
      request.log.error({ err: error }, 'a file could not be stored');
      throw new HttpError(503, `${name} could not be stored right now. Nothing was saved; try again in a moment.`);
    });
    try {
      const { id: fileId } = await db
        .insertInto('file')
        .values({ storage_key: key, name, media_type: type.mediaType, size: upload.bytes.length })
        .returning('id')
        .executeTakeFirstOrThrow();
      const { id } = await db
        .insertInto('quote_file')
        .values({
          quote_id: quote.id,
          file_id: fileId,
          visible_to_customer: visibleToCustomer,
          uploaded_by: user.id,
          uploaded_at: services.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await noteFile(db, user, quote, 'Upload', [
        { field: 'File', before: '', after: `${name}${visibleToCustomer ? ' (visible to the customer)' : ''}` },
      ]);
      return await quoteFiles(db).where('quote_file.id', '=', id).executeTakeFirstOrThrow();
    } catch (error) {
      // Without a row, nothing would ever refer to the stored bytes again.
      await services.files.remove(key).catch(() => {});
      throw error;
    }
  },

  DownloadQuoteFile: async ({ db, services, user }, { id }) => {
    const { file } = await requireFile(db, user, id);
    return { name: file.name, mediaType: file.mediaType, bytes: await readStored(services, file.storageKey) };
  },

  GetQuoteItemDocuments: async ({ db, services, user }, { id }) => {
    const quote = await requireQuote(db, user, id);
    return documentsOfItems(db, services, audiencesOf(user), await itemsOf(db, quote.id));
  },

  ChangeQuoteFile: async ({ db, services, user }, { id, visibleToCustomer, remove }) => {
    const { file, quote } = await requireFile(db, user, id);
    if (remove) {
      // The stored bytes are kept, because a queued or sent mail may include them.
      await db.updateTable('quote_file').set({ removed_at: services.clock.now() }).where('id', '=', id).execute();
      await noteFile(db, user, quote, 'RemoveFile', [{ field: 'File', before: file.name, after: '' }]);
    } else if (visibleToCustomer !== undefined && visibleToCustomer !== file.visibleToCustomer) {
      await db
        .updateTable('quote_file')
        .set({
          visible_to_customer: visibleToCustomer,
          ...(visibleToCustomer ? { shown_at: services.clock.now() } : {}),
        })
        .where('id', '=', id)
        .execute();
      const display = (visible: boolean) => (visible ? 'shown to the customer' : 'internal');
      await noteFile(db, user, quote, 'EditFile', [
        { field: file.name, before: display(file.visibleToCustomer), after: display(visibleToCustomer) },
      ]);
    }
    return filesOf(db, quote.id);
  },
};

async function noteFile(
  db: Db,
  user: { id: number; fullName: string },
  quote: QuoteRecord,
  action: string,
  changes: { field: string; before: string; after: string }[],
): Promise<void> {
  await recordEvent(db, {
    quoteId: quote.id,
    userId: user.id,
    actor: user.fullName,
    action,
    revision: quote.revision,
    changes,
  });
  await notifyOfQuote(db, quote.id);
}

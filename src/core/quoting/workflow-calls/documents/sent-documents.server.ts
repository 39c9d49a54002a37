// The documents sent with a quote: those that its items offer to customers, and those already sent, frozen with the revision.
import { sql } from 'kysely';
import { invalid } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { documentsOfItems } from '#core/catalog/documents/visible-documents.server.ts';
import type { SendableDocument } from '../workflow-calls.contract.ts';

type Sendable = SendableDocument & { fileId: number };

/** The items on the active lines of a quote. */
export async function itemsOf(db: Db, quoteId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('quote_item')
    .select('item_id')
    .distinct()
    .where('quote_id', '=', quoteId)
    .where('active', '=', true)
    .where('item_id', 'is not', null)
    .execute();
  return rows.flatMap(({ item_id }) => item_id ?? []);
}

/** The documents that the first sending of a quote may include. */
export async function offeredDocuments(
  db: Db,
  services: Pick<Services, 'clock'>,
  quoteId: number,
): Promise<Sendable[]> {
  const results = await documentsOfItems(db, services, ['Customer'], await itemsOf(db, quoteId));
  return results.map(({ revisionId, ...document }) => ({ ...document, id: revisionId }));
}

/** The documents sent with a revision. */
export async function sentDocuments(db: Db, quoteRevisionId: number): Promise<Sendable[]> {
  const rows = await db
    .selectFrom('quote_revision_document as sent')
    .innerJoin('document_revision as r', 'r.id', 'sent.document_revision_id')
    .innerJoin('file', 'file.id', 'sent.file_id')
    .select(['sent.document_revision_id as id', 'sent.title', 'sent.category', 'sent.file_id as fileId'])
    .select(['r.label', 'file.name', 'file.size', sql<boolean>`true`.as('offered')])
    .where('sent.quote_revision_id', '=', quoteRevisionId)
    .orderBy('sent.id')
    .execute();
  return rows;
}

/** The chosen documents among the offered ones, in the order of the offered ones. Throws 422 for any other document. */
export function chosenDocuments(offered: Sendable[], ids: readonly number[]): Sendable[] {
  const there = new Set(offered.map(({ id }) => id));
  if (ids.some((id) => !there.has(id))) {
    const message = 'A selected document has changed or is no longer available. Select the documents again.';
    throw invalid([{ path: 'documentIds', message }]);
  }
  return offered.filter(({ id }) => ids.includes(id));
}

/** Freezes the documents sent with a revision in their current state. */
export async function freezeDocuments(db: Db, quoteRevisionId: number, documents: Sendable[]): Promise<void> {
  if (documents.length === 0) return;
  await db
    .insertInto('quote_revision_document')
    .values(
      documents.map(({ id, title, category, fileId }) => ({
        quote_revision_id: quoteRevisionId,
        document_revision_id: id,
        title,
        category,
        file_id: fileId,
      })),
    )
    .execute();
}

/** The file of a document sent with a revision. Undefined when no sent document has that id. */
export async function sentFile(db: Db, quoteRevisionId: number, documentRevisionId: number) {
  return db
    .selectFrom('quote_revision_document as sent')
    .innerJoin('file', 'file.id', 'sent.file_id')
    .select(['file.name', 'file.media_type as mediaType', 'file.storage_key as storageKey'])
    .where('sent.quote_revision_id', '=', quoteRevisionId)
    .where('sent.document_revision_id', '=', documentRevisionId)
    .executeTakeFirst();
}

// Reads a revision for comparison: a sent one from its frozen document, the current one from its rows.
import { notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { buildDocument, documentLine } from '#core/quoting/quote-pdf/build-document.server.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Line, QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import type { ComparedLine, ComparedRevision } from './compare-revisions.server.ts';
import { backupOf } from './revision-backup.server.ts';

/** Builds the comparison's view of a quote from these rows. */
export async function comparedNow(db: Db, quote: QuoteRecord, items: readonly Line[]): Promise<ComparedRevision> {
  return { document: await buildDocument(db, quote, items, false), lines: comparedLines(items) };
}

/** Reads a revision of the quote. Null means the current state. Throws 404 for a revision that was never sent and is not current. */
export async function comparedRevision(db: Db, quote: QuoteRecord, revision: number | null): Promise<ComparedRevision> {
  const sent =
    revision === null
      ? undefined
      : await db
          .selectFrom('quote_revision')
          .select('document')
          .where('quote_id', '=', quote.id)
          .where('revision', '=', revision)
          .executeTakeFirst();
  const isCurrent = revision === null || revision === quote.revision;
  if (!sent) {
    if (!isCurrent) throw notFound('revision');
    return comparedNow(db, quote, await quoteLines(db, quote.id));
  }
  const document = QuoteDocument.parse(sent.document);
  // The frozen document has no line ids, but the rows behind it do.
  const items = isCurrent ? await quoteLines(db, quote.id) : (await backupOf(db, quote.id, revision))?.items;
  const lines = items ? comparedLines(items) : document.lines.map((line) => ({ ...line, id: null, priceSource: '' }));
  return { document, lines };
}

function comparedLines(items: readonly Line[]): ComparedLine[] {
  return items
    .filter((item) => item.active)
    .map((item) => ({ ...documentLine(item), id: item.id, priceSource: item.price_source }));
}

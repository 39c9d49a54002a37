// Builds the document of a quote as it would be sent now.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { currentProvisional } from '#core/quoting/provisional/pending-requests.server.ts';
import { buildDocument } from '#core/quoting/quote-pdf/build-document.server.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';

export async function draftDocument(
  { db, services }: { db: Db; services: Services },
  quote: QuoteRecord,
  pictures: boolean,
): Promise<QuoteDocument> {
  const lines = await quoteLines(db, quote.id);
  const hanging = await currentProvisional(db, services, quote, lines);
  return buildDocument(db, quote, lines, pictures, { hanging });
}

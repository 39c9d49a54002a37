// The document of a quote as it would be sent now.
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { provisionalNow } from '#features/quoting/provisional/pending-requests.server.ts';
import { buildDocument } from '#features/quoting/quote-pdf/build-document.server.ts';
import type { QuoteDocument } from '#features/quoting/quote-pdf/quote-document.ts';
import type { QuoteRecord } from '#features/quoting/quotes/quote-rows.ts';
import { quoteLines } from '#features/quoting/quotes/read-lines.server.ts';

export async function draftDocument(
  { db, services }: { db: Db; services: Services },
  quote: QuoteRecord,
  pictures: boolean,
): Promise<QuoteDocument> {
  const lines = await quoteLines(db, quote.id);
  const hanging = await provisionalNow(db, services, quote, lines);
  return buildDocument(db, quote, lines, pictures, { hanging });
}

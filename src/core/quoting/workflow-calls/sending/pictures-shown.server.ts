// Decides whether a quote shows pictures by default, and finds the available ones.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { linePictures } from '#core/quoting/quote-pdf/build-document.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';

/** Returns the choice of the last sent revision. Before the first sending, returns the company's setting. */
export async function picturesShown(db: Db, quote: Pick<QuoteRecord, 'id' | 'revision'>): Promise<boolean> {
  if (quote.revision > 1) {
    const last = await db
      .selectFrom('quote_revision')
      .select(sql<boolean>`coalesce((document ->> 'pictures')::boolean, false)`.as('shown'))
      .where('quote_id', '=', quote.id)
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last) return last.shown;
  }
  return (await loadCompany(db)).show_pictures;
}

/** The pictures that the dialog offers before a quote is sent. */
export async function offeredPictures(db: Db, quote: QuoteRecord) {
  const { pictures, tooLarge } = await linePictures(db, await quoteLines(db, quote.id));
  return { shown: await picturesShown(db, quote), count: pictures.size, onPageOnly: tooLarge };
}

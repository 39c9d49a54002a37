// Freezes a quote as a sent revision: the document a customer reads, stored once (design 2).
import { randomBytes } from 'node:crypto';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { buildDocument } from '#features/quoting/quote-pdf/build-document.server.ts';
import type { QuoteState } from '../workflow-facts.server.ts';

/** 128 random bits: nobody finds a document by guessing (design 3). */
export function newDocId(): string {
  return randomBytes(16).toString('base64url');
}

/** Stores the current quote as the sent revision, once: its lines, prices, totals and terms never change again. */
export async function freezeRevision(
  db: Db,
  services: Pick<Services, 'clock'>,
  { quote, items, hash }: QuoteState,
  sentBy: number,
): Promise<void> {
  await db
    .insertInto('quote_revision')
    .values({
      quote_id: quote.id,
      revision: quote.revision,
      doc_id: newDocId(),
      document: JSON.stringify(await buildDocument(db, quote, items)),
      content_hash: hash,
      valid_until: quote.valid_until,
      total_amount: quote.total_amount,
      sent_at: services.clock.now(),
      sent_by: sentBy,
    })
    .execute();
}

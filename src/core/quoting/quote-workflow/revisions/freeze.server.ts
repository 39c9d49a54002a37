// Freezes a quote as a sent revision: stores the document that the customer reads, once (design 2).
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { currentProvisional } from '#core/quoting/provisional/pending-requests.server.ts';
import { buildDocument } from '#core/quoting/quote-pdf/build-document.server.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import type { QuoteState } from '../workflow-facts.server.ts';

/** Returns an id of 128 random bits, so that nobody can guess the address of a document (design 3). */
export function newDocId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Stores the current quote as the sent revision, once. Its lines, prices, totals and terms never change again. With `pictures`, the lines show their
 * items' pictures. The page shows the given tiers.
 */
export async function freezeRevision(
  db: Db,
  services: Pick<Services, 'clock'>,
  { quote, items, hash }: QuoteState,
  sentBy: number,
  { pictures, nextTiers }: Pick<QuoteDocument, 'pictures' | 'nextTiers'>,
): Promise<void> {
  const document = await buildDocument(db, quote, items, pictures, {
    nextTiers,
    hanging: await currentProvisional(db, services, quote, items),
  });
  const { id } = await db
    .insertInto('quote_revision')
    .values({
      quote_id: quote.id,
      revision: quote.revision,
      doc_id: newDocId(),
      document: JSON.stringify(document),
      content_hash: hash,
      valid_until: quote.valid_until,
      total_amount: quote.total_amount,
      sent_at: services.clock.now(),
      sent_by: sentBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const files = new Set(document.lines.flatMap(({ picture }) => Object.values(picture ?? {})));
  files.delete(null);
  if (files.size === 0) return;
  await sql`insert into quote_revision_picture (quote_revision_id, file_id)
    select ${id}, unnest(${[...files]}::int[])`.execute(db);
}

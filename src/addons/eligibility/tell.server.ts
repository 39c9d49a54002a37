// Reports a step of a request to its quotes: an event in each history, and mails to the users who wait. Neither contains prices.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { activeColleagues, mailColleagues } from '#core/quoting/quote-workflow/colleague-mail.server.ts';
import { recordEvents } from '#core/quoting/quotes/events/events.server.ts';

export type QuoteNews = {
  requestId: number;
  /** The user who took the step. Null for the product itself. */
  user: { id: number; fullName: string } | null;
  /** 'approved', for the subject of the mail. */
  what: string;
  /** A sentence that describes what happened. */
  sentence: string;
  /** The reason in the user's own words. */
  reason: string;
  mails: boolean;
};

/** Locks the quotes of a request by id, before the request itself. Pricing a quote locks in the same order. */
export async function lockQuotesOf(db: Db, requestId: number): Promise<void> {
  const joined = db.selectFrom('eligibility_request_quote').select('quote_id').where('request_id', '=', requestId);
  await db.selectFrom('quote').select('id').where('id', 'in', joined).orderBy('id').forUpdate().execute();
}

/** Records the event and queues the mails. Call it in the transaction of the step. */
export async function tellQuotes(db: Db, services: Services, news: QuoteNews): Promise<void> {
  const { user, sentence, reason } = news;
  const quotes = await db
    .selectFrom('eligibility_request_quote as joined')
    .innerJoin('quote', 'quote.id', 'joined.quote_id')
    .selectAll('quote')
    .select('joined.added_by')
    .where('joined.request_id', '=', news.requestId)
    .orderBy('quote.id')
    .execute();
  await recordEvents(
    db,
    quotes.map(({ id, revision }) => ({
      quoteId: id,
      userId: user?.id ?? null,
      actor: user?.fullName ?? services.config.appTitle,
      action: 'EligibilityStep',
      revision,
      comment: [sentence, reason].filter(Boolean).join(' '),
    })),
  );
  if (!news.mails) return;
  for (const { added_by, ...quote } of quotes) {
    const readers = (await activeColleagues(db, [added_by, quote.sales_rep_id])).filter(({ id }) => id !== user?.id);
    const opening = user ? `${user.fullName}: ${sentence}` : sentence;
    await mailColleagues({ db, services, quote }, readers, `eligibility request ${news.what}`, [opening, reason]);
  }
}

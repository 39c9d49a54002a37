// Records mail problems in the quote's history, where users look for them.
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailProblem } from '#platform/mail/outbox.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { MAIL_PROBLEM, recordEvent } from './events.server.ts';

export const mailProblemJob = {
  ...mailProblem,
  run: ({ database, config }: Services, { quoteId, since, comment }) =>
    inTransaction(database.db, async (db) => {
      const quote = await db
        .selectFrom('quote')
        .select('revision')
        .where('id', '=', quoteId)
        .forUpdate()
        .executeTakeFirst();
      const noted = await db
        .selectFrom('quote_event')
        .select('id')
        .where('quote_id', '=', quoteId)
        .where('action', '=', MAIL_PROBLEM)
        .where('comment', '=', comment)
        .where('at', '>=', since)
        .executeTakeFirst();
      if (!quote || noted) return;
      const { revision } = quote;
      await recordEvent(db, { quoteId, userId: null, actor: config.appTitle, action: MAIL_PROBLEM, revision, comment });
    }),
} satisfies JobKind<typeof mailProblem.payload, Services>;

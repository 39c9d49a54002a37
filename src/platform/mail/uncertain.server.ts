// Lists mails that may or may not have arrived, with details that help to find out, and records the decision of a user.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { mailJob, messageIdOf, SHOWN_SUBJECT } from './outbox.server.ts';

export type UncertainMail = {
  id: number;
  recipients: string[];
  subject: string;
  quoteNum: number | null;
  messageId: string;
};

/** Returns all uncertain mails, oldest first. */
export async function uncertainMails(services: Services): Promise<UncertainMail[]> {
  const rows = await services.database.db
    .selectFrom('mail')
    .leftJoin('quote', 'quote.id', 'mail.quote_id')
    .select(['mail.id', 'mail.recipients', 'mail.cc', 'mail.message_id', 'quote.num'])
    .select(SHOWN_SUBJECT.as('subject'))
    .where('mail.state', '=', 'Uncertain')
    .orderBy('mail.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    recipients: [...row.recipients, ...row.cc],
    subject: row.subject,
    quoteNum: row.num,
    messageId: messageIdOf(services, row),
  }));
}

/**
 * Records that these mails arrived, or sends them again. Returns their number. Skips mails that are not uncertain. Do not call it inside a
 * transaction: the job queue uses its own connection.
 */
export async function decideMails(
  services: Services,
  ids: number[],
  { arrived, by }: { arrived: boolean; by: string },
): Promise<number> {
  if (ids.length === 0) return 0;
  const decision = arrived ? `${by} confirmed that it arrived.` : `${by} chose to send it again.`;
  const decided = await services.database.db
    .updateTable('mail')
    .set({ state: arrived ? 'Sent' : 'Waiting', last_error: decision })
    // The secret of a mail that arrived is no longer needed.
    .$if(arrived, (query) => query.set({ body: sql<string>`case when secret = '' then body else '' end` }))
    .where('id', 'in', ids)
    .where('state', '=', 'Uncertain')
    .returning('id')
    .execute();
  // The mail's job is among the failed ones. A retry sends the mail, or finds nothing left to do.
  for (const { id } of decided) {
    const back = await services.jobs.retry({ kind: mailJob.name, payload: { mailId: id } });
    if (back === 0 && !arrived) await services.jobs.send(services.database.db, mailJob, { mailId: id });
  }
  return decided.length;
}

/**
 * Puts failed jobs back in the queue, all or one, and returns their number. Skips mails that may have arrived, because only a user's decision sends
 * them again. `undecided` is the number of skipped mails.
 */
export async function retryFailed(
  services: Pick<Services, 'database' | 'jobs'>,
  which: { id?: string } = {},
): Promise<{ retried: number; undecided: number }> {
  const rows = await services.database.db.selectFrom('mail').select('id').where('state', '=', 'Uncertain').execute();
  const uncertain = new Set(rows.map(({ id }) => id));
  let undecided = 0;
  const retried = await services.jobs.retry({
    ...which,
    stays: ({ name, payload }) => {
      const stays = name === mailJob.name && uncertain.has((payload as { mailId: number }).mailId);
      if (stays) undecided++;
      return stays;
    },
  });
  return { retried, undecided };
}

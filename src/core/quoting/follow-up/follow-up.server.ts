// Implements the calls for the open points of a quote. Users who can see the quote can see them.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { LATE, mailTroubleOf, sendTroubledAgain, settleTrouble } from '#platform/mail/trouble.server.ts';
import { keepComment } from '#core/quoting/comments/comments.server.ts';
import { changeReminder, reminderOf } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { sendRevisionJob } from '#core/quoting/workflow-calls/sending/sending.server.ts';
import type { FollowUp, QuoteFollowUp } from './follow-up.contract.ts';
import { closeQuestion, openQuestions } from './questions.server.ts';

export const quoteFollowUpAnswers: Answers<typeof QuoteFollowUp> = {
  GetFollowUp: async (context, { quoteId }) =>
    followUpOf(context, await requireQuote(context.db, context.user, quoteId)),

  AnswerQuestion: async (context, { quoteId, questionId, answer }) => {
    const { db, services, user } = context;
    const quote = await requireQuote(db, user, quoteId);
    const question = await closeQuestion(db, services, quoteId, questionId);
    if (answer) {
      const number = quoteNumber(quote.num, question.revision);
      const { name, phone } = await loadCompany(db);
      await queueMail(db, services.jobs, {
        quoteId,
        to: [question.email],
        subject: `Your question about quote ${number} from ${name}`,
        body: [
          `Hello ${question.name},`,
          answer,
          ['Kind regards,', user.fullName, name, phone].filter(Boolean).join('\n'),
          `You asked:\n${question.question.replace(/^/gm, '> ')}`,
        ].join('\n\n'),
      });
    }
    if (answer) {
      const mailedTo = [question.email];
      const at = services.clock.now();
      await keepComment(db, { quote, user, text: answer, toCustomer: true, questionId, mailedTo, at });
    }
    await noteFollowUp(
      db,
      user,
      quote,
      'AnswerQuestion',
      answer ? `To ${question.email}: ${answer}` : 'Marked as answered',
    );
    return followUpOf(context, quote);
  },

  SendQuoteMailAgain: async (context, { quoteId, mailId }) => {
    const { db, services, user } = context;
    const quote = await requireQuote(db, user, quoteId);
    const to = await sendTroubledAgain(db, services, { quoteId, mailId });
    await noteFollowUp(db, user, quote, 'SendMailAgain', `To ${to.join(', ')}`);
    return followUpOf(context, quote);
  },

  MakePdfAgain: async (context, { quoteId, sendingId }) => {
    const { db, services, user } = context;
    const quote = await requireQuote(db, user, quoteId);
    const { waitingForPdf } = await followUpOf(context, quote);
    if (!waitingForPdf.some(({ id }) => id === sendingId)) throw new HttpError(409, 'This email already has its PDF.');
    // The earlier job may still be queued. The first of the two jobs to run queues the mail, and the other one finds nothing to do.
    await services.jobs.send(db, sendRevisionJob, { sendingId });
    return followUpOf(context, quote);
  },

  SettleQuoteMail: async (context, { quoteId, mailId }) => {
    const { db, services, user } = context;
    const quote = await requireQuote(db, user, quoteId);
    const { state, to } = await settleTrouble(db, services, { quoteId, mailId, by: user.fullName });
    const outcome = state === 'Uncertain' ? 'Delivered' : 'No further action';
    await noteFollowUp(db, user, quote, 'SettleMail', `To ${to.join(', ')}: ${outcome}`);
    return followUpOf(context, quote);
  },

  ChangeReminder: async (context, { quoteId, reminderId, version, days, text }) => {
    const quote = await requireQuote(context.db, context.user, quoteId, { lock: true });
    await changeReminder(context, quote, { reminderId, version }, { days, text });
    return followUpOf(context, quote);
  },

  StopReminder: async (context, { quoteId, reminderId, version }) => {
    const quote = await requireQuote(context.db, context.user, quoteId, { lock: true });
    await changeReminder(context, quote, { reminderId, version }, null);
    return followUpOf(context, quote);
  },
};

type Asks = { db: Db; services: Services; user: Caller };

async function followUpOf(asks: Asks, quote: QuoteRecord): Promise<FollowUp> {
  const { db } = asks;
  const { id: quoteId } = quote;
  return {
    questions: await openQuestions(db, quoteId),
    mails: await mailTroubleOf(db, quoteId),
    waitingForPdf: await db
      .selectFrom('quote_sending')
      .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
      .select((eb) => [
        'quote_sending.id',
        sql<string[]>`quote_sending.recipients || quote_sending.cc`.as('to'),
        eb.ref('quote_sending.created_at').as('since'),
        sql<boolean>`quote_sending.created_at < now() - ${LATE}`.as('late'),
      ])
      .where('quote_revision.quote_id', '=', quoteId)
      .where('quote_sending.mail_id', 'is', null)
      .orderBy('quote_sending.id')
      .execute(),
    reminder: await reminderOf(asks, quote),
  };
}

function noteFollowUp(
  db: Db,
  user: Caller,
  quote: QuoteRecord,
  action: 'AnswerQuestion' | 'SendMailAgain' | 'SettleMail',
  comment: string,
): Promise<void> {
  const { id: quoteId, revision } = quote;
  return recordEvent(db, { quoteId, userId: user.id, actor: user.fullName, action, revision, comment });
}

// The API calls for the open points of a quote: customer questions, and mail that failed (our own calls).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { MailTrouble } from '#platform/mail/mailbox.contract.ts';
import { Reminder, ReminderInput } from '#core/quoting/customer-reminders/customer-reminders.contract.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Id, Text, Version } from '#platform/shared/wire.ts';

export const OpenQuestion = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  question: z.string(),
  askedAt: z.string(),
  /** The revision on whose page the question was asked. */
  revision: z.number().int(),
});
export type OpenQuestion = z.infer<typeof OpenQuestion>;

/** A sent quote whose mail is waiting for its PDF. */
export const WaitingForPdf = z.object({
  /** The id of the sending. */
  id: z.number().int(),
  to: z.array(z.string()),
  since: z.string(),
  late: z.boolean(),
});
export type WaitingForPdf = z.infer<typeof WaitingForPdf>;

export const FollowUp = z.object({
  questions: z.array(OpenQuestion),
  mails: z.array(MailTrouble),
  waitingForPdf: z.array(WaitingForPdf),
  /** The reminder to the customer that is waiting for its day. */
  reminder: Reminder.nullable(),
});
export type FollowUp = z.infer<typeof FollowUp>;

const QuoteMail = z.object({
  quoteId: Id,
  /** The id of a mail that failed. */
  mailId: Id,
});

/** The reminder as the caller read it. `version` is the version of the reminder. */
const ReadReminder = z.object({ quoteId: Id, reminderId: Id, version: Version });

export const QuoteFollowUp = {
  GetFollowUp: post('/api/QuoteFollowUp/GetFollowUp', z.object({ quoteId: Id }), FollowUp, {
    access: 'user',
    summary:
      'Open questions and email problems of a quote. Quote lists show the counts as openQuestions and mailTrouble.',
  }),
  AnswerQuestion: post(
    '/api/QuoteFollowUp/AnswerQuestion',
    z.object({
      quoteId: Id,
      questionId: Id,
      /** The answer to mail to the customer. If empty, nothing is mailed, because the question was answered in another way. */
      answer: Text(5000).nullish(),
    }),
    FollowUp,
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'Answers a question by email, or marks it answered. 409 if another user was first.',
    },
  ),
  SendQuoteMailAgain: post('/api/QuoteFollowUp/SendQuoteMailAgain', QuoteMail, FollowUp, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Resends an email that has a problem. If only some recipients refused it, resends it only to those.',
  }),
  MakePdfAgain: post('/api/QuoteFollowUp/MakePdfAgain', z.object({ quoteId: Id, sendingId: Id }), FollowUp, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Immediately retries the PDF that an email is waiting for, then sends the email.',
  }),
  SettleQuoteMail: post('/api/QuoteFollowUp/SettleQuoteMail', QuoteMail, FollowUp, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Marks an email that has a problem as settled. An uncertain one is recorded as delivered.',
  }),
  ChangeReminder: post('/api/QuoteFollowUp/ChangeReminder', ReadReminder.extend(ReminderInput.shape), FollowUp, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Changes the day or the text of a customer reminder. 409 if it was already sent, stopped or changed.',
  }),
  StopReminder: post('/api/QuoteFollowUp/StopReminder', ReadReminder, FollowUp, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Stops a customer reminder. 409 if it was already sent, stopped or changed.',
  }),
};

// Manages the reminder to the customer before the quote expires: set when a quote is sent, changed, stopped by a response, sent once.
import { type SqlBool, sql } from 'kysely';
import { forbidden, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { mailHeldSince, queueMail } from '#platform/mail/outbox.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { type NewEvent, recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { maySend } from '#core/quoting/quotes/sight.server.ts';
import { isExpired, quoteNumber } from '#core/quoting/quotes/status.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Reminder, ReminderDraft, ReminderInput } from './customer-reminders.contract.ts';
import { dayProblem, daysWords, filledReminder, HOUR, QUOTE_LINK, reminderDay, VALID_UNTIL } from './reminder-day.ts';

type Context = { db: Db; services: Services; user: Caller };
/** The quote and the revision that its history refers to. */
type QuoteOfEvent = Pick<QuoteRecord, 'id' | 'revision'>;
/** The user who did it. Null for the program itself. */
type By = Pick<Caller, 'id' | 'fullName'> | null;

/** The initial values of the form: the waiting reminder, or a text without a day. */
export async function reminderDraft({ db, services, user }: Context, quote: QuoteRecord): Promise<ReminderDraft> {
  const company = await loadCompany(db);
  const waiting = await waitingOf(db, quote.id);
  const text = [
    quote.contact_name ? `Dear ${quote.contact_name},` : 'Hello,',
    `Our quote ${quoteNumber(quote.num, quote.revision)} for ${quote.facility_name} expires on ${VALID_UNTIL}.`,
    `View it online, ask questions, and accept or decline it here:\n${QUOTE_LINK}`,
    ['Kind regards,', user.fullName, company.name, company.phone].filter(Boolean).join('\n'),
  ].join('\n\n');
  return {
    today: today(services, company),
    validUntil: quote.valid_until,
    subject: subjectOf(quote, company),
    days: waiting?.days ?? null,
    text: waiting?.text ?? text,
  };
}

/** The quote's waiting reminder. Null when there is none. */
export async function reminderOf({ db, services, user }: Context, quote: QuoteRecord): Promise<Reminder | null> {
  const waiting = await waitingOf(db, quote.id);
  if (!waiting) return null;
  const company = await loadCompany(db);
  return {
    ...waiting,
    today: today(services, company),
    subject: subjectOf(quote, company),
    validUntil: quote.valid_until,
    day: reminderDay(quote.valid_until, waiting.days),
    mayChange: maySend(user, quote),
  };
}

const subjectOf = (quote: QuoteRecord, company: { name: string }): string =>
  `Quote ${quoteNumber(quote.num, quote.revision)} from ${company.name} expires on ${formatDate(quote.valid_until)}`;

function waitingOf(db: Db, quoteId: number) {
  return db
    .selectFrom('quote_reminder')
    .innerJoin('quote_sending', 'quote_sending.id', 'quote_reminder.sending_id')
    .select(['quote_reminder.id', 'version', 'days', 'text', 'recipients as to', whoDid('set_by').as('setBy')])
    .where('quote_id', '=', quoteId)
    .executeTakeFirst();
}

type Sending = { id: number; validUntil: IsoDate; reminder: ReminderInput | null | undefined };

/**
 * Applies the reminder choice of a sending. Sets a reminder, ends the waiting one (null), or redirects the waiting one to the recipients of this
 * sending (undefined). Throws 422 when its day is not in the future.
 */
export async function remindAfter(
  { db, services, user }: Context,
  quote: QuoteOfEvent,
  sending: Sending,
): Promise<void> {
  if (sending.reminder === undefined) {
    await db.updateTable('quote_reminder').set({ sending_id: sending.id }).where('quote_id', '=', quote.id).execute();
    return;
  }
  if (sending.reminder === null) {
    await stopReminder({ db, services }, quote, user, 'Sent again without it');
    return;
  }
  const { days, text } = sending.reminder;
  await requireDay({ db, services }, sending.validUntil, days, 'reminder.days');
  const set = { sending_id: sending.id, days, text, set_by: user.id };
  await db
    .insertInto('quote_reminder')
    .values({ quote_id: quote.id, ...set })
    .onConflict((conflict) =>
      conflict.column('quote_id').doUpdateSet((eb) => ({ ...set, version: eb('quote_reminder.version', '+', 1) })),
    )
    .execute();
  await recordReminder({ db, services }, quote, user, 'SetReminder', planWords(sending.validUntil, days));
}

/**
 * Changes or stops (null) the quote's reminder if its version matches. Throws 403 when the user may not send the quote, and 409 when the reminder is
 * gone or has changed.
 */
export async function changeReminder(
  { db, services, user }: Context,
  quote: QuoteRecord,
  { reminderId, version }: { reminderId: number; version: number },
  change: ReminderInput | null,
): Promise<void> {
  if (!maySend(user, quote)) throw forbidden();
  const waiting = await waitingOf(db, quote.id);
  if (waiting?.id !== reminderId) {
    throw new HttpError(409, 'This reminder was already sent or stopped. See the activity of the quote.');
  }
  if (waiting.version !== version) {
    throw new HttpError(409, `${waiting.setBy} changed this reminder in the meantime. Review it again.`);
  }
  if (change === null) return stopReminder({ db, services }, quote, user);
  // The text alone may be changed even on the day itself.
  if (change.days !== waiting.days) await requireDay({ db, services }, quote.valid_until, change.days, 'days');
  await db
    .updateTable('quote_reminder')
    .set({ ...change, set_by: user.id, version: version + 1 })
    .where('id', '=', reminderId)
    .execute();
  const news = [planWords(quote.valid_until, change.days), change.text === waiting.text ? '' : 'with different text'];
  await recordReminder({ db, services }, quote, user, 'ChangeReminder', news.filter(Boolean).join(', '));
}

/** Ends the quote's waiting reminder, if there is one. */
export async function stopReminder(
  on: Pick<Context, 'db' | 'services'>,
  quote: QuoteOfEvent,
  by: By,
  why = '',
): Promise<void> {
  const { numDeletedRows } = await on.db
    .deleteFrom('quote_reminder')
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0) await recordReminder(on, quote, by, 'StopReminder', why);
}

async function requireDay(
  { db, services }: Pick<Context, 'db' | 'services'>,
  validUntil: IsoDate,
  days: number,
  path: string,
): Promise<void> {
  const message = dayProblem(validUntil, days, today(services, await loadCompany(db)));
  if (message) throw invalid([{ path, message }]);
}

const planWords = (validUntil: IsoDate, days: number): string =>
  `On ${formatDate(reminderDay(validUntil, days))}, ${daysWords(days)}`;

type Action = 'SetReminder' | 'ChangeReminder' | 'StopReminder' | 'SendReminder';

function recordReminder(
  { db, services }: Pick<Context, 'db' | 'services'>,
  { id: quoteId, revision }: QuoteOfEvent,
  by: By,
  action: Action,
  comment: string,
): Promise<void> {
  const event: NewEvent = {
    quoteId,
    userId: by?.id ?? null,
    actor: by?.fullName ?? services.config.appTitle,
    action,
    revision,
    comment,
  };
  return recordEvent(db, event);
}

/** The quotes whose reminder was due at that time. A reminder is due at 7 AM of its day in the company's time zone. */
export async function dueReminders(db: Db, at: Date, quoteId?: number): Promise<number[]> {
  const rows = await db
    .selectFrom('quote_reminder')
    .innerJoin('quote', 'quote.id', 'quote_reminder.quote_id')
    .select('quote_id')
    .where(
      sql<SqlBool>`valid_until - days + make_time(${HOUR}, 0, 0)
        <= (select ${at.toISOString()}::timestamptz at time zone time_zone from company)`,
    )
    .$if(quoteId !== undefined, (query) => query.where('quote_id', '=', quoteId ?? 0))
    .orderBy('quote_id')
    .execute();
  return rows.map(({ quote_id: id }) => id);
}

/**
 * Ends each reminder in the transaction that queues its mail, so a second server or a retry finds none. A restored copy that holds its mail ends only
 * the reminders that were due before it began to hold, because production may have sent them. Later ones wait until the mail is released.
 */
export const customerReminderJob = {
  name: 'customer-reminders',
  patient: true,
  due: async (services) => (await dueNow(services)).ids.length > 0,
  run: async (services) => {
    const { ids, held } = await dueNow(services);
    for (const id of ids) await inTransaction(services.database.db, (trx) => remind(trx, services, id, held));
  },
} satisfies PlainJob<Services>;

async function dueNow({ database: { db }, clock }: Services): Promise<{ ids: number[]; held: Date | null }> {
  const since = await mailHeldSince(db);
  const held = since === null ? null : new Date(since);
  return { ids: await dueReminders(db, held ?? clock.now()), held };
}

async function remind(db: Db, services: Services, quoteId: number, held: Date | null): Promise<void> {
  const quote = await db
    .selectFrom('quote')
    .selectAll()
    .where('id', '=', quoteId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  // Another user may have changed it, or another server may have sent it, before the lock.
  if ((await dueReminders(db, held ?? services.clock.now(), quoteId)).length === 0) return;
  const reminder = await db
    .deleteFrom('quote_reminder')
    .where('quote_id', '=', quoteId)
    .returning(['sending_id', 'days', 'text'])
    .executeTakeFirst();
  if (!reminder) return;
  const page = await db
    .selectFrom('quote_sending')
    .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
    .select(['recipients', 'doc_id', 'revision', 'revoked_at'])
    .where('quote_sending.id', '=', reminder.sending_id)
    .executeTakeFirstOrThrow();
  const company = await loadCompany(db);
  const day = today(services, company);
  const problem = held ? RESTORED : whyNot(quote, page, day);
  if (problem) return recordReminder({ db, services }, quote, null, 'StopReminder', problem);
  const { recipients: to } = page;
  await queueMail(db, services.jobs, {
    quoteId,
    to,
    subject: subjectOf(quote, company),
    body: filledReminder(reminder.text, {
      validUntil: quote.valid_until,
      link: `${services.config.publicUrl}${paths.quoteDoc(page.doc_id)}`,
    }),
  });
  const planned = reminderDay(quote.valid_until, reminder.days);
  const late = planned < day ? `, late: it was due on ${formatDate(planned)}` : '';
  await recordReminder({ db, services }, quote, null, 'SendReminder', `To ${to.join(', ')}${late}`);
}

const RESTORED = 'The database was restored from a backup, so it is not known whether it was already sent';

/** Actions that end a reminder delete it at once. This check catches changes that happen by time or without such an action. */
function whyNot(quote: QuoteRecord, page: { revision: number; revoked_at: string | null }, day: IsoDate): string {
  if (quote.status_id !== 'SentToCustomer' || page.revision !== quote.revision)
    return 'The quote is no longer open for the customer';
  if (page.revoked_at !== null) return 'The customer’s link is closed';
  return isExpired(quote, day) ? 'The quote expired before it could be sent' : '';
}

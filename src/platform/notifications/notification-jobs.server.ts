// The background work of notifications: the daily mail, and the quotes that expire soon.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { companyDay } from '#platform/company/company.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { callerColumns, callerFrom } from '#platform/auth/sessions/read-caller.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { notify } from './notify.server.ts';
import { repSideOf } from './people-of-quote.server.ts';
import { readShown, shownNotifications } from './visible-notifications.server.ts';

/** The hour in the company's time zone at which the daily mail is sent. */
const HOUR = 7;
const DAYS_LEFT = 7;
/** The maximum number of notifications in the daily mail; the bell has the rest. */
const MAX_LISTED = 100;

/**
 * Sends each user at most one mail a day with their unread notifications. The mail of a user and its marks are one transaction, so another try
 * continues with the others.
 */
export const dailyMailJob = {
  name: 'notifications-daily',
  patient: true,
  due: async (services) => {
    const now = services.clock.now();
    const { rows } = await sql<{ due: boolean }>`
      select exists (select from notification_settings, company where mailed_day is distinct from ${companyDay(now)}
        and extract(hour from ${now}::timestamptz at time zone time_zone) >= ${HOUR}) as due`.execute(
      services.database.db,
    );
    return rows[0]?.due ?? false;
  },
  run: async (services) => {
    const { db } = services.database;
    const now = services.clock.now();
    // The first run only records the day, even if it is late.
    const { rows } = await sql<{ id: number }>`
      select distinct user_id as id from notification
      where for_daily and (select mailed_day from notification_settings) is not null`.execute(db);
    for (const { id } of rows) await inTransaction(db, (trx) => mailDay(trx, services, id));
    await sql`update notification_settings set mailed_day = ${companyDay(now)}`.execute(db);
  },
} satisfies PlainJob<Services>;

async function mailDay(db: Db, services: Services, userId: number): Promise<void> {
  const now = services.clock.now();
  const row = await db
    .selectFrom('app_user')
    .innerJoin('company', (join) => join.onTrue())
    .select(callerColumns(now))
    .select('app_user.active')
    .where('app_user.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { rows: taken } = await sql<{ id: number }>`
    update notification set for_daily = false where user_id = ${userId} and for_daily returning id`.execute(db);
  if (taken.length === 0 || !row.active) return;
  const { caller } = callerFrom(row, now);
  const ids = taken.map(({ id }) => id);
  const waiting = shownNotifications(db, caller).where('note.id', '=', (eb) => eb.fn.any(eb.val(ids)));
  const records = await readShown(waiting, caller, { offset: 0, limit: MAX_LISTED + 1 });
  if (records.length === 0) return;
  const url = services.config.publicUrl;
  const listed = [...Map.groupBy(records.slice(0, MAX_LISTED), ({ about }) => about)].map(([about, target]) =>
    [about, ...target.map(({ title, path }) => `- ${title}\n  ${url}${path}`)].filter(Boolean).join('\n'),
  );
  await queueMail(db, services.jobs, {
    to: [caller.userName],
    subject: `Your day: ${records.length > MAX_LISTED ? `more than ${MAX_LISTED}` : records.length} unread notifications`,
    body: [...listed, records.length > MAX_LISTED ? 'You can see the rest in Quoteboard.' : '', `${url}${paths.home}`]
      .filter(Boolean)
      .join('\n\n'),
    unsubscribe: `${url}${paths.account}#notifications`,
  });
}

/** Soon after midnight in the company's time zone, notifies users of sent quotes that have seven days left. */
export const expiringQuotesJob = {
  name: 'notifications-expiring',
  patient: true,
  due: async (services) => {
    const { rows } = await sql<{ due: boolean }>`
      select exists (select from notification_settings
        where told_through is distinct from ${companyDay(services.clock.now())} + ${DAYS_LEFT}::int) as due`.execute(
      services.database.db,
    );
    return rows[0]?.due ?? false;
  },
  // The first run only records the day. Quotes that already have fewer days left are listed on the line above Home.
  run: (services) =>
    inTransaction(services.database.db, async (db) => {
      const day = companyDay(services.clock.now());
      const { rows: results } = await sql<{ id: number }>`
        select quote.id from quote, (select told_through from notification_settings for update) settings
        where status_id = 'SentToCustomer' and valid_until > greatest(told_through, ${day})
          and told_through is not null and valid_until <= ${day} + ${DAYS_LEFT}::int
        order by id`.execute(db);
      const recipients = await repSideOf(
        db,
        results.map(({ id }) => id),
      );
      const mail = {
        what: 'expires in 7 days',
        paragraphs: () => ['The quote is with the customer and expires in 7 days or less.'],
      };
      await notify(db, services, { kind: 'expiring', by: { id: null, name: '' }, mail }, recipients);
      await sql`update notification_settings set told_through = ${day} + ${DAYS_LEFT}::int`.execute(db);
    }),
} satisfies PlainJob<Services>;

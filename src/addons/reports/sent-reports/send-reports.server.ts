// Sends the reports that are due: one mail for each recipient, with the figures that the recipient may see.
import { sql } from 'kysely';
import { z } from 'zod';
import { isForbidden } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince, queueMail } from '#platform/mail/outbox.server.ts';
import { callerColumns, callerFrom } from '#platform/auth/sessions/read-caller.server.ts';
import { fileNameOf } from '../plots/plot.ts';
import { type ReportKey, reportTab } from '../screen/report-tabs.ts';
import type { JobKind, PlainJob } from '#platform/jobs/jobs.server.ts';
import { removeUncommitted } from '#platform/outside/remove-uncommitted.server.ts';
import { lettersWithoutFont } from '#platform/outside/typst/letters-without-font.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import { Id } from '#platform/shared/wire.ts';
import { contentCsv, type ReportContent, reportContent } from './report-content.server.ts';
import { reportPdf } from './report-pdf.server.ts';
import { nextDay, SENT_AT_HOUR } from './schedule.server.ts';

type Due = { id: number; every: 'week' | 'month'; ownerId: number; roles: Role[]; declined: number[]; day: string };

/** The reports that are due, with the company's day. Nothing is due while a restored copy holds its mail. */
async function dueReports(db: Db, now: Date, { lock = false } = {}): Promise<Due[]> {
  if (await mailHeldSince(db)) return [];
  const { rows } = await sql<Due>`
    select r.id, r.every, r.owner_id as "ownerId", r.roles, r.declined, today.day::text as day
      from sent_report r join app_user owner on owner.id = r.owner_id and owner.active,
        lateral (select (${now.toISOString()}::timestamptz at time zone time_zone) as here from company) clock,
        lateral (select here::date as day) today
     where r.next_on < today.day or (r.next_on = today.day and extract(hour from clock.here) >= ${sql.lit(SENT_AT_HOUR)})
     order by r.id ${lock ? sql`for update of r skip locked` : sql``}`.execute(db);
  return rows;
}

/** Moves each due report to its next day and queues its mails, in one transaction, so that no other server repeats it. */
export const sentReportsJob = {
  name: 'sent-reports',
  patient: true,
  due: async ({ database, clock }) => (await dueReports(database.db, clock.now())).length > 0,
  run: ({ database, clock, jobs }) =>
    inTransaction(database.db, async (db) => {
      for (const { id, every, day, ...to } of await dueReports(db, clock.now(), { lock: true })) {
        await db
          .updateTable('sent_report')
          .set({ next_on: nextDay(every, day), last_on: day })
          .where('id', '=', id)
          .execute();
        for (const userId of await readersOf(db, to)) await jobs.send(db, sentReportJob, { reportId: id, userId, day });
      }
    }),
} satisfies PlainJob<Services>;

/** The recipients: its owner, or all active users with one of its roles who did not decline it. */
async function readersOf(db: Db, { ownerId, roles, declined }: Pick<Due, 'ownerId' | 'roles' | 'declined'>) {
  if (roles.length === 0) return [ownerId];
  const rows = await db
    .selectFrom('app_user')
    .select('id')
    .where('active', '=', true)
    .where((eb) =>
      eb.exists(eb.selectFrom('user_role').whereRef('user_id', '=', 'app_user.id').where('role', 'in', roles)),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id).filter((id) => !declined.includes(id));
}

/** Creates the report for one recipient and queues its mail. A repeated try finds the mail and does nothing. */
export const sentReportJob = {
  name: 'sent-report',
  payload: z.object({ reportId: Id, userId: Id, day: z.string() }),
  retryLimit: 12,
  run: async (services, { reportId, userId, day }) => {
    const { db } = services.database;
    const sent = await sentReport(db, reportId);
    const reader = await readerNow(services, userId);
    if (!sent || !reader || !isFor(sent, reader) || (await wasMailed(db, reportId, userId, day))) return;
    const content = await reportContent({ db, services, user: reader }, sent.report as ReportKey, sent.address).catch(
      noneIfForbidden,
    );
    if (content === 'forbidden') return;
    if (!content) throw new Error('The facts of reports are being prepared.');
    await mailReport(services, { sent, reader, day, content });
  },
} satisfies JobKind<z.ZodType<{ reportId: number; userId: number; day: string }>, Services>;

/** A recipient who may not know the cost never gets a pivot of margins, no matter who sends it. */
function noneIfForbidden(error: unknown): 'forbidden' {
  if (isForbidden(error)) return 'forbidden';
  throw error;
}

function sentReport(db: Db, id: number) {
  return db
    .selectFrom('sent_report')
    .innerJoin('app_user as owner', 'owner.id', 'sent_report.owner_id')
    .select(['sent_report.id', 'report', 'address', 'owner_id', 'roles', 'declined', 'owner.full_name as owner_name'])
    .where('sent_report.id', '=', id)
    .executeTakeFirst();
}
type Sent = NonNullable<Awaited<ReturnType<typeof sentReport>>>;

/** The user with the current rights. Null for one who may not sign in. */
async function readerNow({ database, clock }: Services, userId: number): Promise<Caller | null> {
  const now = clock.now();
  const row = await database.db
    .selectFrom('app_user')
    .innerJoin('company', (join) => join.onTrue())
    .select(callerColumns(now))
    .where('app_user.id', '=', userId)
    .where('app_user.active', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const { caller, lockedOut } = callerFrom(row, now);
  return lockedOut === null && caller.roles.length > 0 ? { ...caller, sessionId: '' } : null;
}

const isFor = ({ owner_id: owner, roles, declined }: Sent, reader: Caller) =>
  roles.length === 0 ? owner === reader.id : hasRole(reader, ...(roles as Role[])) && !declined.includes(reader.id);

async function wasMailed(db: Db, reportId: number, userId: number, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('sent_report_mail')
    .select('day')
    .where('report_id', '=', reportId)
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .executeTakeFirst();
  return row !== undefined;
}

async function mailReport(
  services: Services,
  { sent, reader, day, content }: { sent: Sent; reader: Caller; day: string; content: ReportContent },
): Promise<void> {
  const name = `${fileNameOf(content.title)}-${content.to}`;
  const files = [
    { name: `${name}.pdf`, media_type: 'application/pdf', bytes: await reportPdf(content) },
    { name: `${name}.csv`, media_type: 'text/csv', bytes: Buffer.from(contentCsv(content)) },
  ];
  const lettersNote = await boxesNote(services, content);
  const keys: string[] = [];
  try {
    for (const { bytes } of files) keys.push(await services.files.put(bytes));
    const isFirst = await inTransaction(services.database.db, async (db) => {
      const written = await db
        .insertInto('sent_report_mail')
        .values({ report_id: sent.id, user_id: reader.id, day })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      // Another server was faster.
      if (!written.numInsertedOrUpdatedRows) return false;
      const stored = await db
        .insertInto('file')
        .values(
          files.map((file, index) => ({
            storage_key: keys[index] ?? '',
            name: file.name,
            media_type: file.media_type,
            size: file.bytes.length,
          })),
        )
        .returning(['id', 'name'])
        .execute();
      await queueMail(db, services.jobs, {
        to: [reader.userName],
        subject: `${content.title}, ${content.of[0] ?? ''}`,
        body: bodyOf(services, sent, content) + lettersNote,
        attachments: stored.map(({ id, name: fileName }) => ({ fileId: id, name: fileName })),
        unsubscribe: `${services.config.publicUrl}${paths.sentReports}`,
      });
      return true;
    });
    if (!isFirst) for (const key of keys) await services.files.remove(key).catch(() => {});
  } catch (error) {
    await removeUncommitted(services.files, keys, error);
    throw error;
  }
}

/** Lists the characters that the PDF shows as boxes. The CSV contains every character. */
async function boxesNote({ log }: Services, content: ReportContent): Promise<string> {
  const letters = await lettersWithoutFont(JSON.stringify(content)).catch((error: unknown) => {
    log.warn({ err: error }, 'the letters of a PDF could not be checked');
    return [];
  });
  if (letters.length === 0) return '';
  return `\n\nThe PDF shows boxes for characters that its fonts do not support: ${letters.slice(0, 20).join(' ')}${letters.length > 20 ? ' and more' : ''}. The CSV file has all characters.`;
}

function bodyOf({ config }: Services, sent: Sent, content: ReportContent): string {
  const report = sent.report as ReportKey;
  const place = `${config.publicUrl}${reportTab(report).to}${sent.address === '' ? '' : `?${sent.address}`}`;
  const why =
    sent.roles.length === 0
      ? 'You get this email because you scheduled this report.'
      : `${sent.owner_name} scheduled this report for: ${(sent.roles as Role[]).map((role) => ROLE_LABELS[role]).join(', ')}.`;
  return [
    `${content.title} for the quotes that you can see, as of ${content.asOf}:`,
    content.of.join('\n'),
    content.figures.map(({ name, figure }) => `${name}: ${figure}`).join('\n'),
    'The charts are in the attached PDF. All figures are in the attached CSV file.',
    `Open the report: ${place}`,
    `${why} To stop it, go to ${config.publicUrl}${paths.sentReports}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

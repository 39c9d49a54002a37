// Answers the calls for reports sent by mail.
import { sql } from 'kysely';
import { forbidden, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context as ContextOf } from '#platform/api/serve.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { pivotTitle } from '../pivot/pivot-table.ts';
import { PERIOD_LABELS } from '../report-filters.ts';
import { addressOfChosen } from '../screen/period-address.ts';
import { type ReportKey, reportTab } from '../screen/report-tabs.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { hasRole, ROLES, type Role, seesInternalFigures } from '#platform/shared/roles.ts';
import { filterWords } from './filter-words.server.ts';
import { chosenOf } from './report-content.server.ts';
import { nextDay } from './schedule.server.ts';
import type { SentReport, SentReports } from './sent-reports.contract.ts';

type Context = ContextOf<'user'>;

/** The most reports that one user can set up. */
const MOST = 50;
const MAY_CHOOSE_ROLES = ['systemadmin', 'salesadmin', 'salesQuoteManager'] as const satisfies readonly Role[];

export const sentReportAnswers: Answers<typeof SentReports> = {
  GetSentReports: async (context) => {
    const { user } = context;
    const rows = await reportsOf(context);
    const reports: SentReport[] = [];
    for (const row of rows) reports.push(await sentReport(context, row));
    return { reports, mayChooseRoles: hasRole(user, ...MAY_CHOOSE_ROLES) };
  },

  /** Throws 403 if the user lacks the right to choose roles or margins, and 422 for more reports than allowed. */
  AddSentReport: async (context, { report, address, every, roles }) => {
    const { db, services, user } = context;
    if (roles.length > 0 && !hasRole(user, ...MAY_CHOOSE_ROLES)) throw forbidden();
    const { count } = await db
      .selectFrom('sent_report')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('owner_id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (count >= MOST)
      throw invalid([
        { path: 'report', message: `You already have ${MOST} scheduled reports. Stop one before you add another.` },
      ]);
    const day = today(services, await loadCompany(db));
    const chosen = chosenOf(address, day);
    if (report === 'pivot' && chosen.pivot.measure === 'margin' && !seesInternalFigures(user)) throw forbidden();
    const { id } = await db
      .insertInto('sent_report')
      .values({
        report,
        address: new URLSearchParams(addressOfChosen(chosen)).toString(),
        every,
        owner_id: user.id,
        roles: ROLES.filter((role) => roles.includes(role)),
        next_on: nextDay(every, day),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordChange(db, user, { type: 'sentReport', id, name: reportTab(report).label, action: 'Create' });
    const [row] = await reportsOf(context, id);
    if (!row) throw new Error('the report was just added');
    return sentReport(context, row);
  },

  /** Throws 404 for a report that the user neither owns nor gets. */
  StopSentReport: async (context, { id, version }) => {
    const { db, user } = context;
    const [row] = await reportsOf(context, id);
    if (!row) throw notFound('report');
    const name = reportTab(row.report).label;
    if (!mayStop(user, row)) {
      await sql`update sent_report set declined = declined || ${user.id}::int
        where id = ${id} and not declined @> array[${user.id}::int]`.execute(db);
      return {};
    }
    await requireFresh(db, 'sentReport', row, version);
    await db.deleteFrom('sent_report').where('id', '=', id).execute();
    await recordChange(db, user, { type: 'sentReport', id, name, action: 'Remove' });
    return {};
  },
};

type Row = {
  id: number;
  report: ReportKey;
  address: string;
  every: 'week' | 'month';
  ownerId: number;
  ownerName: string;
  roles: Role[];
  declined: number[];
  nextOn: string;
  lastOn: string | null;
  version: number;
};

/** The reports that the user has set up, gets, or may stop. With `id`, only that one. */
async function reportsOf({ db, user }: Context, id?: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select r.id, r.report, r.address, r.every, r.owner_id as "ownerId", owner.full_name as "ownerName", r.roles, r.declined,
           r.next_on::text as "nextOn", r.last_on::text as "lastOn", r.version
      from sent_report r join app_user owner on owner.id = r.owner_id
     where (r.owner_id = ${user.id} or ${hasRole(user, 'systemadmin')}
        or (r.roles && ${[...user.roles]}::text[] and not r.declined @> array[${user.id}::int]))
       ${id === undefined ? sql`` : sql`and r.id = ${id}`}
     order by r.owner_id <> ${user.id}, r.next_on, r.id`.execute(db);
  return rows;
}

const mayStop = (user: Context['user'], { ownerId }: Row) => ownerId === user.id || hasRole(user, 'systemadmin');

async function sentReport({ db, services, user }: Context, row: Row): Promise<SentReport> {
  const { filters, period, pivot } = chosenOf(row.address, today(services, await loadCompany(db)));
  const days = period ? PERIOD_LABELS[period] : `${formatDate(filters.from)} to ${formatDate(filters.to)}`;
  const { ownerId, declined, ...fields } = row;
  const isTheirs = row.roles.length === 0 ? ownerId === user.id : hasRole(user, ...row.roles);
  return {
    ...fields,
    of: [...(row.report === 'pivot' ? [pivotTitle(pivot)] : []), days, ...(await filterWords(db, filters))],
    mayStop: mayStop(user, row),
    getsIt: isTheirs && !declined.includes(user.id),
  };
}

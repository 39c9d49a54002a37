// Computes how long quotes and approvals take, how often quotes are revised, and who they wait for now.
import { sql } from 'kysely';
import { STATUS_LABELS, StatusId } from '#core/quoting/quotes/status.ts';
import { ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import { bucketKey } from '../facts/buckets.server.ts';
import { namesOf } from '../facts/names.server.ts';
import { type Asked, inReport, IS_OPEN, selected, type Terms } from '../facts/selection.server.ts';
import type { ReportFilters } from '../report-filters.ts';
import type { Duration, ReportHead, SpeedReport } from '../reports.contract.ts';
import { sliceText, type WaitingFor } from '../slices.ts';
import {
  decisionsOf,
  isCreated,
  REVISIONS,
  STAYS,
  type StayStatus,
  WAITS_FOR,
  WAITS_FOR_KEY,
} from './speed-slices.server.ts';

export function getSpeed(request: Asked, filters: ReportFilters): Promise<SpeedReport> {
  return inReport(request, filters, reportOf);
}

async function reportOf(request: Asked, terms: Terms, head: ReportHead): Promise<SpeedReport> {
  return {
    ...head,
    inStatus: await inStatus(request, terms),
    approvals: { byRule: await approvals(request, terms, 'rule'), byPerson: await approvals(request, terms, 'person') },
    revisions: await revisions(request, terms),
    waiting: await waiting(request, terms),
  };
}

const MEDIAN_AND_P90 = sql`percentile_disc(array[0.5, 0.9]) within group`;

async function inStatus({ db }: Asked, terms: Terms): Promise<SpeedReport['inStatus']> {
  const statuses = Object.keys(STAYS) as StayStatus[];
  const columns = statuses.flatMap((status) => {
    const seconds = sql.ref(`quote.${STAYS[status]}`);
    return [
      sql`count(${seconds})::int as ${sql.ref(`${status}Count`)}`,
      sql`${MEDIAN_AND_P90} (order by ${seconds}) as ${sql.ref(status)}`,
    ];
  });
  const { rows } = await sql<Record<string, number | (number | null)[]>>`
    select ${sql.join(columns)} from report_quote quote where ${selected(terms)} and ${isCreated(terms)}`.execute(db);
  const [row = {}] = rows;
  return statuses.map((statusId) => {
    const times = row[statusId];
    const [median, p90] = Array.isArray(times) ? times : [];
    return {
      statusId,
      key: statusId,
      name: STATUS_LABELS[statusId],
      count: Number(row[`${statusId}Count`] ?? 0),
      median: median ?? 0,
      p90: p90 ?? 0,
      slice: sliceText({ kind: 'stay', status: statusId }),
    };
  });
}

/** Most decided quotes first. A rule has its last name, even if it no longer exists. */
async function approvals({ db }: Asked, terms: Terms, by: 'rule' | 'person'): Promise<Duration[]> {
  const key = by === 'rule' ? sql`decision."ruleId"` : sql`decision."by"`;
  const name =
    by === 'rule'
      ? sql`(select rule.name from jsonb_to_recordset(request.rules) as rule("ruleId" int, name text)
        where rule."ruleId" = decision."ruleId" limit 1)`
      : sql`(select full_name from app_user where id = decision."by")`;
  const { rows } = await sql<{ key: number; name: string | null; count: number; times: number[] }>`
    select key, (array_agg(name order by request_id desc))[1] as name, count(distinct quote_id)::int as count,
      ${MEDIAN_AND_P90} (order by seconds) as times
    from (select ${key} as key, ${name} as name, quote.id as quote_id, request.id as request_id,
        greatest(0, extract(epoch from decision.at - request.requested_at))::int as seconds
      from ${decisionsOf(terms)} and ${selected(terms)}) decision
    group by key order by count desc, key`.execute(db);
  return rows.map(({ key: id, name: called, count, times: [median = 0, p90 = 0] }) => ({
    key: String(id),
    name: called ?? String(id),
    count,
    median,
    p90,
    slice: sliceText({ kind: 'approval', by, key: String(id) }),
  }));
}

async function revisions({ db }: Asked, terms: Terms): Promise<SpeedReport['revisions']> {
  const { rows } = await sql<{ key: number; count: number; amount: number }>`
    select ${REVISIONS} as key, count(*)::int as count, sum(total_amount) as amount
    from report_quote quote where ${selected(terms)} and ${isCreated(terms)} group by 1`.execute(db);
  return [1, 2, 3, 4, 5].map((number) => {
    const row = rows.find(({ key }) => key === number);
    const key = String(number);
    return {
      key,
      name: number === 5 ? '5 or more' : key,
      count: row?.count ?? 0,
      amount: row?.amount ?? 0,
      slice: sliceText({ kind: 'revisions', key }),
    };
  });
}

async function waiting({ db }: Asked, terms: Terms): Promise<SpeedReport['waiting']> {
  const { rows } = await sql<{
    for: WaitingFor;
    key: string | null;
    statusId: string;
    count: number;
    amount: number;
    oldest: number;
    times: number[];
  }>`
    select waits_for as "for", key, status_id as "statusId", count(*)::int as count, sum(total_amount) as amount, max(seconds) as oldest,
      percentile_disc(array[0.5]) within group (order by seconds) as times
    from (select ${WAITS_FOR} as waits_for, ${WAITS_FOR_KEY} as key, quote.status_id, quote.total_amount,
        greatest(0, extract(epoch from ${terms.now.toISOString()}::timestamptz - quote.status_since))::int as seconds
      from report_quote quote where ${selected(terms)} and ${IS_OPEN}) quote
    group by 1, 2, 3 order by oldest desc, count desc, 1, 2`.execute(db);
  const isPerson = ({ for: who }: { for: WaitingFor }) => who === 'salesRep' || who === 'processor';
  const names = await namesOf(db, { rep: rows.filter(isPerson).map(({ key }) => key) });
  return rows.map((row) => {
    const key = bucketKey(row.key);
    const statusId = StatusId.parse(row.statusId);
    const name = isPerson(row)
      ? row.key === null
        ? 'Unassigned'
        : (names.rep.get(Number(row.key)) ?? row.key)
      : rolesIn(row.key ?? '');
    return {
      for: row.for,
      statusId,
      key,
      name,
      count: row.count,
      amount: row.amount,
      oldest: row.oldest,
      median: row.times[0] ?? 0,
      slice: sliceText({ kind: 'waiting', for: row.for, status: statusId, key }),
    };
  });
}

/** Role names joined by commas: 'Sales administrator, Sales quote manager'. Empty without roles. */
function rolesIn(roles: string): string {
  return roles
    .split(',')
    .filter(Boolean)
    .map((role) => ROLE_LABELS[role as Role])
    .join(', ');
}

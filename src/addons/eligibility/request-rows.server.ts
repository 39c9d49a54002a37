// Reads the eligibility requests that the user sees, in the form that screens show.
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { contains, folded, foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { direction } from '#platform/db/page.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { servedFacilities } from '#core/territories/territories/served-facilities.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { RequestCriteria, RequestRow } from './eligibility.contract.ts';
import { OVERDUE_DAYS, type RequestState, WAITING_STATES } from './request-steps.ts';

export type Looking = { db: Db; user: Caller; services: Services; today: IsoDate };

/**
 * The condition on a request `r` that is true if the user sees it. Users who may read all contracts see all requests. Other users see requests they
 * made, requests about a facility they serve, and requests that a quote they see waits for. Only its author sees a draft.
 */
export function requestInSight(user: Caller, today: IsoDate): RawBuilder<boolean> {
  const own = sql`r.requested_by = ${user.id}`;
  if (readsAllContracts(user)) return sql<boolean>`(r.state <> 'Draft' or ${own})`;
  return sql<boolean>`(${own} or (r.state <> 'Draft' and (
    r.facility_id in (${servedFacilities(user, today)})
    or exists (select from eligibility_request_quote joined join quote on quote.id = joined.quote_id
        where joined.request_id = r.id and ${inSight(user)}))))`;
}

const FROM = sql`eligibility_request r join gpo_contract c on c.id = r.contract_id left join gpo on gpo.id = c.gpo_id
  join contract_tier t on t.id = r.tier_id join facility f on f.id = r.facility_id join app_user u on u.id = r.requested_by
  left join contract_tier d on d.id = r.decided_tier_id`;

const WAITING = sql.lit(`{${WAITING_STATES.join()}}`);

function daysOn(services: Services): RawBuilder<number> {
  const now = services.clock.now().toISOString();
  return sql<number>`greatest(0, floor(extract(epoch from (${now}::timestamptz - r.state_at)) / 86400))::int`;
}

function overdueAfter(days: RawBuilder<unknown>): RawBuilder<boolean> {
  const subset = Object.entries(OVERDUE_DAYS).map(
    ([state, most]) => sql`(r.state = ${sql.lit(state)} and ${days} > ${sql.lit(most)})`,
  );
  return sql<boolean>`(${sql.join(subset, sql` or `)})`;
}

/** The last user who took one of these steps. */
const lastWho = (...actions: string[]) =>
  sql`(select e.actor from record_event e where e.record_type = 'eligibilityRequest' and e.record_id = r.id
    and e.action = any(${sql.lit(`{${actions.map((name) => `"${name}"`).join()}}`)}::text[]) order by e.id desc limit 1)`;

function columns(services: Services) {
  const days = daysOn(services);
  return sql<RequestRow>`r.id, r.state,
    json_build_object('id', c.id, 'number', c.number, 'title', c.title, 'gpo', coalesce(gpo.name, '')) as contract,
    json_build_object('id', t.id, 'no', t.tier_no, 'name', t.name) as tier,
    json_build_object('id', f.id, 'name', f.name, 'acctNo', f.acct_no, 'city', f.ship_to_city, 'state', f.ship_to_state) as facility,
    r.wanted_from as "wantedFrom", r.note, json_build_object('id', u.id, 'name', ${whoDid('r.requested_by')}) as "requestedBy",
    r.requested_at as "requestedAt", r.state_at as "stateAt", ${days} as days, ${overdueAfter(days)} as overdue,
    case r.state when 'Draft' then u.full_name when 'Requested' then 'the contract department'
      when 'InReview' then coalesce(${lastWho('Start review')}, 'the contract department')
      when 'NeedInfo' then u.full_name when 'SentToGpo' then coalesce(gpo.name, 'the supplier') else '' end as "waitsFor",
    r.reason,
    case when d.id is not null then json_build_object('tierId', d.id, 'tierNo', d.tier_no, 'tierName', d.name,
      'firmFrom', r.firm_from) end as decided,
    (select count(*)::int from eligibility_request_quote q where q.request_id = r.id) as quotes, r.version`;
}

/** Throws 404 if the user does not see the request, as for an unknown one. */
export async function readRequest({ db, user, services, today }: Looking, id: number): Promise<RequestRow> {
  const { rows } = await sql<RequestRow>`select ${columns(services)} from ${FROM}
    where r.id = ${id} and ${requestInSight(user, today)}`.execute(db);
  if (!rows[0]) throw notFound('eligibility request');
  return rows[0];
}

const SORTS: Record<string, RawBuilder<unknown>> = {
  stateAt: sql`r.state_at`,
  requestedAt: sql`r.requested_at`,
  facility: sql`lower(f.name)`,
  contract: sql`lower(c.number)`,
  state: sql`r.state`,
  wantedFrom: sql`r.wanted_from`,
};

/** One page of requests, with the number in each state. By default, the longest waiting come first. */
export async function requestPage({ db, user, services, today }: Looking, criteria: RequestCriteria) {
  const { state, keyword, contractId, facilityId, mine, age, page, pageSize, sort } = criteria;
  const { field, dir } = sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'stateAt', dir: 'asc' as const };
  const order = sql`${SORTS[field]} ${direction(dir)}, r.id ${direction(dir)}`;
  const words = wordsOf(keyword ?? '').map(
    (word) =>
      sql`(f.search_text like plain_text(${contains(word)}) or ${foldedHolds(folded(sql`c.number || ' ' || c.title`), word)})`,
  );
  const where = sql.join(
    [
      requestInSight(user, today),
      ...words,
      ...(contractId ? [sql`r.contract_id = ${contractId}`] : []),
      ...(facilityId ? [sql`r.facility_id = ${facilityId}`] : []),
      ...(mine ? [concerns(user)] : []),
    ],
    sql` and `,
  );
  const inState = !state
    ? sql`true`
    : state === 'Waiting'
      ? sql`state = any(${WAITING}::text[])`
      : sql`state = ${state}`;
  const ofAge = {
    Overdue: sql`overdue`,
    Over7: sql`days > 7 and state = any(${WAITING}::text[])`,
    Over30: sql`days > 30 and state = any(${WAITING}::text[])`,
  };
  const days = daysOn(services);
  const { rows } = await sql<{
    total: number;
    overdue: number;
    counts: { state: RequestState; count: number }[];
    records: RequestRow[];
  }>`
    with found as materialized (
      select r.id, r.state, ${days} as days, ${overdueAfter(days)} as overdue, row_number() over (order by ${order}) as nth
        from ${FROM} where ${where}),
    hits as materialized (
      select id, row_number() over (order by nth) as place from found where ${inState} and ${age ? ofAge[age] : sql`true`}),
    shown as materialized (select * from hits where place > ${(page - 1) * pageSize} and place <= ${page * pageSize})
    select (select count(*)::int from hits) as total, (select count(*)::int from found where overdue) as overdue,
      (select coalesce(json_agg(json_build_object('state', state, 'count', n)), '[]')
         from (select state, count(*)::int as n from found group by state) each_state) as counts,
      (select coalesce(json_agg(one order by one.place), '[]')
         from (select shown.place, ${columns(services)} from ${FROM} join shown on shown.id = r.id) one) as records`.execute(
    db,
  );
  const { total = 0, overdue = 0, counts = [], records = [] } = rows[0] ?? {};
  return { records, total, pageCount: Math.ceil(total / pageSize), counts, overdue };
}

/** True if the user made or joined the request, or if a quote that the user sells or wrote waits for it. */
function concerns(user: Caller): RawBuilder<boolean> {
  return sql<boolean>`(r.requested_by = ${user.id} or exists (
    select from eligibility_request_quote q join quote on quote.id = q.quote_id
     where q.request_id = r.id and (q.added_by = ${user.id} or quote.sales_rep_id = ${user.id} or quote.owner_id = ${user.id})))`;
}

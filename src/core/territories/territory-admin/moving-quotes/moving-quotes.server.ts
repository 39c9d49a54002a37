// Lists open quotes that differ from their facility's assignment today, and moves the selected ones.
import { type RawBuilder, sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { notify } from '#platform/notifications/notify.server.ts';
import { MOVABLE_STATUSES, moveToTerritory } from '#core/quoting/quotes/handing-over/move-to-territory.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { servingTerritory, validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { MAX_MOVED, type QuoteToMove } from '../territory-admin.contract.ts';
import { todayOf } from '../territory-list.server.ts';

type Found = Omit<QuoteToMove, 'after'> & { after: QuoteToMove['after']; state: 'movable' | 'sent' | 'pending' };
type Scope = { territoryId?: number | null | undefined } | { quoteIds: number[] };

/** Lists open quotes that differ, either of all territories or of those that are in one territory or belong there: the first 500, and the count. */
export async function quotesToMove(db: Db, services: Services, scope: { territoryId?: number | null | undefined }) {
  const differing = differingQuotes(scope, await todayOf(db, services));
  const { rows } = await sql<{
    quotes: Omit<Found, 'state'>[];
    total: number;
    sent: number;
    pending: number;
  }>`with differing as materialized (${differing})
     select (select count(*) from differing where state = 'movable') as total,
            (select count(*) from differing where state = 'sent') as sent,
            (select count(*) from differing where state = 'pending') as pending,
            (select coalesce(json_agg(d order by d.num), '[]')
               from (select * from differing where state = 'movable' order by num
                 limit ${MAX_MOVED}) d) as quotes`.execute(db);
  const { quotes = [], total = 0, sent = 0, pending = 0 } = rows[0] ?? {};
  return { quotes, total, kept: { sent, pending } };
}

/** Moves quotes that still differ and have not changed since they were listed. Returns the reason for each quote that did not move. */
export async function moveToToday(
  { db, user, services }: { db: Db; user: Caller; services: Services },
  input: { id: number; version: number }[],
) {
  const ids = input.map(({ id }) => id);
  const locked = await db
    .selectFrom('quote')
    .select(['id', 'num', 'version'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  // Reads while it holds the locks, so that nothing can change.
  const { rows } = await differingQuotes({ quoteIds: ids }, await todayOf(db, services)).execute(db);
  const result = new Map(rows.map((row) => [row.id, row]));
  const read = new Map(input.map(({ id, version }) => [id, version]));
  const known = new Set(locked.map(({ id }) => id));
  const left = [...read.keys()]
    .filter((id) => !known.has(id))
    .map((id) => ({ id, num: 0, why: 'This quote does not exist.' }));
  const moves = locked.flatMap(({ id, num, version }) => {
    const move = result.get(id);
    const why =
      version !== read.get(id)
        ? 'Another user changed it in the meantime.'
        : !move
          ? 'It is already where it belongs.'
          : move.state === 'sent'
            ? 'It was sent to the customer.'
            : move.state === 'pending'
              ? 'It waits for an approval.'
              : '';
    if (why || !move) {
      left.push({ id, num, why });
      return [];
    }
    return [move];
  });
  await moveToTerritory(db, services, user, moves);
  const concerns = moves.flatMap(({ id: quoteId, before, after }) =>
    (['salesRep', 'csRep', 'isRep'] as const).flatMap((part) =>
      after[part] && after[part].id !== before[part]?.id ? [{ userId: after[part].id, quoteId }] : [],
    ),
  );
  await notify(db, services, { kind: 'assigned', by: { id: user.id, name: user.fullName } }, concerns);
  return { moved: moves.length, left };
}

/**
 * The quotes that differ. The query finds the assignment once per facility and its users once per territory, by the same rule as for new quotes. A
 * quote keeps its user in a role that the territory leaves empty. A quote without a serving territory keeps everything. For one territory the query
 * reads quotes by quote_open_of_territory and quote_open_of_facility; for all territories it reads every open quote.
 */
function differingQuotes(scope: Scope, date: IsoDate): RawBuilder<Found> {
  return sql<Found>`
    with looked_at as materialized (${lookedAt(scope, date)}),
    placed as materialized (${placed(date)}),
    served as materialized (${served(date)}),
    misplaced as materialized (${MISPLACED})
    select m.id, m.num, m.revision, m.status_id as "statusId", m.facility_name as "facilityName",
           m.total_amount as "totalAmount", m.currn_idx as "currnIdx", m.version, m.why,
           case when m.pending then 'pending'
                when m.status_id = any(${MOVABLE_STATUSES}) then 'movable'
                else 'sent' end as state,
           ${BEFORE} as before,
           ${AFTER} as after
      from misplaced m
      left join territory t on t.id = m.territory_id
      left join region r on r.id = m.region_id
      left join app_user sr on sr.id = m.sales_rep_id
      left join app_user cr on cr.id = m.cs_rep_id
      left join app_user ir on ir.id = m.is_rep_id`;
}

/** The open quotes in scope. */
function lookedAt(scope: Scope, date: IsoDate) {
  return sql`
      select q.id, q.num, q.revision, q.status_id, q.version, q.facility_id, q.facility_name, q.total_amount,
             q.currn_idx, q.territory_id, q.region_id, q.sales_rep_id, q.cs_rep_id, q.is_rep_id
        from quote q
       where q.status_id not in ('Won', 'Lost', 'Cancelled')
         and q.facility_id is not null
         and ${inScope(scope, date)}`;
}

/** The territory that serves each facility of these quotes, and why it does. */
function placed(date: IsoDate) {
  return sql`
      select f.facility_id, s.territory_id, s.why
        from (select distinct facility_id from looked_at) f
       cross join lateral (${servingTerritory({ facilityId: sql`f.facility_id` }, { date })}) s`;
}

/** Each of these territories with its region and its users. */
function served(date: IsoDate) {
  return sql`
      select t.id, json_build_object('id', t.id, 'name', t.name) as territory, r.id as region_id,
             json_build_object('id', r.id, 'name', r.name) as region,
             (${servingRep(sql`t.id`, 'sales', { date })}) as sales,
             (${servingRep(sql`t.id`, 'cs', { date })}) as cs,
             (${servingRep(sql`t.id`, 'is', { date })}) as "is"
        from territory t
        join region r on r.id = t.region_id
       where t.id in (select territory_id from placed)`;
}

/** The quotes whose territory, region or users differ from those that serve their facility. */
const MISPLACED = sql`
      select q.*, p.why, s.territory, s.region, s.sales, s.cs, s."is",
             exists (select from approval_request a where a.quote_id = q.id and a.state = 'Pending') as pending
        from looked_at q
        join placed p on p.facility_id = q.facility_id
        join served s on s.id = p.territory_id
       where q.territory_id is distinct from s.id
          or q.region_id is distinct from s.region_id
          or ${differs('s.sales', 'q.sales_rep_id')}
          or ${differs('s.cs', 'q.cs_rep_id')}
          or ${differs('s.is', 'q.is_rep_id')}`;

/** The assignment that a quote has, and the one it would get. */
const BEFORE = sql`json_build_object(
             'territory', ${namedOrNull('t.id', 't.name')}, 'region', ${namedOrNull('r.id', 'r.name')},
             'salesRep', ${namedOrNull('sr.id', 'sr.full_name')}, 'csRep', ${namedOrNull('cr.id', 'cr.full_name')},
             'isRep', ${namedOrNull('ir.id', 'ir.full_name')})`;
const AFTER = sql`json_build_object(
             'territory', m.territory, 'region', m.region,
             'salesRep', ${orBefore('m.sales', 'sr.id', 'sr.full_name')},
             'csRep', ${orBefore('m.cs', 'cr.id', 'cr.full_name')},
             'isRep', ${orBefore('m.is', 'ir.id', 'ir.full_name')})`;

function namedOrNull(id: string, name: string) {
  return sql<Named | null>`case when ${sql.ref(id)} is null then null
    else json_build_object('id', ${sql.ref(id)}, 'name', ${sql.ref(name)}) end`;
}

function orBefore(rep: string, id: string, name: string) {
  return sql`coalesce(${sql.ref(rep)}, ${namedOrNull(id, name)})`;
}

/** A quote keeps its user if the territory has none in the role. */
function differs(rep: string, column: string) {
  return sql`(${sql.ref(rep)} is not null and ${sql.ref(column)} is distinct from (${sql.ref(rep)} ->> 'id')::int)`;
}

function inScope(scope: Scope, date: IsoDate): RawBuilder<boolean> {
  if ('quoteIds' in scope) return sql`q.id = any(${scope.quoteIds})`;
  const { territoryId } = scope;
  if (!territoryId) return sql`true`;
  return sql`q.id in (
    select id from quote
     where territory_id = ${territoryId} and status_id not in ('Won', 'Lost', 'Cancelled')
    union
    select b.id from quote b where b.facility_id in (
      select o.facility_id from account_override o
       where o.territory_id = ${territoryId} and ${validOn(sql`o`, date)}
      union
      select f.id from zip_assignment z
        join facility f on left(f.ship_to_zip, 5) = z.zip5
       where z.territory_id = ${territoryId} and ${validOn(sql`z`, date)}))`;
}

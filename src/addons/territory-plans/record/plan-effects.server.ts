// Computes the effect of a plan: ZIPs, facilities, open quotes and their value by territory, before and after its moves.
import { sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inSight } from '#core/quoting/quotes/sight.server.ts';
import { assignedZips } from '#core/territories/territories/assigned-zips.server.ts';
import { servingRep } from '#core/territories/territories/serving-reps.server.ts';
import { validOn } from '#core/territories/territories/territory-of-zip.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import type { Named } from '#platform/shared/wire.ts';
import type { Holding, LoadedMap, PlanEffect } from '../territory-plans.contract.ts';

type Sums = { before: number | null; after: number | null } & Omit<Holding, 'openValue'> & {
    dollarCents: number;
    euroCents: number;
  };
type Territory = { id: number; territory: Named; region: Named; rep: Named | null };

/** ZIPs that have their own area on the map. */
export type AreaZips = ReadonlySet<string>;

/**
 * The effect by territory and by representative, for the territories that a move affects. 'Before' is the day's assignments without the moves;
 * 'after' includes them. This way a published plan shows what it changed.
 */
export async function planEffects(
  db: Db,
  user: Caller,
  planId: number,
  day: IsoDate,
  areas: AreaZips,
): Promise<Pick<LoadedMap, 'effects' | 'overridden' | 'reps'>> {
  const touched = await touchedTerritories(db, planId, day);
  if (touched === null) return { effects: [], overridden: 0, reps: [] };
  const placed = sql`
    move as materialized (
      select zip5, from_territory_id, to_territory_id from territory_plan_move where plan_id = ${planId} and not gone),
    touched as materialized (
      select from_territory_id as id from move where from_territory_id is not null
      union select to_territory_id from move where to_territory_id is not null),
    place as materialized (
      select coalesce(m.zip5, l.zip5) as zip5, m.zip5 is not null as moves,
             case when m.zip5 is null then l.territory_id else m.from_territory_id end as before,
             case when m.zip5 is null then l.territory_id else m.to_territory_id end as after
        from (${assignedZips({ date: day })}) l full join move m using (zip5)
       where m.zip5 is not null or l.territory_id in (select id from touched))`;
  const { rows: zips } = await sql<{ before: number | null; after: number | null; zips: string }>`
    with ${placed}
    select before, after, string_agg(zip5, ' ') as zips from place group by 1, 2`.execute(db);
  const { rows: facilities } = await sql<Sums & { overridden: number }>`
    with ${placed},
    override as materialized (
      select distinct on (o.facility_id) o.facility_id, o.territory_id from account_override o
        join territory t on t.id = o.territory_id and t.active
       where ${validOn(sql`o`, day)} order by o.facility_id, o.valid_from desc, o.id desc),
    located as materialized (
      select f.id, coalesce(o.territory_id, p.before) as before, coalesce(o.territory_id, p.after) as after,
             o.territory_id is not null and coalesce(p.moves, false) as overridden
        from facility f left join override o on o.facility_id = f.id left join place p on p.zip5 = left(f.ship_to_zip, 5)
       where f.active and (p.zip5 is not null or o.territory_id in (select id from touched))),
    worth as (
      select quote.facility_id, count(*) as quotes,
             coalesce(sum(total_amount) filter (where currn_idx <> ${EURO_INDEX}), 0) as dollars,
             coalesce(sum(total_amount) filter (where currn_idx = ${EURO_INDEX}), 0) as euros
        from quote where status_id not in ('Won', 'Lost', 'Cancelled') and ${inSight(user)}
         and quote.facility_id in (select id from located) group by quote.facility_id)
    select before, after, count(*)::int as facilities, coalesce(sum(quotes), 0)::int as "openQuotes",
           coalesce(sum(dollars) * 100, 0) as "dollarCents", coalesce(sum(euros) * 100, 0) as "euroCents",
           count(*) filter (where overridden)::int as overridden
      from located left join worth on worth.facility_id = located.id group by 1, 2`.execute(db);
  const effects = [...touched, null].map((territory): PlanEffect & { zips: number } => {
    const id = territory?.id ?? null;
    const side = (which: 'before' | 'after'): Holding => {
      const codes = zips.filter((row) => row[which] === id).flatMap((row) => row.zips.split(' '));
      const theirs = facilities.filter((row) => row[which] === id);
      const sum = (value: (row: Sums) => number) => theirs.reduce((total, row) => total + value(row), 0);
      const money = [
        { currnIdx: DOLLAR_INDEX, amount: sum((row) => row.dollarCents) / 100 },
        { currnIdx: EURO_INDEX, amount: sum((row) => row.euroCents) / 100 },
      ];
      return {
        zips: codes.length,
        pointZips: codes.filter((zip) => !areas.has(zip)).length,
        facilities: sum((row) => row.facilities),
        openQuotes: sum((row) => row.openQuotes),
        openValue: money.filter(({ amount }) => amount !== 0),
      };
    };
    const [before, after] = [side('before'), side('after')];
    return {
      territory: territory?.territory ?? null,
      region: territory?.region ?? null,
      rep: territory?.rep ?? null,
      before,
      after,
      zips: before.zips + after.zips,
    };
  });
  return {
    effects: effects.flatMap(({ zips: any, ...effect }) => (effect.territory !== null || any > 0 ? [effect] : [])),
    overridden: facilities.reduce((total, row) => total + row.overridden, 0),
    reps: byRep(effects),
  };
}

/** Returns null if the plan has no moves. */
async function touchedTerritories(db: Db, planId: number, day: IsoDate): Promise<Territory[] | null> {
  const { rows } = await sql<Territory & { moves: boolean }>`
    select t.id, json_build_object('id', t.id, 'name', t.name) as territory,
           json_build_object('id', r.id, 'name', r.name) as region, (${servingRep(sql`t.id`, 'sales', { date: day })}) as rep
      from territory t join region r on r.id = t.region_id
     where t.id in (select from_territory_id from territory_plan_move where plan_id = ${planId} and not gone
       union select to_territory_id from territory_plan_move where plan_id = ${planId} and not gone)
     order by lower(t.name), t.id`.execute(db);
  return rows.length === 0 ? null : rows;
}

function byRep(effects: readonly PlanEffect[]): LoadedMap['reps'] {
  const named = effects.flatMap((effect) => (effect.rep ? [{ ...effect, rep: effect.rep }] : []));
  const reps = [...Map.groupBy(named, ({ rep }) => rep.id).values()].flatMap((theirs) => {
    const [first] = theirs;
    if (!first) return [];
    const sum = (value: (effect: PlanEffect) => number) => theirs.reduce((total, effect) => total + value(effect), 0);
    return [
      {
        rep: first.rep,
        facilitiesBefore: sum(({ before }) => before.facilities),
        facilitiesAfter: sum(({ after }) => after.facilities),
        openQuotesBefore: sum(({ before }) => before.openQuotes),
        openQuotesAfter: sum(({ after }) => after.openQuotes),
      },
    ];
  });
  return reps.toSorted((a, b) => a.rep.name.localeCompare(b.rep.name));
}

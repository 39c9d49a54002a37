// Answers PlanHelp: finds problems in a plan and moves that balance territories. Writes nothing.
import { sql } from 'kysely';
import { invalid } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { loadCompany, today as companyToday } from '#features/company/company/company.server.ts';
import { inSight } from '#features/quoting/quotes/sight.server.ts';
import { requirePlan } from '#features/territories/plan-sight/plan-sight.server.ts';
import { assignedZips } from '#features/territories/territories/assigned-zips.server.ts';
import { validOn } from '#features/territories/territories/serving-reps.server.ts';
import { addMonths, type IsoDate } from '#shared/dates.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { hasRole } from '#shared/roles.ts';
import type { Named } from '#shared/wire.ts';
import { balance } from './balance.server.ts';
import { cleanUp } from './clean-up.ts';
import { groundOf } from './geography.server.ts';
import { connectedParts, withPoints } from './geography.ts';
import { type Balance, MOST_BALANCED, MOST_FIXES, type PlainOverride, type PlanHelp } from './plan-help.contract.ts';

type Asking = { db: Db; user: Caller; services: Services };
type Territory = Named & { regionId: number };

export const planHelpAnswers: Answers<typeof PlanHelp> = {
  /** Throws 404 for a plan that the caller cannot see. A quote manager gets answers for their regions only. */
  cleanUpSavedMap: async (asking, { id }) => {
    const { db } = asking;
    const { day, pin, territories, owners, may } = await standing(asking, id);
    const ground = await groundOf(db, pin);
    const { rows } = await sql<{ zip: string }>`select zip5 as zip from zip`.execute(db);
    const all = new Set([...rows.map(({ zip }) => zip), ...owners.keys()]);
    const points = [...all].filter((zip) => !ground.neighbors.has(zip)).toSorted();
    const nameOf = (one: number | null): Named | null => namedTerritory(territories, one);
    const fixes = cleanUp({ ground, owners, points, may }).map((fix) => ({
      ...fix,
      from: nameOf(fix.from),
      to: nameOf(fix.to),
    }));
    const overrides = await plainOverrides(db, day, id, may);
    return {
      fixes: fixes.slice(0, MOST_FIXES),
      total: fixes.length,
      overrides: overrides.slice(0, MOST_FIXES),
      overridesTotal: overrides.length,
    };
  },

  /** Throws 422 for territories that are inactive, unknown, or outside a quote manager's regions. */
  balanceSavedMap: async (asking, { id, territoryIds, measure, currnIdx, scope, tolerance }) => {
    const { db, user } = asking;
    const { day, today, pin, territories, owners, may } = await standing(asking, id);
    const chosen = new Set(territoryIds);
    const wrong = [...chosen].find((one) => !territories.has(one) || !may(one));
    if (wrong !== undefined)
      throw invalid([
        {
          path: 'territoryIds',
          message: territories.has(wrong)
            ? `${territories.get(wrong)?.name} is outside the regions that you manage.`
            : 'One of these territories does not exist or is switched off.',
        },
      ]);
    const ground = await groundOf(db, pin);
    const loads = await facilityLoads(db, user, { day, today, planId: id, measure, currnIdx });
    const isAmount = measure !== 'facilities';
    // Counts in whole cents, so that sums are exact.
    const unit = (value: number) => (isAmount ? Math.round(value * 100) : value);
    const areas = new Map([...owners].filter(([zip, owner]) => chosen.has(owner) && ground.neighbors.has(zip)));
    const weights = new Map<string, number>();
    const accounts = new Map([...chosen].map((one) => [one, 0]));
    const loose = new Map([...chosen].map((one) => [one, 0]));
    const others = new Map<number, number>();
    const add = <K>(to: Map<K, number>, key: K, value: number) => to.set(key, (to.get(key) ?? 0) + value);
    const counts = { zips: scope !== 'accounts', accounts: scope !== 'zips' };
    for (const row of loads) {
      if (!chosen.has(row.territory)) continue;
      const isCounted = row.override ? counts.accounts : counts.zips;
      if (isCounted && row.other > 0) add(others, currnIdx === DOLLAR_INDEX ? EURO_INDEX : DOLLAR_INDEX, row.other);
      const value = unit(row.value);
      if (row.override) {
        add(accounts, row.territory, value);
        continue;
      }
      // Amounts at a point move with the area around it if the same territory has both.
      const area = areas.has(row.zip) ? row.zip : (ground.hostOf.get(row.zip) ?? '');
      if (areas.get(area) === row.territory) add(weights, area, value);
      else add(loose, row.territory, value);
    }
    const fixed = new Map(
      [...chosen].map((one) => [
        one,
        (counts.zips ? (loose.get(one) ?? 0) : 0) + (counts.accounts ? (accounts.get(one) ?? 0) : 0),
      ]),
    );
    const evened = balance({
      neighbors: ground.neighbors,
      owners: areas,
      weights: counts.zips ? weights : new Map(),
      fixed,
      tolerance: tolerance / 100,
      most: MOST_BALANCED,
    });
    const shown = (value: number) => (isAmount ? value / 100 : value);
    const total = [...evened.before.values()].reduce((sum, one) => sum + one, 0);
    const mean = total / chosen.size;
    const off = (value: number) => (mean === 0 ? 0 : value / mean - 1);
    const byName = (one: Named, other: Named) => one.name.localeCompare(other.name) || one.id - other.id;
    const shares = [...chosen]
      .flatMap((one) => namedTerritory(territories, one) ?? [])
      .toSorted(byName)
      .map((territory) => {
        const before = evened.before.get(territory.id) ?? 0;
        const after = evened.after.get(territory.id) ?? 0;
        const held = accounts.get(territory.id) ?? 0;
        const inZips = counts.accounts ? held : 0;
        return {
          territory,
          zipsBefore: shown(counts.zips ? before - inZips : 0),
          zipsAfter: shown(counts.zips ? after - inZips : 0),
          accounts: shown(held),
          before: shown(before),
          after: shown(after),
          offBefore: off(before),
          offAfter: off(after),
        };
      });
    const way = (zip: string) => `${areas.get(zip)} ${evened.moves.get(zip)}`;
    const moves = connectedParts(
      ground.neighbors,
      evened.moves.keys(),
      (one, other) => way(one) === way(other),
    ).flatMap((zips): Balance['moves'] => {
      const [first = ''] = zips;
      const owner = areas.get(first);
      const from = namedTerritory(territories, owner ?? null);
      const to = namedTerritory(territories, evened.moves.get(first) ?? null);
      if (!from || !to) return [];
      const amount = shown(zips.reduce((sum, zip) => sum + (weights.get(zip) ?? 0), 0));
      return [{ from, to, zips: withPoints(ground, zips, (point) => owners.get(point) === owner), amount }];
    });
    return {
      shares,
      mean: shown(mean),
      moves: moves.toSorted((a, b) => byName(a.from, b.from) || byName(a.to, b.to) || b.amount - a.amount),
      stopped: evened.stopped,
      others: [...others].map(([index, amount]) => ({ currnIdx: index, amount })),
    };
  },
};

const namedTerritory = (territories: ReadonlyMap<number, Territory>, id: number | null): Named | null => {
  const found = id === null ? undefined : territories.get(id);
  return found ? { id: found.id, name: found.name } : null;
};

/** The state of the territories with the plan's moves, on the day the plan takes effect; today for an overdue draft. */
async function standing(asking: Asking, planId: number) {
  const { db, user, services } = asking;
  const plan = await requirePlan(asking, planId);
  const today = companyToday(services, await loadCompany(db));
  const day = plan.state === 'Draft' && plan.effective_day < today ? today : plan.effective_day;
  const { rows } = await sql<{ zip: string; territory: number | null }>`
    select zip5 as zip, territory_id as territory from (${assignedZips({ date: day }, plan.id)}) a`.execute(db);
  const owners = new Map(rows.flatMap(({ zip, territory }) => (territory === null ? [] : [[zip, territory] as const])));
  const list = await db
    .selectFrom('territory')
    .select(['id', 'name', 'region_id as regionId'])
    .where('active', '=', true)
    .execute();
  const territories = new Map(list.map((one): [number, Territory] => [one.id, one]));
  const isFree = hasRole(user, 'systemadmin', 'salesadmin', 'salessupport');
  const may = (id: number): boolean => {
    const found = territories.get(id);
    return found !== undefined && (isFree || user.regionIds.includes(found.regionId));
  };
  return { day, today, pin: plan.geo_version, territories, owners, may };
}

/** Overrides that name the territory the ZIP leads to anyway after the moves of the plan. */
async function plainOverrides(
  db: Db,
  day: IsoDate,
  planId: number,
  may: (territory: number) => boolean,
): Promise<PlainOverride[]> {
  const { rows } = await sql<PlainOverride>`
    with override as (
      select distinct on (o.facility_id) o.id, o.facility_id, o.territory_id from account_override o
        join territory t on t.id = o.territory_id and t.active
       where ${validOn(sql`o`, day)} order by o.facility_id, o.valid_from desc, o.id desc)
    select o.id, json_build_object('id', f.id, 'name', f.name) as facility, f.acct_no as "acctNo", a.zip5 as zip,
           json_build_object('id', t.id, 'name', t.name) as territory
      from override o join facility f on f.id = o.facility_id and f.active
      join (${assignedZips({ date: day }, planId)}) a on a.zip5 = left(f.ship_to_zip, 5) and a.territory_id = o.territory_id
      join territory t on t.id = o.territory_id
     order by lower(f.name), f.id`.execute(db);
  return rows.filter(({ territory }) => may(territory.id));
}

type LoadRow = { territory: number; zip: string; override: boolean; value: number; other: number };
type Asked = {
  day: IsoDate;
  today: IsoDate;
  planId: number;
  measure: 'facilities' | 'openValue' | 'won';
  currnIdx: number;
};

/** The measured amounts of each territory's facilities, by ZIP and separately by override. `other` holds amounts in the other currency. */
async function facilityLoads(
  db: Db,
  user: Caller,
  { day, today, planId, measure, currnIdx }: Asked,
): Promise<LoadRow[]> {
  const since = addMonths(today, -12);
  const counted =
    measure === 'openValue'
      ? sql`status_id not in ('Won', 'Lost', 'Cancelled')`
      : sql`status_id = 'Won'
        and coalesce((select max(e.at)::date from quote_event e
          where e.quote_id = quote.id and e.to_status = 'Won'), quote.quote_date) >= ${since}::date`;
  const isIn = currnIdx === EURO_INDEX ? sql`currn_idx = ${EURO_INDEX}` : sql`currn_idx <> ${EURO_INDEX}`;
  const worth =
    measure === 'facilities'
      ? sql`select 0 as facility_id, 0::numeric as value, 0::numeric as other where false`
      : sql`select quote.facility_id, coalesce(sum(total_amount) filter (where ${isIn}), 0) as value,
              coalesce(sum(total_amount) filter (where not (${isIn})), 0) as other
         from quote where ${counted} and ${inSight(user)} group by quote.facility_id`;
  const { rows } = await sql<LoadRow>`
    with override as materialized (
      select distinct on (o.facility_id) o.facility_id, o.territory_id from account_override o
        join territory t on t.id = o.territory_id and t.active
       where ${validOn(sql`o`, day)} order by o.facility_id, o.valid_from desc, o.id desc),
    assigned as materialized (${assignedZips({ date: day }, planId)}),
    worth as materialized (${worth})
    select coalesce(o.territory_id, a.territory_id) as territory, left(f.ship_to_zip, 5) as zip, o.territory_id is not null as override,
           ${measure === 'facilities' ? sql`count(*)::int` : sql`coalesce(sum(w.value), 0)`} as value, coalesce(sum(w.other), 0) as other
      from facility f left join override o on o.facility_id = f.id left join assigned a on a.zip5 = left(f.ship_to_zip, 5)
      left join worth w on w.facility_id = f.id
     where f.active and coalesce(o.territory_id, a.territory_id) is not null group by 1, 2, 3 order by 2, 1, 3`.execute(
    db,
  );
  return rows;
}

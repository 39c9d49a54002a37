// The answers of TazApi: who serves a ZIP or a facility as of a day.
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import { startsWith } from '#db/contains.server.ts';
import type { Db } from '#db/database.server.ts';
import { pageFrom } from '#db/page.server.ts';
import { loadCompany, today } from '#features/company/company/company.server.ts';
import { validOn } from '#features/territories/territories/serving-reps.server.ts';
import { TERRITORY_ROLES, type TerritoryRole } from '#features/territories/territories/territory-roles.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';
import type { ContactPerson, RepsFound, TazApi } from './find-rep.contract.ts';

/** The requested day, and today. */
type AsOf = { date: IsoDate; now: IsoDate; timeZone: string };

export const tazApiAnswers: Answers<typeof TazApi> = {
  /** 404 for a facility that does not exist. */
  searchRepsForWebQuote: async ({ db, services }, { zip, facilityId, date }) => {
    const company = await loadCompany(db);
    const now = today(services, company);
    const asOf = { date: date || now, now, timeZone: company.time_zone };
    const place = facilityId ? await placeOfFacility(db, facilityId) : { facility: null, zip: zip ?? '' };
    const known = await db.selectFrom('zip').select(['city', 'state']).where('zip5', '=', place.zip).executeTakeFirst();
    const assigned = await assignmentOf(db, place, asOf);
    const reps = assigned ? await repsOf(db, assigned.territory.id, asOf) : [];
    const served = reps.some(({ role }) => role === 'sales');
    return {
      date: asOf.date,
      zip: place.zip,
      city: known?.city ?? '',
      state: known?.state ?? '',
      facility: place.facility,
      why: 'none',
      reason: '',
      from: null,
      to: null,
      territory: null,
      region: null,
      ...assigned,
      reps,
      call: served ? [] : await whomToCall(db, assigned?.region),
    };
  },

  getRepListByZipCodeReport: async ({ db, services }, criteria) => {
    const company = await loadCompany(db);
    const now = today(services, company);
    const asOf = { date: criteria.date || now, now, timeZone: company.time_zone };
    const { regionId, territoryId, zip } = criteria;
    const query = db
      .selectFrom('zip_assignment')
      .innerJoin('territory', 'territory.id', 'zip_assignment.territory_id')
      .innerJoin('region', 'region.id', 'territory.region_id')
      .leftJoin('zip', 'zip.zip5', 'zip_assignment.zip5')
      .select(['zip_assignment.zip5 as zip', 'valid_from as from', 'valid_to as to'])
      .select([
        sql<string>`coalesce(zip.city, '')`.as('city'),
        sql<string>`coalesce(zip.state, '')`.as('state'),
        sql<Named>`json_build_object('id', territory.id, 'name', territory.name)`.as('territory'),
        sql<Named>`json_build_object('id', region.id, 'name', region.name)`.as('region'),
        repName('sales', asOf).as('salesRep'),
        repName('cs', asOf).as('csRep'),
        repName('is', asOf).as('isRep'),
        repName('manager', asOf).as('manager'),
      ])
      .where(validOn(sql`zip_assignment`, asOf.date))
      .where(activeAsOf(sql`territory`, asOf))
      // Of several valid assignments, only the one that counts.
      .where(
        sql<boolean>`not exists (select from zip_assignment o join territory ot on ot.id = o.territory_id
          where o.zip5 = zip_assignment.zip5 and ${validOn(sql`o`, asOf.date)} and ${activeAsOf(sql`ot`, asOf)}
            and (o.valid_from, o.id) > (zip_assignment.valid_from, zip_assignment.id))`,
      )
      .$if(Boolean(zip), (some) => some.where('zip_assignment.zip5', 'like', startsWith(zip ?? '')))
      .$if(Boolean(regionId), (some) => some.where('territory.region_id', '=', regionId ?? 0))
      .$if(Boolean(territoryId), (some) => some.where('territory.id', '=', territoryId ?? 0));
    return pageFrom(query, criteria, {
      sorts: {
        zip: sql`zip_assignment.zip5`,
        territory: sql`lower(territory.name)`,
        region: sql`lower(region.name)`,
      },
      key: sql`zip_assignment.id`,
      first: { field: 'zip', dir: 'asc' },
    });
  },
};

async function placeOfFacility(db: Db, id: number) {
  const facility = await db
    .selectFrom('facility')
    .select(['id', 'name', 'acct_no as acctNo'])
    .select(sql<string>`left(ship_to_zip, 5)`.as('zip'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!facility) throw notFound('facility');
  const { zip, ...named } = facility;
  return { zip, facility: named };
}

type Assigned = Pick<RepsFound, 'why' | 'reason' | 'from' | 'to'> & { territory: Named; region: Named };

/** By the rule of `servingTerritory`, told with its days and reason. */
async function assignmentOf(
  db: Db,
  { zip, facility }: { zip: string; facility: { id: number } | null },
  asOf: AsOf,
): Promise<Assigned | undefined> {
  const { rows } = await sql<Assigned>`
    select a.why, a.reason, a.valid_from as "from", a.valid_to as "to",
           json_build_object('id', t.id, 'name', t.name) as territory, json_build_object('id', r.id, 'name', r.name) as region
      from (select 'override' as why, o.reason, o.territory_id, o.valid_from, o.valid_to, o.id from account_override o
             where o.facility_id = ${facility?.id ?? null}::int and ${validOn(sql`o`, asOf.date)}
            union all
            select 'zip', '', z.territory_id, z.valid_from, z.valid_to, z.id from zip_assignment z
             where z.zip5 = ${zip} and ${validOn(sql`z`, asOf.date)}) a
      join territory t on t.id = a.territory_id
      join region r on r.id = t.region_id
     where ${activeAsOf(sql`t`, asOf)}
     order by a.why = 'zip', a.valid_from desc, a.id desc
     limit 1`.execute(db);
  return rows[0];
}

/** Who had each part; people who have left since count for earlier days. */
async function repsOf(db: Db, territoryId: number, asOf: AsOf): Promise<RepsFound['reps']> {
  const rows = await db
    .selectFrom('territory_rep')
    .innerJoin('app_user', 'app_user.id', 'territory_rep.user_id')
    .distinctOn('role')
    .select(['app_user.id', 'full_name as name', 'phone', 'user_name as email', 'role'])
    .select(['valid_from as from', 'valid_to as to'])
    .where('territory_id', '=', territoryId)
    .where(validOn(sql`territory_rep`, asOf.date))
    .where(presentAsOf(asOf))
    .orderBy('role')
    .orderBy('valid_from', 'desc')
    .orderBy('territory_rep.id', 'desc')
    .$narrowType<{ role: TerritoryRole }>()
    .execute();
  return TERRITORY_ROLES.flatMap((role) => rows.filter((row) => row.role === role));
}

const presentAsOf = ({ date, now }: AsOf) => (date < now ? sql<boolean>`true` : sql<boolean>`app_user.active`);

const repName = (role: TerritoryRole, asOf: AsOf) =>
  sql<Named | null>`(select json_build_object('id', app_user.id, 'name', app_user.full_name)
    from territory_rep tr join app_user on app_user.id = tr.user_id
   where tr.territory_id = territory.id and tr.role = ${sql.lit(role)} and ${validOn(sql`tr`, asOf.date)} and ${presentAsOf(asOf)}
   order by tr.valid_from desc, tr.id desc limit 1)`;

/** Whether a territory was switched on then: as it is now, unless its history tells of a change after that day. */
function activeAsOf(territory: RawBuilder<unknown>, { date, now, timeZone }: AsOf): RawBuilder<boolean> {
  if (date >= now) return sql`${territory}.active`;
  return sql`coalesce(
    (select e.action = 'Deactivate' from record_event e
      where e.record_type = 'territory' and e.record_id = ${territory}.id and e.action in ('Activate', 'Deactivate')
        and (e.at at time zone ${timeZone})::date > ${date}::date
      order by e.id limit 1), ${territory}.active)`;
}

/** Who manages the region; where there is none, who keeps the territories. */
async function whomToCall(db: Db, region: Named | undefined): Promise<RepsFound['call']> {
  const people = (where: RawBuilder<boolean>) =>
    db
      .selectFrom('app_user')
      .select(['id', 'full_name as name', 'phone', 'user_name as email'])
      .where('active', '=', true)
      .where(where)
      .orderBy('full_name')
      .orderBy('id')
      .limit(5)
      .execute();
  const titled = (list: ContactPerson[], as: string) => list.map((person) => ({ ...person, as }));
  const managers = region
    ? await people(sql`id in (select user_id from user_region where region_id = ${region.id})
        and id in (select user_id from user_role where role = 'salesQuoteManager')`)
    : [];
  if (region && managers.length > 0) return titled(managers, `Manager of ${region.name}`);
  const keepers = await people(sql`id in (select user_id from user_role where role = 'salesadmin')`);
  if (keepers.length > 0) return titled(keepers, 'Sales administrator');
  return titled(
    await people(sql`id in (select user_id from user_role where role = 'systemadmin')`),
    'System administrator',
  );
}

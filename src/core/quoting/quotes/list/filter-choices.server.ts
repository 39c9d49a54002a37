// The choices of the quote lists' filters (specification sections 3 and 6).
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { hasRole, isOnlyQuoteManager, type Role } from '#platform/shared/roles.ts';
import type { Choice } from '#platform/shared/wire.ts';
import { seesAllQuotes, type Viewer } from '../sight.server.ts';
import { STATUS_LABELS, STATUSES } from '../status.ts';

const ALL: Choice = { id: null, name: 'All' };

/**
 * The choices for the filters. 'All' comes first in csReps, regions and territories when they have more than one entry, and in salesReps unless the
 * user is a sales quote manager. `date` is the day whose assignments apply.
 */
export async function quoteLookups(db: Db, user: Viewer, date: IsoDate) {
  const [salesReps, csReps, regions, territories] = [
    await salesRepsFor(db, user, date),
    await peopleWith(db, 'csrep'),
    await regionsFor(db, user),
    await territoriesFor(db, user),
  ];
  const withAll = <T extends Choice>(entries: T[], all: T) => (entries.length > 1 ? [all, ...entries] : entries);
  return {
    salesReps: isOnlyQuoteManager(user) ? salesReps : [ALL, ...salesReps],
    csReps: withAll(csReps, ALL),
    regions: withAll(regions, ALL),
    territories: withAll(territories, { ...ALL, regionId: null }),
    statuses: STATUSES.map((id) => ({ id, name: STATUS_LABELS[id] })),
  };
}

/** What an empty company needs before its first quote (people, facilities, items), and the administrators' names. */
export async function companySetup(db: Db) {
  const { people, facilities, items } = await db
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('app_user').select('id').where('active', '=', true).offset(1)).as('people'),
      eb.exists(eb.selectFrom('facility').select('id')).as('facilities'),
      eb.exists(eb.selectFrom('item').select('id')).as('items'),
    ])
    .executeTakeFirstOrThrow();
  const there = { people, facilities, items };
  const missing = (['people', 'facilities', 'items'] as const).filter((what) => !there[what]);
  const administrators = missing.length === 0 ? [] : await peopleWith(db, 'systemadmin');
  return { missing, administrators: administrators.map(({ name }) => name) };
}

function peopleWith(db: Db, role: Role): Promise<Choice[]> {
  return db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .select(['app_user.id', 'app_user.full_name as name'])
    .where('user_role.role', '=', role)
    .where('app_user.active', '=', true)
    .orderBy('app_user.full_name')
    .orderBy('app_user.id')
    .execute();
}

/** The representatives whose quotes the user can see: all, or else the user, supported representatives, and representatives of managed regions. */
async function salesRepsFor(db: Db, user: Viewer, date: IsoDate): Promise<Choice[]> {
  if (seesAllQuotes(user)) return peopleWith(db, 'salesrep');
  const supported = hasRole(user, 'salessupport') ? user.supportedRepIds : [];
  const own = hasRole(user, 'salesrep') ? [user.id] : [];
  const regionIds = hasRole(user, 'salesQuoteManager') ? user.regionIds : [];
  return db
    .selectFrom('app_user')
    .select(['id', 'full_name as name'])
    .where('active', '=', true)
    .where((eb) =>
      eb.or([
        eb('id', '=', eb.fn.any(eb.val([...own, ...supported]))),
        eb(
          'id',
          'in',
          eb
            .selectFrom('territory_rep as tr')
            .innerJoin('territory as t', 't.id', 'tr.territory_id')
            .select('tr.user_id')
            .where('tr.role', '=', 'sales')
            .where('tr.valid_from', '<=', date)
            .where((when) => when.or([when('tr.valid_to', 'is', null), when('tr.valid_to', '>=', date)]))
            .where('t.region_id', '=', eb.fn.any(eb.val(regionIds))),
        ),
      ]),
    )
    .orderBy('full_name')
    .orderBy('id')
    .execute();
}

function regionsFor(db: Db, user: Viewer): Promise<Choice[]> {
  return db
    .selectFrom('region')
    .select(['id', 'name'])
    .where('active', '=', true)
    .$if(isOnlyQuoteManager(user), (query) => query.where('id', '=', (eb) => eb.fn.any(eb.val(user.regionIds))))
    .orderBy('name')
    .execute();
}

function territoriesFor(db: Db, user: Viewer): Promise<(Choice & { regionId: number | null })[]> {
  return db
    .selectFrom('territory')
    .select(['id', 'name', 'region_id as regionId'])
    .where('active', '=', true)
    .$if(isOnlyQuoteManager(user), (query) => query.where('region_id', '=', (eb) => eb.fn.any(eb.val(user.regionIds))))
    .orderBy('name')
    .execute();
}

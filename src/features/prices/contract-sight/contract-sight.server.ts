// Decides which contracts, and which facilities on them, a person sees. Every contract call checks this first.
import { type RawBuilder, sql } from 'kysely';
import { forbidden, notFound } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { loadCompany, today } from '#features/company/company/company.server.ts';
import { hasNoGpoTab } from '#features/people/auth/gpo-tab.server.ts';
import { countsForItsZip, servingRep, validOn } from '#features/territories/territories/serving-reps.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import { hasRole } from '#shared/roles.ts';
import { readsAllContracts } from './contract-roles.ts';
import { contractsOf } from './places.server.ts';

/** What decides which facilities a person serves. */
type Serving = Pick<Caller, 'id' | 'roles' | 'regionIds' | 'supportedRepIds'>;
type Asking = { db: Db; user: Caller; services: Services };
export type ContractRow = { id: number; number: string; title: string; gpoId: number | null; state: string };

/** Throws 403 for accounts that do not see the GPO Contracts tab; its calls are closed to them too. Returns the company's current day. */
export async function requireContracts({ db, user, services }: Asking): Promise<IsoDate> {
  if (await hasNoGpoTab(db, services, user.id)) throw forbidden();
  return today(services, await loadCompany(db));
}

/** Reads a contract that the person may see. Throws 404 both for an unknown contract and for a hidden one. */
export async function requireContract(asking: Asking, id: number): Promise<ContractRow & { day: IsoDate }> {
  const day = await requireContracts(asking);
  const contract = await asking.db
    .selectFrom('gpo_contract')
    .select(['id', 'number', 'title', 'gpo_id as gpoId', 'state'])
    .where('id', '=', id)
    .where(contractInSight(asking.user, day, [id]))
    .executeTakeFirst();
  if (!contract) throw notFound('contract');
  return { ...contract, day };
}

/**
 * The condition on `gpo_contract` for the contracts a person sees. People who do not see all contracts see those past Draft under which a
 * facility they serve buys today or later. `among`: the query has only these contracts; leaving the others out takes a tenth of the time.
 */
export function contractInSight(user: Caller, day: IsoDate, among?: readonly number[]): RawBuilder<boolean> {
  if (readsAllContracts(user)) return sql<boolean>`true`;
  return sql<boolean>`(gpo_contract.state <> 'Draft'
    and gpo_contract.id in (select contract_id from (${contractsOf(servedFacilities(user, day), day, among)}) theirs))`;
}

/**
 * The ids of the facilities that a person serves on a day. Sales representatives serve their territories, sales support the representatives
 * they support, quote managers their regions. The rule equals `servingTerritory`, but starts from the person.
 */
export function servedFacilities(user: Serving, day: IsoDate) {
  const reps = [
    ...(hasRole(user, 'salesrep', 'salesQuoteManager', 'salessupport') ? [user.id] : []),
    ...(hasRole(user, 'salessupport') ? user.supportedRepIds : []),
  ];
  const regions = hasRole(user, 'salesQuoteManager') ? user.regionIds : [];
  const asOf = { date: day };
  const theirs = (territory: string) => sql`${sql.ref(territory)}.id in (select id from mine)`;
  return sql<{ id: number }>`
    with mine as materialized (
      select t.id from territory t where t.active and (t.region_id = any(${regions}::int[])
        or (${servingRep(sql`t.id`, 'sales', asOf, sql<number>`u.id`)}) = any(${reps}::int[])))
    select f.id from zip_assignment z join territory zt on zt.id = z.territory_id and ${theirs('zt')}
      join facility f on left(f.ship_to_zip, 5) = z.zip5
     where ${countsForItsZip(sql`z`, sql`zt`, asOf)}
       and not exists (select from account_override o join territory ot on ot.id = o.territory_id
         where o.facility_id = f.id and ot.active and ${validOn(sql`o`, day)})
    union
    select o.facility_id from account_override o join territory ot on ot.id = o.territory_id and ${theirs('ot')}
     where ${validOn(sql`o`, day)}
       and not exists (select from account_override later join territory lt on lt.id = later.territory_id
         where later.facility_id = o.facility_id and lt.active and ${validOn(sql`later`, day)}
           and (later.valid_from, later.id) > (o.valid_from, o.id))`;
}

/** The condition on a facility's id for the roster rows that a person sees. */
export function facilityInSight(user: Serving, day: IsoDate, facilityId: RawBuilder<unknown>): RawBuilder<boolean> {
  return readsAllContracts(user) ? sql<boolean>`true` : sql<boolean>`${facilityId} in (${servedFacilities(user, day)})`;
}

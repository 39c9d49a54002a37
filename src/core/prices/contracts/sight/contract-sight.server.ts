// Decides which contracts, and which facilities on them, a user can see. Every contract call checks this first.
import { type RawBuilder, sql } from 'kysely';
import { forbidden, notFound } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { hasNoGpoTab } from '#platform/auth/gpo-tab.server.ts';
import { type Serving, servedFacilities } from '#core/territories/territories/served-facilities.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { readsAllContracts } from './contract-roles.ts';
import { contractsOf } from './facility-tiers.server.ts';

type Asking = { db: Db; user: Caller; services: Services };
export type ContractRow = { id: number; number: string; title: string; gpoId: number | null; state: string };

/** Throws 403 for accounts that do not see the GPO Contracts tab, because its calls are also closed to them. Returns the company's current day. */
export async function requireContracts({ db, user, services }: Asking): Promise<IsoDate> {
  if (await hasNoGpoTab(db, services, user.id)) throw forbidden();
  return today(services, await loadCompany(db));
}

/** Reads a contract that the user may see. Throws 404 both for an unknown contract and for a hidden one. */
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
 * The condition on `gpo_contract` for the contracts that a user can see. Users who do not see all contracts see those past Draft under which a
 * facility they serve buys today or later. `among` limits the check to the contracts in the query, which takes a tenth of the time.
 */
export function contractInSight(user: Caller, day: IsoDate, among?: readonly number[]): RawBuilder<boolean> {
  if (readsAllContracts(user)) return sql<boolean>`true`;
  return sql<boolean>`(gpo_contract.state <> 'Draft'
    and gpo_contract.id in (select contract_id from (${contractsOf(servedFacilities(user, day), day, among)}) theirs))`;
}

/** The condition on a facility's id for the roster rows that a user can see. */
export function facilityInSight(user: Serving, day: IsoDate, facilityId: RawBuilder<unknown>): RawBuilder<boolean> {
  return readsAllContracts(user) ? sql<boolean>`true` : sql<boolean>`${facilityId} in (${servedFacilities(user, day)})`;
}

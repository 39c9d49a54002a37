// Reads a contract's head and tiers, limited to what the user may see.
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { servedFacilities } from '#core/territories/territories/served-facilities.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { Named } from '#platform/shared/wire.ts';
import { daysLeftOn, LAST_DAY, statusOn } from '../contract-days.server.ts';
import type { ContractState } from '../contract-status.ts';
import type { ContractHead, ContractTier } from '../contracts.contract.ts';
import { keepsContracts, readsAllContracts } from '../sight/contract-roles.ts';
import { contractInSight } from '../sight/contract-sight.server.ts';
import { contractPlaces } from '../sight/facility-tiers.server.ts';

/** The columns of a contract that every user who can see it gets. */
export const CONTRACT_COLUMNS = [
  'id',
  'number',
  'title',
  'category',
  'award_type as awardType',
  'currn_idx as currnIdx',
  'effective_from as from',
  'effective_to as to',
  'extended_to as extendedTo',
  'terminated_on as terminatedOn',
  'price_firm_until as priceFirmUntil',
  'freight_terms as freightTerms',
  'payment_terms as paymentTerms',
  'minimum_order as minimumOrder',
  'returns_terms as returnsTerms',
  'eligibility',
  'gpo_contact as gpoContact',
  'version',
] as const;
export const GPO_OF_CONTRACT = sql<Named | null>`
  (select json_build_object('id', id, 'name', name) from gpo where id = gpo_contract.gpo_id)`.as('gpo');

export type Reading = { db: Db; user: Caller; day: IsoDate };

/** Returns the head of a contract. Throws 404 if the user may not see it. Omits the administrative fee and the notes if the user may not see them. */
export async function contractHead({ db, user, day }: Reading, id: number): Promise<ContractHead> {
  const row = await db
    .selectFrom('gpo_contract')
    .select([
      ...CONTRACT_COLUMNS,
      GPO_OF_CONTRACT,
      'admin_fee_pct',
      'notes',
      LAST_DAY.as('lastDay'),
      daysLeftOn(day).as('daysLeft'),
      statusOn(day).as('status'),
    ])
    .select((eb) => [
      eb.ref('state').$castTo<ContractState>().as('state'),
      eb.ref('open_to').$castTo<'roster' | 'members'>().as('openTo'),
      sql<
        ContractHead['contact']
      >`(select json_build_object('id', id, 'name', full_name, 'userName', user_name, 'phone', phone)
        from app_user where id = gpo_contract.contact_id)`.as('contact'),
      'predecessor_id',
    ])
    .where('id', '=', id)
    .where(contractInSight(user, day, [id]))
    .executeTakeFirst();
  if (!row) throw notFound('contract');
  const { admin_fee_pct, notes, predecessor_id, ...head } = row;
  const related = await db
    .selectFrom('gpo_contract')
    .select(['id', 'number', 'effective_from as from', 'predecessor_id'])
    .select((eb) => eb.ref('state').$castTo<ContractState>().as('state'))
    .where((eb) => eb.or([eb('id', '=', predecessor_id), eb('predecessor_id', '=', id)]))
    .where(contractInSight(user, day))
    .orderBy('effective_from')
    .orderBy('id')
    .execute();
  const before = related.find((candidate) => candidate.id === predecessor_id);
  return {
    ...head,
    ...(keepsContracts(user) ? { adminFeePct: admin_fee_pct } : {}),
    ...(readsAllContracts(user) ? { notes } : {}),
    predecessor: before ? { id: before.id, number: before.number } : null,
    successors: related
      .filter((candidate) => candidate.predecessor_id === id)
      .map(({ id: laterId, number, from, state }) => ({ id: laterId, number, from, state })),
  };
}

/** Returns the tiers of a contract by rank, each with whether this user sees its prices. */
export async function contractTiers({ db, user, day }: Reading, contractId: number): Promise<ContractTier[]> {
  const rows = await db
    .selectFrom('contract_tier')
    .select(['id', 'tier_no as tierNo', 'name', 'requirement', 'needs_loc as needsLoc'])
    .select(['fallback_tier_id as fallbackTierId', 'provisional_allowed as provisionalAllowed', 'version'])
    .where('contract_id', '=', contractId)
    .orderBy('tier_no')
    .execute();
  if (readsAllContracts(user)) return rows.map((tier) => ({ ...tier, priced: true }));
  const places = sql<{ tier_id: number }>`select distinct tier_id
    from (${contractPlaces(servedFacilities(user, day), day, [contractId])}) place`;
  const priced = new Set((await places.execute(db)).rows.map(({ tier_id }) => tier_id));
  // These users also see the price that applies until a letter of commitment is approved.
  for (let at = rows.length; at > 0; at--)
    for (const { id, fallbackTierId } of rows)
      if (fallbackTierId !== null && priced.has(id)) priced.add(fallbackTierId);
  return rows.map((tier) => ({ ...tier, priced: priced.has(tier.id) }));
}

/** The tiers whose prices a user can see. Null means all. */
export function pricedTiers(user: Caller, tiers: readonly ContractTier[]): number[] | null {
  return readsAllContracts(user) ? null : tiers.filter(({ priced }) => priced).map(({ id }) => id);
}

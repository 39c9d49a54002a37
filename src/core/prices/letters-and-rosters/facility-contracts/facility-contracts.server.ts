// Implements the FacilityContracts call. The rule of pricing decides which contracts a facility may use.
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { facilityInSight, requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { whyNotPrimary } from '#core/prices/pricing/choose-contract.server.ts';
import type { PrimaryGpos } from '#core/prices/pricing/price-facts.server.ts';
import { bestLoc, PRIMARY_GPOS, placesInContracts } from '#core/prices/pricing/facility-in-contracts.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { FacilityContract, FacilityContracts } from './facility-contracts.contract.ts';

type ContractRow = Omit<FacilityContract, 'notPrimary'> & { isMember: boolean; primary: PrimaryGpos };

export const facilityContractAnswers: Answers<typeof FacilityContracts> = {
  /** Throws 404 for a facility that the user does not serve and whose contracts the user may not read. */
  GetFacilityContracts: async (context, { facilityId, day: requestedDay }) => {
    const today = await requireContracts(context);
    const day = requestedDay || today;
    const contracts = await contractsOfFacility(context, facilityId, { today, day });
    if (!contracts) throw notFound('facility');
    return { day, contracts };
  },
};

/** The standing of the facility in contracts on a day. Undefined if the user does not serve it and may not read its contracts. */
export async function contractsOfFacility(
  { db, user }: { db: Db; user: Caller },
  facilityId: number,
  { today, day }: { today: IsoDate; day: IsoDate },
): Promise<FacilityContract[] | undefined> {
  const seen = await db
    .selectFrom('facility')
    .select('id')
    .where('id', '=', facilityId)
    .where(facilityInSight(user, today, sql`${facilityId}::int`))
    .executeTakeFirst();
  if (!seen) return undefined;
  const { rows } = await sql<ContractRow>`
    with recursive ${placesInContracts(day, facilityId)}
    select p.id, p.number, p.gpo_name as "gpoName", p.ends as "to",
           case when p.excluded then 'excluded' when p.as_member then 'members' else 'roster' end as by,
           p.parent, t.tier_no as "tierNo", coalesce(t.name, '') as "tierName", p.listed_from as "listedFrom",
           p.listed_to as "listedTo", coalesce(t.needs_loc, false) as "needsLoc", (${bestLoc(sql`t`)} ->> 'state') as letter,
           p.member_from is not null as "isMember", ${PRIMARY_GPOS} as "primary"
      from place p left join path t on t.contract_id = p.id and t.step = 1
     where p.day = ${day}::date order by p.excluded is true, p.number`.execute(db);
  return rows.map(({ isMember, primary, ...row }) => ({
    ...row,
    notPrimary: row.gpoName === null || row.by === 'excluded' ? '' : whyNotPrimary(row.gpoName, isMember, primary),
  }));
}

// Says what another tier of the contracts that price rows would save in a year, from what pricing stored with each row.
import { sql } from 'kysely';
import type { OutputOf } from '#platform/api/endpoint.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { requireContracts } from '#core/prices/contracts/sight/contract-sight.server.ts';
import { COUNTS } from '../analysis-rows.server.ts';
import { requireAnalysis } from '../analysis-sight.server.ts';
import type { Savings } from '../savings.contract.ts';

/** 403 for accounts without the GPO Contracts tab, 404 out of sight. Rows with a typed price stay as they are. */
export async function getTierSavings(
  context: { db: Db; user: Caller; services: Services },
  id: number,
): Promise<OutputOf<typeof Savings.GetTierSavings>> {
  const { db, user } = context;
  await requireContracts(context);
  await requireAnalysis(db, user, id);
  const { rows } = await sql<OutputOf<typeof Savings.GetTierSavings>[number]>`
    with counted as (
      select r.id, r.our_year, t.* from savings_row r join savings_analysis a on a.id = r.analysis_id,
             jsonb_to_recordset(r.tiers) as t("contractId" int, "tierId" int, year numeric, "isNow" boolean)
       where r.analysis_id = ${id} and ${COUNTS} and r.their_year is not null and r.our_year is not null and r.typed_price is null),
    used as (
      select "contractId", count(*)::int as rows, sum(our_year) as ours, array_agg(distinct "tierId") as "nowIds"
      from counted where "isNow" group by 1),
    found as (
      select "contractId", "tierId", count(*)::int as rows, sum(our_year - year) as saving from counted
       where not "isNow" group by 1, 2 having sum(our_year - year) > 0)
    select u."contractId", c.number, u.rows, u.ours,
           (select coalesce(json_agg(json_build_object('tierNo', t.tier_no, 'tierName', t.name) order by t.tier_no), '[]')
              from contract_tier t where t.id = any(u."nowIds")) as now,
           (select coalesce(json_agg(json_build_object('tierId', t.id, 'tierNo', t.tier_no, 'tierName', t.name,
                'requirement', t.requirement, 'needsLoc', t.needs_loc, 'rows', f.rows, 'saving', f.saving)
                order by f.saving, t.tier_no), '[]')
              from found f join contract_tier t on t.id = f."tierId" where f."contractId" = u."contractId") as tiers
      from used u join gpo_contract c on c.id = u."contractId"
     order by u.ours desc, c.number`.execute(db);
  return rows;
}

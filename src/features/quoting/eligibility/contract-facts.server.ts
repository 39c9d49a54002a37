// Reads what contracts offer a facility on a day: its place, memberships, tiers with their letters, and the prices of items.
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { LAST_DAY } from '#features/prices/contracts/contract-days.server.ts';
import { readsAllContracts } from '#features/prices/contracts/sight/contract-roles.ts';
import { contractInSight } from '#features/prices/contracts/sight/contract-sight.server.ts';
import {
  bestLoc,
  PRIMARY_GPOS,
  placesInContracts,
  predecessorsOf,
} from '#features/prices/pricing/price-lines.server.ts';
import type { ContractFacts } from './tier-offers.server.ts';

type Asked = {
  user: Caller;
  facilityId: number;
  /** The day for which the facts are read. */
  day: string;
  /** Today, in the company's time zone. It decides what the person sees. */
  today: string;
  itemIds: readonly number[];
  /** One contract, whatever its items. Without it, every contract with one of the items. */
  contractId?: number;
};

/**
 * Active contracts with their facts for the facility. People who do not read all contracts get the contracts in their sight, and those of a
 * GPO of which the facility, or its nearest parent with any membership, is a member.
 */
export async function contractFacts(db: Db, asked: Asked): Promise<ContractFacts[]> {
  const { facilityId, day, itemIds, contractId } = asked;
  const ofItems = sql`select l.contract_id from contract_line l where l.item_id = any(${itemIds}::int[])`;
  const { rows } = await sql<ContractFacts>`
    with recursive ${placesInContracts(day, facilityId)}
    select gpo_contract.id, gpo_contract.number, gpo_contract.title, coalesce(gpo.name, '') as gpo, gpo_contract.gpo_id as "gpoId",
           ${predecessorsOf(sql`gpo_contract`)} as "predecessorIds", gpo_contract.currn_idx as "currnIdx", gpo_contract.effective_from as "from", ${LAST_DAY} as "to",
           ${contractInSight(asked.user, asked.today)} as "inSight",
           (select json_build_object('from', m.valid_from, 'to', m.valid_to)
              from member m where m.gpo_id = gpo_contract.gpo_id) as membership, ${PRIMARY_GPOS} as "primary",
           (select json_build_object('tierId', p.tier_id, 'excluded', coalesce(p.excluded, false), 'parent', p.parent, 'from', p.listed_from)
              from place p where p.id = gpo_contract.id and p.day = ${day}::date limit 1) as place,
           (select coalesce(json_agg(json_build_object('id', t.id, 'no', t.tier_no, 'name', t.name, 'requirement', t.requirement,
                     'needsLoc', t.needs_loc, 'fallbackId', t.fallback_tier_id, 'provisionalAllowed', t.provisional_allowed,
                     'letter', ${bestLoc(sql`t`)}) order by t.tier_no), '[]')
              from (select contract_tier.*, ${day}::date as day from contract_tier) t where t.contract_id = gpo_contract.id) as tiers,
           (select coalesce(json_agg(json_build_object('lineId', l.id, 'itemId', l.item_id, 'unit', l.unit, 'from', l.valid_from, 'to', l.valid_to,
                     'prices', (select coalesce(json_agg(json_build_object('tierId', p.tier_id, 'price', p.price, 'from', p.valid_from, 'to', p.valid_to)), '[]')
                        from contract_line_price p where p.contract_line_id = l.id
                         and p.valid_from <= ${day}::date and (p.valid_to is null or p.valid_to >= ${day}::date))) order by l.id), '[]')
              from contract_line l where l.contract_id = gpo_contract.id and l.item_id = any(${itemIds}::int[])
               and (l.valid_from is null or l.valid_from <= ${day}::date) and (l.valid_to is null or l.valid_to >= ${day}::date)) as lines
      from gpo_contract left join gpo on gpo.id = gpo_contract.gpo_id
     where gpo_contract.state = 'Active' and ${mayKnow(asked)}
       and ${contractId === undefined ? sql`gpo_contract.id in (${ofItems}) and gpo_contract.effective_from <= ${day}::date and ${LAST_DAY} >= ${day}::date` : sql`gpo_contract.id = ${contractId}`}
     order by gpo_contract.number, gpo_contract.id`.execute(db);
  return rows;
}

function mayKnow({ user, today }: Asked): RawBuilder<boolean> {
  if (readsAllContracts(user)) return sql<boolean>`true`;
  return sql<boolean>`(${contractInSight(user, today)} or gpo_contract.gpo_id in (select gpo_id from member))`;
}

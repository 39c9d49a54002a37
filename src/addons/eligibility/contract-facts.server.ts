// Reads what contracts offer a facility on a day: its place, memberships, tiers with their letters, and the prices of items.
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { LAST_DAY } from '#core/prices/contracts/contract-days.server.ts';
import { readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { contractInSight } from '#core/prices/contracts/sight/contract-sight.server.ts';
import {
  bestLoc,
  PRIMARY_GPOS,
  placesInContracts,
  predecessorsOf,
  runs,
} from '#core/prices/pricing/facility-in-contracts.server.ts';
import type { ContractFacts } from './tier-offers.server.ts';

type Asked = {
  user: Caller;
  facilityId: number;
  /** The day for which the facts are read. */
  day: string;
  /** Today, in the company's time zone. It decides what the user sees. */
  today: string;
  itemIds: readonly number[];
  /** One contract, whatever its items. Omitted means every contract with one of the items. */
  contractId?: number;
};

/**
 * Active contracts with their facts for the facility. Users who may not read all contracts get the contracts they see, and those of the GPOs in which
 * the facility, or its nearest parent with any membership, is a member. Contracts are found by their lines with the items (contract_line_item), and
 * their tiers, lines and prices by the unique indexes that begin with the contract and with the line.
 */
export async function contractFacts(db: Db, request: Asked): Promise<ContractFacts[]> {
  const { user, facilityId, today } = request;
  const day = sql`${request.day}::date`;
  const itemIds = sql`any(${request.itemIds}::int[])`;
  const { rows } = await sql<ContractFacts>`
    with recursive ${placesInContracts(request.day, facilityId)}
    select gpo_contract.id, gpo_contract.number, gpo_contract.title, coalesce(gpo.name, '') as gpo,
           gpo_contract.gpo_id as "gpoId", ${predecessorsOf(sql`gpo_contract`)} as "predecessorIds",
           gpo_contract.currn_idx as "currnIdx", gpo_contract.effective_from as "from", ${LAST_DAY} as "to",
           ${contractInSight(user, today)} as "inSight",
           (select json_build_object('from', m.valid_from, 'to', m.valid_to)
              from member m where m.gpo_id = gpo_contract.gpo_id) as membership,
           ${PRIMARY_GPOS} as "primary",
           ${placeOn(day)} as place,
           ${tiersOn(day)} as tiers,
           ${linesOn(day, itemIds)} as lines
      from gpo_contract
      left join gpo on gpo.id = gpo_contract.gpo_id
     where gpo_contract.state = 'Active'
       and ${mayKnow(request)}
       and ${isAsked(request, day, itemIds)}
     order by gpo_contract.number, gpo_contract.id`.execute(db);
  return rows;
}

type Part = RawBuilder<unknown>;

/** The one requested contract, else those in effect on the day with a line of the items. */
function isAsked({ contractId }: Asked, day: Part, itemIds: Part): RawBuilder<boolean> {
  if (contractId !== undefined) return sql`gpo_contract.id = ${contractId}`;
  return sql`gpo_contract.id in (select l.contract_id from contract_line l where l.item_id = ${itemIds})
       and gpo_contract.effective_from <= ${day}
       and ${LAST_DAY} >= ${day}`;
}

/** The facility's place in the contract. */
function placeOn(day: Part) {
  return sql`(
             select json_build_object('tierId', p.tier_id, 'excluded', coalesce(p.excluded, false),
                      'parent', p.parent, 'from', p.listed_from)
               from place p
              where p.id = gpo_contract.id and p.day = ${day}
              limit 1)`;
}

/** The tiers of the contract, each with its required letter. */
function tiersOn(day: Part) {
  return sql`(
             select coalesce(json_agg(json_build_object('id', t.id, 'no', t.tier_no, 'name', t.name,
                      'requirement', t.requirement, 'needsLoc', t.needs_loc, 'fallbackId', t.fallback_tier_id,
                      'provisionalAllowed', t.provisional_allowed, 'letter', ${bestLoc(sql`t`)})
                      order by t.tier_no), '[]')
               from (select contract_tier.*, ${day} as day from contract_tier) t
              where t.contract_id = gpo_contract.id)`;
}

/** The lines of the items on the day, each with its prices. */
function linesOn(day: Part, itemIds: Part) {
  return sql`(
             select coalesce(json_agg(json_build_object('lineId', l.id, 'itemId', l.item_id, 'unit', l.unit,
                      'from', l.valid_from, 'to', l.valid_to, 'prices', ${pricesOn(day)}) order by l.id), '[]')
               from contract_line l
              where l.contract_id = gpo_contract.id
                and l.item_id = ${itemIds}
                and (l.valid_from is null or l.valid_from <= ${day})
                and (l.valid_to is null or l.valid_to >= ${day}))`;
}

function pricesOn(day: Part) {
  return sql`(
                        select coalesce(json_agg(json_build_object('tierId', p.tier_id, 'price', p.price,
                                 'from', p.valid_from, 'to', p.valid_to)), '[]')
                          from contract_line_price p
                         where p.contract_line_id = l.id and ${runs(day, sql`p.`)})`;
}

function mayKnow({ user, today }: Asked): RawBuilder<boolean> {
  if (readsAllContracts(user)) return sql<boolean>`true`;
  return sql<boolean>`(${contractInSight(user, today)} or gpo_contract.gpo_id in (select gpo_id from member))`;
}

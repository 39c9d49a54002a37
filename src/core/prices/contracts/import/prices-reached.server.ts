// Checks at the end of a contract import whether each facility on the rosters gets each price today, and counts the reasons why not.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { loadCompany, pricePlacesOf } from '#platform/company/company.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';
import { bestLoc, PRIMARY_GPOS, placesInContracts } from '#core/prices/pricing/facility-in-contracts.server.ts';
import { loadPricedItems } from '#core/prices/pricing/price-lines.server.ts';
import { priceFactsOf } from '#core/prices/pricing/priced-item.server.ts';
import { answerOfContract } from '#core/prices/pricing/resolve-price.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { PricePlaces } from '#platform/shared/money.ts';
import { dayText } from './stage-sql.server.ts';

/**
 * SQL queries for what the file names: the contracts (id), and optionally the facilities (id) and the items (id). Without these, the whole contracts
 * are checked.
 */
export type Named = { contracts: Sql; facilities?: Sql; items?: Sql };

/** The maximum number of prices to check. Facilities with the same standing in every contract are checked only once. */
const MAX_ASKED = 200_000;
const ITEMS_AT_ONCE = 1000;
const FACILITIES_AT_ONCE = 500;

type Conclusion = NonNullable<KindReport['conclusion']>;
type Place = {
  contractId: number;
  facilityId: number;
  currnIdx: number;
  /**
   * The standing of the facility in every contract. Facilities with the same standing get the same result. Null if this contract offers it no price.
   */
  standing: string;
  /** Why the contract offers the facility nothing at all. Empty when it offers something. */
  why: string;
};
type Line = { contractId: number; lineId: number; itemId: number; unit: string };
type Answers = Map<string, { facilities: Set<number>; prices: number }>;

type Ids = { contracts: number[]; facilities: number[] | null; items: number[] | null };

/** Reads the ids first, because the statistics of the staged rows are from before their ids were looked up. */
async function idsOf(trx: Db, { contracts, facilities, items }: Named): Promise<Ids> {
  const read = async (query: Sql) => {
    const { rows } = await sql<{
      ids: number[] | null;
    }>`select array_agg(distinct id) as ids from (${query}) q(id)`.execute(trx);
    return rows[0]?.ids ?? [];
  };
  return {
    contracts: await read(contracts),
    facilities: facilities === undefined ? null : await read(facilities),
    items: items === undefined ? null : await read(items),
  };
}

/** The list and the sentence for the report, computed after the file was written in this transaction. */
export async function wouldGet(trx: Db, today: IsoDate, input: Named): Promise<Conclusion> {
  const idsByName = await idsOf(trx, input);
  // Compiling these statements takes longer than running them.
  await sql`set local jit = off`.execute(trx);
  const places = await rosterPlaces(trx, today, idsByName);
  const idle = await idleContracts(trx, idsByName);
  if (places.length === 0) return inReport(new Map(), idle, 0);
  const lines = Map.groupBy(await pricedLines(trx, today, idsByName), ({ contractId }) => contractId);
  const pricePlaces = pricePlacesOf(await loadCompany(trx));
  const answers: Answers = new Map();
  const note = (answer: string, facilityIds: readonly number[], prices: number) => {
    const known = answers.get(answer) ?? { facilities: new Set<number>(), prices: 0 };
    for (const id of facilityIds) known.facilities.add(id);
    answers.set(answer, { facilities: known.facilities, prices: known.prices + prices * facilityIds.length });
  };
  let request = 0;
  let left = 0;
  const alike = Map.groupBy(
    places,
    ({ contractId, standing, why, currnIdx }) => `${contractId} ${currnIdx} ${why || standing}`,
  );
  // The largest groups come first, so that the limit leaves out the fewest facilities.
  for (const group of [...alike.values()].toSorted((a, b) => b.length - a.length)) {
    const [first] = group;
    if (!first) continue;
    const ofContract = lines.get(first.contractId) ?? [];
    const ids = group.map(({ facilityId }) => facilityId);
    if (first.why) note(`No: ${first.why}`, ids, ofContract.length);
    else if (request + ofContract.length > MAX_ASKED && request > 0) left += ids.length;
    else {
      request += ofContract.length;
      const counts = await answersOf(trx, { today, places: pricePlaces }, first, ofContract);
      for (const [answer, prices] of counts) note(answer, ids, prices);
    }
  }
  return inReport(answers, idle, left);
}

function inReport(answers: Answers, idle: readonly string[], left: number): Conclusion {
  const yes = answers.get(YES);
  const all = [...answers.values()].reduce((sum, { prices }) => sum + prices, 0);
  const rows = [...answers]
    .toSorted(([a, reached], [b, others]) => Number(b === YES) - Number(a === YES) || others.prices - reached.prices)
    .map(([answer, { facilities, prices }]) => [count(facilities.size), count(prices), answer]);
  const facilities = new Set([...answers.values()].flatMap((answer) => [...answer.facilities]));
  return {
    lists:
      rows.length === 0
        ? []
        : [
            {
              title: WOULD_GET,
              headings: ['Facilities', 'Prices', 'Answer'],
              rows: rows.slice(0, SHOWN),
              total: rows.length,
            },
          ],
    notes: [
      ...(all > 0
        ? [
            `Today ${count(yes?.prices ?? 0)} of ${countOf(all, 'contract price')} would price a line for ${countOf(facilities.size, 'facility', 'facilities')} on the rosters.`,
          ]
        : []),
      ...idle,
      ...(left > 0
        ? [`${countOf(left, 'facility was', 'facilities were')} not checked, because there are too many prices.`]
        : []),
    ],
  };
}

const YES = 'Yes';
const SHOWN = 20;
const WOULD_GET = 'Would these facilities get these prices today?';
const count = (n: number) => n.toLocaleString('en-US');

/** The lines with a price in at least one tier today. */
async function pricedLines(trx: Db, today: IsoDate, { contracts, items }: Ids): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select l.contract_id as "contractId", l.id as "lineId", l.item_id as "itemId", l.unit
      from unnest(${contracts}::int[]) c(id) join contract_line l on l.contract_id = c.id
      ${items ? sql`join unnest(${items}::int[]) i(id) on i.id = l.item_id` : sql``}
     where exists (select from contract_line_price p where p.contract_line_id = l.id and coalesce(p.valid_to, 'infinity') >= ${today}::date)
     order by l.item_id`.execute(trx);
  return rows;
}

/** Contracts in the file that offer no price to any facility yet, with the reasons in sentences. */
async function idleContracts(trx: Db, { contracts }: Ids): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select string_agg(number, ', ' order by number) || case count(*) when 1 then ' has ' else ' have ' end || why as sentence from (
      select c.number,
        case when not exists (select from contract_line l join contract_line_price p on p.contract_line_id = l.id
          where l.contract_id = c.id)
          then 'no prices yet.' when c.open_to = 'roster' and not exists (select from contract_roster r where r.contract_id = c.id)
          then 'no one on the roster yet.' end as why
        from gpo_contract c where c.id = any(${contracts}::int[])) idle
     where why is not null group by why order by why`.execute(trx);
  return rows.map(({ sentence }) => sentence);
}

/** The facilities on the rosters of the contracts, today or later, with the standing of each. */
async function rosterPlaces(trx: Db, today: IsoDate, { contracts, facilities }: Ids): Promise<Place[]> {
  const { rows } = await sql<{ contractId: number; facilityId: number; currnIdx: number; outside: string }>`
    select distinct r.contract_id as "contractId", r.facility_id as "facilityId", f.currn_idx as "currnIdx",
           case when c.state = 'Draft' then 'The contract is a draft: activate it'
                when c.effective_from > ${today}::date then 'The contract begins on ' || ${dayText(sql`c.effective_from`)}
                when least(coalesce(c.extended_to, c.effective_to), c.terminated_on) < ${today}::date then 'The contract has ended'
                when not exists (select from contract_roster n where n.contract_id = c.id and n.facility_id = f.id
                  and n.valid_from <= ${today}::date
                  and coalesce(n.valid_to, 'infinity') >= ${today}::date) then 'The place on the roster begins later' else '' end as outside
      from contract_roster r join gpo_contract c on c.id = r.contract_id join facility f on f.id = r.facility_id
     where r.contract_id = any(${contracts}::int[]) and coalesce(r.valid_to, 'infinity') >= ${today}::date
       ${facilities ? sql`and r.facility_id = any(${facilities}::int[])` : sql``}
     order by 1, 2`.execute(trx);
  const standings = new Map<number, string>();
  const ids = [...new Set(rows.filter(({ outside }) => outside === '').map(({ facilityId }) => facilityId))];
  for (let at = 0; at < ids.length; at += FACILITIES_AT_ONCE) {
    const results = await standingsOf(trx, today, ids.slice(at, at + FACILITIES_AT_ONCE));
    for (const [id, standing] of results) standings.set(id, standing);
  }
  return rows.map(({ outside, ...place }) => ({
    ...place,
    standing: standings.get(place.facilityId) ?? '',
    why: outside,
  }));
}

/** The standing of facilities in all contracts: places, tiers, letters and GPOs. The text is identical for facilities with the same results. */
async function standingsOf(trx: Db, today: IsoDate, ids: readonly number[]): Promise<[number, string][]> {
  const { rows } = await sql<{ id: number; standing: string }>`
    select asked.id, (
      with recursive ${placesInContracts(today, sql<number>`asked.id`)}
      select md5(coalesce(json_agg(json_build_array(p.id, p.day, p.member_from, p.member_to, p.excluded,
        p.as_member, p.listed_from, p.listed_to,
               (select json_agg(json_build_array(t.id, ${bestLoc(sql`t`)}) order by t.step) from path t
               where t.contract_id = p.id)) order by p.id)::text, '')
             || (${PRIMARY_GPOS})::text)
        from place p) as standing
      from unnest(${ids}::int[]) as asked(id)`.execute(trx);
  return rows.map(({ id, standing }) => [id, standing]);
}

/** The results for one facility, each with its number of lines. */
async function answersOf(
  trx: Db,
  { today, places }: { today: IsoDate; places: PricePlaces },
  { facilityId, currnIdx }: Place,
  lines: readonly Line[],
): Promise<Map<string, number>> {
  const result = new Map<string, number>();
  const terms = { facilityId, currnIdx, priceDate: today, places };
  for (let at = 0; at < lines.length; at += ITEMS_AT_ONCE) {
    const batch = lines.slice(at, at + ITEMS_AT_ONCE);
    const items = await loadPricedItems(
      trx,
      terms,
      batch.map(({ itemId }) => itemId),
    );
    for (const { lineId, itemId, unit } of batch) {
      const facts = priceFactsOf(items.get(itemId), terms, { itemId, unit, qty: 1 });
      const { counts, why } = answerOfContract(facts, lineId);
      const answer = counts ? YES : `No: ${why || 'The facility has no place in the contract today'}`;
      result.set(answer, (result.get(answer) ?? 0) + 1);
    }
  }
  return result;
}

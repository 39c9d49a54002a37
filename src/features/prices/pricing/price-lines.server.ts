// Prices many lines at once: one statement reads the rows that could apply, and resolvePrice judges them.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { anyOf, hidden } from '#db/hidden-parameter.server.ts';
import { promotionRows, type RunningPromotion } from '#features/prices/promotions/promotions.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { ResolvedPrice } from './price-proof.ts';
import {
  type ItemFacts,
  type LineToPrice,
  type PriceContext,
  type PricedItem,
  type PriceTerms,
  priceFactsOf,
} from './priced-item.ts';
import {
  type AccountPriceRow,
  type ContractOffer,
  type PriceFacts,
  type PriceRow,
  resolvePrice,
} from './resolve-price.ts';

/** The price of each line, in the order given (design 4, steps 1 to 4): one statement, however many lines. */
export async function resolvePrices(db: Db, terms: PriceTerms, lines: LineToPrice[]): Promise<ResolvedPrice[]> {
  return (await loadPriceFacts(db, terms, lines)).map(resolvePrice);
}

/** What decides the price of each line, in the order given. An item that does not exist has no rows, and so no price. */
export async function loadPriceFacts(db: Db, terms: PriceTerms, lines: LineToPrice[]): Promise<PriceFacts[]> {
  const items = await loadPricedItems(
    db,
    terms,
    lines.map((line) => line.itemId),
  );
  return lines.map((line) => priceFactsOf(items.get(line.itemId), terms, line));
}

/** Items by id, without prices; those that do not exist are left out. */
export async function loadItemFacts(db: Db, itemIds: Iterable<number>): Promise<Map<number, ItemFacts>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const { rows } = await itemRows(ids).execute(db);
  return new Map(rows.map((row) => [row.id, withBaseUnit(row)]));
}

/** Items by id with the list prices of a day, the facility's and its parent's account prices, its contracts, and running promotions. */
export async function loadPricedItems(
  db: Db,
  context: PriceContext,
  itemIds: Iterable<number>,
): Promise<Map<number, PricedItem>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ found: FoundItems }>`select ${pricedItemsValue(context, ids)} as found`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a query without a table answers one row');
  return pricedItemsRead(row.found);
}

export type FoundItems = {
  items: ItemFacts[];
  list: (PriceRow & { itemId: number })[];
  account: (AccountPriceRow & { itemId: number })[];
  contracts: (ContractOffer & { itemId: number })[];
  promotions: (RunningPromotion & { itemId: number })[];
};

/** The same as a value of a statement that reads more; `pricedItemsRead` makes the items of it. */
export function pricedItemsValue({ currnIdx, priceDate, facilityId }: PriceContext, ids: number[]) {
  return sql<FoundItems>`json_build_object('items', ${all(itemRows(ids))}, 'list', ${all(listRows(ids, priceDate))},
    'promotions', ${all(promotionRows(ids, { currnIdx, date: priceDate }))},
    'account', ${facilityId === null ? NONE : all(accountRows(ids, priceDate, facilityId))},
    'contracts', ${facilityId === null ? NONE : all(contractRows(ids, priceDate, facilityId))})`;
}

export function pricedItemsRead(found: FoundItems): Map<number, PricedItem> {
  const items = new Map<number, PricedItem>();
  for (const item of found.items) {
    items.set(item.id, { ...withBaseUnit(item), list: [], account: [], contracts: [], promotions: [] });
  }
  for (const row of found.list) items.get(row.itemId)?.list.push(row);
  for (const row of found.account) items.get(row.itemId)?.account.push(row);
  for (const row of found.contracts) items.get(row.itemId)?.contracts.push(row);
  for (const row of found.promotions) items.get(row.itemId)?.promotions.push(row);
  return items;
}

const NONE = sql`'[]'::json`;

/** All rows of a query as one value. */
function all(query: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(found), '[]') from (${query}) found)`;
}

function withBaseUnit<T extends ItemFacts>(row: T): T {
  const others = row.units.filter(({ unit }) => unit !== row.base_unit);
  return { ...row, units: [{ unit: row.base_unit, factor: 1 }, ...others] };
}

function itemRows(ids: number[]) {
  return sql<ItemFacts>`
    select i.id, i.product_id, i.class_id, i.item_number, i.description, i.base_unit, i.status, i.cost, i.floor_price,
           coalesce(c.visible_in_web_quote, true) as visible,
           (select coalesce(json_agg(json_build_object('unit', unit, 'factor', factor) order by factor, unit), '[]')
              from item_unit where item_id = i.id) as units
      from item i left join item_class c on c.id = i.class_id where i.id = ${anyOf(ids)}`;
}

function listRows(ids: number[], date: IsoDate) {
  return sql`
    select item_id as "itemId", id, unit, min_qty as "minQty", price, currn_idx as "currnIdx", valid_from as "from", valid_to as "to"
      from item_price where item_id = ${anyOf(ids)} and ${runs(date)} order by unit, min_qty, id`;
}

function accountRows(ids: number[], date: IsoDate, facilityId: number) {
  return sql`
    select item_id as "itemId", id, unit, min_qty as "minQty", price, currn_idx as "currnIdx", valid_from as "from", valid_to as "to",
           reference, case facility_id when ${hidden(facilityId, 'int')} then 'own' else 'parent' end as holder,
           (select name from facility where id = account_price.facility_id) as "facilityName"
      from account_price
     where facility_id = any(array[${hidden(facilityId, 'int')}, (select parent_id from facility where id = ${hidden(facilityId, 'int')})])
       and item_id = ${anyOf(ids)} and ${runs(date)} order by unit, min_qty, id`;
}

/** Contract lines of the items at the tiers of the facility's roster entries, with its membership in the contract's GPO. */
function contractRows(ids: number[], date: IsoDate, facilityId: number) {
  return sql`
    select l.item_id as "itemId", c.id as "contractId", c.number, c.currn_idx as "currnIdx", c.effective_from as "from",
           coalesce(c.extended_to, c.effective_to) as "to", gpo.name as "gpoName", l.id as "lineId", l.unit, l.valid_from as "lineFrom",
           l.valid_to as "lineTo", r.valid_from as "rosterFrom", r.valid_to as "rosterTo", r.loc_state as "locState", t.id as "tierId",
           t.tier_no as "tierNo", t.name as "tierName", t.needs_loc as "needsLoc", p.price,
           (select json_build_object('isPrimary', is_primary, 'from', valid_from, 'to', valid_to) from gpo_membership
             where facility_id = r.facility_id and gpo_id = c.gpo_id and ${runs(date)} order by is_primary desc, id limit 1) as membership
      from (select * from contract_roster where facility_id = ${hidden(facilityId, 'int')} and ${runs(date)}) r
      join gpo_contract c on c.id = r.contract_id
      join contract_tier t on t.id = r.tier_id
      join contract_line l on l.contract_id = c.id
      left join contract_line_price p on p.contract_line_id = l.id and p.tier_id = t.id
      left join gpo on gpo.id = c.gpo_id
     where l.item_id = ${anyOf(ids)}
       and c.effective_from <= ${hidden(date, 'date')} and coalesce(c.extended_to, c.effective_to) >= ${hidden(date, 'date')}
     order by c.number, l.id, r.id`;
}

/** Of any table with the two columns. */
function runs(date: IsoDate) {
  return sql`(valid_from <= ${hidden(date, 'date')} and (valid_to is null or valid_to >= ${hidden(date, 'date')}))`;
}

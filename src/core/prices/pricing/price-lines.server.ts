// Prices many lines at once: one statement reads the rows that could apply, and resolvePrice evaluates them.
import { type RawBuilder, sql } from 'kysely';
import { compiledOnce } from '#platform/db/compiled.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { anyOf, type Given, hidden } from '#platform/db/one-plan-parameter.server.ts';
import { promotionRows, type RunningPromotion } from '#core/prices/promotions/promotions.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import {
  bestLoc,
  lastDayOf,
  membershipsOf,
  placesInContracts,
  predecessorsOf,
  PRIMARY_GPOS,
  runs,
} from './facility-in-contracts.server.ts';
import type { ResolvedPrice } from './price-proof.ts';
import {
  type ItemFacts,
  type ItemQuantity,
  type PriceContext,
  type PricedItem,
  type PriceTerms,
  priceFactsOf,
} from './priced-item.server.ts';
import type { AccountPriceRow, ContractOffer, PriceFacts, PriceRow } from './price-facts.server.ts';
import type { RequestedOffer } from './provisional-price.server.ts';
import { resolvePrice } from './resolve-price.server.ts';

/** The price of each line, in the given order (design 4, steps 1 to 4), from one statement for any number of lines. */
export async function resolvePrices(db: Db, terms: PriceTerms, lines: ItemQuantity[]): Promise<ResolvedPrice[]> {
  return (await loadPriceFacts(db, terms, lines)).map(resolvePrice);
}

/** Reads what determines the price of each line, in the given order. An item that does not exist has no rows, and therefore no price. */
export async function loadPriceFacts(db: Db, terms: PriceTerms, lines: ItemQuantity[]): Promise<PriceFacts[]> {
  const items = await loadPricedItems(
    db,
    terms,
    lines.map((line) => line.itemId),
  );
  return lines.map((line) => priceFactsOf(items.get(line.itemId), terms, line));
}

/** Items by id, without prices. Items that do not exist are left out. */
export async function loadItemFacts(db: Db, itemIds: Iterable<number>): Promise<Map<number, ItemFacts>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const { rows } = await itemRows(ids).execute(db);
  return new Map(rows.map((row) => [row.id, withBaseUnit(row)]));
}

/** Items by id with the list prices of a day, the facility's and its parent's account prices, its contracts, and current promotions. */
export async function loadPricedItems(
  db: Db,
  context: PriceContext,
  itemIds: Iterable<number>,
): Promise<Map<number, PricedItem>> {
  const ids = [...new Set(itemIds)];
  if (ids.length === 0) return new Map();
  const { facilityId, quoteId, currnIdx, priceDate } = context;
  const statement = PRICED_ITEMS[facilityId === null ? 'list' : quoteId === undefined ? 'all' : 'allOfQuote'];
  const [row] = await statement(db, {
    ids,
    currnIdx,
    priceDate,
    facilityId: facilityId ?? 0,
    quoteId: quoteId ?? 0,
  });
  if (!row) throw new Error('a query without a table answers one row');
  return pricedItemsRead(db, context, row.found);
}

type Asked = { ids: number[]; currnIdx: number; priceDate: IsoDate; facilityId: number; quoteId: number };

/** The statements without a facility, and with one, each without and with a quote. */
const PRICED_ITEMS = {
  list: compiledOnce<{ found: FoundItems }, Asked>(
    ({ ids, currnIdx, priceDate }) =>
      sql`select ${pricedItemsValue({ currnIdx, priceDate, facilityId: null }, ids)} as found`,
  ),
  all: compiledOnce<{ found: FoundItems }, Asked>(
    ({ ids, currnIdx, priceDate, facilityId }) =>
      sql`select ${pricedItemsValue({ currnIdx, priceDate, facilityId }, ids)} as found`,
  ),
  allOfQuote: compiledOnce<{ found: FoundItems }, Asked>(
    ({ ids, currnIdx, priceDate, facilityId, quoteId }) =>
      sql`select ${pricedItemsValue({ currnIdx, priceDate, facilityId, quoteId }, ids)} as found`,
  ),
};

export type FoundItems = {
  items: ItemFacts[];
  list: (PriceRow & { itemId: number })[];
  account: (AccountPriceRow & { itemId: number })[];
  contracts: (ContractOffer & { itemId: number })[];
  /** Whether the quote is waiting for an eligibility request, so that more must be read. */
  waits: boolean;
  promotions: (RunningPromotion & { itemId: number })[];
};

/** Items, and the context of their prices. */
export type ItemsToPrice = PriceContext & { itemIds: number[] };

/** Reads the items for many contexts in one statement, in the given order. */
export async function loadPricedItemsOfMany(
  db: Db,
  request: readonly ItemsToPrice[],
): Promise<Map<number, PricedItem>[]> {
  const input = {
    facilityId: sql<number>`asked.facility`,
    priceDate: sql<IsoDate>`asked.day`,
    currnIdx: sql<number>`asked.currn`,
    ...(request.some(({ quoteId }) => quoteId !== undefined) ? { quoteId: sql<number>`asked.quote` } : {}),
  };
  const contexts = request.map(({ facilityId, priceDate, currnIdx, quoteId, itemIds }, at) => ({
    at,
    facility: facilityId,
    day: priceDate,
    currn: currnIdx,
    quote: quoteId,
    items: [...new Set(itemIds)],
  }));
  const { rows } = await sql<{ found: FoundItems }>`
    select ${pricedItemsValue(input, sql<number[]>`asked.items`)} as found
      from jsonb_to_recordset(${JSON.stringify(contexts)}::jsonb)
             as asked(at int, facility int, day date, currn int, quote int, items int[])
     order by asked.at`.execute(db);
  const read: Map<number, PricedItem>[] = [];
  for (const [at, context] of request.entries()) {
    const result = rows[at]?.found;
    read.push(result ? await pricedItemsRead(db, context, result) : new Map());
  }
  return read;
}

type GivenContext = {
  facilityId: Given<number> | null;
  priceDate: Given<IsoDate>;
  currnIdx: Given<number>;
  quoteId?: Given<number>;
};

/** The items as an SQL value for a statement that also reads other data. `pricedItemsRead` converts the result to items. */
export function pricedItemsValue({ currnIdx, priceDate, facilityId, quoteId }: GivenContext, ids: Given<number[]>) {
  return sql<FoundItems>`json_build_object(
    'items', ${all(itemRows(ids))},
    'list', ${all(listRows(ids, priceDate))},
    'promotions', ${all(promotionRows(ids, { currnIdx, date: priceDate }))},
    'account', ${facilityId === null ? NONE : all(accountRows(ids, priceDate, facilityId))},
    'contracts', ${facilityId === null ? NONE : all(contractRows(ids, priceDate, facilityId))},
    'waits', ${quoteId === undefined ? sql`false` : waits(quoteId)})`;
}

/** Whether a quote is waiting for an eligibility request. */
function waits(quoteId: Given<number>) {
  return sql`exists (select from eligibility_request_quote where quote_id = ${hidden(quoteId, 'int')})`;
}

export async function pricedItemsRead(
  db: Db,
  { facilityId, quoteId, priceDate }: PriceContext,
  result: FoundItems,
): Promise<Map<number, PricedItem>> {
  const items = new Map<number, PricedItem>();
  for (const item of result.items) {
    items.set(item.id, { ...withBaseUnit(item), list: [], account: [], contracts: [], requested: [], promotions: [] });
  }
  for (const row of result.list) items.get(row.itemId)?.list.push(row);
  for (const row of result.account) items.get(row.itemId)?.account.push(row);
  for (const row of result.contracts) items.get(row.itemId)?.contracts.push(row);
  for (const row of result.promotions) items.get(row.itemId)?.promotions.push(row);
  // Most quotes are not waiting for a request. Skipping this large statement saves a tenth of the time to read an item.
  if (result.waits && facilityId !== null && quoteId !== undefined) {
    const { rows } = await requestedRows([...items.keys()], priceDate, { facilityId, quoteId }).execute(db);
    for (const row of rows) items.get(row.itemId)?.requested.push(row);
    if (rows.some(({ gpoName, membership }) => gpoName !== null && membership === null))
      await readIfMember(db, { facilityId, priceDate }, items);
  }
  return items;
}

/** Adds to the items what contracts open to members would offer if the facility joined their GPO. */
export async function readIfMember(
  db: Db,
  { facilityId, priceDate }: { facilityId: number; priceDate: IsoDate },
  items: Map<number, PricedItem>,
): Promise<void> {
  const { rows } = await contractRows([...items.keys()], priceDate, facilityId, { joining: true }).execute(db);
  for (const [itemId, offers] of Map.groupBy(rows, (row) => row.itemId)) {
    const item = items.get(itemId);
    if (item) item.ifMember = offers;
  }
}

const NONE = sql`'[]'::json`;

/** Returns all rows of a query as one JSON value. */
function all(query: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(found), '[]') from (${query}) found)`;
}

function withBaseUnit<T extends ItemFacts>(row: T): T {
  const others = row.units.filter(({ unit }) => unit !== row.base_unit);
  return { ...row, units: [{ unit: row.base_unit, factor: 1 }, ...others] };
}

/** Items with their class and units, by item_pkey. */
function itemRows(ids: Given<number[]>) {
  return sql<ItemFacts>`
    select i.id, i.product_id, i.class_id, i.item_number, i.description, i.base_unit, i.status, i.cost, i.floor_price,
           coalesce(c.visible_in_web_quote, true) as visible,
           (select coalesce(json_agg(json_build_object('unit', unit, 'factor', factor) order by factor, unit), '[]')
              from item_unit where item_id = i.id) as units
      from item i
      left join item_class c on c.id = i.class_id
     where i.id = ${anyOf(ids)}`;
}

/** List prices of a day, by the index of item_price that begins with item_id. */
function listRows(ids: Given<number[]>, date: Given<IsoDate>) {
  return sql`
    select item_id as "itemId", ${PRICE_ROW}
      from item_price
     where item_id = ${anyOf(ids)} and ${runs(hidden(date, 'date'))}
     order by unit, min_qty, id`;
}

/** Account prices of the facility and its parent on a day, by the index of account_price that begins with facility_id, item_id. */
function accountRows(ids: Given<number[]>, date: Given<IsoDate>, facilityId: Given<number>) {
  const own = hidden(facilityId, 'int');
  return sql`
    select item_id as "itemId", ${PRICE_ROW}, reference,
           case facility_id when ${own} then 'own' else 'parent' end as holder,
           (select name from facility where id = account_price.facility_id) as "facilityName"
      from account_price
     where facility_id = any(array[${own}, (select parent_id from facility where id = ${own})])
       and item_id = ${anyOf(ids)}
       and ${runs(hidden(date, 'date'))}
     order by unit, min_qty, id`;
}

const PRICE_ROW = sql`id, unit, min_qty as "minQty", price, currn_idx as "currnIdx", valid_from as "from",
  valid_to as "to"`;

/** The states in which a request is waiting for a decision, from the first question until it is answered. */
export const OPEN_REQUEST = sql.lit('{Requested,InReview,NeedInfo,SentToGpo}');

/**
 * Contract lines of the items for which the quote has a request that is open, or approved from a later day on, with the price of the
 * requested tier. The tier must allow provisional prices unless the request was approved. Begins at eligibility_request_quote_pkey.
 */
function requestedRows(
  ids: Given<number[]>,
  date: Given<IsoDate>,
  { facilityId, quoteId }: { facilityId: Given<number>; quoteId: Given<number> },
) {
  const day = hidden(date, 'date');
  return sql<RequestedOffer & { itemId: number }>`
    with recursive ${membershipsOf(date, facilityId)}
    select l.item_id as "itemId", r.id as "requestId",
           case when r.state = 'Approved' then r.firm_from end as "firmFrom",
           c.id as "contractId", c.number, c.currn_idx as "currnIdx",
           c.effective_from as "from", ${lastDayOf(sql`c`)} as "to",
           ${day} as day,
           gpo.name as "gpoName",
           (select json_build_object('from', m.valid_from, 'to', m.valid_to)
              from member m where m.gpo_id = c.gpo_id) as membership,
           ${PRIMARY_GPOS} as "primary",
           ${predecessorsOf(sql`c`)} as "predecessorIds",
           ${day} as "listedFrom", null as "listedTo",
           l.id as "lineId", l.unit, l.valid_from as "lineFrom", l.valid_to as "lineTo",
           json_build_object('id', t.id, 'no', t.tier_no,
             'price', p.price, 'from', p.valid_from, 'to', p.valid_to) as tier
      from eligibility_request_quote q
      join eligibility_request r on r.id = q.request_id
      join gpo_contract c on c.id = r.contract_id
      left join gpo on gpo.id = c.gpo_id
      join contract_tier t on t.id = case when r.state = 'Approved' then r.decided_tier_id else r.tier_id end
      join contract_line l on l.contract_id = c.id
      join contract_line_price p on p.contract_line_id = l.id and p.tier_id = t.id and ${runs(day, sql`p.`)}
     where q.quote_id = ${hidden(quoteId, 'int')}
       and r.facility_id = ${hidden(facilityId, 'int')}
       and l.item_id = ${anyOf(ids)}
       and ((r.state = any(${OPEN_REQUEST}::text[]) and t.provisional_allowed)
         or (r.state = 'Approved' and r.firm_from > ${day}))
       and c.state <> 'Draft'
       and c.effective_from <= ${day}
     order by l.id, r.id`;
}

/**
 * Lines of the items in contracts in which the facility has a place. With `joining`, only those in which it would have one if it joined their GPO.
 * Lines are found by contract_line_contract_id_item_id_unit_key, prices by contract_line_price_from.
 */
function contractRows(ids: Given<number[]>, date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  return sql<ContractOffer & { itemId: number }>`
    with recursive ${placesInContracts(date, facilityId, { joining })}
    select l.item_id as "itemId", p.id as "contractId", p.number, p.currn_idx as "currnIdx",
           p.effective_from as "from", p.ends as "to",
           p.day,
           p.gpo_name as "gpoName",
           ${predecessorsOf(sql`p`)} as "predecessorIds",
           case when p.member_from is not null
             then json_build_object('from', p.member_from, 'to', p.member_to) end as membership,
           ${PRIMARY_GPOS} as "primary",
           case when p.excluded then 'excluded' when p.as_member then 'members' else 'roster' end as "listedBy",
           p.parent, p.listed_from as "listedFrom", p.listed_to as "listedTo",
           l.id as "lineId", l.unit, l.valid_from as "lineFrom", l.valid_to as "lineTo",
           ${TIER_PRICES} as tiers
      from place p
      join contract_line l on l.contract_id = p.id
     where l.item_id = ${anyOf(ids)}
       ${joining ? sql`and p.as_member and p.gpo_id in (select gpo_id from joined)` : sql``}
     order by p.number, l.id`;
}

/** The price of the line `l` in each tier on the `path` of the place `p`, with the letter that the tier needs. */
const TIER_PRICES = sql`(
             select coalesce(json_agg(json_build_object(
                      'id', t.id, 'no', t.tier_no, 'needsLoc', t.needs_loc, 'loc', ${bestLoc(sql`t`)},
                      'price', c.price, 'from', c.valid_from, 'to', c.valid_to) order by t.step), '[]')
               from path t
               left join contract_line_price c
                 on c.contract_line_id = l.id and c.tier_id = t.id and ${runs(sql`t.day`, sql`c.`)}
              where t.contract_id = p.id)`;

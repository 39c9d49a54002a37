// Prices many lines at once: one statement reads the rows that could apply, and resolvePrice judges them.
import { type RawBuilder, sql } from 'kysely';
import { compiledOnce } from '#db/compiled.server.ts';
import type { Db } from '#db/database.server.ts';
import { anyOf, type Given, hidden } from '#db/hidden-parameter.server.ts';
import { promotionRows, type RunningPromotion } from '#features/prices/promotions/promotions.server.ts';
import type { IsoDate } from '#shared/dates.ts';
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

/** Reads what decides the price of each line, in the given order. An item that does not exist has no rows, and so no price. */
export async function loadPriceFacts(db: Db, terms: PriceTerms, lines: ItemQuantity[]): Promise<PriceFacts[]> {
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

/** The statement for no facility, and for one, without and with a quote. */
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
  /** The quote waits for an eligibility request, so the code must read more. */
  waits: boolean;
  promotions: (RunningPromotion & { itemId: number })[];
};

/** Items, and the context of their prices. */
export type ItemsToPrice = PriceContext & { itemIds: number[] };

/** Reads the same for many contexts in one statement, in the given order. */
export async function loadPricedItemsOfMany(
  db: Db,
  asked: readonly ItemsToPrice[],
): Promise<Map<number, PricedItem>[]> {
  const given = {
    facilityId: sql<number>`asked.facility`,
    priceDate: sql<IsoDate>`asked.day`,
    currnIdx: sql<number>`asked.currn`,
    ...(asked.some(({ quoteId }) => quoteId !== undefined) ? { quoteId: sql<number>`asked.quote` } : {}),
  };
  const contexts = asked.map(({ facilityId, priceDate, currnIdx, quoteId, itemIds }, at) => ({
    at,
    facility: facilityId,
    day: priceDate,
    currn: currnIdx,
    quote: quoteId,
    items: [...new Set(itemIds)],
  }));
  const { rows } = await sql<{ found: FoundItems }>`
    select ${pricedItemsValue(given, sql<number[]>`asked.items`)} as found
      from jsonb_to_recordset(${JSON.stringify(contexts)}::jsonb) as asked(at int, facility int, day date, currn int, quote int, items int[])
     order by asked.at`.execute(db);
  const read: Map<number, PricedItem>[] = [];
  for (const [at, context] of asked.entries()) {
    const found = rows[at]?.found;
    read.push(found ? await pricedItemsRead(db, context, found) : new Map());
  }
  return read;
}

type GivenContext = {
  facilityId: Given<number> | null;
  priceDate: Given<IsoDate>;
  currnIdx: Given<number>;
  quoteId?: Given<number>;
};

/** The same as an SQL value for a statement that reads more; `pricedItemsRead` turns the result into items. */
export function pricedItemsValue({ currnIdx, priceDate, facilityId, quoteId }: GivenContext, ids: Given<number[]>) {
  return sql<FoundItems>`json_build_object('items', ${all(itemRows(ids))}, 'list', ${all(listRows(ids, priceDate))},
    'promotions', ${all(promotionRows(ids, { currnIdx, date: priceDate }))},
    'account', ${facilityId === null ? NONE : all(accountRows(ids, priceDate, facilityId))},
    'contracts', ${facilityId === null ? NONE : all(contractRows(ids, priceDate, facilityId))},
    'waits', ${quoteId === undefined ? sql`false` : sql`exists (select from eligibility_request_quote where quote_id = ${hidden(quoteId, 'int')})`})`;
}

export async function pricedItemsRead(
  db: Db,
  { facilityId, quoteId, priceDate }: PriceContext,
  found: FoundItems,
): Promise<Map<number, PricedItem>> {
  const items = new Map<number, PricedItem>();
  for (const item of found.items) {
    items.set(item.id, { ...withBaseUnit(item), list: [], account: [], contracts: [], requested: [], promotions: [] });
  }
  for (const row of found.list) items.get(row.itemId)?.list.push(row);
  for (const row of found.account) items.get(row.itemId)?.account.push(row);
  for (const row of found.contracts) items.get(row.itemId)?.contracts.push(row);
  for (const row of found.promotions) items.get(row.itemId)?.promotions.push(row);
  // Most quotes wait for no request. Skipping this large statement saves a tenth of the time to read an item.
  if (found.waits && facilityId !== null && quoteId !== undefined) {
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

function itemRows(ids: Given<number[]>) {
  return sql<ItemFacts>`
    select i.id, i.product_id, i.class_id, i.item_number, i.description, i.base_unit, i.status, i.cost, i.floor_price,
           coalesce(c.visible_in_web_quote, true) as visible,
           (select coalesce(json_agg(json_build_object('unit', unit, 'factor', factor) order by factor, unit), '[]')
              from item_unit where item_id = i.id) as units
      from item i left join item_class c on c.id = i.class_id where i.id = ${anyOf(ids)}`;
}

function listRows(ids: Given<number[]>, date: Given<IsoDate>) {
  return sql`
    select item_id as "itemId", id, unit, min_qty as "minQty", price, currn_idx as "currnIdx", valid_from as "from", valid_to as "to"
      from item_price where item_id = ${anyOf(ids)} and ${runs(hidden(date, 'date'))} order by unit, min_qty, id`;
}

function accountRows(ids: Given<number[]>, date: Given<IsoDate>, facilityId: Given<number>) {
  return sql`
    select item_id as "itemId", id, unit, min_qty as "minQty", price, currn_idx as "currnIdx", valid_from as "from", valid_to as "to",
           reference, case facility_id when ${hidden(facilityId, 'int')} then 'own' else 'parent' end as holder,
           (select name from facility where id = account_price.facility_id) as "facilityName"
      from account_price
     where facility_id = any(array[${hidden(facilityId, 'int')}, (select parent_id from facility where id = ${hidden(facilityId, 'int')})])
       and item_id = ${anyOf(ids)} and ${runs(hidden(date, 'date'))} order by unit, min_qty, id`;
}

/**
 * Common tables, to follow `with recursive`, that find a facility's place in contracts. `place` has a row for each contract that lists the facility
 * or an ancestor whose entry covers its children, or that is open to the members of its GPO, with the tier. `path` has that tier and those it falls
 * back to. Each contract is judged on the price date, or on its first day if it succeeds another contract later. With `joining` the facility is also a
 * member of every GPO with an open contract, from that day on.
 */
export function placesInContracts(date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  const day = hidden(date, 'date');
  // The row is the membership unless a declared one counts on that day.
  const byRow = sql`not r.excluded and d.gpo_id is not null and (m.declared and ${runs(sql`d.day`, sql`m.`)}) is not true`;
  return sql`${membershipsOf(date, facilityId, { joining })},
    due as (
      select c.*, gpo.name as gpo_name, greatest(c.effective_from, ${day}) as day,
             least(coalesce(c.extended_to, c.effective_to), c.terminated_on) as ends
        from gpo_contract c left join gpo on gpo.id = c.gpo_id
       where c.state <> 'Draft' and (c.effective_from <= ${day} or c.predecessor_id is not null)
         and c.id = any(array(select contract_id from listing
           union all select o.id from gpo_contract o where o.open_to = 'members' and o.gpo_id = any(array(select gpo_id from member))))),
    place as materialized (
      select d.id, d.number, d.currn_idx, d.effective_from, d.ends, d.day, d.gpo_id, d.gpo_name, d.predecessor_id,
             case when ${byRow} then r.valid_from else m.valid_from end as member_from,
             case when ${byRow} then r.valid_to else m.valid_to end as member_to,
             r.excluded, coalesce(r.parent, '') as parent,
             r.id is null as as_member, case when r.id is null then m.valid_from else r.valid_from end as listed_from,
             case when r.id is null then m.valid_to else r.valid_to end as listed_to,
             case when r.id is null
               then (select id from contract_tier where contract_id = d.id order by tier_no limit 1) else r.tier_id end as tier_id
        from due d
        left join member m on m.gpo_id = d.gpo_id
        left join lateral (
          select * from listing where contract_id = d.id and ${runs(sql`d.day`)}
           order by depth, valid_from desc, id desc limit 1) r on true
       where d.ends >= d.day and (r.id is not null or (d.open_to = 'members' and m.gpo_id is not null))),
    path as (
      select p.id as contract_id, p.day, 1 as step, t.id, t.tier_no, t.name, t.needs_loc, t.fallback_tier_id
        from place p join contract_tier t on t.id = p.tier_id where t.contract_id = ${ofPlaces}
      union all
      select p.contract_id, p.day, p.step + 1, t.id, t.tier_no, t.name, t.needs_loc, t.fallback_tier_id
        from path p join contract_tier t on t.id = p.fallback_tier_id
       where t.contract_id = ${ofPlaces} and p.needs_loc and p.step < ${sql.lit(MOST_LEVELS)})`;
}

/**
 * Common tables of a facility on a day: `chain`, itself and its parents; `listing`, the rows of rosters that name it; `member`, its memberships.
 * The nearest facility with any declared membership decides the declared ones (`declared`). A row of a roster is a membership too (`named`), while
 * its contract is in effect. `chief` has the GPOs whose contracts count: the declared primary, else those whose rosters name the facility.
 */
function membershipsOf(date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  const day = hidden(date, 'date');
  return sql`
    chain as (
      select id, parent_id, name, 0 as depth from facility where id = ${hidden(facilityId, 'int')}
      union all
      select f.id, f.parent_id, f.name, c.depth + 1 from chain c join facility f on f.id = c.parent_id where c.depth < ${sql.lit(MOST_LEVELS)}),
    held as (
      select m.*, c.depth, min(c.depth) over () as nearest
        from gpo_membership m join chain c on c.id = m.facility_id
       where m.facility_id = ${ofChain} and ${runs(day)}),
    declared as (
      select distinct on (gpo_id) gpo_id, is_primary, valid_from, valid_to from held where depth = nearest
       order by gpo_id, is_primary desc, id),
    listing as materialized (
      select r.*, c.depth, case when c.depth > 0 then c.name else '' end as parent
        from contract_roster r join chain c on c.id = r.facility_id
       where r.facility_id = ${ofChain} and (c.depth = 0 or r.covers_children)),
    named as materialized (
      select gpo_id, min(valid_from) as valid_from, nullif(max(ends), 'infinity') as valid_to
        from (select distinct on (r.contract_id) r.excluded, r.valid_from, c.gpo_id,
                     least(coalesce(r.valid_to, 'infinity'), coalesce(c.extended_to, c.effective_to), c.terminated_on) as ends
                from listing r join gpo_contract c on c.id = r.contract_id
               where c.gpo_id is not null and c.state <> 'Draft' and c.effective_from <= ${day}
                 and least(coalesce(c.extended_to, c.effective_to), c.terminated_on) >= ${day} and ${runs(day, sql`r.`)}
               order by r.contract_id, r.depth, r.valid_from desc, r.id desc) row
       where not excluded group by gpo_id),
    ${joining ? joinedGpos : sql``}
    member as (
      select gpo_id, true as declared, valid_from, valid_to from declared
      union all
      select gpo_id, false, valid_from, valid_to from named where gpo_id not in (select gpo_id from declared)
      ${joining ? sql`union all select gpo_id, false, ${day}, null from joined` : sql``}),
    chief as materialized (
      select gpo_id, true as declared from declared where is_primary
      union all
      select gpo_id, false from named where not exists (select from declared where is_primary))`;
}

/** The GPOs of open contracts of which the facility is not a member. */
const joinedGpos = sql`joined as (
  select distinct gpo_id from gpo_contract where open_to = 'members' and gpo_id is not null
  except select gpo_id from declared except select gpo_id from named),`;

/** The GPOs of `chief` as an offer's `primary`. */
export const PRIMARY_GPOS = sql`(select json_build_object('declared', coalesce(bool_or(chief.declared), false),
  'gpos', coalesce(json_agg(gpo.name order by gpo.name), '[]')) from chief join gpo on gpo.id = chief.gpo_id)`;

/** The states in which a request waits for a decision: from the first question until somebody answers. */
export const OPEN_REQUEST = sql.lit('{Requested,InReview,NeedInfo,SentToGpo}');

/**
 * Contract lines of the items for which the quote has a request that is open, or approved from a later day on, with the price of the
 * requested tier. The tier must allow provisional prices unless the request was approved.
 */
function requestedRows(
  ids: Given<number[]>,
  date: Given<IsoDate>,
  { facilityId, quoteId }: { facilityId: Given<number>; quoteId: Given<number> },
) {
  const day = hidden(date, 'date');
  return sql<RequestedOffer & { itemId: number }>`
    with recursive ${membershipsOf(date, facilityId)}
    select l.item_id as "itemId", r.id as "requestId", case when r.state = 'Approved' then r.firm_from end as "firmFrom",
           c.id as "contractId", c.number, c.currn_idx as "currnIdx", c.effective_from as "from",
           least(coalesce(c.extended_to, c.effective_to), c.terminated_on) as "to", ${day} as day, gpo.name as "gpoName",
           (select json_build_object('from', m.valid_from, 'to', m.valid_to) from member m where m.gpo_id = c.gpo_id) as membership,
           ${PRIMARY_GPOS} as "primary", ${predecessorsOf(sql`c`)} as "predecessorIds", ${day} as "listedFrom", null as "listedTo", l.id as "lineId", l.unit, l.valid_from as "lineFrom", l.valid_to as "lineTo",
           json_build_object('id', t.id, 'no', t.tier_no, 'price', p.price, 'from', p.valid_from, 'to', p.valid_to) as tier
      from eligibility_request_quote q
      join eligibility_request r on r.id = q.request_id
      join gpo_contract c on c.id = r.contract_id left join gpo on gpo.id = c.gpo_id
      join contract_tier t on t.id = case when r.state = 'Approved' then r.decided_tier_id else r.tier_id end
      join contract_line l on l.contract_id = c.id
      join contract_line_price p on p.contract_line_id = l.id and p.tier_id = t.id and ${runs(day, sql`p.`)}
     where q.quote_id = ${hidden(quoteId, 'int')} and r.facility_id = ${hidden(facilityId, 'int')} and l.item_id = ${anyOf(ids)}
       and ((r.state = any(${OPEN_REQUEST}::text[]) and t.provisional_allowed) or (r.state = 'Approved' and r.firm_from > ${day}))
       and c.state <> 'Draft' and c.effective_from <= ${day}
     order by l.id, r.id`;
}

/** Lines of the items in contracts that give the facility a place; with `joining` only those that would if it joined their GPO. */
function contractRows(ids: Given<number[]>, date: Given<IsoDate>, facilityId: Given<number>, { joining = false } = {}) {
  return sql<ContractOffer & { itemId: number }>`
    with recursive ${placesInContracts(date, facilityId, { joining })}
    select l.item_id as "itemId", p.id as "contractId", p.number, p.currn_idx as "currnIdx", p.effective_from as "from", p.ends as "to",
           p.day, p.gpo_name as "gpoName", ${predecessorsOf(sql`p`)} as "predecessorIds",
           case when p.member_from is not null
             then json_build_object('from', p.member_from, 'to', p.member_to) end as membership, ${PRIMARY_GPOS} as "primary",
           case when p.excluded then 'excluded' when p.as_member then 'members' else 'roster' end as "listedBy",
           p.parent, p.listed_from as "listedFrom", p.listed_to as "listedTo",
           l.id as "lineId", l.unit, l.valid_from as "lineFrom", l.valid_to as "lineTo",
           (select coalesce(json_agg(json_build_object('id', t.id, 'no', t.tier_no, 'needsLoc', t.needs_loc, 'loc', ${bestLoc(sql`t`)},
                     'price', c.price, 'from', c.valid_from, 'to', c.valid_to) order by t.step), '[]')
              from path t
              left join contract_line_price c on c.contract_line_id = l.id and c.tier_id = t.id and ${runs(sql`t.day`, sql`c.`)}
             where t.contract_id = p.id) as tiers
      from place p join contract_line l on l.contract_id = p.id
     where l.item_id = ${anyOf(ids)} ${joining ? sql`and p.as_member and p.gpo_id in (select gpo_id from joined)` : sql``}
     order by p.number, l.id`;
}

/** The facility and its parents as an array. The planner overestimates `chain` and would read whole tables to join it. */
const ofChain = sql`any((select array_agg(id) from chain)::int[])`;

/** The contracts of `place` as an array, for the same reason. */
const ofPlaces = sql`any((select array_agg(id) from place)::int[])`;

/** The greatest number of steps along parents, fallback tiers and predecessors. */
const MOST_LEVELS = 8;

/** The contracts that the contract `c` replaces, nearest first. */
export function predecessorsOf(c: RawBuilder<unknown>) {
  return sql`case when ${c}.predecessor_id is null then '[]'::json else (
    with recursive before as (
      select ${c}.predecessor_id as id, 1 as step
      union all
      select o.predecessor_id, b.step + 1 from before b join gpo_contract o on o.id = b.id
       where o.predecessor_id is not null and b.step < ${sql.lit(MOST_LEVELS)})
    select json_agg(id) from before) end`;
}

/** The letter of commitment for the tier `t`, of the facility or of a parent that covers it: approved on the day, else the newest. */
export function bestLoc(t: RawBuilder<unknown>) {
  return sql`case when ${t}.needs_loc then (
    select json_build_object('state', o.state, 'from', o.valid_from, 'to', o.valid_to)
      from contract_loc o join chain c on c.id = o.facility_id
     where o.facility_id = ${ofChain} and (c.depth = 0 or o.covers_children) and o.contract_id = ${t}.contract_id and o.tier_id = ${t}.id
     order by (o.state = 'Approved' and o.valid_from <= ${t}.day and (o.valid_to is null or o.valid_to >= ${t}.day)) desc,
              o.state_at desc, o.id desc limit 1) end`;
}

/** Checks a day against the `valid_from` and `valid_to` columns of a table. */
function runs(day: RawBuilder<unknown>, table = sql``) {
  return sql`(${table}valid_from <= ${day} and (${table}valid_to is null or ${table}valid_to >= ${day}))`;
}

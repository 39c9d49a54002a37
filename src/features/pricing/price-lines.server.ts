// Prices of many lines at once: the rows that could apply are read in a handful of queries, then judged by resolvePrice.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { IsoDate } from '#shared/dates.ts';
import type { ResolvedPrice } from './price-proof.ts';
import {
  type AccountPriceRow,
  type ContractOffer,
  type PriceFacts,
  type PriceRow,
  resolvePrice,
} from './resolve-price.ts';

/** For whom, in which currency, on which day: the quote's ship-to facility, its currency index and its quote date. */
export type PriceContext = { facilityId: number | null; currnIdx: number; priceDate: IsoDate };
/** An empty unit means the item's base unit. */
export type LineToPrice = { itemId: number; unit: string; qty: number };

/** The price of each line, in the order given (design 4, steps 1 to 4): at most seven queries, however many lines. */
export async function resolvePrices(db: Db, context: PriceContext, lines: LineToPrice[]): Promise<ResolvedPrice[]> {
  return (await loadPriceFacts(db, context, lines)).map(resolvePrice);
}

/** What decides the price of each line, in the order given. An item that does not exist has no rows, and so no price. */
export async function loadPriceFacts(db: Db, context: PriceContext, lines: LineToPrice[]): Promise<PriceFacts[]> {
  const itemIds = [...new Set(lines.map((line) => line.itemId))];
  if (itemIds.length === 0) return [];
  const items = await loadItems(db, itemIds);
  const list = await loadListPrices(db, context, itemIds);
  const facility = context.facilityId === null ? undefined : await loadFacility(db, context.facilityId);
  const account = facility
    ? await loadAccountPrices(db, context, facility, itemIds)
    : new Map<number, AccountPriceRow[]>();
  const contracts = facility
    ? await loadContracts(db, context, facility.id, itemIds)
    : new Map<number, ContractOffer[]>();
  return lines.map(({ itemId, unit, qty }) => {
    const item = items.get(itemId);
    return {
      itemNumber: item?.itemNumber ?? String(itemId),
      baseUnit: item?.baseUnit ?? '',
      units: item?.units ?? [],
      unit,
      qty,
      currnIdx: context.currnIdx,
      priceDate: context.priceDate,
      list: list.get(itemId) ?? [],
      account: account.get(itemId) ?? [],
      contracts: contracts.get(itemId) ?? [],
    };
  });
}

type Facility = { id: number; name: string; parentId: number | null; parentName: string | null };

function loadFacility(db: Db, id: number): Promise<Facility | undefined> {
  return db
    .selectFrom('facility')
    .leftJoin('facility as parent', 'parent.id', 'facility.parent_id')
    .select(['facility.id', 'facility.name', 'facility.parent_id as parentId', 'parent.name as parentName'])
    .where('facility.id', '=', id)
    .executeTakeFirst();
}

async function loadItems(db: Db, itemIds: number[]) {
  const rows = await db
    .selectFrom('item')
    .leftJoin('item_unit', 'item_unit.item_id', 'item.id')
    .select([
      'item.id',
      'item.item_number as itemNumber',
      'item.base_unit as baseUnit',
      'item_unit.unit',
      'item_unit.factor',
    ])
    .where('item.id', '=', anyOf(itemIds))
    .execute();
  const items = new Map<number, { itemNumber: string; baseUnit: string; units: { unit: string; factor: number }[] }>();
  for (const { id, itemNumber, baseUnit, unit, factor } of rows) {
    const item = items.get(id) ?? { itemNumber, baseUnit, units: [] };
    items.set(id, item);
    if (unit !== null && factor !== null) item.units.push({ unit, factor });
  }
  return items;
}

async function loadListPrices(
  db: Db,
  { priceDate }: PriceContext,
  itemIds: number[],
): Promise<Map<number, PriceRow[]>> {
  const rows = await db
    .selectFrom('item_price')
    .select([
      'item_id as itemId',
      'id',
      'unit',
      'min_qty as minQty',
      'price',
      'currn_idx as currnIdx',
      'valid_from as from',
      'valid_to as to',
    ])
    .where('item_id', '=', anyOf(itemIds))
    .where('valid_from', '<=', priceDate)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', priceDate)]))
    .orderBy('unit')
    .orderBy('min_qty')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.itemId);
}

async function loadAccountPrices(
  db: Db,
  { priceDate }: PriceContext,
  facility: Facility,
  itemIds: number[],
): Promise<Map<number, AccountPriceRow[]>> {
  const holders = facility.parentId === null ? [facility.id] : [facility.id, facility.parentId];
  const rows = await db
    .selectFrom('account_price')
    .select([
      'item_id as itemId',
      'facility_id as facilityId',
      'id',
      'unit',
      'min_qty as minQty',
      'price',
      'currn_idx as currnIdx',
    ])
    .select(['valid_from as from', 'valid_to as to', 'reference'])
    .where('item_id', '=', anyOf(itemIds))
    .where('facility_id', 'in', holders)
    .where('valid_from', '<=', priceDate)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', priceDate)]))
    .orderBy('unit')
    .orderBy('min_qty')
    .orderBy('id')
    .execute();
  const told = rows.map((row) => ({
    ...row,
    holder: row.facilityId === facility.id ? ('own' as const) : ('parent' as const),
    facilityName: (row.facilityId === facility.id ? facility.name : facility.parentName) ?? '',
  }));
  return Map.groupBy(told, (row) => row.itemId);
}

/** Contract lines of the items at the tiers of the facility's roster entries, with its membership in the contract's GPO. */
async function loadContracts(
  db: Db,
  { priceDate }: PriceContext,
  facilityId: number,
  itemIds: number[],
): Promise<Map<number, ContractOffer[]>> {
  const rows = await db
    .selectFrom('contract_roster as r')
    .innerJoin('gpo_contract as c', 'c.id', 'r.contract_id')
    .innerJoin('contract_tier as t', 't.id', 'r.tier_id')
    .innerJoin('contract_line as l', 'l.contract_id', 'c.id')
    .leftJoin('contract_line_price as p', (join) =>
      join.onRef('p.contract_line_id', '=', 'l.id').onRef('p.tier_id', '=', 't.id'),
    )
    .leftJoin('gpo', 'gpo.id', 'c.gpo_id')
    .select([
      'l.item_id as itemId',
      'c.id as contractId',
      'c.number',
      'c.currn_idx as currnIdx',
      'c.effective_from as from',
    ])
    .select(sql<IsoDate>`coalesce(c.extended_to, c.effective_to)`.as('to'))
    .select([
      'c.gpo_id as gpoId',
      'gpo.name as gpoName',
      'l.id as lineId',
      'l.unit',
      'l.valid_from as lineFrom',
      'l.valid_to as lineTo',
    ])
    .select(['r.valid_from as rosterFrom', 'r.valid_to as rosterTo', 'r.loc_state as locState'])
    .select(['t.id as tierId', 't.tier_no as tierNo', 't.name as tierName', 't.needs_loc as needsLoc', 'p.price'])
    .where('r.facility_id', '=', facilityId)
    .where('l.item_id', '=', anyOf(itemIds))
    .where('r.valid_from', '<=', priceDate)
    .where((eb) => eb.or([eb('r.valid_to', 'is', null), eb('r.valid_to', '>=', priceDate)]))
    .where('c.effective_from', '<=', priceDate)
    .where(sql<boolean>`coalesce(c.extended_to, c.effective_to) >= ${priceDate}`)
    .orderBy('c.number')
    .orderBy('l.id')
    .orderBy('r.id')
    .execute();
  if (rows.length === 0) return new Map();
  const memberships = await db
    .selectFrom('gpo_membership')
    .select(['gpo_id as gpoId', 'is_primary as isPrimary', 'valid_from as from', 'valid_to as to'])
    .where('facility_id', '=', facilityId)
    .where('valid_from', '<=', priceDate)
    .where((eb) => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>=', priceDate)]))
    .orderBy('is_primary', 'desc')
    .orderBy('id')
    .execute();
  const offers = rows.map((row) => ({
    ...row,
    membership: memberships.find(({ gpoId }) => gpoId === row.gpoId) ?? null,
  }));
  return Map.groupBy(offers, (row) => row.itemId);
}

/** `any(array)` for a comparison: one parameter however many ids, so that one plan serves every quote. */
function anyOf(ids: number[]) {
  return sql<number>`any(${ids}::int[])`;
}

// Reads the lines of quotes that a change may affect, and the coming days on which their prices may change.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { QuotedLine, QuotedSource } from './judge-line.server.ts';

/** Open quotes that are still valid. An expired quote cannot be accepted, so it is not at risk. */
const AT_STAKE = (day: IsoDate) =>
  sql`q.status_id not in ('Won', 'Lost', 'Cancelled') and q.valid_until >= ${day}::date`;
const PRICED = sql`i.active and i.type = 'item' and i.item_id is not null`;

/** The condition on a waiting change that is true once it is due. */
export const isDue = (now: Date) => sql<boolean>`(due_at is null or due_at <= ${now.toISOString()}::timestamptz)`;

/** The changes that are due, oldest first. */
export async function waitingChanges(db: Db, now: Date): Promise<number[]> {
  const rows = await db.selectFrom('price_change').select('id').where(isDue(now)).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/**
 * The lines of open quotes that these changes may affect, grouped by facility. A change of a contract affects the lines that it prices, and the lines
 * of facilities on its roster, below a facility whose row covers its children, or in its GPO if membership is enough. A change of its head affects
 * every line of these facilities, because a roster is a membership in its GPO. Lines are found by quote_item_item, quote_item_quote and
 * quote_item_contract_line, and facilities by the roster and the membership.
 */
export async function affectedLines(db: Db, changes: readonly number[], day: IsoDate): Promise<number[]> {
  const changed = sql`any(${changes}::bigint[])`;
  const { rows } = await sql<{ id: number }>`
    with recursive change as materialized (
      select distinct item_id, facility_id, contract_id, quote_id from price_change where id = ${changed}),
    below as (${BELOW}),
    wide as (${WIDE}),
    place as materialized (select distinct contract_id, facility_id from wide),
    item as materialized (${CHANGED_ITEMS}),
    open as materialized (select q.id, q.facility_id from quote q where ${AT_STAKE(day)})
    select id from (
      ${OF_ITEM}
      union
      ${OF_CONTRACT_ITEM}
      union
      ${ofContractHead(changed)}
      union
      ${OF_CONTRACT_LINE}
      union
      ${OF_FACILITY}
      union
      select i.id, 0 from quote_item i where i.quote_id in (select quote_id from change)
      union
      select r.line_id, 0 from quote_risk r where r.quote_id in (select quote_id from change)) line
    group by id
    order by max(facility_id), id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The contracts of changes without a facility. */
const CHANGED_CONTRACTS = sql`select contract_id from change where facility_id is null`;

/** The facilities of changes, and all facilities below them. */
const BELOW = sql`
      select facility_id as id from change where facility_id is not null
      union
      select f.id from below b join facility f on f.parent_id = b.id`;

/** The facilities to which a changed contract applies: listed, members, and those below entries that cover their children. */
const WIDE = sql`
      select r.contract_id, r.facility_id, r.covers_children
        from contract_roster r
       where r.contract_id in (${CHANGED_CONTRACTS})
      union
      select c.id, m.facility_id, true
        from gpo_contract c
        join gpo_membership m on m.gpo_id = c.gpo_id
       where c.open_to = 'members' and c.id in (${CHANGED_CONTRACTS})
      union
      select w.contract_id, f.id, true
        from wide w
        join facility f on f.parent_id = w.facility_id
       where w.covers_children`;

/** The items of changes. If a contract as a whole changed, all its items. */
const CHANGED_ITEMS = sql`
      select item_id, contract_id from change where item_id is not null and facility_id is null
      union
      select l.item_id, c.contract_id
        from change c
        join contract_line l on l.contract_id = c.contract_id
       where c.item_id is null and c.facility_id is null`;

/** Lines with an item that changed outside contracts. */
const OF_ITEM = sql`
      select i.id, q.facility_id
        from open q
        join quote_item i on i.quote_id = q.id
        join item on item.item_id = i.item_id and item.contract_id is null
       where ${PRICED}`;

/** Lines with an item of a changed contract, for facilities to which it applies. */
const OF_CONTRACT_ITEM = sql`
      select i.id, q.facility_id
        from open q
        join quote_item i on i.quote_id = q.id
        join item on item.item_id = i.item_id
        join place p on p.contract_id = item.contract_id and p.facility_id = q.facility_id
       where ${PRICED}`;

/** All lines of facilities to which a contract applies whose head changed. */
function ofContractHead(changed: RawBuilder<unknown>) {
  return sql`
      select i.id, q.facility_id
        from open q
        join quote_item i on i.quote_id = q.id
       where ${PRICED}
         and q.facility_id in (
           select p.facility_id
             from place p
             join price_change c on c.contract_id = p.contract_id and c.what = 'contract'
            where c.id = ${changed})`;
}

/** Lines whose price comes from a changed contract now, for any facility. */
const OF_CONTRACT_LINE = sql`
      select i.id, q.facility_id
        from open q
        join quote_item i on i.quote_id = q.id
        join contract_line l on l.id = i.contract_line_id
       where l.contract_id in (${CHANGED_CONTRACTS}) and ${PRICED}`;

/** All lines of facilities in changes, and of those below them. */
const OF_FACILITY = sql`
      select i.id, q.facility_id
        from open q
        join quote_item i on i.quote_id = q.id
       where q.facility_id in (select id from below) and ${PRICED}`;

/** The open quotes with a priced line, for computing all risks. */
export async function openQuoteIds(db: Db, day: IsoDate): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select q.id from quote q where ${AT_STAKE(day)} order by q.facility_id, q.id`.execute(db);
  return rows.map(({ id }) => id);
}

export type Which = { lineIds: readonly number[] } | { quoteIds: readonly number[] };

/** Reads the lines whose quote is open and valid. */
export async function readLines(db: Db, which: Which, day: IsoDate): Promise<QuotedLine[]> {
  const these =
    'lineIds' in which ? sql`i.id = any(${which.lineIds}::int[])` : sql`i.quote_id = any(${which.quoteIds}::int[])`;
  const { rows } = await sql<QuotedLine>`select ${LINE} from quote_item i join quote q on q.id = i.quote_id
    left join contract_line l on l.id = i.contract_line_id where ${these} and ${AT_STAKE(day)} and ${PRICED}`.execute(
    db,
  );
  return rows;
}

/** The columns to read of a line `i` of the quote `q`, priced by the contract line `l`. */
export const LINE = sql`
  i.id, q.id as "quoteId", q.facility_id as "facilityId", q.currn_idx as "currnIdx", q.quote_date as "quoteDate",
  q.valid_until as "validUntil", q.discount_pct as "quoteDiscountPct", i.item_id as "itemId", i.unit, i.qty,
  i.optional, i.promotion_id as "promotionId", i.manual_price as "typedPrice", i.manual_discount_pct as "typedPct",
  i.manual_discount_amount as "typedAmount", i.system_price as "systemPrice", i.unit_price as "unitPrice",
  i.price_source as source, i.contract_line_id as "contractLineId", l.contract_id as "contractId",
  i.eligibility_request_id as "requestId",
  case when i.promotion_id is null then 0
    else coalesce((
      select sum(f.qty) from quote_item f
       where f.quote_id = i.quote_id and f.type = 'free' and f.parent_id = i.id), 0) end as "freeQty"`;

/** The sources of the quoted prices, read from their proofs: the promotion that set the price, else where it was resolved. */
export async function readSources(db: Db, lineIds: readonly number[]): Promise<Map<number, QuotedSource>> {
  const sourceOf = (step: RawBuilder<boolean>) => sql`(
        select s ->> 'source' from jsonb_array_elements(i.price_proof) s where ${step} limit 1)`;
  const { rows } = await sql<QuotedSource & { id: number }>`
    select i.id,
      (select state from eligibility_request where id = i.eligibility_request_id) as "requestState",
      least(coalesce(c.extended_to, c.effective_to), c.terminated_on) as "contractEnds",
      (select (regexp_match(s ->> 'ref', 'tier ([0-9]+)$'))[1]::int
         from jsonb_array_elements(i.price_proof) s
        where s ->> 'ref' like 'contract_line ' || i.contract_line_id || ' tier %' limit 1) as "tierId",
      coalesce(
        ${sourceOf(sql`s ->> 'step' = 'Promotion' and s ->> 'amount' is not null`)},
        ${sourceOf(sql`s ->> 'step' = 'Resolved'`)}, '') as was
      from quote_item i
      left join contract_line l on l.id = i.contract_line_id
      left join gpo_contract c on c.id = l.contract_id
     where i.id = any(${lineIds}::int[])`.execute(db);
  return new Map(rows.map(({ id, ...source }) => [id, source]));
}

/**
 * The coming days on which a price, a roster place or a letter begins that may affect lines: by item, by facility, and for account prices by both, so
 * that a line gets only the days of its own item.
 */
export type ComingDays = {
  ofItem: ReadonlyMap<number, IsoDate[]>;
  ofFacility: ReadonlyMap<number, IsoDate[]>;
  /** The key is `facilityItem`. */
  ofBoth: ReadonlyMap<string, IsoDate[]>;
};

export const facilityItem = (facilityId: number, itemId: number): string => `${facilityId} ${itemId}`;

/** Reads the days from all dated tables. Each table is read once, by an index of its days if it has one (contract_line_price_begins). */
export async function comingDays(db: Db, day: IsoDate, last: IsoDate): Promise<ComingDays> {
  const soon: Soon = (column) => sql`(${sql.ref(column)} > ${day}::date and ${sql.ref(column)} <= ${last}::date)`;
  const over: Soon = (column) => sql`(${sql.ref(column)} >= ${day}::date and ${sql.ref(column)} < ${last}::date)`;
  const { rows } = await sql<{ item: number | null; facility: number | null; day: IsoDate }>`
    with recursive start as (
      ${daysOfItems(soon)}
      union
      ${daysOfFacilities(soon, over)}),
    spread as (
      select item, facility, day from start
      union
      select s.item, f.id, s.day from spread s join facility f on f.parent_id = s.facility)
    select * from spread order by day`.execute(db);
  const ofItem = new Map<number, IsoDate[]>();
  const ofFacility = new Map<number, IsoDate[]>();
  const ofBoth = new Map<string, IsoDate[]>();
  const note = <K>(days: Map<K, IsoDate[]>, key: K, isoDate: IsoDate) => {
    const known = days.get(key);
    if (known) known.push(isoDate);
    else days.set(key, [isoDate]);
  };
  for (const { item, facility, day: facilityDay } of rows) {
    if (item !== null && facility !== null) note(ofBoth, facilityItem(facility, item), facilityDay);
    else if (item !== null) note(ofItem, item, facilityDay);
    else if (facility !== null) note(ofFacility, facility, facilityDay);
  }
  return { ofItem, ofFacility, ofBoth };
}

/** The condition that a column is a first day that is soon, or a last day that is soon over. */
type Soon = (column: string) => RawBuilder<boolean>;

/** The first days of contract prices, contract lines, list prices and contracts, by item. */
function daysOfItems(soon: Soon) {
  return sql`
      select l.item_id as item, null::int as facility, p.valid_from as day
        from contract_line_price p
        join contract_line l on l.id = p.contract_line_id
       where ${soon('p.valid_from')}
      union
      select item_id, null, valid_from from contract_line l where ${soon('l.valid_from')}
      union
      select item_id, null, valid_from from item_price p where ${soon('p.valid_from')}
      union
      select l.item_id, null, c.effective_from
        from gpo_contract c
        join contract_line l on l.contract_id = c.id
       where c.state = 'Active' and ${soon('c.effective_from')}`;
}

/**
 * The first days of account prices, letters, roster places, memberships and contracts, and the days after their last, by facility. When something
 * ends, another price may apply even if what ended had no price itself: without a letter, the fallback tier applies.
 */
function daysOfFacilities(soon: Soon, over: Soon) {
  return sql`
      select p.item_id, facility_id, valid_from from account_price p where ${soon('p.valid_from')}
      union
      select null, facility_id, valid_from from contract_roster r where ${soon('r.valid_from')}
      union
      select null, facility_id, valid_from from contract_loc o where o.state = 'Approved' and ${soon('o.valid_from')}
      union
      select null, facility_id, valid_to + 1 from contract_loc o where o.state = 'Approved' and ${over('o.valid_to')}
      union
      select null, facility_id, valid_from from gpo_membership m where ${soon('m.valid_from')}
      union
      select null, facility_id, valid_to + 1 from gpo_membership m where ${over('m.valid_to')}
      union
      select null, r.facility_id, r.valid_to + 1 from contract_roster r where ${over('r.valid_to')}
      union
      select null, r.facility_id, c.effective_from
        from gpo_contract c
        join contract_roster r on r.contract_id = c.id
       where c.state = 'Active' and ${soon('c.effective_from')}
      union
      select null, r.facility_id, e.day + 1
        from gpo_contract c
        join contract_roster r on r.contract_id = c.id
       cross join lateral (select least(coalesce(c.extended_to, c.effective_to), c.terminated_on) as day) e
       where c.state <> 'Draft' and ${over('e.day')}`;
}

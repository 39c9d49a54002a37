// Computes which lines have a price other than the quoted one, today or on a near day.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { type ItemsToPrice, loadPricedItemsOfMany } from '#core/prices/pricing/price-lines.server.ts';
import type { PricedItem } from '#core/prices/pricing/priced-item.server.ts';
import { addDays, type IsoDate } from '#platform/shared/dates.ts';
import type { PricePlaces } from '#platform/shared/money.ts';
import { differs, priceOn, type QuotedLine, type Risk, riskOf, type Then } from './judge-line.server.ts';
import { type ComingDays, comingDays, facilityItem, readLines, readSources, type Which } from './risk-lines.server.ts';

/** The number of days to look ahead: SOON in general, and up to FAR within the quote's own validity. */
const SOON = 30;
const FAR = 90;
/** The number of facilities that one SQL statement prices. */
const AT_ONCE = 200;

export type Terms = { day: IsoDate; places: PricePlaces; coming: ComingDays };

export async function termsOn(db: Db, day: IsoDate, places: PricePlaces): Promise<Terms> {
  return { day, places, coming: await comingDays(db, day, addDays(day, FAR)) };
}

/** The current risks of these lines, if their quotes are open and valid. */
export async function risksOf(db: Db, which: Which, terms: Terms): Promise<Risk[]> {
  const lines = await readLines(db, which, terms.day);
  const other = await firstOther(db, lines, terms);
  const sources = await readSources(
    db,
    [...other.keys()].map(({ id }) => id),
  );
  return [...other].flatMap(([line, then]) => {
    const quoted = sources.get(line.id);
    return quoted ? [riskOf(line, quoted, then)] : [];
  });
}

/** The first day on which each differing line differs. */
async function firstOther(db: Db, lines: readonly QuotedLine[], terms: Terms): Promise<Map<QuotedLine, Then>> {
  const result = new Map<QuotedLine, Then>();
  let request = lines.map((line) => ({ line, days: daysToJudge(line, terms) }));
  // Each round removes one day of each line. A line has at most FAR plus one days.
  while (request.length > 0) {
    const prices = await pricesOn(
      db,
      request.map(({ line, days }) => ({ line, day: days[0] ?? terms.day })),
      terms.places,
    );
    request = request.flatMap(({ line, days: [day = terms.day, ...later] }, at) => {
      const then = prices[at];
      if (!then) return [];
      if (differs(line, then)) {
        result.set(line, then);
        return [];
      }
      const after = then.ends === null ? null : addDays(then.ends, 1);
      const next =
        after !== null && after > day && after <= lastDay(line, terms.day) ? [...later, after].toSorted() : later;
      const rest = [...new Set(next)];
      return rest.length > 0 ? [{ line, days: rest }] : [];
    });
  }
  return result;
}

/** Today or the quote's later date, followed by the days on which something may begin for the line. */
function daysToJudge(line: QuotedLine, { day, coming }: Terms): IsoDate[] {
  const first = line.quoteDate > day ? line.quoteDate : day;
  const last = lastDay(line, day);
  const later = [
    ...(coming.ofItem.get(line.itemId) ?? []),
    ...(line.facilityId === null ? [] : (coming.ofFacility.get(line.facilityId) ?? [])),
    ...(line.facilityId === null ? [] : (coming.ofBoth.get(facilityItem(line.facilityId, line.itemId)) ?? [])),
  ];
  return [first, ...new Set(later.filter((candidate) => candidate > first && candidate <= last).toSorted())];
}

export function lastDay(line: QuotedLine, day: IsoDate): IsoDate {
  const [soon, far] = [addDays(day, SOON), addDays(day, FAR)];
  return line.validUntil < soon ? soon : line.validUntil > far ? far : line.validUntil;
}

/** The prices of lines on days, in the order of `request`. Reads each facility's items once per day. Call it in a transaction. */
export async function pricesOn(
  db: Db,
  request: readonly { line: QuotedLine; day: IsoDate }[],
  places: PricePlaces,
): Promise<Then[]> {
  const contexts = new Map<string, ItemsToPrice>();
  // A request belongs to one quote, so lines with a request need a separate key.
  const keyOf = (line: QuotedLine, day: IsoDate) =>
    `${line.facilityId} ${line.currnIdx} ${day} ${line.requestId === null ? '' : line.quoteId}`;
  for (const { line, day } of request) {
    const { facilityId, currnIdx, itemId, quoteId } = line;
    const context = contexts.get(keyOf(line, day));
    if (context) context.itemIds.push(itemId);
    else {
      const own = line.requestId === null ? {} : { quoteId };
      contexts.set(keyOf(line, day), { facilityId, currnIdx, priceDate: day, itemIds: [itemId], ...own });
    }
  }
  // Compiling the statement takes longer than running it for two hundred facilities.
  await sql`set local jit = off`.execute(db);
  const items = new Map<string, Map<number, PricedItem>>();
  const all = [...contexts];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const batch = all.slice(at, at + AT_ONCE);
    const read = await loadPricedItemsOfMany(
      db,
      batch.map(([, context]) => context),
    );
    batch.forEach(([key], index) => items.set(key, read[index] ?? new Map()));
  }
  return request.map(({ line, day }) => priceOn(line, items.get(keyOf(line, day))?.get(line.itemId), day, places));
}

/** Replaces the earlier risks of the lines. Returns the quotes that had no risk before. */
export async function writeRisks(db: Db, which: Which, risks: readonly Risk[]): Promise<number[]> {
  const worse = [...new Set(risks.filter(({ kind }) => kind !== 'Better').map(({ line }) => line.quoteId))];
  const { rows: known } = await sql<{ quote_id: number }>`
    select distinct quote_id from quote_risk where quote_id = any(${worse}::int[]) and kind <> 'Better'`.execute(db);
  const these =
    'lineIds' in which ? sql`line_id = any(${which.lineIds}::int[])` : sql`quote_id = any(${which.quoteIds}::int[])`;
  await sql`delete from quote_risk where ${these} and kind <> 'Rebill'`.execute(db);
  await insertRisks(db, risks);
  const before = new Set(known.map(({ quote_id }) => quote_id));
  return worse.filter((id) => !before.has(id));
}

export async function insertRisks(db: Db, risks: readonly Risk[]): Promise<void> {
  if (risks.length === 0) return;
  const rows = risks.map(({ line, kind, day, contractId, quoted, price, difference, counts, typed, was, now }) => ({
    line_id: line.id,
    quote_id: line.quoteId,
    kind,
    day,
    contract_id: contractId,
    currn_idx: line.currnIdx,
    qty: line.qty,
    unit: line.unit,
    quoted,
    price,
    difference,
    counts,
    typed,
    was,
    now,
  }));
  await sql`insert into quote_risk (line_id, quote_id, kind, day, contract_id, currn_idx, qty, unit, quoted,
    price, difference, counts, typed, was, now)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(line_id int, quote_id int, kind text, day date, contract_id int,
      currn_idx int, qty numeric, unit text, quoted numeric, price numeric, difference numeric, counts boolean,
      typed boolean, was text, now text)
    on conflict (line_id) do update
    set (quote_id, kind, day, contract_id, currn_idx, qty, unit, quoted, price, difference, counts, typed, was, now)
      = (excluded.quote_id, excluded.kind, excluded.day, excluded.contract_id, excluded.currn_idx, excluded.qty,
        excluded.unit, excluded.quoted, excluded.price, excluded.difference, excluded.counts, excluded.typed,
        excluded.was, excluded.now)`.execute(db);
}

// Reads, checks and writes the lines of a contract and their dated prices.
import { sql } from 'kysely';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { itemMeant } from '#core/catalog/item-finder/find-by-number.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import {
  bumpRecord,
  changesOf,
  lockForSave,
  oneRecord,
  type RecordKind,
  recordPart,
  saveRecord,
} from '#platform/history/record-kit.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { addDays, formatDate, type IsoDate } from '#platform/shared/dates.ts';
import { formatPrice, priceJump } from '#platform/shared/money.ts';
import type { TierPrice } from '../contracts.contract.ts';
import type { ContractLineInput, PriceInput } from './line-edit.ts';
import { FACTOR } from './line-list.server.ts';
import { perEach } from './per-each.ts';
import { placePrice, withoutPrice } from './neighboring-prices.server.ts';

type Line = {
  id: number;
  contractId: number;
  contractNumber: string;
  currnIdx: number;
  itemId: number;
  itemNumber: string;
  unit: string;
  perUnit: number | null;
  from: IsoDate | null;
  to: IsoDate | null;
  version: number;
};
export type SavedLine = Pick<Line, 'id' | 'contractId' | 'itemNumber' | 'unit' | 'from' | 'to' | 'version'>;
type Context = { db: Db; user: Caller; today: IsoDate };

/** Throws 404 if there is no such line. `lock` locks the row until the transaction ends. */
async function readLine(db: Db, id: number, lock?: 'lock'): Promise<Line> {
  const query = db
    .selectFrom('contract_line')
    .innerJoin('gpo_contract', 'gpo_contract.id', 'contract_line.contract_id')
    .innerJoin('item', 'item.id', 'contract_line.item_id')
    .select([
      'contract_line.id',
      'contract_id as contractId',
      'gpo_contract.number as contractNumber',
      'gpo_contract.currn_idx as currnIdx',
      'item_id as itemId',
      'item.item_number as itemNumber',
      'contract_line.unit',
      FACTOR.as('perUnit'),
      'contract_line.valid_from as from',
      'contract_line.valid_to as to',
      'contract_line.version',
    ])
    .where('contract_line.id', '=', id);
  return oneRecord('contractLine', query, lock);
}

/**
 * Adds a line, changes its days, or removes it. Throws 409 if another user changed it, or if a quote refers to a line to remove. Throws 422 for an
 * unknown item, a unit that the item does not have, and a line that already exists.
 */
export async function saveLine(
  { db, user }: Omit<Context, 'today'>,
  input: ContractLineInput,
): Promise<SavedLine | null> {
  const contract = await db
    .selectFrom('gpo_contract')
    .select(['id', 'number'])
    .where('id', '=', input.contractId)
    .executeTakeFirst();
  if (!contract) throw notFound('contract');
  const before = await lockForSave(db, LINE, input);
  if (before && before.contractId !== contract.id) throw notFound('contract line');
  if (input.remove) {
    if (before) await removeLine({ db, user }, before);
    return null;
  }
  const stored = before ?? (await newLine(db, contract.id, input));
  const from = input.from === undefined ? (before?.from ?? null) : input.from || null;
  const to = input.to === undefined ? (before?.to ?? null) : input.to || null;
  if (from !== null && to !== null && to < from)
    throw invalid([{ path: 'to', message: 'The last day is before the first' }]);
  const saved = await saveRecord({ db, user }, LINE, before, {
    contract_id: contract.id,
    item_id: stored.itemId,
    unit: stored.unit,
    valid_from: from,
    valid_to: to,
  });
  const { id, contractId, itemNumber, unit, version } = saved;
  return { id, contractId, itemNumber, unit, from: saved.from, to: saved.to, version };
}

async function newLine(db: Db, contractId: number, { itemNumber, unit }: ContractLineInput) {
  const itemId = await itemMeant(db, itemNumber);
  const rows = await db
    .selectFrom('item')
    .leftJoin('item_unit', 'item_unit.item_id', 'item.id')
    .select(['item.id', 'item.base_unit', 'item_unit.unit'])
    .where('item.id', '=', itemId)
    .orderBy('item_unit.factor')
    .execute();
  const [item] = rows;
  if (!item) throw invalid([{ path: 'itemNumber', message: `There is no item ${itemNumber}.` }]);
  const units = [...new Set([item.base_unit, ...rows.flatMap((row) => row.unit ?? [])])];
  const sold = unit || item.base_unit;
  if (!units.includes(sold)) {
    const message = `Item ${itemNumber} has no unit ${sold}: it is sold in ${units.join(', ')}.`;
    throw invalid([{ path: 'unit', message }]);
  }
  // Holds this lock until the transaction ends, so that when two users add the same line simultaneously, the second one is refused.
  await sql`select pg_advisory_xact_lock(hashtext('contract-line'), ${contractId})`.execute(db);
  const same = await db
    .selectFrom('contract_line')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('item_id', '=', item.id)
    .where('unit', '=', sold)
    .executeTakeFirst();
  if (same)
    throw invalid([{ path: 'itemNumber', message: `The contract already has a line of ${itemNumber} in ${sold}.` }]);
  return { itemId: item.id, unit: sold };
}

async function removeLine({ db, user }: Pick<Context, 'db' | 'user'>, line: Line): Promise<void> {
  const used = await db
    .selectFrom('quote_item')
    .select('id')
    .where('contract_line_id', '=', line.id)
    .limit(1)
    .executeTakeFirst();
  if (used) throw new HttpError(409, 'A quote uses this line, so it cannot be removed. Enter a last day to end it.');
  await db.deleteFrom('contract_line').where('id', '=', line.id).execute();
  const shared = { id: line.contractId, name: line.contractNumber };
  const change = { field: 'Line', before: `${line.itemNumber} ${line.unit}`, after: '' };
  await recordPart({ db, user }, 'contract', shared, 'Remove line', change);
}

/** All prices of a line by tier and day, limited to the given tiers, if any. */
export async function pricesOfLine(db: Db, lineId: number, tierIds: readonly number[] | null): Promise<TierPrice[]> {
  const rows = await db
    .selectFrom('contract_line_price')
    .innerJoin('contract_line', 'contract_line.id', 'contract_line_price.contract_line_id')
    .innerJoin('item', 'item.id', 'contract_line.item_id')
    .select(['contract_line_price.id', 'tier_id as tierId', 'price', 'contract_line_price.valid_from as from'])
    .select(['contract_line_price.valid_to as to', 'contract_line_price.version', FACTOR.as('perUnit')])
    .where('contract_line_id', '=', lineId)
    .$if(tierIds !== null, (query) => query.where('tier_id', '=', sql<number>`any(${[...(tierIds ?? [])]}::int[])`))
    .orderBy('tier_id')
    .orderBy('contract_line_price.valid_from')
    .execute();
  return rows.map(({ perUnit, ...price }) => ({ ...price, perEach: perEach(price.price, perUnit) }));
}

/** The contract of a line. Throws 404 if there is no such line. */
export async function contractOfLine(db: Db, lineId: number): Promise<number> {
  return (await readLine(db, lineId)).contractId;
}

/**
 * Adds a price from a day on, or corrects or removes one that begins today or later and that no sent or won quote uses. It never overwrites a price:
 * a new price ends the one before it on the day before, and keeps those that begin later, in one transaction. The prices of past quotes stay
 * readable. Returns the prices of the line in that tier. Throws 409 if another user changed the price. Throws 422 for a day on which another price
 * begins, for a price that began before today or that such a quote uses, and for an unconfirmed one far from the others.
 */
export async function savePrice({ db, user, today }: Context, input: PriceInput): Promise<TierPrice[]> {
  // Locks the line, so that changes of its prices run one after the other.
  const line = await readLine(db, input.lineId, 'lock');
  const tier = await db
    .selectFrom('contract_tier')
    .select(['id', 'tier_no', 'name'])
    .where('id', '=', input.tierId)
    .where('contract_id', '=', line.contractId)
    .executeTakeFirst();
  if (!tier) throw invalid([{ path: 'tierId', message: 'This tier does not belong to the contract.' }]);
  const all = (await pricesOfLine(db, line.id, [tier.id])).map(({ perEach: _each, ...row }) => row);
  const before = all.find(({ id }) => id === input.id);
  if (input.id !== 0) {
    if (!before) throw notFound('price');
    await freshPrice(db, line, before, input);
    if (before.from < today) {
      const message = `This price began on ${formatDate(before.from)} and stays as it is. Add a new one from a later day.`;
      throw invalid([{ path: 'from', message }]);
    }
    if (!input.remove && input.from <= today && input.from !== before.from)
      throw invalid([{ path: 'from', message: 'A future price can only be moved to another future day' }]);
    await refuseQuoted(db, { lineId: line.id, tierId: tier.id, from: before.from });
  }
  const tell = async (action: RecordAction, was: string, is: string) => {
    if (was === is) return;
    const { version } = await bumpRecord(db, 'contractLine', line.id);
    const changes = [{ field: `Price of tier ${tier.tier_no}`, before: was, after: is }];
    await recordChange(db, user, {
      type: 'contractLine',
      id: line.id,
      name: LINE.nameOf(line),
      action,
      version,
      changes,
    });
  };
  const priceInWords = (row: { price: number; from: IsoDate; to: IsoDate | null }) =>
    `${formatPrice(row.price, line.currnIdx)} per ${line.unit} from ${formatDate(row.from)}${row.to ? ` to ${formatDate(row.to)}` : ''}`;

  const end = async (ended: { id: number; to: IsoDate | null }[]) => {
    for (const { id, to } of ended)
      await db
        .updateTable('contract_line_price')
        .set((eb) => ({ valid_to: to, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
  };
  // First removes the days of the price. Unless the price is being removed, it is then placed among the others again.
  if (before && (!input.remove || input.beforeGoesOn)) await end(withoutPrice(all, before.id));
  if (before && input.remove) {
    await db.deleteFrom('contract_line_price').where('id', '=', before.id).execute();
    await tell('Remove price', priceInWords(before), '');
  }
  if (!input.remove) {
    const others = (await pricesOfLine(db, line.id, [tier.id])).filter(({ id }) => id !== before?.id);
    const to = input.to === undefined ? (before?.to ?? null) : input.to || null;
    if (to !== null && to < input.from) throw invalid([{ path: 'to', message: 'The last day is before the first' }]);
    const placed = placePrice(others, { from: input.from, to });
    if ('path' in placed) throw invalid([placed]);
    const beside = others.findLast(({ from }) => from < input.from) ?? others[0] ?? before;
    const doubt = input.confirmed ? '' : doubtOf(input, beside, line);
    if (doubt) throw invalid([{ path: 'confirmed', message: doubt }]);
    await end(placed.ended);
    const row = { price: input.price, from: input.from, to: placed.to };
    const values = { price: row.price, valid_from: row.from, valid_to: row.to };
    await (before
      ? db
          .updateTable('contract_line_price')
          .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
          .where('id', '=', before.id)
          .execute()
      : db
          .insertInto('contract_line_price')
          .values({ ...values, contract_line_id: line.id, tier_id: tier.id })
          .execute());
    const current = others.find((other) => placed.ended.some(({ id }) => id === other.id));
    const was = before ?? all.find(({ id }) => id === current?.id);
    await tell(before ? 'Change price' : 'New price', was ? priceInWords(was) : '', priceInWords(row));
  }
  return pricesOfLine(db, line.id, [tier.id]);
}

/** Returns why a price may be mistyped, or ''. Imports hold the same prices for review. */
function doubtOf({ price }: PriceInput, beside: { price: number } | undefined, line: Line): string {
  if (price === 0) return 'A price of 0 means free of charge.';
  const jump = beside ? priceJump(price, beside.price) : '';
  return beside && jump
    ? `This is ${jump} the price beside it, ${formatPrice(beside.price, line.currnIdx)} per ${line.unit}.`
    : '';
}

/** Throws 422 for a price that a sent or won quote uses, so that what customers read stays the same. */
async function refuseQuoted(
  db: Db,
  { lineId, tierId, from }: { lineId: number; tierId: number; from: IsoDate },
): Promise<void> {
  const proof = JSON.stringify([{ ref: `contract_line ${lineId} tier ${tierId}` }]);
  const quotes = await db
    .selectFrom('quote')
    .select(['num', 'revision'])
    .where('status_id', 'in', ['SentToCustomer', 'Revising', 'Won'])
    .where('quote_date', '>=', from)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('quote_item')
          .select('id')
          .whereRef('quote_id', '=', 'quote.id')
          .where('contract_line_id', '=', lineId)
          .where(sql<boolean>`price_proof @> ${proof}::jsonb`),
      ),
    )
    .orderBy('id')
    .execute();
  const [first] = quotes;
  if (!first) return;
  const others = quotes.length - 1;
  const which = `Quote ${quoteNumber(first.num, first.revision)}${others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`}`;
  const message = `${which} was sent with this price, so it cannot be changed. Add a new price from ${formatDate(addDays(from, 1))} on.`;
  throw invalid([{ path: 'price', message }]);
}

/** Throws 409 if another user changed the price since it was read. The line's history contains who it was. */
async function freshPrice(
  db: Db,
  line: Line,
  price: { id: number; version: number },
  { version }: PriceInput,
): Promise<void> {
  if (version === price.version) return;
  const last = await db
    .selectFrom('record_event')
    .select(['actor', 'at', 'changes'])
    .where('record_type', '=', 'contractLine')
    .where('record_id', '=', line.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  throw new HttpError(409, `${last?.actor ?? 'Someone else'} changed this price while you were editing it.`, {
    conflict: { changedBy: last?.actor ?? null, changedAt: last?.at ?? null, changes: [], current: { ...price } },
  });
}

const LABELS = { itemNumber: 'Item', unit: 'Unit', from: 'From', to: 'To' };

const LINE: RecordKind<Line, 'contractLine'> = {
  type: 'contractLine',
  read: readLine,
  nameOf: ({ contractNumber, itemNumber, unit }) => `${contractNumber}, ${itemNumber} ${unit}`,
  changes: changesOf(LABELS, historyWords),
};

function historyWords(line: Line) {
  return { ...line, from: formatDate(line.from), to: formatDate(line.to) };
}

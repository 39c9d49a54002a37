// Keeps the items on sale in this server's memory, in order of rank, for searches by words.
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { COUNTED } from '#platform/db/page.server.ts';
import { companyDay } from '#platform/company/company.server.ts';
import { candidates, type Postings, postingsOf } from './trigram-index.server.ts';

/** A sales order is 'recent' for this many months. */
const RECENT_MONTHS = 24;

/** The day from which a sale is recent. */
export function recentFrom(now: Date): RawBuilder<unknown> {
  return sql`(${companyDay(now)} - ${RECENT_MONTHS} * interval '1 month')::date`;
}

export type Asked = {
  /** The forms of each word, folded. An item matches if its text contains one form of each word. */
  words: string[][];
  /** The start of an item number, in lower case. Items with such a number come first. '' for none. */
  whole: string;
  classId: number | null;
  recentOnly: boolean;
  /** How many of the best items the caller needs. */
  most: number;
};

/**
 * `ids` holds the best `most` items by rank among those whose number begins with `whole` (`begins`), the best `most` of the others, and possibly
 * more. `total` counts all matches, up to one more than `COUNTED`. Both are correct while `isFresh` is true.
 */
export type Remembered = { ids: number[]; begins: boolean[]; total: number; known: Known };

/**
 * The state as of which the items were read: the snapshot, the start time of the database server, the hidden classes, and `recentFrom` in days since
 * 2000.
 */
export type Known = { snapshot: string; started: string; hidden: number[]; recentFrom: number };

type Item = { id: number; text: string; number: string; classId: number; lastSold: number };
/** Items in the order of rank and number: item n is at index n of each list. `beginnings`: up to three first characters of their numbers. */
type Items = {
  ids: Int32Array;
  classIds: Int32Array;
  /** Days since 2000; `NEVER` without a sale. */
  lastSold: Int32Array;
  texts: string[];
  numbers: string[];
  beginnings: Set<string>;
  postings: Postings;
};
/** The items as read, those that have changed since (null: no longer on sale), and a 1 at the index of each changed item. */
type Memory = { items: Items; changed: Map<number, Item | null>; isOld: Uint8Array; known: Known };

const NEVER = -1_000_000;
const READ_AT_ONCE = 2_000;
/** After this many changes, all items are read again, because each search checks every change. */
const MANY_CHANGES = 2_000;
/** After this many changes, searches bypass the memory. */
const TOO_MANY_CHANGES = 10_000;
/** The pause after a full read is this many times its duration, so that reading takes at most a tenth of the time. */
const REST = 9;

const memories = new WeakMap<Services['database'], ItemCache>();

export function itemCache(services: Pick<Services, 'database' | 'log'>): ItemCache {
  const memory = memories.get(services.database) ?? new ItemCache(services);
  memories.set(services.database, memory);
  return memory;
}

/**
 * The items in the memory of one server. Servers do not notify each other. Instead, each search asks the database, in the statement that reads its
 * page, whether the memory was still up to date (`isFresh`). If it was not, `catchUp` reads the changes.
 */
class ItemCache {
  readonly #services: Pick<Services, 'database' | 'log'>;
  #memory: Memory | null = null;
  #reading: Promise<void> | null = null;
  #catchingUp: Promise<void> | null = null;
  #mayReadFrom = 0;

  constructor(services: Pick<Services, 'database' | 'log'>) {
    this.#services = services;
  }

  /** Returns null while the items are being read. */
  find(request: Asked, now: Date): Remembered | null {
    if (!this.#memory) this.#read(now);
    return this.#memory && search(this.#memory, request);
  }

  /** Notes that a result from `known` was still correct at this later snapshot, so that the next searches check fewer transactions. */
  confirm(known: Known, snapshot: string): void {
    if (this.#memory?.known === known) this.#memory.known = { ...known, snapshot };
  }

  /** Reads the changes. */
  async catchUp(now: Date): Promise<void> {
    const memory = this.#memory;
    if (!memory) return;
    this.#catchingUp ??= this.#readChanges(memory, now).finally(() => (this.#catchingUp = null));
    await this.#catchingUp;
  }

  /** Resolves when the items have been read. */
  async ready(now: Date): Promise<void> {
    if (!this.#memory) this.#read(now);
    await this.#reading;
  }

  #read(now: Date): void {
    if (this.#reading || performance.now() < this.#mayReadFrom) return;
    const began = performance.now();
    this.#reading = readAll(this.#services.database.longDb, now)
      .then((memory) => void (this.#memory = memory))
      // Searches continue without the memory.
      .catch((error: unknown) => this.#services.log.warn({ err: error }, 'the items could not be read into memory'))
      .finally(() => {
        this.#mayReadFrom = performance.now() + REST * (performance.now() - began);
        this.#reading = null;
      });
  }

  async #readChanges(memory: Memory, now: Date): Promise<void> {
    const { rows } = await sql<Known & { changes: (Item & { isOnSale: boolean })[] }>`
      select ${knownNow(now)}, (select coalesce(json_agg(row_to_json(item)), '[]') from (
        ${newer(memory.known, sql`${COLUMNS}, status = 'Active' as "isOnSale"`, TOO_MANY_CHANGES + 1)}) item) as changes`.execute(
      this.#services.database.db,
    );
    const [row] = rows;
    if (!row || this.#memory !== memory) return;
    const { changes, ...read } = row;
    for (const { isOnSale, ...item } of changes) memory.changed.set(item.id, isOnSale ? item : null);
    // After a restart the database may be a copy or a restored backup, whose transactions have other numbers.
    const isOther = read.started !== memory.known.started;
    if (isOther || memory.changed.size > TOO_MANY_CHANGES) this.#memory = null;
    else {
      for (const [place, id] of memory.items.ids.entries()) if (memory.changed.has(id)) memory.isOld[place] = 1;
      memory.known = read;
    }
    if (isOther || memory.changed.size > MANY_CHANGES) this.#read(now);
  }
}

const DAY = sql`date '2000-01-01'`;
const COLUMNS = sql`id, search_text as text, lower(item_number) as number, coalesce(class_id, 0) as "classId",
  coalesce(last_sold - ${DAY}, ${sql.lit(NEVER)}) as "lastSold"`;
const HIDDEN = sql`array(select id from item_class where not visible_in_web_quote order by id)`;

/** The columns of `Known`. */
function knownNow(now: Date): RawBuilder<unknown> {
  return sql`pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started, ${HIDDEN} as hidden,
    ${recentFrom(now)} - ${DAY} as "recentFrom"`;
}

/**
 * The rows of `item` written by transactions that the statement sees and the snapshot did not, latest first: at most `most` rows of transactions
 * that began after the snapshot, and at most `most` rows of each transaction that was open at the snapshot and has ended since. Both are ranges of
 * the index, so long open transactions cost nothing, however much was written since. Transactions from before a database was restored are excluded.
 */
function newer({ snapshot }: Known, columns: RawBuilder<unknown>, most: number): RawBuilder<unknown> {
  const was = sql`(select ${snapshot}::pg_snapshot)`;
  return sql`(
    select ${columns} from item
     where changed_in >= pg_snapshot_xmax(${was}) and changed_in < pg_snapshot_xmax(pg_current_snapshot())
     order by changed_in desc limit ${most})
    union all
    select item.* from pg_snapshot_xip(${was}) ended
     cross join lateral (
       select ${columns} from item where changed_in between ended and ended order by changed_in desc limit ${most}) item
     where pg_visible_in_snapshot(ended, pg_current_snapshot())`;
}

/** Whether a search would find the same in the statement's snapshot: no item, class or day has changed, and the database is the same. */
export function isFresh(was: Known, now: Date): RawBuilder<boolean> {
  return sql`not exists (${newer(was, sql`id`, 1)})
    and pg_postmaster_start_time() = ${was.started}::timestamptz and ${HIDDEN} = ${was.hidden}::int[]
    and ${recentFrom(now)} - ${DAY} = ${was.recentFrom}::int`;
}

async function readAll(longDb: Db, now: Date): Promise<Memory> {
  const read: Item[][] = [];
  const { rows } = await longDb
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`declare on_sale cursor for select ${COLUMNS} from item where status = 'Active'
        order by selling_rank_num desc, item_number`.execute(trx);
      for (;;) {
        const { rows: group } = await sql<Item>`fetch ${sql.lit(READ_AT_ONCE)} from on_sale`.execute(trx);
        if (group.length === 0) break;
        read.push(group);
      }
      return sql<Known>`select ${knownNow(now)}`.execute(trx);
    });
  const [was] = rows;
  if (!was) throw new Error('a select without a table has one row');
  const items = read.flat();
  const [texts, numbers] = [items.map(({ text }) => text), items.map(({ number }) => number)];
  return {
    items: {
      ids: Int32Array.from(items, ({ id }) => id),
      classIds: Int32Array.from(items, ({ classId }) => classId),
      lastSold: Int32Array.from(items, ({ lastSold }) => lastSold),
      texts,
      numbers,
      beginnings: new Set(numbers.flatMap((number) => [1, 2, 3].map((length) => number.slice(0, length)))),
      postings: await postingsOf(texts, setImmediate),
    },
    changed: new Map(),
    isOld: new Uint8Array(items.length),
    known: was,
  };
}

function search({ items, changed, isOld, known: was }: Memory, request: Asked): Remembered {
  const { words, whole, classId, recentOnly, most } = request;
  const hidden = new Set(was.hidden);
  const isAsked = (itemClass: number, lastSold: number) =>
    !hidden.has(itemClass) &&
    (classId === null || itemClass === classId) &&
    (!recentOnly || lastSold >= was.recentFrom);
  const hasWords = (text: string) => words.every((forms) => forms.some((form) => text.includes(form)));
  const begins = (number: string) => whole !== '' && number.startsWith(whole);
  const mayBegin = items.beginnings.has(whole.slice(0, 3));
  const [first, others]: [number[], number[]] = [[], []];
  let total = 0;
  const next = candidates(items.postings, words);
  for (let place = next(); place >= 0; place = next()) {
    if (isOld[place] === 1 || !isAsked(items.classIds[place] ?? 0, items.lastSold[place] ?? NEVER)) continue;
    const isFirst = mayBegin && begins(items.numbers[place] ?? '');
    // Enough of the other items are counted. Only numbers that begin with the keyword still matter, whatever their rank.
    if ((total > COUNTED && !isFirst) || !hasWords(items.texts[place] ?? '')) continue;
    total++;
    const list = isFirst ? first : others;
    if (list.length < most) list.push(items.ids[place] ?? 0);
    if (total > COUNTED && (!mayBegin || first.length >= most)) break;
  }
  const best = [...first, ...others.slice(0, most - first.length)];
  const changedMatches = [...changed.values()].filter(
    (item) => item !== null && isAsked(item.classId, item.lastSold) && hasWords(item.text),
  ) as Item[];
  return {
    ids: [...best, ...changedMatches.map(({ id }) => id)],
    begins: [...best.map((_, n) => n < first.length), ...changedMatches.map(({ number }) => begins(number))],
    total: Math.min(total + changedMatches.length, COUNTED + 1),
    known: was,
  };
}

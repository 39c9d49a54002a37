// Keeps the facts of reports up to date: before each report it processes quotes with new events, and a background job fills old companies.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { LOCK_FACTS, writeFacts } from './fact-rows.server.ts';

/** The most quotes that one transaction processes, and the most transactions that a report waits for. */
const AT_ONCE = 1000;
const MAX_ROUNDS = 5;
/** With at most this many events, a company is read from its first event on. With more, the fill begins after all earlier writers have ended. */
const FEW_EVENTS = 20_000;
/** Each report reads up to about this many events again before the mark advances. */
const OVERLAP = 500;

/** The instant up to which the facts are complete, and the progress of a long fill. */
type Freshness = { asOf: string; preparing: { done: number; of: number } | null };

/** The pending work, as seen in one snapshot of the database. */
type Look = {
  filledTo: number;
  fillUntil: number | null;
  takenEvent: number;
  markEvent: number;
  markBefore: number;
  newest: number;
  /** All transactions before this one have ended. */
  endedBefore: number;
  /** Transactions from this one on had not begun to write. */
  begunBefore: number;
  /** True if an item's class has changed since its lines were added up. */
  hasClassChanges: boolean;
  /**
   * Quotes with events that their facts or sums do not include, quotes without facts, and quotes with lines whose class has changed. At most one more
   * than `AT_ONCE`.
   */
  changed: number[];
};
/** The value of `takenEvent` while the fill waits for writers that began before it. */
const WAITS_FOR_WRITERS = -1;

/**
 * Processes every change that was committed before this call, and returns how fresh the facts are. Call it before reading facts. If there are too
 * many changes to wait for, `reportFactsJob` processes the rest.
 */
export async function catchUp({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<Freshness> {
  const asOf = clock.now().toISOString();
  let look = await lookAt(database.db);
  let isDone = isCurrent(look) && !mayMoveOn(look);
  for (let round = 0; !isDone && round < MAX_ROUNDS; round++) {
    look = await inTransaction(database.db, (db) => takeSome(db));
    isDone = isCurrent(look);
  }
  return { asOf, preparing: isDone ? null : await progress(database.db, look) };
}

function isFilled({ fillUntil, filledTo, takenEvent }: Look): boolean {
  return fillUntil !== null && filledTo >= fillUntil && takenEvent !== WAITS_FOR_WRITERS;
}

const isCurrent = (look: Look) => isFilled(look) && look.changed.length === 0;

/** Whether the marks may advance: class changes are processed, or all transactions that could still commit an event before the mark have ended. */
function mayMoveOn({ endedBefore, markBefore, newest, takenEvent, hasClassChanges }: Look): boolean {
  return hasClassChanges || (endedBefore >= markBefore && newest - takenEvent > OVERLAP);
}

/** Does the next part of the work under the lock, and returns what is left. */
async function takeSome(db: Db): Promise<Look> {
  await LOCK_FACTS.execute(db);
  // Look before writing anything: a transaction that has written would wait for its own end.
  const look = await lookAt(db);
  if (look.fillUntil === null) {
    const begun = await beginFill(db, look);
    return isFilled(begun) ? begun : fillSome(db, begun);
  }
  const taken = look.changed.slice(0, AT_ONCE);
  await writeFacts(db, taken);
  const left = { ...look, changed: look.changed.slice(AT_ONCE) };
  if (left.changed.length > 0) return left;
  if (left.hasClassChanges) await forgetTakenClasses(db);
  return fillSome(db, await moveMark(db, left));
}

async function beginFill(db: Db, look: Look): Promise<Look> {
  const takenEvent = look.newest > FEW_EVENTS ? WAITS_FOR_WRITERS : 0;
  const { rows } = await sql<{ fillUntil: number }>`
    update report_state set fill_until = (select coalesce(max(id), 0) from quote), taken_event = ${takenEvent}::bigint,
      mark_event = ${look.newest}::bigint, mark_before = ${look.begunBefore}::bigint returning fill_until as "fillUntil"`.execute(
    db,
  );
  return { ...look, ...rows[0], takenEvent, markEvent: look.newest, markBefore: look.begunBefore, changed: [] };
}

/**
 * An event can become visible after one with a higher number if its transaction takes longer. So the events since `takenEvent` are read again until
 * all transactions that had begun before the mark was set have ended. Only then does `takenEvent` advance to the mark.
 */
async function moveMark(db: Db, look: Look): Promise<Look> {
  if (look.endedBefore < look.markBefore || look.newest === look.takenEvent) return look;
  const [takenEvent, markEvent, markBefore] = [look.markEvent, look.newest, look.begunBefore];
  await sql`update report_state set taken_event = ${takenEvent}::bigint, mark_event = ${markEvent}::bigint,
    mark_before = ${markBefore}::bigint`.execute(db);
  return { ...look, takenEvent, markEvent, markBefore };
}

/** The lines of items whose class was different when the lines were added up. */
const IN_ANOTHER_CLASS = sql`report_class_change change join item on item.id = change.item_id
  join report_counted_line line on line.item_id = item.id and line.class_id is distinct from item.class_id`;

/** Forgets the processed class changes, in one statement, so that a change committed at the same time is kept. */
async function forgetTakenClasses(db: Db): Promise<void> {
  await sql`delete from report_class_change where item_id not in (select item.id from ${IN_ANOTHER_CLASS})`.execute(db);
}

/** Fills the next quotes that have no facts yet. */
async function fillSome(db: Db, look: Look): Promise<Look> {
  const { fillUntil, filledTo, takenEvent } = look;
  if (fillUntil === null || filledTo >= fillUntil || takenEvent === WAITS_FOR_WRITERS) return look;
  const { rows } = await sql<{ id: number }>`
    select id from quote where id > ${filledTo} and id <= ${fillUntil} order by id limit ${AT_ONCE}`.execute(db);
  await writeFacts(
    db,
    rows.map(({ id }) => id),
  );
  const reached = rows.length < AT_ONCE ? fillUntil : (rows.at(-1)?.id ?? fillUntil);
  await sql`update report_state set filled_to = ${reached}::int`.execute(db);
  return { ...look, filledTo: reached };
}

async function lookAt(db: Db): Promise<Look> {
  const { rows: states } = await sql<{ takenEvent: number; isFilled: boolean }>`
    select taken_event as "takenEvent", coalesce(filled_to >= fill_until, false) as "isFilled" from report_state`.execute(
    db,
  );
  const { takenEvent = 0, isFilled: filled = false } = states[0] ?? {};
  // Literals, not parameters: the planner must see that few events are newer.
  const since = sql.lit(takenEvent);
  const windowed =
    takenEvent === WAITS_FOR_WRITERS
      ? sql``
      : sql`
    select e.quote_id from (select distinct quote_id from quote_event where id > ${since}) e
    left join report_quote r on r.id = e.quote_id
    where r.id is null or r.events <> (select count(*) from quote_event all_of where all_of.quote_id = e.quote_id)`;
  const unknown = sql`select id from quote where id > (select coalesce(max(id), 0) from report_quote)`;
  const changed = [
    ...(takenEvent === WAITS_FOR_WRITERS ? [] : [windowed]),
    ...(filled ? [unknown] : []),
    sql`(select id from report_quote where summed_events is distinct from events limit ${sql.lit(AT_ONCE + 1)})`,
    sql`(select distinct line.quote_id from ${IN_ANOTHER_CLASS} limit ${sql.lit(AT_ONCE + 1)})`,
  ];
  const { rows } = await sql<Look>`
    select filled_to as "filledTo", fill_until as "fillUntil", taken_event as "takenEvent", mark_event as "markEvent",
      mark_before as "markBefore", (select coalesce(max(id), 0) from quote_event) as newest,
      pg_snapshot_xmin(pg_current_snapshot())::text::bigint as "endedBefore",
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "begunBefore",
      exists (select from report_class_change) as "hasClassChanges",
      array(${sql.join(changed, sql` union `)} limit ${sql.lit(AT_ONCE + 1)}) as changed
    from report_state`.execute(db);
  const [look] = rows;
  if (!look) throw new Error('report_state has one row');
  return look;
}

async function progress(db: Db, { fillUntil, changed }: Look): Promise<Freshness['preparing']> {
  const { rows } = await sql<{ of: number; done: number }>`
    select (select count(*) from quote where id <= ${fillUntil ?? 0}::int)::int as of,
      (select count(*) from report_quote where id <= ${fillUntil ?? 0}::int and summed_events = events)::int as done`.execute(
    db,
  );
  const { of: total = 0, done = 0 } = rows[0] ?? {};
  return { of: total, done: Math.max(0, Math.min(done, total - changed.length)) };
}

/** Fills the facts of an old company, and processes what many changes left, so that a report never waits for them. */
export const reportFactsJob = {
  name: 'report-facts',
  due: async ({ database }) => {
    const look = await lookAt(database.db);
    if (look.changed.length > AT_ONCE || isFilled(look)) return look.changed.length > AT_ONCE;
    // The first report of a small company fills its facts by itself.
    const { rows } = await sql<{ isLong: boolean }>`
      select exists (select from quote where id > ${look.filledTo} offset ${sql.lit(AT_ONCE * MAX_ROUNDS)}) as "isLong"`.execute(
      database.db,
    );
    return rows[0]?.isLong ?? false;
  },
  run: async (services) => {
    for (;;) {
      const left = await inTransaction(services.database.longDb, (db) => takeSome(db));
      if (isCurrent(left)) return;
      // Writers that began before the fill are still running. The next check follows in eight seconds.
      if (left.takenEvent === WAITS_FOR_WRITERS && left.endedBefore < left.markBefore) return;
      if (services.jobs.isStopping()) throw new Error('the server stops; the facts go on later');
    }
  },
} satisfies PlainJob<Services>;

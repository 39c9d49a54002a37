// Remembers the lines of long quotes between two saves, so that a save of one line need not read all the others again.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { LineChanges, StoredLines } from './quote-lines.server.ts';

/** Shorter quotes are read about as quickly as they are proven. */
const SHORTEST = 50;
/** Lines of all remembered quotes together, well under a kilobyte each. */
const MOST_LINES = 40_000;
/** Weighs the lines against each other, and keeps the sum of five thousand products exact. */
const WEIGHTS = 400;

type Server = Pick<Services, 'database'>;
const memories = new WeakMap<Server['database'], Map<number, StoredLines>>();

/** The lines as this process last stored them. Whether they are still so must be proven under the lock of the quote. */
export function rememberedLines({ database }: Server, quoteId: number): StoredLines | undefined {
  return memories.get(database)?.get(quoteId);
}

/** Sums over the lines of a quote and the transactions that wrote them. */
export type Stamp = { lineCount: number; writerSum: number; weighedSum: number };

export function stampOf({ lines, writers }: StoredLines = { lines: [], writers: [] }): Stamp {
  const stamp = { lineCount: lines.length, writerSum: 0, weighedSum: 0 };
  lines.forEach(({ id }, index) => {
    const writer = writers[index] ?? 0;
    stamp.writerSum += writer;
    stamp.weighedSum += writer * (1 + (id % WEIGHTS));
  });
  return stamp;
}

/**
 * Whether the stored lines are those with this stamp, as a value in a larger statement. PostgreSQL notes with each row the transaction that wrote it,
 * so a line that anybody has written since, by whatever way, changes the sums.
 */
export function areStored(quoteId: number, { lineCount, writerSum, weighedSum }: Stamp) {
  return sql<boolean>`(select count(*) = ${lineCount}::bigint and sum(writer) = ${writerSum}::bigint
    and sum(writer * weight) = ${weighedSum}::bigint
    from (select xmin::text::bigint as writer, 1 + id % ${sql.lit(WEIGHTS)} as weight from quote_item where quote_id = ${quoteId}) line)`;
}

/** Remembers the lines after a save, once it is committed. `before`: those it began with; `writer`: its transaction. */
export function rememberLines(
  { database }: Server,
  quoteId: number,
  lines: StoredLines['lines'],
  { before, changes, writer }: { before: StoredLines; changes: LineChanges; writer: number },
): void {
  const memory = memories.get(database) ?? new Map<number, StoredLines>();
  memories.set(database, memory);
  // The quote becomes the newest, so that the one that was saved longest ago is forgotten first.
  memory.delete(quoteId);
  if (lines.length < SHORTEST) return;
  const writerOf = new Map(before.lines.map(({ id }, index) => [id, before.writers[index] ?? 0]));
  for (const { id } of [...changes.changed, ...changes.added]) writerOf.set(id, writer);
  memory.set(quoteId, {
    // Proofs are large, and a save reads those that it needs.
    lines: lines.map((line) => (line.price_proof === null ? line : { ...line, price_proof: null })),
    writers: lines.map(({ id }) => writerOf.get(id) ?? writer),
  });
  let sum = 0;
  for (const quote of memory.values()) sum += quote.lines.length;
  for (const [oldest, quote] of memory) {
    if (sum <= MOST_LINES) break;
    memory.delete(oldest);
    sum -= quote.lines.length;
  }
}

// Remembers the lines of long quotes between two saves, so that saving one line does not read all the others again.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { LineChanges, StoredLines } from './quote-lines.server.ts';

/** For shorter quotes, reading the lines is about as fast as verifying the cache. */
const SHORTEST = 50;
/** The maximum number of lines of all remembered quotes together. A line takes well under a kilobyte. */
const MAX_LINES = 40_000;
/** Each line gets a weight up to this value. The sum of five thousand products stays exact. */
const WEIGHTS = 400;

type Server = Pick<Services, 'database'>;
const memories = new WeakMap<Server['database'], Map<number, StoredLines>>();

/** The lines as this process last stored them. The caller must verify under the quote's lock that they are current. */
export function rememberedLines({ database }: Server, quoteId: number): StoredLines | undefined {
  return memories.get(database)?.get(quoteId);
}

/** Checksums over the lines of a quote and the transactions that wrote them. */
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
 * Whether the stored lines match this stamp, as a value in a larger statement. PostgreSQL records with each row the transaction that wrote it, so any
 * later write to a line changes the sums.
 */
export function areStored(quoteId: number, { lineCount, writerSum, weighedSum }: Stamp) {
  return sql<boolean>`(select count(*) = ${lineCount}::bigint and sum(writer) = ${writerSum}::bigint
    and sum(writer * weight) = ${weighedSum}::bigint
    from (select xmin::text::bigint as writer, 1 + id % ${sql.lit(WEIGHTS)} as weight from quote_item where quote_id = ${quoteId}) line)`;
}

/** Remembers the lines after a save is committed. `before` contains the lines it began with. `writer` is its transaction. */
export function rememberLines(
  { database }: Server,
  quoteId: number,
  lines: StoredLines['lines'],
  { before, changes, writer }: { before: StoredLines; changes: LineChanges; writer: number },
): void {
  const memory = memories.get(database) ?? new Map<number, StoredLines>();
  memories.set(database, memory);
  // Makes this quote the newest entry, so that the quote saved longest ago is evicted first.
  memory.delete(quoteId);
  if (lines.length < SHORTEST) return;
  const writerOf = new Map(before.lines.map(({ id }, index) => [id, before.writers[index] ?? 0]));
  for (const { id } of [...changes.changed, ...changes.added]) writerOf.set(id, writer);
  memory.set(quoteId, {
    // Proofs are large, and a save reads the proofs that it needs.
    lines: lines.map((line) => (line.price_proof === null ? line : { ...line, price_proof: null })),
    writers: lines.map(({ id }) => writerOf.get(id) ?? writer),
  });
  let sum = 0;
  for (const quote of memory.values()) sum += quote.lines.length;
  for (const [oldest, quote] of memory) {
    if (sum <= MAX_LINES) break;
    memory.delete(oldest);
    sum -= quote.lines.length;
  }
}

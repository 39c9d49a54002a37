// Recomputes all facts, compares them with the stored ones, and corrects differences.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { catchUp } from './catch-up.server.ts';
import { differingFrom, LOCK_FACTS, writeFacts } from './fact-rows.server.ts';
import { correctSums } from './kept-sums.server.ts';

const AT_ONCE = 1000;

type Rebuilt = {
  quotes: number;
  lines: number;
  /** Quotes with wrong stored facts, which are now correct. */
  differing: number[];
  /** The number of stored sums of months that differed from the lines and are now correct. */
  sums: number;
};

/**
 * Processes all changes, then recomputes the facts of every quote and writes those that differ. Quotes that are edited during the rebuild are left to
 * the next report. `onProgress` gets the number of compared quotes.
 */
export async function rebuildFacts(
  { database, clock }: Pick<Services, 'database' | 'clock'>,
  onProgress: (done: number) => void = () => {},
): Promise<Rebuilt> {
  while ((await catchUp({ database, clock })).preparing) onProgress(0);
  const differing: number[] = [];
  let quotes = 0;
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from quote where id > ${after} order by id limit ${AT_ONCE}`.execute(database.longDb);
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last === undefined) break;
    differing.push(
      ...(await inTransaction(database.longDb, async (db) => {
        await LOCK_FACTS.execute(db);
        const wrong = await differingFrom(db, ids);
        await writeFacts(db, wrong);
        return wrong;
      })),
    );
    quotes += ids.length;
    after = last;
    onProgress(quotes);
  }
  const { gone, sums } = await inTransaction(database.longDb, async (db) => {
    await LOCK_FACTS.execute(db);
    const { rows: left } = await sql<{ id: number }>`
      delete from report_quote r where not exists (select from quote where id = r.id) returning id`.execute(db);
    const ids = left.map(({ id }) => id);
    await writeFacts(db, ids);
    return { gone: ids, sums: await correctSums(db) };
  });
  const { rows } = await sql<{ lines: number }>`select count(*)::int as lines from report_counted_line`.execute(
    database.longDb,
  );
  return { quotes, lines: rows[0]?.lines ?? 0, differing: [...differing, ...gone], sums };
}

// Reads the figures and lists of a checked file of contracts, prices or rosters. Writes nothing.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { KindReport } from '#platform/data-import/data-import.contract.ts';

type Words = {
  /** A sentence that explains what is counted as changed. */
  changed: string;
  /** The labels of the refusals by sort. Sorts without rows are left out. */
  sorts: Readonly<Record<string, string>>;
};

/**
 * Counts new, changed, same, repeated and ended rows, and refusals by sort, before the refusals are moved. `writes` is the sum of new, changed and
 * ended rows.
 */
export async function importFigures(trx: Db, words: Words): Promise<Pick<KindReport, 'figures' | 'writes'>> {
  const { rows } = await sql<{ what: string; n: number }>`
    select coalesce('?' || sort, outcome) as what,
      (case when sort is null then count(*) else count(distinct line) end)::int as n
    from (select case when reason is not null then coalesce(sort, '') end as sort, outcome, line from import_row) r
    group by 1, sort`.execute(trx);
  const countIn = (what: string): number => rows.find((row) => row.what === what)?.n ?? 0;
  return {
    writes: countIn('new') + countIn('changed') + countIn('end'),
    figures: [
      { label: 'Same', count: countIn('same') },
      { label: 'Changed', count: countIn('changed'), tone: 'change', note: words.changed },
      { label: 'New', count: countIn('new'), tone: 'good' },
      ...(countIn('end') > 0 ? [{ label: 'Ended', count: countIn('end'), tone: 'change' as const }] : []),
      ...(countIn('repeat') > 0
        ? [{ label: 'Repeated', count: countIn('repeat'), note: 'Rows that repeat an earlier row.' }]
        : []),
      ...Object.entries(words.sorts).flatMap(([sort, label]) => {
        const count = countIn(`?${sort}`);
        return count > 0 ? [{ label, count, tone: 'bad' as const, note: 'Among the refused rows.' }] : [];
      }),
    ],
  };
}

const SHOWN = 10;

/** The first rows of a query, whose columns are all text, and the total number of rows. */
export async function listOf(
  trx: Db,
  title: string,
  headings: string[],
  query: Sql,
): Promise<KindReport['lists'][number]> {
  const columns = sql.join(headings.map((_, at) => sql.ref(`c${at}`)));
  const { rows } = await sql<{ cells: string[]; total: number }>`
    select json_build_array(${columns}) as cells, count(*) over ()::int as total
    from (${query}) as q(${columns}) limit ${SHOWN}`.execute(trx);
  return {
    title,
    headings,
    rows: rows.map(({ cells }) => cells.map((cell) => cell ?? '')),
    total: rows[0]?.total ?? 0,
  };
}

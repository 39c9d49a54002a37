// Writes refused cells with their reasons, and the refused rows as a file that the user can correct and import again.
import fs from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { csvLine } from '#platform/shared/csv.ts';
import { cut } from '../reading/cell-values.server.ts';
import { type Header, REFUSED_HEADINGS } from '../reading/header-match.server.ts';
import type { TableFile } from '../reading/read-table.server.ts';
import type { Sheet } from '../reading/table-file.server.ts';
import type { RefusedCell } from './import-report.ts';

const MAX_CELL_LENGTH = 1000;

/** Returns the number of refused rows (lines). */
export async function countRefusedLines(trx: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct line)::int as count from import_refusal`.execute(
    trx,
  );
  return rows[0]?.count ?? 0;
}

/** Returns the first refused cells in file order. */
export async function refusedCells(trx: Db, limit: number): Promise<RefusedCell[]> {
  const { rows } = await sql<RefusedCell>`
    select line, column_name as "column", value, reason from import_refusal order by line, column_name limit ${limit}`.execute(
    trx,
  );
  return rows;
}

const MAX_CAUSES = 30;
const LINES_PER_CAUSE = 12;
const CELLS_PER_CAUSE = 10;

/**
 * Returns the causes of refusals, the most frequent first, each with its first cells. Reasons that differ only in numbers and names are one cause,
 * with the sentence of its first cell.
 */
export async function refusedCauses(
  trx: Db,
): Promise<{ sentence: string; rows: number; lines: number[]; cells: RefusedCell[] }[]> {
  const { rows } = await sql<{ sentence: string; rows: number; lines: number[]; cells: RefusedCell[] }>`
    select (array_agg(concat_ws(' ', nullif(column_name, ''),
      case when value <> '' then '''' || left(value, 60) || '''' end, reason) order by line))[1] as sentence,
      count(distinct line)::int as rows, (array_agg(distinct line))[1:${sql.lit(LINES_PER_CAUSE)}] as lines,
      to_json((array_agg(json_build_object('line', line, 'column', column_name, 'value', left(value, 500), 'reason', reason)
        order by line))[1:${sql.lit(CELLS_PER_CAUSE)}]) as cells
    from import_refusal
    group by column_name, regexp_replace(reason, '''[^'']*''|[A-Z]{2,4}\M|[0-9][0-9.,/]*', '#', 'g')
    order by 2 desc, 1 limit ${MAX_CAUSES}`.execute(trx);
  return rows;
}

/**
 * Writes the refused rows as CSV: the columns of the file, then the line and the reason. Once corrected, the file can be imported as the same kind.
 * Rereads the file so that refused rows are never held in memory. Long GeoJSON cells are truncated, because nobody edits coordinates by hand.
 */
export async function writeRefusedRows(
  trx: Db,
  { table, sheet, header }: { table: Pick<TableFile, 'bulky'>; sheet: Sheet; header: Header },
  file: string,
): Promise<void> {
  const display = (cell: string): string =>
    table.bulky && cell.length > MAX_CELL_LENGTH ? `${cut(cell, MAX_CELL_LENGTH)}…` : cell;
  const out = await fs.promises.open(file, 'w');
  try {
    await out.write(`\ufeff${csvLine([...header.headings, ...REFUSED_HEADINGS])}`);
    const width = header.headings.length;
    const refused = refusals(trx);
    let next = await refused.next();
    let lines = '';
    for await (const { line, cells, faults = [] } of sheet.rows()) {
      if (next.done) break;
      if (line !== next.value.line) continue;
      // CSV cannot mark a value as struck out, so such a value appears only in the reason. In its cell, the next import would read it.
      const struckOutColumns = new Set(faults.map(({ at }) => at));
      const padded = Array.from({ length: width }, (_, at) =>
        struckOutColumns.has(at) ? '' : display(cells[at] ?? ''),
      );
      lines += csvLine([...padded, line, next.value.reason]);
      next = await refused.next();
      if (lines.length < 64 * 1024) continue;
      await out.write(lines);
      lines = '';
    }
    await out.write(lines);
  } finally {
    await out.close();
  }
}

async function* refusals(trx: Db): AsyncGenerator<{ line: number; reason: string }> {
  await sql`declare refused cursor for
    select line, string_agg(case when column_name = '' then reason
        else column_name || case when value = '' then '' else ' ''' || value || '''' end || ' ' || reason end,
      '; ' order by column_name) as reason
    from import_refusal group by line order by line`.execute(trx);
  for (;;) {
    const { rows } = await sql<{ line: number; reason: string }>`fetch 2000 from refused`.execute(trx);
    if (rows.length === 0) return;
    yield* rows;
  }
}

// A price file of any size against one contract: the outcome of each row, applying, accepting held rows later, and undoing it all.
import { sql } from 'kysely';
import { expect } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { anImporter, figures } from './an-importer.server.ts';
import { aContract } from './factories/contracts.server.ts';
import type { TestServer } from './test-server.server.ts';

/** How many rows the file has of each outcome, and how many accounts the contract has. */
type PriceFileSize = {
  same: number;
  within: number;
  held: number;
  unitProblems: number;
  /** Lines of the contract that the file does not name. */
  absent: number;
  fresh: number;
  unknown: number;
  accounts: number;
};

const REJECTED = 12;

/** The lines of the contract at 40.00 per BX of 10, in this order: same, within the tolerance, held, in another unit, absent. */
const linesOf = ({ same, within, held, unitProblems, absent }: PriceFileSize) =>
  same + within + held + unitProblems + absent;

/** Imports such a file, checks each step, and answers the state of the import after its undo. */
export async function walkPriceFile(server: TestServer, size: PriceFileSize): Promise<string> {
  const { same, within, held, unitProblems, absent, fresh, unknown, accounts } = size;
  server.setNow('2026-10-20T15:00:00Z');
  const ada = await anImporter(server);
  await fillContract(server, size);
  const rows = same + within + held + unitProblems + fresh + unknown;
  const writes = within + fresh + held - REJECTED;
  const before = await stored(server);
  const at = Date.now();
  const lap = (what: string) =>
    process.env['TIMES'] && process.stdout.write(`${what}: ${Date.now() - at} ms since the upload\n`);
  const uploaded = await ada.upload('contract-prices', priceFile(size));
  const checked = await ada.check(uploaded);
  lap(`checked (${checked.report?.seconds.toFixed(1)} s)`);
  expect(checked.report?.rows).toBe(rows);
  expect(figures(checked)).toEqual({
    Same: same,
    Changed: within,
    New: fresh,
    'Unit problem': unitProblems,
    'Unknown item': unknown,
    Absent: absent,
    Held: held,
    Refused: unitProblems + unknown,
  });
  expect(checked.report?.writes).toBe(within + fresh);
  expect(await stored(server)).toBe(before);

  const applied = await ada.apply(checked);
  lap(`applied (${applied.report?.seconds.toFixed(1)} s)`);
  expect(applied).toMatchObject({ state: 'Applied', error: '', report: { writes: within + fresh, held } });

  // The new items have no price before November. All others that the file names have one today, also those whose row was held or refused.
  expect(applied.report?.conclusion?.lists[0]?.rows).toEqual([
    [String(accounts), ((same + within + held + unitProblems) * accounts).toLocaleString('en-US'), 'Yes'],
    [String(accounts), (fresh * accounts).toLocaleString('en-US'), 'No: Tier 1 has no price on this day'],
  ]);

  const { records } = await server.ok(
    DataImport.GetHeldRows,
    { id: applied.id, page: 1, pageSize: REJECTED },
    { as: ada },
  );
  const firstLines = records.map(({ line }) => line);
  await server.ok(DataImport.DecideHeldRows, { id: applied.id, lines: firstLines, decision: 'rejected' }, { as: ada });
  const decided = await server.ok(DataImport.DecideHeldRows, { id: applied.id, decision: 'accepted' }, { as: ada });
  expect(decided).toMatchObject({ accepted: held - REJECTED, rejected: REJECTED });
  const more = await ada.apply(applied);
  lap(`held rows applied (${more.report?.seconds.toFixed(1)} s)`);
  expect(more).toMatchObject({
    state: 'Applied',
    error: '',
    accepted: 0,
    rejected: REJECTED,
    report: { writes, held: REJECTED },
  });
  expect(figures(more)).toMatchObject({
    Same: same,
    Changed: within + held - REJECTED,
    New: fresh,
    Held: REJECTED,
    Refused: unitProblems + unknown,
    Absent: absent,
  });
  const begun = await sql<{
    n: number;
  }>`select count(*)::int as n from contract_line_price where valid_from = '2026-11-01'`.execute(server.db);
  expect(begun.rows[0]?.n).toBe(writes);

  const undone = await ada.undo(more);
  lap('undone');
  expect(undone.error).toBe('');
  expect(await stored(server)).toBe(before);
  return undone.state;
}

async function fillContract({ db }: TestServer, size: PriceFileSize): Promise<void> {
  const lines = linesOf(size);
  const { id, tierId } = await aContract(db, { number: 'LARGE-1' });
  await sql`insert into item (item_number, description, base_unit)
    select 'LF-' || n, 'Item ' || n, 'EA' from generate_series(1, ${lines + size.fresh}::int) n`.execute(db);
  await sql`insert into item_unit (item_id, unit, factor)
    select i.id, u.unit, u.factor from item i, (values ('BX', 10), ('CS', 100)) u(unit, factor) where i.item_number like 'LF-%'`.execute(
    db,
  );
  await sql`insert into contract_line (contract_id, item_id, unit)
    select ${id}, id, 'BX' from item where item_number like 'LF-%' and substr(item_number, 4)::int <= ${lines}`.execute(
    db,
  );
  await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
    select id, ${tierId}, 40, '2020-01-01' from contract_line where contract_id = ${id}`.execute(db);
  await sql`insert into facility (acct_no, name)
    select 'LG-' || n, 'Hospital ' || n from generate_series(1, ${size.accounts}::int) n`.execute(db);
  await sql`insert into contract_roster (contract_id, facility_id, tier_id, valid_from)
    select ${id}, id, ${tierId}, '2020-01-01' from facility where acct_no like 'LG-%'`.execute(db);
  await sql`analyze`.execute(db);
}

function priceFile(size: PriceFileSize): string {
  const { same, within, held, unitProblems, fresh, unknown } = size;
  const lines = linesOf(size);
  const rows = ['Contract,Item,UOM,Tier,Price,From'];
  const add = (count: number, from: number, unit: string, price: string) => {
    for (let n = 1; n <= count; n++) rows.push(`LARGE-1,LF-${from + n},${unit},1,${price},11/01/2026`);
  };
  let done = 0;
  for (const [count, unit, price] of [
    [same, 'BX', '40.00'],
    [within, 'BX', '42.00'],
    [held, 'BX', '42.01'],
    [unitProblems, 'CS', '400.00'],
  ] as const) {
    add(count, done, unit, price);
    done += count;
  }
  add(fresh, lines, 'BX', '12.50');
  add(unknown, lines + fresh, 'BX', '40.00');
  return rows.join('\n');
}

/** The stored rows of the contract, without versions, as one hash. */
async function stored({ db }: TestServer): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select md5(string_agg(row_text, ',' order by row_text)) as sum from (
    select (to_jsonb(l) - 'version')::text as row_text from contract_line l
    union all select (to_jsonb(p) - 'version')::text from contract_line_price p) x`.execute(db);
  return rows[0]?.sum ?? '';
}

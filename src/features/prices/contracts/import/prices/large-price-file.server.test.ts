// Tests a price file of 20,000 rows: the outcome of each, applying, accepting 300 of the held rows later, and undoing it all.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataImport } from '#features/operations/data-import/data-import.contract.ts';
import { anImporter, figures, type Importer } from '#testing/an-importer.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

const SAME = 17_800;
const WITHIN = 1640;
const HELD = 312;
const UNIT_PROBLEMS = 40;
const ABSENT = 25;
const NEW = 180;
const UNKNOWN = 28;
/** Lines of the contract at 40.00 per BX of 10, in this order: same, within the tolerance, held, in another unit, absent. */
const LINES = SAME + WITHIN + HELD + UNIT_PROBLEMS + ABSENT;

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
  const { db } = server;
  const { id, tierId } = await aContract(db, { number: 'LARGE-1' });
  await sql`insert into item (item_number, description, base_unit)
    select 'LF-' || n, 'Item ' || n, 'EA' from generate_series(1, ${LINES + NEW}::int) n`.execute(db);
  await sql`insert into item_unit (item_id, unit, factor)
    select i.id, u.unit, u.factor from item i, (values ('BX', 10), ('CS', 100)) u(unit, factor) where i.item_number like 'LF-%'`.execute(
    db,
  );
  await sql`insert into contract_line (contract_id, item_id, unit)
    select ${id}, id, 'BX' from item where item_number like 'LF-%' and substr(item_number, 4)::int <= ${LINES}`.execute(
    db,
  );
  await sql`insert into contract_line_price (contract_line_id, tier_id, price, valid_from)
    select id, ${tierId}, 40, '2020-01-01' from contract_line where contract_id = ${id}`.execute(db);
  await sql`insert into facility (acct_no, name) select 'LG-' || n, 'Hospital ' || n from generate_series(1, 235) n`.execute(
    db,
  );
  await sql`insert into contract_roster (contract_id, facility_id, tier_id, valid_from)
    select ${id}, id, ${tierId}, '2020-01-01' from facility where acct_no like 'LG-%'`.execute(db);
  await sql`analyze`.execute(db);
});
afterAll(() => server.close());

function largeFile(): string {
  const rows = ['Contract,Item,UOM,Tier,Price,From'];
  const add = (count: number, from: number, unit: string, price: string) => {
    for (let n = 1; n <= count; n++) rows.push(`LARGE-1,LF-${from + n},${unit},1,${price},11/01/2026`);
  };
  let done = 0;
  for (const [count, unit, price] of [
    [SAME, 'BX', '40.00'],
    [WITHIN, 'BX', '42.00'],
    [HELD, 'BX', '42.01'],
    [UNIT_PROBLEMS, 'CS', '400.00'],
  ] as const) {
    add(count, done, unit, price);
    done += count;
  }
  add(NEW, LINES, 'BX', '12.50');
  add(UNKNOWN, LINES + NEW, 'BX', '40.00');
  return rows.join('\n');
}

/** The stored rows of the contract, without versions, as one hash. */
async function stored(): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select md5(string_agg(said, ',' order by said)) as sum from (
    select (to_jsonb(l) - 'version')::text as said from contract_line l
    union all select (to_jsonb(p) - 'version')::text from contract_line_price p) x`.execute(server.db);
  return rows[0]?.sum ?? '';
}

test('20,000 rows are compared, applied, extended and undone', { timeout: 300_000 }, async () => {
  const before = await stored();
  const at = Date.now();
  const lap = (what: string) =>
    process.env['TIMES'] && process.stdout.write(`${what}: ${Date.now() - at} ms since the upload\n`);
  const uploaded = await ada.upload('contract-prices', largeFile());
  const checked = await ada.check(uploaded);
  lap(`checked (${checked.report?.seconds.toFixed(1)} s)`);
  expect(checked.report?.rows).toBe(20_000);
  expect(figures(checked)).toEqual({
    Same: SAME,
    Changed: WITHIN,
    New: NEW,
    'Unit problem': UNIT_PROBLEMS,
    'Unknown item': UNKNOWN,
    Absent: ABSENT,
    Held: HELD,
    Refused: 68,
  });
  expect(checked.report?.writes).toBe(1820);
  expect(await stored()).toBe(before);

  const applied = await ada.apply(checked);
  lap(`applied (${applied.report?.seconds.toFixed(1)} s)`);
  expect(applied).toMatchObject({ state: 'Applied', error: '', report: { writes: 1820, held: 312 } });

  // The new items have no price before November. All others that the file names have one today, also those whose row was held or refused.
  expect(applied.report?.conclusion?.lists[0]?.rows).toEqual([
    ['235', ((SAME + WITHIN + HELD + UNIT_PROBLEMS) * 235).toLocaleString('en-US'), 'Yes'],
    ['235', (NEW * 235).toLocaleString('en-US'), 'No: Tier 1 has no price on this day'],
  ]);

  const { records } = await server.ok(DataImport.GetHeldRows, { id: applied.id, page: 1, pageSize: 12 }, { as: ada });
  const lines = records.map(({ line }) => line);
  await server.ok(DataImport.DecideHeldRows, { id: applied.id, lines, decision: 'rejected' }, { as: ada });
  const decided = await server.ok(DataImport.DecideHeldRows, { id: applied.id, decision: 'accepted' }, { as: ada });
  expect(decided).toMatchObject({ accepted: 300, rejected: 12 });
  const more = await ada.apply(applied);
  lap(`300 held rows applied (${more.report?.seconds.toFixed(1)} s)`);
  expect(more).toMatchObject({
    state: 'Applied',
    error: '',
    accepted: 0,
    rejected: 12,
    report: { writes: 2120, held: 12 },
  });
  expect(figures(more)).toMatchObject({ Same: SAME, Changed: 1940, New: NEW, Held: 12, Refused: 68, Absent: ABSENT });
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from contract_line_price where valid_from = '2026-11-01'`.execute(server.db);
  expect(rows[0]?.n).toBe(2120);

  const undone = await ada.undo(more);
  lap('undone');
  expect(undone).toMatchObject({ state: 'Undone', error: '' });
  expect(await stored()).toBe(before);
});

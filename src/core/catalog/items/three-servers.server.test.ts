// Tests that every server finds at once what another server saves, although each searches in its own memory.
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Database, type Db, openPostgres } from '#platform/db/database.server.ts';
import { isFresh, itemCache, type Known } from '#core/catalog/item-cache/item-cache.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { type Found, type ItemFilter, stretchOfItems } from './find-items.server.ts';

const NOW = new Date('2026-11-21T15:00:00Z');
const ITEMS = 1_500;
const log = { warn: () => {} };
let database: Database;
let servers: Database[];
/** Open transactions that have changed an item. */
let open: pg.Client[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await sql`insert into item_class (id, name) select n, 'Class ' || n from generate_series(1, 4) n`.execute(db);
  await sql`insert into product (id, name, brand) select n, 'Product ' || n, 'Ansell' from generate_series(1, 5) n`.execute(
    db,
  );
  await addItems(db, ITEMS);
  servers = [1, 2, 3].map(() => openPostgres(addressOf(database), 3));
  for (const server of servers) await itemCache({ database: server, log }).ready(NOW);
}, 120_000);
afterEach(async () => {
  for (const client of open) await client.end();
  open = [];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.close();
});

/** 'bed' is in two of three items, 'pin' in a tenth, 'cup' in few. A third of the numbers begin with 'bed'. */
async function addItems(db: Db, count: number): Promise<void> {
  await sql`insert into item (item_number, description, class_id, base_unit, last_sold, selling_rank_num)
    select case when n % 3 = 0 then 'bed-' else 'X' end || n,
      concat_ws(' ', case when n % 2 = 0 then 'Bed' end, case when n % 10 = 0 then 'pin' end,
        case when n % 400 = 3 then 'cup' end, 'steel'),
      nullif(n % 5, 0), 'EA', case when n % 3 > 0 then date '2026-11-01' - n % 1500 end, n % 51 / 10.0
    from generate_series((select count(*)::int from item) + 1, (select count(*)::int from item) + ${count}::int) n`.execute(
    db,
  );
}

/** Changes of item `n`, as SQL. They skip an item that another transaction is changing. */
const CHANGES: Record<string, (n: number) => string> = {
  rank: (n) => `update item set selling_rank_num = (selling_rank_num + 1.7) % 5 where ${isItem(n)}`,
  words: (n) =>
    `update item set description = case description when 'cup pin' then 'Bed' else 'cup pin' end where ${isItem(n)}`,
  number: (n) => `update item set item_number = 'bed-new-' || id where ${isItem(n)}`,
  end: (n) =>
    `update item set status = case status when 'Active' then 'Discontinued' else 'Active' end where ${isItem(n)}`,
  sale: (n) =>
    `update item set last_sold = case when last_sold > '2026-01-01' then null else date '2026-11-20' end where ${isItem(n)}`,
  class: (n) => `update item set class_id = ${(n % 4) + 1} where ${isItem(n)}`,
  product: (n) => `update item set product_id = ${(n % 5) + 1} where ${isItem(n)}`,
  new: (n) => `insert into item (item_number, description, base_unit, selling_rank_num)
    values ('pin-' || nextval(pg_get_serial_sequence('item', 'id')), 'Bed cup', 'EA', ${n % 5})`,
};
function isItem(n: number): string {
  return `id in (select id from item where id = ${(n % ITEMS) + 1} for update skip locked)`;
}
const WIDE_CHANGES: Record<string, (n: number) => string> = {
  hidden: (n) => `update item_class set visible_in_web_quote = not visible_in_web_quote where id = ${(n % 4) + 1}`,
  // It rewrites its items, so it waits for transactions that have changed one of them.
  brand: (n) =>
    open.length > 0
      ? 'select'
      : `update product set brand = case brand when 'Ansell' then 'Cup' else 'Ansell' end where id = ${(n % 5) + 1}`,
};

const filters = fc.record({
  keyword: fc.constantFrom(
    'bed',
    'pin',
    'cup',
    'steel bed',
    'bed-1',
    'bed-30',
    'bed30',
    'ansell',
    'x1',
    '',
    'nothing',
    'X100',
  ),
  classId: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 4 }),
  hasRecentSaleOnly: fc.boolean(),
});
const ranges = fc.record({ offset: fc.constantFrom(0, 0, 20, 500), limit: fc.constantFrom(1, 20, 200) });

async function search(server: Database, filter: ItemFilter, range: { offset: number; limit: number }, now = NOW) {
  let byMemory = false;
  const read = async (statement: RawBuilder<Found>, by: RawBuilder<unknown>) => {
    const { rows } = await sql<Found>`select * from (${statement}) page order by ${by}`.execute(server.db);
    byMemory = rows[0]?.snapshot !== null;
    return rows;
  };
  const { rows, total } = await stretchOfItems({ database: server, log }, read, filter, now, range);
  return { byMemory, ids: rows.map((row) => (row as Found).id), total };
}

/** A server without memory reads the tables. */
const fromTables = (filter: ItemFilter, range: { offset: number; limit: number }, now = NOW) =>
  search({ ...database, longDb: undefined as never }, filter, range, now);

it('finds on each server what is in the tables, whoever has changed them and however long it took', {
  timeout: 300_000,
}, async () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        by: fc.constantFrom(0, 1, 2),
        change: fc.constantFrom(...Object.keys(CHANGES)),
        n: fc.nat(40),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        by: fc.constant('hold' as const),
        change: fc.constantFrom(...Object.keys(CHANGES)),
        n: fc.nat(40),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        by: fc.constantFrom('commit' as const, 'rollback' as const),
        change: fc.constant(''),
        n: fc.nat(3),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        by: fc.constantFrom(0, 1, 2),
        change: fc.constantFrom(...Object.keys(WIDE_CHANGES)),
        n: fc.nat(3),
      }),
    },
  );
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, filter: filters, range: ranges }), { maxLength: 12 }),
      async (steps) => {
        for (const {
          step: { by, change, n },
          filter,
          range,
        } of steps) {
          const statement = (CHANGES[change] ?? WIDE_CHANGES[change])?.(n) ?? '';
          if (by === 'hold') {
            const client = new pg.Client({ connectionString: addressOf(database) });
            await client.connect();
            await client.query('begin');
            await client.query(statement);
            open.push(client);
          } else if (by === 'commit' || by === 'rollback') {
            const [client] = open.splice(n % Math.max(1, open.length), 1);
            await client?.query(by);
            await client?.end();
          } else await sql.raw(statement).execute((servers[by] ?? database).db);
          const { byMemory: _, ...right } = await fromTables(filter, range);
          const input = await Promise.all(servers.map((server) => search(server, filter, range)));
          for (const answer of input) expect(answer).toEqual({ byMemory: true, ...right });
          answers += input.length;
        }
      },
    ),
    { numRuns: 15 },
  );
  expect(answers).toBeGreaterThan(30);
});

it('counts the months of a recent sale from the day of the search', async () => {
  const [first] = servers as [Database];
  const request = [
    { keyword: 'pin', hasRecentSaleOnly: true },
    { offset: 0, limit: 200 },
  ] as const;
  const totals = new Set<number>();
  for (const day of ['2026-11-22', '2027-03-01', '2026-11-21']) {
    const now = new Date(`${day}T15:00:00Z`);
    const { byMemory: _, ...right } = await fromTables(...request, now);
    expect(await search(first, ...request, now)).toEqual({ byMemory: true, ...right });
    totals.add(right.total);
  }
  expect(totals.size).toBeGreaterThan(1);
});

it('asks whether its memory is right by few pages while an import and an older transaction stay open', async () => {
  const { db } = database;
  const [older, importing] = [new pg.Client(addressOf(database)), new pg.Client(addressOf(database))];
  open = [older, importing];
  for (const client of open) await client.connect();
  await older.query('begin; select pg_current_xact_id()');
  // One import has ended since; another is still running.
  await sql`update item set last_sold = date '2026-11-02'`.execute(db);
  await importing.query(`begin; update item set last_sold = date '2026-11-03'`);
  await importing.query('select pg_current_xact_id()');
  const snapshots =
    await sql<Known>`select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started,
    '{}'::int[] as hidden, 0 as "recentFrom"`.execute(db);
  const [snapshot] = snapshots.rows;
  if (!snapshot) throw new Error('a select without a table has one row');
  const { rows } = await sql<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
  }>`
    explain (analyze, buffers, format json) select ${isFresh(snapshot, NOW)}`.execute(db);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(40);
});

it('searches without memory after very many changes, until it has read them', { timeout: 120_000 }, async () => {
  const [first, two] = servers as [Database, Database];
  const request = [
    { keyword: 'bed', hasRecentSaleOnly: false },
    { offset: 0, limit: 20 },
  ] as const;
  await addItems(first.longDb, 12_000);
  const { byMemory: _, ...right } = await fromTables(...request);
  expect(await search(two, ...request)).toMatchObject({ byMemory: false, ...right });
  await expect.poll(() => search(two, ...request), { timeout: 60_000 }).toEqual({ byMemory: true, ...right });
});

it('is not misled by numbers of transactions of the database that this one was restored from', async () => {
  const [first] = servers as [Database];
  const request = [
    { keyword: 'pin', hasRecentSaleOnly: false },
    { offset: 0, limit: 20 },
  ] as const;
  await expect.poll(() => search(first, ...request), { timeout: 60_000 }).toMatchObject({ byMemory: true });
  await sql`update item set changed_in = '99999999999' where id % 2 = 0`.execute(first.db);
  expect(await search(first, ...request)).toMatchObject({ byMemory: true });
  await sql`update item set description = 'A pinhole' where id = 2`.execute(first.db);
  const { byMemory: _, ...right } = await fromTables(...request);
  expect(await search(first, ...request)).toEqual({ byMemory: true, ...right });
});

// Tests that each way to read a range of items returns the same items and order as one plain statement over all of them.
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.server.ts';
import { COUNTED } from '#platform/db/page.server.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { freshDatabase } from '#testing/base-database.server.ts';
import { itemCache } from '#core/catalog/item-cache/item-cache.server.ts';
import { allItems, type Found, type ItemFilter, stretchOfItems } from './find-items.server.ts';

const NOW = new Date('2026-11-21T15:00:00Z');
const log = { warn: () => {} };
let database: Database;
/** A server that has no items in memory, because it cannot read them. */
const forgetful = () => ({ database: { ...database, longDb: undefined as never }, log });
/**
 * Inserts 6,000 items. 'bed' is in a sixth of them, and 1 in 5 of those has a high rank. 'tub' is in half of them, and in every number that begins
 * with 'tub'. 'pin' is in a fifth, none with a high rank. 'cup' is in few.
 */
beforeAll(async () => {
  database = await freshDatabase();
  await sql`insert into item_class (id, name, visible_in_web_quote) select n, 'Class ' || n, n > 1 from generate_series(1, 6) n`.execute(
    database.db,
  );
  await sql`insert into item (item_number, description, class_id, base_unit, status, last_sold, selling_rank_num)
    select case when n % 2 = 0 then 'TUB-' || n % 977 || '-' || n when n % 97 = 0 then 'bed-' || n
      when n % 101 = 0 then 'bed' else 'X' || n % 89 || '-' || n end
        || case when n % 101 = 0 then ' ' || n else '' end,
      concat_ws(' ', case when n % 6 = 1 then 'Bed' end, case when n % 5 = 0 then 'pin' end,
        case when n % 500 = 3 then 'cup' end, 'of steel', n % 7),
      nullif(n % 7, 0), 'EA', case when n % 11 = 0 then 'Discontinued' else 'Active' end,
      case when n % 3 > 0 then date '2026-11-01' - n % 1500 end, case when n % 5 = 0 then n % 39 / 10.0 else n * 7 % 51 / 10.0 end
    from generate_series(1, 6000) n`.execute(database.db);
  await sql`insert into item (item_number, description, class_id, base_unit)
    values ('bed', 'Folding bed', 2, 'EA'), ('TUB', 'Tub', 2, 'EA')`.execute(database.db);
  await sql`analyze item`.execute(database.db);
  await itemCache({ database, log }).ready(NOW);
}, 120_000);
afterAll(() => database.close());

type Range = { offset: number; limit: number; sort?: Sort | null };

async function search(filter: ItemFilter, range: Range, server = { database, log }) {
  const read = async (statement: RawBuilder<Found>, by: RawBuilder<unknown>) =>
    (await sql<Found>`select * from (${statement}) page order by ${by}`.execute(database.db)).rows;
  const { rows, total } = await stretchOfItems(server, read, filter, NOW, range);
  return { ids: rows.map((row) => (row as Found).id), total };
}

/** Reads all matching items with one plain statement. */
async function plainly({ keyword, classId, hasRecentSaleOnly }: ItemFilter, { offset, limit, sort }: Range) {
  const words = keyword.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  const fields = {
    itemNumber: sql`lower(item_number)`,
    description: sql`lower(description)`,
    sellingRankNum: sql`selling_rank_num`,
    lastSold: sql`last_sold`,
  };
  const key = sql`number_key(${keyword.trim()})`;
  const fits = sql`(${keyword.trim()} <> '' and number_key(item_number) = ${key})`;
  const best = sql`case when item_number = ${keyword.trim()} then 0 when lower(item_number) = ${whole} then 1 when ${fits} then 2
    when starts_with(lower(item_number), ${whole}) then 5 else 6 end, selling_rank_num desc, item_number`;
  const field = fields[(sort?.field ?? '') as keyof typeof fields];
  const text = sql`lower(item_number || ' ' || replace(item_number, '-', '') || ' ' || description)`;
  const has = sql.join([sql`true`, ...words.map((word) => sql`strpos(${text}, ${word}) > 0`)], sql` and `);
  const order =
    field !== undefined
      ? sql`${field} ${sql.raw(sort?.dir ?? '')} nulls last, item_number`
      : whole
        ? best
        : sql`selling_rank_num desc, item_number`;
  const { rows } = await sql<{ id: number }>`select id from item where status = 'Active'
      and not exists (select from item_class c where c.id = class_id and not visible_in_web_quote)
      and (${fits} or ${has})
      and (${classId ?? null}::int is null or class_id = ${classId ?? null}::int)
      and (not ${hasRecentSaleOnly}::boolean or last_sold >= date '2024-11-21')
    order by ${order}`.execute(database.db);
  const ids = rows.map(({ id }) => id);
  return { ids: ids.slice(offset, offset + limit), total: Math.min(ids.length, COUNTED + 1), all: ids };
}

const filters = fc.record({
  keyword: fc.constantFrom(
    'bed',
    'BED',
    'tub',
    'tub-9',
    'pin',
    'cup',
    'steel',
    'of bed',
    'x1',
    't',
    '',
    'bed-97',
    'bed97',
    'Tub 9-2',
    'x7 11',
    'steel 3',
    'nothing',
  ),
  classId: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 4 }),
  hasRecentSaleOnly: fc.boolean(),
});
const ranges = fc.record({
  offset: fc.constantFrom(0, 0, 0, 20, 200, 980, 1000, 1400, 5000),
  limit: fc.constantFrom(1, 20, 200),
  sort: fc.constantFrom(
    null,
    null,
    null,
    ...['itemNumber', 'description', 'sellingRankNum', 'lastSold', 'no column'].flatMap((field) => [
      { field, dir: 'asc' as const },
      { field, dir: 'desc' as const },
    ]),
  ),
});

test('a range equals the one from a plain statement, whatever the search', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(filters, ranges, async (filter, range) => {
      const { ids, total } = await plainly(filter, range);
      expect(await search(filter, range)).toEqual({ ids, total });
      expect(await search(filter, range, forgetful())).toEqual({ ids, total });
    }),
    {
      numRuns: 150,
      examples: [
        // In order: few matches; matches among the high ranks; a read in rank order; and a word with which so many numbers begin that they need one,
        // too.
        [
          { keyword: 'cup', classId: null, hasRecentSaleOnly: false },
          { offset: 0, limit: 20, sort: null },
        ],
        [
          { keyword: 'bed', classId: null, hasRecentSaleOnly: false },
          { offset: 0, limit: 20, sort: null },
        ],
        [
          { keyword: 'pin', classId: null, hasRecentSaleOnly: false },
          { offset: 0, limit: 20, sort: null },
        ],
        [
          { keyword: 'steel', classId: null, hasRecentSaleOnly: false },
          { offset: 0, limit: 20, sort: null },
        ],
        [
          { keyword: 'tub', classId: null, hasRecentSaleOnly: false },
          { offset: 0, limit: 200, sort: null },
        ],
        [
          { keyword: 'tub', classId: null, hasRecentSaleOnly: false },
          { offset: 980, limit: 20, sort: null },
        ],
        [
          { keyword: '', classId: null, hasRecentSaleOnly: true },
          { offset: 980, limit: 20, sort: null },
        ],
      ],
    },
  );
});

test('an export has all items in the same order', async () => {
  for (const sort of [null, { field: 'description', dir: 'desc' as const }]) {
    const filter = { keyword: 'bed', classId: null, hasRecentSaleOnly: false };
    const { all } = await plainly(filter, { offset: 0, limit: 1, sort });
    expect(await allItems(database.db, filter, NOW, { limit: 20_000, sort })).toEqual(all);
  }
});

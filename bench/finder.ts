// Measures searches for items on a database of its own, filled with items of made-up numbers, words and manufacturers.
// npm run bench -- finder --server postgres://… [--items 20000] [--rounds 15] [--keep name]
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import type { Context } from '#platform/api/serve.server.ts';
import { openDatabase } from '#app/start.server.ts';
import { itemCache } from '#core/catalog/item-cache/item-cache.server.ts';
import { itemSearchAnswers } from '#core/catalog/items/items.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string' },
    items: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '15' },
    keep: { type: 'string', default: '' },
  },
});
if (!options.server) throw new Error('Say which server: --server postgres://…');

const name = options.keep || `quoteboard_finder_${process.pid}`;
const admin = new pg.Client({ connectionString: options.server });
await admin.connect();
const { rowCount: isThere } = await admin.query('select from pg_database where datname = $1', [name]);
if (!isThere) await admin.query(`create database ${name}`);
const url = new URL(options.server);
url.pathname = `/${name}`;
const database = await openDatabase(readConfig({ DATABASE_URL: url.href, DATA_DIR: '.data' }, 'tool'));
const { db, longDb } = database;

/** A sixth of the items are gloves, a fiftieth sutures; every manufacturer has a fortieth of them. */
async function fill(items: number): Promise<void> {
  const began = performance.now();
  await sql`insert into item (item_number, description, base_unit, last_sold, selling_rank_num, manufacturer, manufacturer_no)
    select lpad((n * 7919 % 1000003)::text, 6, '0') || case when n % 3 = 0 then '-' || n % 97 else '' end,
      initcap(concat_ws(' ', (array['glove', 'syringe', 'bandage', 'catheter', 'drape', 'mask'])[n % 6 + 1],
        case when n % 50 = 0 then 'suture' end, (array['nitrile', 'latex', 'steel', 'cotton', 'foam', 'silk', 'nylon'])[n % 7 + 1],
        (array['small', 'medium', 'large', 'sterile', 'blue'])[n % 5 + 1], md5(n::text))),
      'EA', case when n % 3 > 0 then current_date - n % 1500 end, case when n % 10 = 0 then n % 51 / 10.0 else n % 31 / 10.0 end,
      'Maker ' || chr(65 + n % 26) || n % 40, upper(substr(md5('m' || n), 1, 3)) || '-' || n * 31 % 999983
    from generate_series(1, ${items}) n`.execute(longDb);
  await sql`insert into item_unit (item_id, unit, factor) select id, 'BX', 100 from item where id % 2 = 0`.execute(
    longDb,
  );
  await sql`insert into item_price (item_id, unit, price) select id, 'EA', id % 900 / 7.0 + 1 from item`.execute(
    longDb,
  );
  console.log(`${items} items with a unit and a price: ${Math.round(performance.now() - began)} ms`);
  const touched = performance.now();
  await sql`update item set last_sold = current_date, version = version + 1 where id % 10 = 0`.execute(longDb);
  console.log(`a sale for a tenth of them: ${Math.round(performance.now() - touched)} ms`);
  await sql`vacuum analyze`.execute(longDb);
}
if (!isThere) await fill(Number(options.items));

const { rows: group } = await sql<{ item_number: string; manufacturer_no: string }>`
  select item_number, manufacturer_no from item order by md5(id::text) limit 200`.execute(db);
const at = (n: number) => group[n % group.length] ?? { item_number: '', manufacturer_no: '' };
const KEYWORDS: Record<string, (n: number) => string> = {
  'three letters (nyl)': () => 'nyl',
  'a common word (glove)': () => 'glove',
  'two words (suture silk)': () => 'suture silk',
  'a rare word': (n) => `${(n * 7919).toString(16).padStart(4, 'a').slice(0, 4)}f`,
  'an item number': (n) => at(n).item_number,
  'the beginning of a number': (n) => at(n).item_number.slice(0, 4),
  "a manufacturer's number": (n) => at(n).manufacturer_no,
  'a plural (sutures)': () => 'sutures',
};
const services = {
  clock: { now: () => new Date() },
  database,
  log: { warn: console.warn },
} as unknown as Context['services'];
await itemCache(services).ready(services.clock.now());
const user = { id: 1, roles: ['systemadmin'] } as Context['user'];
const context = { db, services, user } as Context<'user'>;
for (const [what, keyword] of Object.entries(KEYWORDS)) {
  const times: number[] = [];
  let hits = 0;
  for (let round = -3; round < Number(options.rounds); round++) {
    const began = performance.now();
    const results = await itemSearchAnswers.SearchItemByNumber(context, {
      number: keyword(round + 3),
      hasRecentSaleOnly: false,
    });
    if (round >= 0) times.push(performance.now() - began);
    hits += results.length;
  }
  const sorted = times.toSorted((a, b) => a - b);
  const percentile = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  console.log(
    `${what.padEnd(28)} p50 ${percentile(0.5).padStart(7)} ms  p95 ${percentile(0.95).padStart(7)} ms  ${hits} hits`,
  );
}
await database.close();
if (!options.keep) await admin.query(`drop database ${name} with (force)`);
await admin.end();

// Measures computing a page of suggestions, on a database that `npm run bench -- --scale catalogue --keep <name>` filled.
// npm run bench -- suggestions --database postgres://…/<name> [--pages 20] [--items 25]
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#app/start.server.ts';
import { keepSuggestions } from '#features/catalogue/products/mapping/suggestions.server.ts';
import { readConfig } from '#outside/config.server.ts';

const { values: given } = parseArgs({
  options: {
    database: { type: 'string' },
    pages: { type: 'string', default: '20' },
    items: { type: 'string', default: '25' },
  },
});
if (!given.database) throw new Error('Say which database: --database postgres://…');

const config = readConfig({ DATABASE_URL: given.database, DATA_DIR: '.data' }, 'tool');
const database = await openDatabase(config);
const clock = { now: () => new Date() };
const times: number[] = [];
let found = 0;
for (let page = 0; page < Number(given.pages); page++) {
  const { rows } = await sql<{ id: number }>`select id from item where mapping_state <> 'Mapped' and product_id is null
    order by md5(id || ${String(page)}) limit ${Number(given.items)}`.execute(database.db);
  const ids = rows.map(({ id }) => id);
  const began = performance.now();
  await keepSuggestions({ database, clock }, ids);
  times.push(performance.now() - began);
  const { rows: kept } = await sql<{ items: number }>`select count(distinct item_id)::int as items from item_suggestion
    where item_id = any(${ids}::int[])`.execute(database.db);
  found += kept[0]?.items ?? 0;
}
await database.close();
const sorted = times.toSorted((a, b) => a - b);
const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
const all = times.length * Number(given.items);
console.log(
  `${times.length} pages of ${given.items} items: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms; ${found} of ${all} items got suggestions`,
);

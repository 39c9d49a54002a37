// Measures the background work of a savings analysis: reads, matches and prices a made-up usage file on a catalog of items that are alike.
// npm run bench -- usage [--items 20000] [--rows 50000] [--described 25] [--database postgres://…/<empty or filled before>]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import { openPostgres } from '#platform/db/database.server.ts';
import { migrate } from '#platform/db/migrate.server.ts';
import { openScratchPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import { lookAt } from '#platform/data-import/running/upload-table.server.ts';
import { analysisJob } from '#addons/savings/analysis-job.server.ts';
import { USAGE } from '#addons/savings/reading/usage-columns.server.ts';
import { Backends, memoryOfTree } from './processor.ts';
import { bare, descriptionsOf, FAMILIES, type Item, listed, MAKERS, pick, random, usageItem } from './usage-rows.ts';
import { fill, SCALES } from './volume.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    items: { type: 'string', default: '20000' },
    rows: { type: 'string', default: '50000' },
    described: { type: 'string', default: '25' },
  },
});
const [itemCount, rowCount, described] = [Number(options.items), Number(options.rows), Number(options.described) / 100];

const scratch = options.database ? undefined : await openScratchPostgres();
const url = options.database ?? scratch?.url ?? '';
const database = openPostgres(url, 10, { long: true });
await migrate(database.longDb);
const { longDb: db } = database;

/** 28 brands of each family: items that differ in nothing else are alike. */
const BRANDS = 'Sofi,Dura,Medi,Cura,Vita,Opti,Flexi'
  .split(',')
  .flatMap((begin) => ['plus', 'tex', 'line', 'guard'].map((end) => begin + end));
const kinds = FAMILIES.flatMap((family) => descriptionsOf(family));
const items: Item[] = Array.from({ length: itemCount }, (_, at) => {
  const brand = BRANDS[Math.floor(at / kinds.length) % BRANDS.length] ?? '';
  const copy = Math.floor(at / kinds.length / BRANDS.length);
  const description = `${kinds[at % kinds.length]}, ${brand}${copy === 0 ? '' : ` series ${copy}`}`;
  return usageItem(at + 1, description, MAKERS[at % MAKERS.length] ?? '');
});

const { rows: stored } = await sql<{ isEmpty: boolean }>`select not exists (select from item) as "isEmpty"`.execute(db);
if (stored[0]?.isEmpty) {
  await fill(db, { ...SCALES.tiny, items: itemCount, facilities: 1000, promotions: 100, quotes: 20, long: 0 });
  const from = sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as g(id int, number text, "makerNo" text,
    maker text, description text, gtin text, other text)`;
  await sql`update item i set item_number = g.number, description = g.description, manufacturer = g.maker,
    manufacturer_no = g."makerNo" from ${from}
    where g.id = i.id`.execute(db);
  await sql`insert into item_identifier (item_id, kind, value, unit) select id, 'GTIN', gtin, 'BX' from ${from}`.execute(
    db,
  );
  await sql`insert into cross_reference (maker, number, item_id) select 'Quorum', other, id from ${from}`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** `described` of the rows have nothing but a description and a number of theirs, every twentieth is of nobody's catalog. */
function usageRow(at: number): string {
  const item = pick(items);
  const kind = random() < described ? 0 : 1 + (at % 4);
  const isBox = random() < 0.6;
  const text = at % 20 === 0 ? `unknown thing ${at} ${pick(BRANDS)} model ${at * 31}` : listed(item);
  const numbers = [
    ['', `ZZ${at * 17}`, ''],
    [item.maker.toUpperCase(), bare(item.makerNo), ''],
    ['QUORUM', item.other, ''],
    [item.maker, item.makerNo.replace(/^0+/, ''), ''],
    ['', '', isBox ? item.gtin : ''],
  ][at % 20 === 0 ? 0 : kind] ?? ['', '', ''];
  const cells = [
    `H${200_000 + at}`,
    ...numbers,
    text,
    isBox ? 'BX' : 'CS',
    1 + (at % 300),
    (3 + (at % 9000) / 100).toFixed(2),
  ];
  return cells.join(',');
}
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'usage-')), 'usage.csv');
const head = 'Item No,Mfr,Mfr #,GTIN,Description,UOM,Annual Qty,Unit Price';
fs.writeFileSync(file, `${[head, ...Array.from({ length: rowCount }, (_, at) => usageRow(at))].join('\n')}\n`);

const { rows: added } = await sql<{ id: number }>`
  with f as (insert into file (storage_key, name, media_type, size)
    values (gen_random_uuid()::text, 'usage.csv', 'text/csv', 1) returning id),
  a as (insert into savings_analysis (name, facility_id, owner_id, months, state, file_name, mapping, options,
    currn_idx, price_date, created_at)
    select 'Usage', 1, 1, 12, 'reading',
      'usage.csv', ${JSON.stringify((await lookAt(file, USAGE, null)).header)}::jsonb, '{}', currn_idx, current_date, now()
      from facility where id = 1 returning id),
  kept as (insert into savings_file (analysis_id, file_id, kept_at) select a.id, f.id, now() from a, f)
  select id from a`.execute(db);
const analysisId = added[0]?.id ?? 0;
items.length = 0;

const services = {
  database,
  files: { open: async () => fs.createReadStream(file) },
  jobs: { isStopping: () => false },
} as unknown as Services;
globalThis.gc?.();
const backends = await Backends.of(url);
const watched = await backends?.watch();
const before = { cpu: process.cpuUsage(), memory: memoryOfTree(process.pid), at: performance.now() };
let most = before.memory;
let read = 0;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const looked = setInterval(() => {
  most = Math.max(most, Math.round(process.memoryUsage.rss() / 1024 / 1024));
}, 50);
const progress = setInterval(() => {
  void sql<{ step: string }>`select step from savings_analysis where id = ${analysisId}`
    .execute(database.db)
    .then(({ rows }) => {
      if (read === 0 && rows[0]?.step === 'Matching') read = performance.now() - before.at;
    });
}, 500);
await analysisJob.run(services, { analysisId });
clearInterval(looked);
clearInterval(progress);
const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const cpu = process.cpuUsage(before.cpu);
console.log(
  `${rowCount.toLocaleString('en-US')} rows, ${itemCount.toLocaleString('en-US')} items: ${seconds(performance.now() - before.at)} s, of them ${seconds(read)} s reading;`,
  `processor: server ${seconds((cpu.user + cpu.system) / 1000)} s, PostgreSQL ${seconds((await watched?.()) ?? 0)} s;`,
  `memory ${before.memory} MB, at most ${most} MB; the event loop waited ${(delay.percentile(99) / 1e6).toFixed(0)} ms (p99), ${(delay.max / 1e6).toFixed(0)} ms (most); load ${os.loadavg()[0]?.toFixed(1)}`,
);
const { rows: results } = await sql<{
  state: string;
  confidence: string;
  rows: number;
  priced: number;
  digest: string;
}>`
  select a.state, confidence, count(*)::int as rows, count(our_price)::int as priced,
      left(md5(string_agg(concat_ws('|', row_no, item_id, our_unit, score, their_year, our_year, reasons::text,
        doubts::text, candidates::text), '
' order by row_no)), 8) as digest
    from savings_row r join savings_analysis a on a.id = r.analysis_id
   where a.id = ${analysisId} group by 1, 2 order by 2`.execute(db);
console.table(results);
fs.rmSync(path.dirname(file), { recursive: true });
await backends?.close();
await database.close();
await scratch?.stop();

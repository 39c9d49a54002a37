// Measures quotes at risk at volume: the job after a change of many contract prices, the daily work, and the list.
// npm run bench -- risks --database postgres://…/<name> [--scale large] [--open 25000] [--prices 2000]; an empty database is filled first.
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#app/start.server.ts';
import { dailyRisksJob, riskJob } from '#addons/quotes-at-risk/calculate/risk-jobs.server.ts';
import { searchRisks } from '#addons/quotes-at-risk/search-risks.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { fill, SCALES } from './volume.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    scale: { type: 'string', default: 'large' },
    open: { type: 'string', default: '25000' },
    prices: { type: 'string', default: '2000' },
  },
});
if (!options.database) throw new Error('Say which database: --database postgres://…');
const scale = SCALES[options.scale as keyof typeof SCALES];
if (!scale) throw new Error(`--scale is one of ${Object.keys(SCALES).join(', ')}`);

const config = readConfig({ DATABASE_URL: options.database, DATA_DIR: '.data' }, 'tool');
const database = await openDatabase(config, { tool: true });
const { longDb: db } = database;
const services = { database, clock: { now: () => new Date() } } as Services;
const { rows: stored } = await sql<{
  quotes: number;
}>`select count(*)::int as quotes from (select from quote limit 1) q`.execute(db);
if (stored[0]?.quotes === 0) await fill(db, scale);

// Leaves as many quotes open as requested, none of them expired.
await sql`alter table quote disable trigger quote_noted`.execute(db);
await sql`update quote set status_id = 'Won' where status_id not in ('Won', 'Lost', 'Cancelled')
  and id not in (
    select id from quote where status_id not in ('Won', 'Lost', 'Cancelled') order by id limit ${Number(options.open)}
  )`.execute(db);
await sql`update quote set quote_date = current_date - 10, valid_until = current_date + 50
  where status_id not in ('Won', 'Lost', 'Cancelled')`.execute(db);
await sql`alter table quote enable trigger quote_noted`.execute(db);
await sql`truncate price_change, quote_risk`.execute(db);
await sql`analyze`.execute(db);

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const answer = await work();
  console.log(`${what}: ${(performance.now() - began).toLocaleString('en-US', { maximumFractionDigits: 0 })} ms`);
  return answer;
}
const count = async (what: string) => {
  const { rows } = await sql<{
    lines: number;
    quotes: number;
  }>`select count(*)::int as lines, count(distinct quote_id)::int as quotes from quote_risk`.execute(db);
  console.log(
    `  ${what}: ${rows[0]?.lines.toLocaleString('en-US')} lines of ${rows[0]?.quotes.toLocaleString('en-US')} quotes at risk`,
  );
};

await timed('daily work, all open quotes', () => dailyRisksJob.run(services));
await count('after it');

const changed = () =>
  sql`update contract_line_price set price = price + 1 where contract_line_id in (
    select id from contract_line where contract_id = 1 order by id limit ${Number(options.prices)})`.execute(db);
for (let n = 1; n <= 3; n++) {
  await timed(`change of the prices of ${options.prices} lines, all tiers`, changed);
  await timed('  its job', () => riskJob.run(services));
}
await count('after it');

const everyone = { id: 1, roles: ['systemadmin' as const], regionIds: [], supportedRepIds: [], deputyFor: [] };
const rep = { ...everyone, roles: ['salesrep' as const] };
const { rows: contracts } = await sql<{
  id: number;
}>`select contract_id as id from quote_risk where contract_id is not null
  group by 1 order by count(*) desc limit 1`.execute(db);
for (const [what, user, criteria] of [
  ['list, all', everyone, {}],
  ['list, page 50', everyone, { page: 50 }],
  ['list, of a kind', everyone, { kind: 'Price' as const }],
  ['list, of the contract with most', everyone, { contractId: contracts[0]?.id }],
  ['list, by name', everyone, { keyword: 'mercy' }],
  ['list, of a sales rep', rep, {}],
  ['list, mine', everyone, { mine: true }],
] as const) {
  const times: number[] = [];
  let total = 0;
  for (let n = 0; n < 15; n++) {
    const began = performance.now();
    ({ total } = await searchRisks(database.db, user, { page: 1, pageSize: 50, ...criteria }));
    times.push(performance.now() - began);
  }
  const sorted = times.toSorted((a, b) => a - b);
  console.log(
    `${what}: median ${Math.round(sorted[7] ?? 0)} ms, slowest ${Math.round(sorted[14] ?? 0)} ms, ${total.toLocaleString('en-US')} quotes`,
  );
}
await database.close();

// Measures the answers of reports at volume, for the company and for a rep, and how long a change takes to be in them.
// npm run bench -- reports [--quotes 500000] [--runs 5] [--database postgres://…/<empty or filled before>]
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#app/start.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { openPostgres } from '#platform/db/database.server.ts';
import { migrate } from '#platform/db/migrate.server.ts';
import { openScratchPostgres } from '#platform/db/own-postgres/own-postgres.server.ts';
import { getContractUse } from '#addons/reports/contract-use/contract-use.server.ts';
import { getDiscountMargin } from '#addons/reports/discount-margin/discount-margin.server.ts';
import { catchUp } from '#addons/reports/facts/catch-up.server.ts';
import { correctSums } from '#addons/reports/facts/kept-sums.server.ts';
import { getReportQuotes } from '#addons/reports/lists/report-quotes.server.ts';
import { getPivot } from '#addons/reports/pivot/pivot.server.ts';
import { getPipeline } from '#addons/reports/pipeline/pipeline.server.ts';
import { getSpeed } from '#addons/reports/speed/speed.server.ts';
import { getTerritorySales } from '#addons/reports/territory-sales/territory-sales.server.ts';
import { getWonLost } from '#addons/reports/won-lost/won-lost.server.ts';
import { readConfig } from '#platform/outside/config.server.ts';
import { addDays } from '#platform/shared/dates.ts';
import type { Role } from '#platform/shared/roles.ts';
import { Backends } from './processor.ts';
import { fill, SCALES } from './volume.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    quotes: { type: 'string', default: '500000' },
    runs: { type: 'string', default: '5' },
  },
});
const quotes = Number(options.quotes);
const REPS = 200;

const scratch = options.database ? undefined : await openScratchPostgres();
const database = options.database
  ? await openDatabase(readConfig({ DATABASE_URL: options.database, DATA_DIR: '.data' }, 'tool'), { tool: true })
  : openPostgres(scratch?.url ?? '', 10, { long: true });
if (scratch) await migrate(database.longDb);
// Processes that help for a moment would not be in the processor time.
await sql`do $$ begin execute format('alter database %I set max_parallel_workers_per_gather = 0', current_database()); end $$`.execute(
  database.longDb,
);
const { longDb: db } = database;
const services = { database, clock: { now: () => new Date() }, config: {} } as unknown as Services;

const { rows: stored } = await sql<{ isEmpty: boolean }>`
  select not exists (select from report_quote) as "isEmpty" from report_state`.execute(db);
if (stored[0]?.isEmpty) await timed(`${quotes.toLocaleString('en-US')} quotes written`, fillReports);

/** Two years of quotes: a course of hours and days for each, won and lost in thirds, five lines each, ten events each. */
async function fillReports(): Promise<void> {
  await fill(db, {
    ...SCALES.tiny,
    quotes: 20,
    long: 0,
    users: 400,
    territories: REPS,
    facilities: 5_000,
    items: 20_000,
    promotions: 25,
  });
  const first = 1000;
  for (const table of ['quote', 'quote_event'])
    await sql`alter table ${sql.table(table)} disable trigger all`.execute(db);
  await sql`
    insert into quote (id, num, status_id, facility_id, facility_name, facility_acct_no, owner_id, sales_rep_id, region_id, territory_id,
      quote_date, valid_until, list_total, subtotal, total_amount, lost_reason, lost_competitor, created_at, updated_at, revision)
    select ${first}::int + n, 1000000 + n,
      case when age > 45 or n % 4 = 0 then (array['Won', 'Lost', 'Won', 'Lost', 'Cancelled'])[n % 5 + 1]
        else (array['Editing', 'WaitingForProcess', 'Processing', 'SentToCustomer', 'SentToCustomer', 'Revising'])[n % 6 + 1] end,
      f.id, f.name, f.acct_no, t.id * 2 - 1, t.id * 2 - 1, t.region_id, t.id, (now() - age * interval '1 day')::date,
      (now() - age * interval '1 day')::date + 30, 1000 + n % 977, 900 + n % 877, 900 + n % 877, '',
      '', now() - age * interval '1 day', now(), 1 + (n % 7 = 0)::int
    from generate_series(1, ${quotes}::int) n cross join lateral (select 730 - n::bigint * 730 / ${quotes}::int as age) a
    join facility f on f.id = n * 37 % 5000 + 1 join territory t on t.id = n % ${REPS}::int + 1`.execute(db);
  await sql`update quote set lost_reason = (array['price', 'competitor', 'timing', 'budget'])[id % 4 + 1],
    lost_competitor = (array['Acme', 'Medco', 'Besco', ''])[id % 4 + 1] where status_id = 'Lost' and id > ${first}`.execute(
    db,
  );
  // The last event of each quote changes its total; those of the last week make the bridge.
  await sql`
    insert into quote_event (quote_id, at, user_id, actor, action, from_status, to_status, revision, changes)
    select id, least(now(), created_at + step * (1 + id % 40) * interval '1 hour'), owner_id,
      'Person', case step when 0 then 'Create' else 'Edit' end, null, case step when 0 then 'Editing' end, 1,
      case when step = 9 then jsonb_build_array(jsonb_build_object('field', 'Total', 'before',
        '$' || total_amount - 10, 'after', '$' || total_amount))
        else '[{"field": "Contact", "before": "", "after": "Pat"}]' end
    from quote, generate_series(0, 9) step where id > ${first} order by 2`.execute(db);
  for (const table of ['quote', 'quote_event'])
    await sql`alter table ${sql.table(table)} enable trigger all`.execute(db);
  await sql`
    insert into report_quote
    select id, 10, status_id, created_at + (id % 20) * interval '1 day', revision, owner_id, sales_rep_id,
      region_id, territory_id, facility_id, currn_idx, quote_date, valid_until, created_at, created_at + interval '5 hours', null,
      case when status_id in ('Won', 'Lost', 'SentToCustomer', 'Revising') then created_at + interval '2 days' end,
      case when status_id in ('Won', 'Lost', 'Cancelled') then least(now(), created_at + (3 + id % 40) * interval '1 day') end,
      least(now(), created_at + (3 + id % 40) * interval '1 day'), lost_reason, lost_competitor,
      case when status_id = 'Lost' and id % 3 = 0 then total_amount - 20 end, list_total, list_total - 20,
      list_total - 40, subtotal + 5, subtotal, 0, total_amount,
      round(10000 * (list_total - subtotal) / list_total)::int, subtotal * 0.6, subtotal, 0, 0, 60, 2,
      list_total - 40, 3600 * (1 + id % 50), 3600 * (1 + id % 30), 7200 * (1 + id % 20), null,
      case when id % 3 = 0 then 3600 * (1 + id % 9) end,
      case when status_id in ('Won', 'Lost') then 86400 * (1 + id % 30) end, null, 10
    from quote where id > ${first}`.execute(db);
  await sql`
    insert into report_counted_line
    select -(q.id * 5 + n), q.id, date_trunc('month', q.quote_date), q.currn_idx, q.status_id, q.facility_id,
      i.id, i.class_id, case when n < 2 then (q.id + n) % 8 + 1 end, case when n < 2 then ((q.id + n) % 8) * 2 + 1 end,
      case n when 0 then 15 when 2 then 14 else 10 end + case when n = 1 then 4 else 0 end, 'EA', 1 + n,
      q.list_amount / 5, q.rule_amount / 5, q.net_amount / 5, case when n > 0 then q.cost_amount / 5 end,
      q.discount, q.net_amount / 5 / (1 + n)
    from report_quote q cross join generate_series(0, 4) n join item i on i.id = (q.id * 13 + n * 101) % 20000 + 1`.execute(
    db,
  );
  await correctSums(db);
  for (const table of ['quote', 'quote_event'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      db,
    );
  await sql`select setval('quote_num', (select max(num) from quote))`.execute(db);
  await sql`update report_state set filled_to = (select max(id) from quote), fill_until = (select max(id) from quote),
    taken_event = (select max(id) from quote_event), mark_event = (select max(id) from quote_event)`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  console.log(`${what}: ${(performance.now() - began).toLocaleString('en-US', { maximumFractionDigits: 0 })} ms`);
}

const person = (id: number, roles: Role[]) => ({ id, roles, regionIds: [], supportedRepIds: [], deputyFor: [] });
const PEOPLE = { company: person(33, ['systemadmin']), rep: person(1, ['salesrep']) };
const day = new Date().toISOString().slice(0, 10);
const PERIODS = {
  '12 months': { from: addDays(day, -365), to: day },
  month: { from: addDays(day, -30), to: day },
};
const ANSWERS = {
  pipeline: getPipeline,
  'won and lost': getWonLost,
  'discount and margin': getDiscountMargin,
  speed: getSpeed,
  'contract use': getContractUse,
  'territory sales': getTerritorySales,
  'pivot of quotes': (request: Parameters<typeof getPipeline>[0], filters: Parameters<typeof getPipeline>[1]) =>
    getPivot(request, { ...filters, rows: 'rep', columns: 'month', measure: 'amount' }),
  'pivot of lines': (request: Parameters<typeof getPipeline>[0], filters: Parameters<typeof getPipeline>[1]) =>
    getPivot(request, { ...filters, rows: 'class', columns: 'month', measure: 'amount' }),
  'pivot counting': (request: Parameters<typeof getPipeline>[0], filters: Parameters<typeof getPipeline>[1]) =>
    getPivot(request, { ...filters, rows: 'class', columns: 'month', measure: 'quotes' }),
  'list of the won': (request: Parameters<typeof getPipeline>[0], filters: Parameters<typeof getPipeline>[1]) =>
    getReportQuotes(request, { ...filters, slice: 'status:Won', page: 1, pageSize: 20 }),
};

await catchUp(services);
const backends = await Backends.of(options.database ?? scratch?.url ?? '');
for (const [what, answer] of Object.entries(ANSWERS)) {
  const cells: string[] = [];
  for (const [who, user] of Object.entries(PEOPLE)) {
    for (const [period, filters] of Object.entries(PERIODS)) {
      const times: number[] = [];
      const processor = await backends?.watch();
      for (let run = 0; run < Number(options.runs); run++) {
        const began = performance.now();
        await answer({ db: database.db, user, services }, filters);
        times.push(performance.now() - began);
      }
      const [median = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(times.length / 2));
      const used = Math.round(((await processor?.()) ?? 0) / times.length);
      cells.push(`${who}, ${period}: ${Math.round(median)} ms (processor ${used})`);
    }
  }
  console.log(`${what.padEnd(20)} ${cells.join('   ')}`);
}
for (const changes of [1, 100, 1000]) {
  await sql`insert into quote_event (quote_id, user_id, actor, action, revision)
    select id, owner_id, 'Person', 'Edit', 1 from quote where id > 1000 order by id limit ${changes}`.execute(db);
  await timed(`${changes} changed quotes taken`, () => catchUp(services));
}
await backends?.close();
await database.close();
await scratch?.stop();

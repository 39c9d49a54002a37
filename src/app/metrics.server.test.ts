// Tests which process reports the figures of the database, and what they include.
import fs from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Database, openPostgres } from '#platform/db/database.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { OPEN_STATUSES } from '#core/quoting/quotes/status.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

const servers: TestServer[] = [];
let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  for (let n = 0; n < 2; n++)
    servers.push(await startTestServer({ database: openPostgres(addressOf(database), 4, { long: true }) }));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.close();
});

const metrics = async (n: number) => (await servers[n]?.inject({ method: 'GET', url: '/metrics' }))?.text ?? '';
const OF_DATABASE = /^(jobs|mails|mail_held|webhook_|crm_|order_|imports_|quotes|approvals_)/m;

it('one process of a database reports what is in it, and the other one when that is gone', async () => {
  const [first, second] = [await metrics(0), await metrics(1)];
  for (const line of [
    'jobs{kind="mail",state="failed"} 0',
    'jobs_oldest_waiting_seconds{kind="mail"} 0',
    'mails{state="Uncertain"} 0',
    'webhook_deliveries{state="Waiting"} 0',
    'webhook_endpoints_failing 0',
    'crm_pushes{state="Failed"} 0',
    'order_requests{state="Waiting"} 0',
    'imports_refused 0',
    'mail_held 0',
    'quotes{status="Processing"} 0',
    'quotes_oldest_days{status="Editing"} 0',
    'approvals_waiting 0',
    'approvals_oldest_waiting_seconds 0',
  ])
    expect(first).toContain(`\n${line}\n`);
  expect(second).not.toMatch(OF_DATABASE);
  for (const text of [first, second]) expect(text).toContain('\ndatabase_up 1\n');

  // Cuts the connection of the first process.
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`.execute(database.db);
  expect(await metrics(1)).toMatch(OF_DATABASE);
  expect(await metrics(0)).not.toMatch(OF_DATABASE);
  await servers.pop()?.close();
  await vi.waitFor(async () => expect(await metrics(0)).toMatch(OF_DATABASE), { timeout: 20_000 });
});

it('alarms and the board ask for figures that exist, and leave out none of ours', async () => {
  const exported = new Set([...(await metrics(0)).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  const text = ['alerts.yml', 'grafana.json'].map((name) => fs.readFileSync(`deploy/${name}`, 'utf8')).join('\n');
  const request = [
    ...text.matchAll(
      /\b(jobs|mails|quotes|(?:jobs|mail|webhook|crm|order|imports|quotes|approvals|live|database|storage|security|http|process)_\w+)(?=[ {[)"])/g,
    ),
  ].map(([, name]) => name?.replace(/_(bucket|count)$/, ''));
  expect(request.filter((name) => !exported.has(name))).toEqual([]);
  expect([...exported].filter((name) => !/^(nodejs|process)_/.test(name ?? '') && !request.includes(name))).toEqual([]);
});

it('open quotes are counted by status with the age of the oldest, and requests for approval', async () => {
  const { db } = database;
  const before = await metrics(0);
  const figureOf = (text: string, figure: string) =>
    Number(new RegExp(`^${figure.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1]);
  const quote = await aQuote(db, { statusId: 'Processing', quoteDate: '2020-01-01' });
  await aQuote(db, { statusId: 'Processing' });
  await aQuote(db, { statusId: 'Won', quoteDate: '2019-01-01' });
  await anApprovalRequest(db, {
    quoteId: quote.id,
    requestedBy: (await aUser(db)).id,
    roles: ['salesadmin'],
    requestedAt: new Date(Date.now() - 3_600_000).toISOString(),
  });
  const after = await metrics(0);
  const processing = 'quotes{status="Processing"}';
  expect(figureOf(after, processing)).toBe(figureOf(before, processing) + 2);
  const days = (Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse('2020-01-01')) / 86_400_000;
  expect(Math.abs(figureOf(after, 'quotes_oldest_days{status="Processing"}') - days)).toBeLessThanOrEqual(1);
  expect(after).not.toContain('quotes{status="Won"}');
  expect(figureOf(after, 'approvals_waiting')).toBe(figureOf(before, 'approvals_waiting') + 1);
  expect(figureOf(after, 'approvals_oldest_waiting_seconds')).toBeGreaterThanOrEqual(3600);
});

it('counting open quotes reads the index alone', async () => {
  const plan = await database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    await sql`set local enable_bitmapscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain
      select status_id, count(*), current_date - min(quote_date) from quote
      where status_id = any(${OPEN_STATUSES}) group by status_id`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('Index Only Scan using quote_status');
});

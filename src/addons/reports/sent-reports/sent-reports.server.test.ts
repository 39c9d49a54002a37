// Tests reports by mail: who sets them up and stops them, what each recipient sees, sent once by two servers, held in a restored copy.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '#platform/db/database.server.ts';
import type { OutgoingMail } from '#platform/outside/mail.server.ts';
import { addressOf, freshDatabase } from '#testing/base-database.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Report } from '../reports.contract.ts';
import { sentReportsJob } from './send-reports.server.ts';
import { SentReports } from './sent-reports.contract.ts';

/** A Tuesday, 9 AM in the company's time zone. */
const NOW = '2026-11-10T15:00:00Z';
/** The Monday after it, and the first of the month, at 7 AM. */
const MONDAY = '2026-11-16T13:00:00Z';
const FIRST = '2026-12-01T13:00:00Z';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.setNow(NOW);
  await server.db.deleteFrom('sent_report').execute();
  server.mails.length = 0;
});

const add = (as: { id: number }, more: Record<string, unknown> = {}) =>
  server.call(SentReports.AddSentReport, { report: 'pipeline', address: '', every: 'week', ...more }, { as });
const list = async (as: { id: number }) => (await server.ok(SentReports.GetSentReports, {}, { as })).reports;
const mailTo = (user: { userName: string }) => server.mails.filter(({ to }) => to.includes(user.userName));
const bytesOf = (mail: OutgoingMail | undefined, ending: string) => {
  const match = mail?.attachments?.find(({ name }) => name.endsWith(ending));
  if (!match) throw new Error(`no ${ending} attached`);
  return Buffer.from(match.bytes);
};

/** Advances to a time and runs what is due then. */
async function at(instant: string): Promise<void> {
  server.setNow(instant);
  if (await sentReportsJob.due(server.services)) await sentReportsJob.run(server.services);
  await server.drain();
}

describe('setting up', () => {
  test('a rep sends themselves a report; what is none of its filters is left out of its address', async () => {
    const { rep, region } = await aSalesOffice(server.db);
    const { status, body } = await add(rep, {
      report: 'won-lost',
      address: `period=lastMonth&regionId=${region.id}&evil=<script>&page=7`,
      every: 'month',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      report: 'won-lost',
      address: `period=lastMonth&regionId=${region.id}`,
      of: ['Last month', `Region: ${region.name}`],
      roles: [],
      mayStop: true,
      getsIt: true,
      nextOn: '2026-12-01',
      lastOn: null,
    });
    expect(await list(rep)).toHaveLength(1);
    expect(await list(await aUser(server.db))).toEqual([]);
  });

  test('only administrators and managers send to roles', async () => {
    const { rep, inside, manager } = await aSalesOffice(server.db);
    for (const user of [rep, inside]) expect((await add(user, { roles: ['salesrep'] })).status).toBe(403);
    expect((await add(manager, { roles: ['salesrep'] })).status).toBe(200);
    expect((await add(manager, { roles: ['king'] })).status).toBe(422);
    expect((await add(rep, { report: 'weather' })).status).toBe(422);
  });

  test('fifty are enough', async () => {
    const user = await aUser(server.db);
    await server.db
      .insertInto('sent_report')
      .values(
        Array.from({ length: 50 }, () => ({
          report: 'speed',
          address: '',
          every: 'week',
          owner_id: user.id,
          next_on: '2030-01-01',
        })),
      )
      .execute();
    expect((await add(user)).status).toBe(422);
  });
});

describe('stopping', () => {
  test('its owner stops it for all, a recipient for themselves, nobody else', async () => {
    const { manager, rep, support, admin } = await aSalesOffice(server.db);
    const { body } = await add(manager, { roles: ['salesrep'] });
    const stop = (as: { id: number }, version = body.version) =>
      server.call(SentReports.StopSentReport, { id: body.id, version }, { as });
    expect((await stop(support)).status).toBe(404);
    expect(await list(rep)).toMatchObject([{ mayStop: false, getsIt: true }]);
    expect((await stop(rep)).status).toBe(200);
    expect(await list(rep)).toEqual([]);
    expect((await stop(rep)).status).toBe(404);
    await at(MONDAY);
    expect(mailTo(rep)).toEqual([]);
    expect(server.mails.length).toBeGreaterThan(0);

    expect(await list(admin)).toMatchObject([{ mayStop: true, getsIt: false }]);
    expect((await stop(manager, body.version + 1)).status).toBe(409);
    expect((await stop(manager)).status).toBe(200);
    expect(await list(admin)).toEqual([]);
  });
});

describe('sending', () => {
  test('each person gets the figures of their own sight, as PDF and CSV, once a week', async () => {
    const office = await aSalesOffice(server.db);
    const other = await aUser(server.db);
    const anOwnedQuote = (ownerId: number, totalAmount: number) =>
      aQuote(server.db, {
        facility: office.facility,
        ownerId,
        regionId: office.region.id,
        statusId: 'Processing',
        totalAmount,
      });
    await anOwnedQuote(office.rep.id, 1111.5);
    await anOwnedQuote(other.id, 2222.25);
    await add(office.manager, { roles: ['salesrep'], address: `regionId=${office.region.id}` });
    await add(office.manager, { address: `regionId=${office.region.id}` });

    await at('2026-11-16T11:59:00Z');
    expect(server.mails).toEqual([]);
    await at(MONDAY);
    await at(MONDAY);
    const [[mine], [theirs], all] = [mailTo(office.rep), mailTo(other), mailTo(office.manager)];
    expect(all).toHaveLength(1);
    expect(mine?.text).toContain('Open and not expired: $1,111.50 in 1 quote');
    expect(theirs?.text).toContain('Open and not expired: $2,222.25 in 1 quote');
    expect(all[0]?.text).toContain('Open and not expired: $3,333.75 in 2 quotes');
    expect(mine?.text).toContain(`Region: ${office.region.name}`);
    expect(mine?.subject).toMatch(/^Pipeline, 11\/17\/2025 to 11\/16\/2026$/);
    expect(bytesOf(mine, '.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    const csv = bytesOf(mine, '.csv').toString();
    expect(csv).toContain('Open quotes by status,Processing,Open,1111.5,US dollars');
    expect(csv).not.toContain('2222.25');
    expect(await list(office.manager)).toMatchObject([
      { nextOn: '2026-11-23', lastOn: '2026-11-16' },
      { nextOn: '2026-11-23', lastOn: '2026-11-16' },
    ]);
  });

  test('a sales rep gets no margin, an inside rep does', async () => {
    const { rep, inside, admin, facility, region } = await aSalesOffice(server.db);
    const quote = await aQuote(server.db, { facility, ownerId: rep.id, regionId: region.id, statusId: 'Processing' });
    await server.db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: 1,
        qty: 10,
        unit: 'EA',
        list_price: 10,
        system_price: 10,
        unit_price: 10,
        line_total: 100,
        cost: 6,
      })
      .execute();
    await server.db.updateTable('quote').set({ subtotal: 100 }).where('id', '=', quote.id).execute();
    await add(admin, {
      report: 'discount-margin',
      every: 'month',
      roles: ['salesrep', 'insiderep'],
      address: `regionId=${region.id}`,
    });
    await at(FIRST);
    expect(mailTo(inside)[0]?.text).toContain('Margin on lines with a cost: 40%');
    expect(mailTo(rep)[0]?.text).toContain('Net: $100.00');
    expect(mailTo(rep)[0]?.text).not.toContain('Margin on lines');
    expect(bytesOf(mailTo(rep)[0], '.csv').toString()).not.toContain('Margin by');
    expect(bytesOf(mailTo(inside)[0], '.csv').toString()).toContain('Margin by');
  });

  test('a pivot goes out with its choice and its own file; one of margins only to who may know the cost', async () => {
    const { rep, inside, admin, facility, region } = await aSalesOffice(server.db);
    const pivot = (value: string) => ({
      report: 'pivot',
      address: `regionId=${region.id}&rows=region&columns=status&value=${value}`,
    });
    expect((await add(rep, pivot('margin'))).status).toBe(403);
    await aQuote(server.db, {
      facility,
      ownerId: rep.id,
      regionId: region.id,
      statusId: 'Processing',
      totalAmount: 70,
    });
    const { body } = await add(rep, pivot('quotes'));
    expect(body.of).toEqual(['Quotes by region and status', 'Last 12 months', `Region: ${region.name}`]);
    await add(admin, { ...pivot('margin'), roles: ['salesrep', 'insiderep'] });
    await at(MONDAY);
    expect(mailTo(inside)).toHaveLength(1);
    const [mail, ...more] = mailTo(rep);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('Quotes by region and status: 1 quote');
    expect(bytesOf(mail, '.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytesOf(mail, '.csv').toString()).toBe(
      `\uFEFFRegion,Processing,Total (quotes)\r\n${region.name},1,1\r\nTotal,1,1\r\n`,
    );
  });

  test('who is not active any more, or lost the role, gets nothing', async () => {
    const { rep, support, manager } = await aSalesOffice(server.db);
    await add(rep);
    await add(manager, { roles: ['salessupport'] });
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', rep.id).execute();
    await server.db.deleteFrom('user_role').where('user_id', '=', support.id).execute();
    await at(MONDAY);
    expect([...mailTo(rep), ...mailTo(support)]).toEqual([]);
  });

  test('nothing goes out while a restored copy holds its mail', async () => {
    const { rep } = await aSalesOffice(server.db);
    await add(rep);
    await server.db.updateTable('installation').set({ mail_held_at: NOW }).execute();
    await at(MONDAY);
    expect(server.mails).toEqual([]);
    expect(await list(rep)).toMatchObject([{ lastOn: null }]);
    await server.db.updateTable('installation').set({ mail_held_at: null }).execute();
    await at(MONDAY);
    expect(mailTo(rep)).toHaveLength(1);
  });
});

test('two servers send each report once to each person', async () => {
  const database = await freshDatabase();
  const both: TestServer[] = [];
  // Servers of one database share its files: one server sends the mail that the other created.
  const storageUrl = `file:${fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-test-'))}`;
  try {
    for (let n = 0; n < 2; n++)
      both.push(
        await startTestServer({
          database: openPostgres(addressOf(database), 4, { long: true }),
          config: { storageUrl },
        }),
      );
    const [first] = both;
    if (!first) throw new Error('no server');
    const { manager, rep } = await aSalesOffice(first.db);
    for (const entry of both) entry.setNow(NOW);
    await first.ok(
      SentReports.AddSentReport,
      { report: 'pipeline', address: '', every: 'week', roles: ['salesrep', 'salesQuoteManager'] },
      { as: manager },
    );
    // Otherwise one of them may find that the other is preparing the facts, and try again later.
    await first.ok(Report.GetPipeline, { from: '2026-11-01', to: '2026-11-30' }, { as: manager });
    for (const entry of both) entry.setNow(MONDAY);
    await Promise.all(both.map((entry) => sentReportsJob.run(entry.services)));
    for (let ran = 1; ran > 0; )
      ran = (await Promise.all(both.map((entry) => entry.drain()))).reduce((sum, count) => sum + count, 0);
    expect(await first.services.jobs.list({ state: 'retry' })).toEqual([]);
    const to = both.flatMap(({ mails }) => mails.flatMap((mail) => mail.to)).toSorted();
    expect(to).toEqual([manager.userName, rep.userName].toSorted());
  } finally {
    for (const entry of both) await entry.close();
    await database.close();
  }
});

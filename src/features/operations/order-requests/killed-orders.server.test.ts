// Kills the server while quotes are won, orders are written, and the ERP answers: each won quote has one order with one number.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import {
  aProcessHome,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import type { Order } from './order.ts';

/** The large run in docs/decisions/0215 sets `WON_QUOTES=10000`. */
const QUOTES = Number(process.env['WON_QUOTES'] ?? 200);
const KILLS = QUOTES > 1000 ? 12 : 4;
const AT_ONCE = 8;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

it(`${QUOTES} won quotes with ${KILLS} kills are ${QUOTES} orders`, { timeout: 3_600_000 }, async () => {
  const quotes: { id: number; num: number }[] = [];
  let userId = 0;
  home = await aProcessHome(async ({ db }) => {
    userId = (await aUser(db, { roles: ['systemadmin'] })).id;
    const facility = await aFacility(db);
    for (let n = 0; n < QUOTES; n++)
      quotes.push(await aPricedQuote(db, { statusId: 'SentToCustomer', ownerId: userId, facility }));
    await db.updateTable('order_settings').set({ files: true, format: 'x12' }).execute();
  });
  const { address, open, dataDir } = home;
  const folder = path.join(dataDir, 'orders');
  const environment = { ...home.environment, ORDER_FOLDER: folder, RATE_LIMIT: '1000000' };
  const { token } = await tokensOf(home, environment, { token: { id: userId } });
  const call = (name: string, input: object) =>
    fetch(`${address}/api/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });

  const left = [...quotes];
  let won = 0;
  /** Repeats a call that got no answer; the answer is 409 if the first call won the quote. */
  const winSome = async () => {
    for (let quote = left.pop(); quote; quote = left.pop()) {
      const input = { quoteId: quote.id, action: 'MarkWon', version: 1, poNumber: `PO ${quote.num}` };
      const status = await call('QuoteWorkflow/PerformWorkflowAction', input).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200 || status === 409) won++;
      else {
        left.push(quote);
        return;
      }
    }
  };
  const taken = new Map<string, string>();
  /** An ERP that gives each order one number and sends each answer three times. */
  const answerSome = async () => {
    const answer = await call('Order/GetOrderRequests', { pageSize: 200 }).catch(() => null);
    if (answer?.status !== 200) return 0;
    const { records } = (await answer.json()) as { records: { key: string; order: Order }[] };
    for (const { key } of records) {
      const erpOrderNo = taken.get(key) ?? `SO${taken.size + 1}`;
      taken.set(key, erpOrderNo);
      for (let n = 0; n < 3; n++) {
        const said = await call('Order/AcknowledgeOrder', { key, erpOrderNo, status: 'Acknowledged' }).catch(
          () => null,
        );
        if (said && said.status !== 200) throw new Error(await said.text());
      }
    }
    return records.length;
  };

  for (let kill = 0; kill < KILLS; kill++) {
    const server = await startServerProcess(environment);
    const work = [...Array.from({ length: AT_ONCE }, winSome), kill % 2 ? answerSome() : sleep(0)];
    const stop = Math.round((QUOTES * (kill + 1)) / (KILLS + 1));
    await until(() => won >= stop || left.length === 0, 1200);
    await sleep(7 * kill);
    server.child.kill('SIGKILL');
    await server.ended;
    await Promise.all(work);
    // The jobs of a dead process are free after a minute.
    const database = await open();
    await database.pool.query(
      `update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'`,
    );
    await database.pool.query(`update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'`);
    await database.close();
  }
  const server = await startServerProcess(environment);
  await Promise.all(Array.from({ length: AT_ONCE }, winSome));
  expect(left).toEqual([]);
  while ((await answerSome()) > 0);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  const keys = quotes.map(({ num }) => `${num}-R1`).toSorted();
  const database = await open();
  const rows = await database.db
    .selectFrom('order_request')
    .innerJoin('quote', 'quote.id', 'order_request.quote_id')
    .select(['key', 'state', 'erp_order_no', 'quote.status_id', 'sent_by'])
    .execute();
  const kept = await database.db.selectFrom('order_file').select(['name', 'content', 'written_at']).execute();
  await database.close();
  expect(rows.map(({ key }) => key).toSorted()).toEqual(keys);
  expect(new Set(rows.map(({ status_id, state }) => `${status_id} ${state}`))).toEqual(new Set(['Won Acknowledged']));
  expect(new Set(rows.map(({ erp_order_no }) => erp_order_no)).size).toBe(QUOTES);
  for (const { key, erp_order_no } of rows) expect(erp_order_no).toBe(taken.get(key));
  // Each file in the folder is whole and has the stored content.
  const contents = new Map(kept.map(({ name, content }) => [name, content]));
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
  for (const name of files) expect(fs.readFileSync(path.join(folder, name), 'utf8')).toBe(contents.get(name));
  const written = kept.filter(({ written_at }) => written_at !== null).map(({ name }) => name);
  expect(written.filter((name) => !files.includes(name))).toEqual([]);
});

// A server killed while quotes are won, orders are written, and the ERP answers: each won quote has one order with one number.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { OrderExchange } from '#addons/orders/order-requests.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aFacility, aUser } from '../factories/people.server.ts';
import { aPricedQuote } from '../factories/quotes.server.ts';
import { until } from '../server-process.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

/** The large run in docs/decisions/0038 sets `WON_QUOTES=10000`. */
const QUOTES = Number(process.env['WON_QUOTES'] ?? 200);
const KILLS = QUOTES > 1000 ? 12 : 4;
const CALLERS = 8;

export async function orders(): Promise<KillCase> {
  const quotes: { id: number; num: number }[] = [];
  const left: typeof quotes = [];
  let folder = '';
  let won = 0;
  /** Repeats a call that got no answer; the answer is 409 if the first call won the quote. */
  const winSome = async (server: KilledServer) => {
    for (let quote = left.pop(); quote; quote = left.pop()) {
      const input = { quoteId: quote.id, action: 'MarkWon' as const, version: 1, poNumber: `PO ${quote.num}` };
      const status = await server.statusOf(QuoteWorkflow.PerformWorkflowAction, input);
      if (status === 200 || status === 409) won++;
      else {
        left.push(quote);
        return;
      }
    }
  };
  const winAll = (server: KilledServer) => Array.from({ length: CALLERS }, () => winSome(server));
  const taken = new Map<string, string>();
  /** An ERP that gives each order one number and sends each answer three times. */
  const answerSome = async (server: KilledServer) => {
    const answer = await server.fetchFrom(OrderExchange.GetOrderRequests, { pageSize: 200 }).catch(() => null);
    if (answer?.status !== 200) return 0;
    const { records } = (await answer.json()) as { records: { key: string }[] };
    for (const { key } of records) {
      const erpOrderNo = taken.get(key) ?? `SO${taken.size + 1}`;
      taken.set(key, erpOrderNo);
      for (let n = 0; n < 3; n++) {
        const status = await server.statusOf(OrderExchange.AcknowledgeOrder, {
          key,
          erpOrderNo,
          status: 'Acknowledged',
        });
        if (status !== 0) expect(status).toBe(200);
      }
    }
    return records.length;
  };
  const among = (kill: number): Point => ({
    work: async (server) => {
      const work = [...winAll(server), kill % 2 ? answerSome(server) : sleep(0)];
      const enough = Math.round((QUOTES * (kill + 1)) / (KILLS + 1));
      await until(() => won >= enough || left.length === 0, 1200);
      await sleep(7 * kill);
      return () => Promise.all(work);
    },
  });
  return {
    fill: async ({ db }) => {
      const user = await aUser(db, { roles: ['systemadmin'] });
      const facility = await aFacility(db);
      for (let n = 0; n < QUOTES; n++)
        quotes.push(await aPricedQuote(db, { statusId: 'SentToCustomer', ownerId: user.id, facility }));
      left.push(...quotes);
      await db.updateTable('order_settings').set({ files: true, format: 'x12' }).execute();
      return user;
    },
    variables: (dataDir) => {
      folder = path.join(dataDir, 'orders');
      return { ORDER_FOLDER: folder, RATE_LIMIT: '1000000' };
    },
    points: Array.from({ length: KILLS }, (_, kill) => among(kill)),
    rest: async (server) => {
      await Promise.all(winAll(server));
      expect(left).toEqual([]);
      while ((await answerSome(server)) > 0);
    },
    proof: async (server) => {
      const [rows, stored] = await server.inDatabase(async ({ db }) => [
        await db
          .selectFrom('order_request')
          .innerJoin('quote', 'quote.id', 'order_request.quote_id')
          .select(['key', 'state', 'erp_order_no', 'quote.status_id', 'sent_by'])
          .execute(),
        await db.selectFrom('order_file').select(['name', 'content', 'written_at']).execute(),
      ]);
      expect(rows.map(({ key }) => key).toSorted()).toEqual(quotes.map(({ num }) => `${num}-R1`).toSorted());
      expect(new Set(rows.map(({ status_id, state }) => `${status_id} ${state}`))).toEqual(
        new Set(['Won Acknowledged']),
      );
      expect(new Set(rows.map(({ erp_order_no }) => erp_order_no)).size).toBe(QUOTES);
      for (const { key, erp_order_no } of rows) expect(erp_order_no).toBe(taken.get(key));
      // Each file in the folder is whole and has the stored content.
      const contents = new Map(stored.map(({ name, content }) => [name, content]));
      const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
      for (const name of files) expect(fs.readFileSync(path.join(folder, name), 'utf8')).toBe(contents.get(name));
      const written = stored.filter(({ written_at }) => written_at !== null).map(({ name }) => name);
      expect(written.filter((name) => !files.includes(name))).toEqual([]);
    },
  };
}

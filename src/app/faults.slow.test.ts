// Tests real servers, two at once if the database allows it, under double clicks, a hanging mail server, and a database that becomes unavailable.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit, type QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import {
  aProcessHome,
  connectTo,
  freePort,
  isIdle,
  killProcesses,
  metricsOf,
  type ProcessHome,
  type ServerProcess,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';

const SENTENCE = 'The database cannot be reached right now. Try again in a moment.';

/** Generous, for busy computers. */
const SLOWLY = { timeout: 600_000 };

type Answer = { status: number; body: QuoteEditData & { detail?: string; item?: { id: number; version: number } } };

let smtp: TestSmtp;
let home: ProcessHome;
/** A connection path to the database that the test can cut. */
let database: Passage;
const servers: ServerProcess[] = [];
const addresses: string[] = [];
let tokens: Record<'cs' | 'manager' | 'salesAdmin', string>;
/** Quotes of which each test uses as many as it needs. */
const ready: number[] = [];
const discounted: number[] = [];

beforeAll(async () => {
  smtp = await startSmtp();
  let people: Record<keyof typeof tokens, { id: number }> | undefined;
  home = await aProcessHome(async ({ db }) => {
    await db.transaction().execute(async (trx) => {
      const office = await aSalesOffice(trx);
      people = { cs: office.cs, manager: office.manager, salesAdmin: office.salesAdmin };
      const input = { statusId: 'Processing', salesRepId: office.rep.id, regionId: office.region.id } as const;
      for (let n = 0; n < 120; n++) ready.push((await aPricedQuote(trx, input)).id);
      // 12% off: a manager or a sales administrator may approve it.
      const lines = [{ qty: 10, systemPrice: 10, unitPrice: 8.8 }];
      for (let n = 0; n < 12; n++) discounted.push((await aPricedQuote(trx, { ...input, lines })).id);
    });
  });
  const environment: Record<string, string> = { ...home.environment, SMTP_URL: smtp.url, MAIL: '' };
  tokens = await tokensOf(home, environment, people as NonNullable<typeof people>);
  database = await aPassageTo(new URL(environment['DATABASE_URL'] ?? ''));
  environment['DATABASE_URL'] = database.url;
  const port = String(await freePort());
  addresses.push(home.address, `http://127.0.0.1:${port}`);
  servers.push(
    ...(await Promise.all([startServerProcess(environment), startServerProcess({ ...environment, PORT: port })])),
  );
});
afterAll(async () => {
  killProcesses();
  await smtp.goAway();
  database.goAway();
  await home.remove();
});

type Passage = { url: string; goAway: () => void; comeBack: () => Promise<void> };

/** Opens a port that forwards to the server of `url` until it is cut: then connections break and new ones are refused. */
async function aPassageTo(url: URL): Promise<Passage> {
  const open = new Set<net.Socket>();
  const door = net.createServer((near) => {
    const far = connectTo(url);
    for (const [first, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(first);
      first.on('error', () => {});
      first.on('close', () => {
        open.delete(first);
        other.destroy();
      });
      first.pipe(other);
    }
  });
  const port = await freePort();
  const comeBack = async () => {
    door.listen(port, '127.0.0.1');
    await once(door, 'listening');
  };
  await comeBack();
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  through.searchParams.delete('host');
  return {
    url: through.href,
    goAway: () => {
      door.close();
      for (const socket of open) socket.destroy();
    },
    comeBack,
  };
}

let turn = 0;
/** Calls the servers alternately. */
async function call(path: string, body: unknown, who: keyof typeof tokens = 'cs'): Promise<Answer> {
  const response = await fetch(`${addresses[turn++ % addresses.length]}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Makes both calls at once: one succeeds, the other gets a sentence that explains why not. */
async function oneOf(...calls: Promise<Answer>[]): Promise<{ won: Answer['body']; sentence: string }> {
  const answers = await Promise.all(calls);
  const [won, ...refused] = answers.toSorted((a, b) => a.status - b.status);
  expect([won?.status, ...refused.map(({ status }) => status)]).toEqual([200, ...refused.map(() => 409)]);
  return { won: (won as Answer).body, sentence: refused[0]?.body.detail ?? '' };
}

const take = (quotes: number[]): number => {
  const id = quotes.pop();
  if (id === undefined) throw new Error('too few quotes were made');
  return id;
};
const act = (quoteId: number, action: string, version: number, who: keyof typeof tokens) =>
  call(QuoteWorkflow.PerformWorkflowAction.path, { quoteId, action, version, comment: 'As agreed' }, who);
const send = (quoteId: number) =>
  call(QuoteWorkflow.SendEmail.path, {
    quoteId,
    version: 1,
    to: [`buyer-${quoteId}@example.org`],
    subject: 'Your quote',
    body: 'Hello',
  });
const read = (quoteId: number) => call(`${QuoteEdit.PopulateQuoteEditDataForInternalRep.path}?id=${quoteId}`, {});
const eventsOf = async (quoteId: number) => (await read(quoteId)).body.events.map(({ action }) => action);
const mailsFor = (quoteId: number) => smtp.taken.filter(({ to }) => to.includes(`buyer-${quoteId}@example.org`));
const line = (quoteId: number, more: object) => ({
  id: 0,
  quoteId,
  type: 'custom',
  itemNumber: 'C-1',
  description: 'Cart',
  qty: 1,
  unit: 'EA',
  unitPrice: 1,
  ...more,
});

/** Waits until no background work is left. */
async function settle(): Promise<void> {
  await until(async () => isIdle(await metricsOf(addresses[0] ?? '')), 120);
}

describe('two at once', () => {
  it('approve a discount: one does, one event, one email', SLOWLY, async () => {
    for (let round = 0; round < 6; round++) {
      const id = take(discounted);
      const { version } = (await act(id, 'RequestApproval', 1, 'cs')).body.quote;
      const both = await oneOf(
        act(id, 'ApproveDiscount', version, 'manager'),
        act(id, round % 2 === 0 ? 'ApproveDiscount' : 'RejectDiscount', version, 'salesAdmin'),
      );
      expect(both.sentence).toMatch(
        /^Person \d+ (approved|rejected) the discount in the meantime\. [\w ]+\. Review it before you continue\.$/,
      );
      const events = await eventsOf(id);
      expect(events.filter((action) => /^(Approve|Reject)Discount$/.test(action))).toHaveLength(1);
    }
    await settle();
    const mails = smtp.taken.filter(({ mail }) =>
      /^Subject: .*discount (approved|rejected)/m.test(mail.replace(/\r\n /g, ' ')),
    );
    expect(mails).toHaveLength(6);
  });

  it('send a quote, or press Send twice: it is sent once, with one email', SLOWLY, async () => {
    const ids = Array.from({ length: 6 }, () => take(ready));
    for (const id of ids) {
      const { sentence } = await oneOf(send(id), send(id), send(id));
      expect(sentence).toMatch(
        /^Person \d+ sent the quote in the meantime\. This quote was sent to the customer\. Revise it to change it\. Review it before you continue\.$/,
      );
      expect(await eventsOf(id)).toEqual(['Send']);
    }
    await settle();
    expect(ids.map((id) => mailsFor(id).length)).toEqual(ids.map(() => 1));
  });

  it('accept as the customer, or accept and decline: the quote is decided once', SLOWLY, async () => {
    for (let round = 0; round < 6; round++) {
      const id = take(ready);
      const { docId } = (await send(id)).body.quote;
      const accept = { docId, name: 'Jane Doe', title: 'Buyer', poNumber: 'PO-9', acceptTerms: true };
      const decline = { docId, name: 'John Roe', reasonCode: 'price', comment: 'Too dear' };
      const { sentence } = await oneOf(
        call(QuoteDoc.AcceptQuote.path, accept),
        round % 2 === 0 ? call(QuoteDoc.AcceptQuote.path, accept) : call(QuoteDoc.DeclineQuote.path, decline),
      );
      expect(sentence).toMatch(/^This quote was (accepted by Jane Doe|declined) on /);
      expect((await eventsOf(id)).filter((action) => action.startsWith('Mark'))).toHaveLength(1);
    }
  });

  it('save one line: one does, the other learns by whom', SLOWLY, async () => {
    const id = take(ready);
    const { item } = (await call(QuoteEdit.SaveQuoteItem.path, line(id, {}))).body;
    const change = (qty: number) => call(QuoteEdit.SaveQuoteItem.path, line(id, { ...item, qty }));
    const { won } = await oneOf(change(2), change(3), change(4));
    const stored = (await read(id)).body.items.find((candidate) => candidate.id === item?.id);
    expect(stored?.qty).toBe((won as unknown as { item: { qty: number } }).item.qty);
  });
});

describe('a mail server that hangs', () => {
  it('holds up nobody who sends or saves; the emails arrive, once, when it is well again', SLOWLY, async () => {
    const visits = smtp.visits();
    smtp.become('hang');
    const ids = Array.from({ length: 3 }, () => take(ready));
    for (const id of ids) {
      expect((await send(id)).body.quote.statusId).toBe('SentToCustomer');
      expect((await call(QuoteEdit.SaveQuoteItem.path, line(take(ready), {}))).status).toBe(200);
    }
    await until(() => smtp.visits() >= visits + ids.length, 180);
    smtp.become('take');
    // Makes the next try due now, not after a growing pause.
    const { pool, close } = await home.open();
    await until(async () => {
      await pool.query("update pgboss.job set start_after = now() where state = 'retry'");
      return ids.every((id) => mailsFor(id).length > 0);
    }, 180);
    await close();
    await settle();
    expect(ids.map((id) => mailsFor(id).length)).toEqual([1, 1, 1]);
  });
});

describe('a database', () => {
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: home.environment['DATABASE_URL'] });
    await admin.connect();
  });
  afterAll(() => admin.end());
  const cut = () =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  const live = () => servers.every(({ child }) => child.exitCode === null && child.signalCode === null);

  it('that cuts connections off in the middle is used again, and nothing is lost or doubled', SLOWLY, async () => {
    const over = new AbortController();
    const acknowledged: string[] = [];
    const unknown = new Set<string>();
    const refused: Answer[] = [];
    const edited = Array.from({ length: 4 }, () => take(ready));
    const save = async (quoteId: number) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const itemNumber = `${quoteId}/${n}`;
        const answer = await call(QuoteEdit.SaveQuoteItem.path, line(quoteId, { itemNumber }));
        if (answer.status === 200) acknowledged.push(itemNumber);
        else {
          refused.push(answer);
          unknown.add(itemNumber);
        }
      }
    };
    const sent: number[] = [];
    const sendAll = async () => {
      while (!over.signal.aborted && ready.length > 20) {
        const id = take(ready);
        for (let status = 0; status !== 200 && status !== 409; ) {
          const answer = await send(id);
          status = answer.status;
          // 409: the previous call took effect although its answer did not show it.
          if (status !== 200 && status !== 409) refused.push(answer);
        }
        sent.push(id);
      }
    };
    const clients = [...edited.map(save), sendAll()];
    // On a busy computer nothing would be done between two cuts in quick succession.
    let pause = 250;
    for (const end = Date.now() + 180_000; refused.length < 10 || acknowledged.length < 40 || sent.length < 6; ) {
      if (Date.now() > end) {
        const happened = `${refused.length} refused, ${acknowledged.length} saved, ${sent.length} sent`;
        throw new Error(`too little happened: ${happened}`);
      }
      await sleep(pause);
      await cut();
      pause = Math.min(pause * 1.1, 5000);
    }
    over.abort();
    await Promise.all(clients);
    expect(refused.filter(({ status, body }) => status !== 503 || body.detail !== SENTENCE)).toEqual([]);
    expect(live()).toBe(true);

    const stored: string[] = [];
    for (const id of edited) {
      const { items } = (await read(id)).body;
      stored.push(...items.map((item) => item.itemNumber).filter((number) => number.startsWith(`${id}/`)));
    }
    expect(acknowledged.filter((number) => !stored.includes(number))).toEqual([]);
    expect(stored.toSorted()).toEqual([...new Set(stored)].toSorted());
    expect(stored.filter((number) => !acknowledged.includes(number) && !unknown.has(number))).toEqual([]);
    await takeOver();
    await settle();
    expect(sent.filter((id) => mailsFor(id).length !== 1)).toEqual([]);
  });

  it('that is away makes the servers say so, and is used again when it is back', SLOWLY, async () => {
    const id = take(ready);
    database.goAway();
    try {
      for (const address of addresses) {
        const readyz = await fetch(`${address}/readyz`);
        expect([readyz.status, await readyz.json()]).toEqual([
          503,
          { status: 'not ready', reason: 'the database cannot be reached' },
        ]);
        expect((await fetch(`${address}/healthz`)).status).toBe(200);
        expect(await metricsOf(address)).toContain('database_up 0');
      }
      const refused = await call(QuoteEdit.SaveQuoteItem.path, line(id, {}));
      expect([refused.status, refused.body.detail]).toEqual([503, SENTENCE]);
    } finally {
      await database.comeBack();
    }
    for (const address of addresses) expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect((await call(QuoteEdit.SaveQuoteItem.path, line(id, {}))).status).toBe(200);
    expect(live()).toBe(true);
  });

  it('that is away when the mail server says yes learns of it later: the email goes out once', SLOWLY, async () => {
    const id = take(ready);
    smtp.answerAfter(500);
    await send(id);
    await until(() => mailsFor(id).length > 0, 180);
    database.goAway();
    await sleep(1500);
    await database.comeBack();
    smtp.answerAfter(0);
    const { db, close } = await home.open();
    const state = async () =>
      (await db.selectFrom('mail').select('state').where('quote_id', '=', id).executeTakeFirstOrThrow()).state;
    await until(async () => (await state()) === 'Sent', 180);
    await takeOver();
    await settle();
    expect([await state(), mailsFor(id).length]).toEqual(['Sent', 1]);
    await close();
  });

  /** Jobs whose end could not be recorded restart after a time without a heartbeat; the test moves that time into the past. */
  async function takeOver(): Promise<void> {
    await admin.query("update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'");
    await admin.query("update pgboss.job set start_after = start_after - interval '1 minute' where state = 'retry'");
    await admin.query("update pgboss.queue set monitor_claim_on = monitor_claim_on - interval '1 minute'");
  }
});

// A server killed in the middle of saves and sends: every acknowledged save is there, no mail goes out twice, none is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { seeded } from '#demo/random.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '../factories/people.server.ts';
import { aPricedQuote } from '../factories/quotes.server.ts';
import { until } from '../server-process.server.ts';
import { startSmtp } from '../smtp.server.ts';
import type { KillCase, KilledServer, Point } from './kill-case.server.ts';

/** `KILLS=1000` before the test kills more often. */
const RANDOM_KILLS = Number(process.env['KILLS'] ?? 8);
const QUOTES_TO_EDIT = 4;
const QUOTES_TO_SEND = 30 * RANDOM_KILLS + 60;
const ANSWER_MS = 15;
/** So many mails may be under way when the server dies. */
const AT_ONCE = 8;

export async function savesAndMails(): Promise<KillCase> {
  const random = seeded(84);
  const smtp = await startSmtp();
  onTestFinished(smtp.goAway);
  smtp.answerAfter(ANSWER_MS);
  const toSend: number[] = [];
  const toEdit: number[] = [];
  const over = new AbortController();
  /** Answers that no client may get, whatever happens to the server. */
  const wrong: unknown[] = [];

  /** By line id: the last acknowledged quantity, and later requested ones without an answer. */
  const saved = new Map<number, { qty: number; asked: number[] }>();
  const lineOf = new Map<number, { quoteId: number; version: number }>();
  let saves = 0;
  const edit = async (server: KilledServer, quoteId: number) => {
    for (let n = 1; !over.signal.aborted; n++) {
      // First adds lines, then changes their quantities.
      const lines = [...saved.keys()].filter((id) => lineOf.get(id)?.quoteId === quoteId);
      const id = lines.length < 20 ? 0 : (lines[n % lines.length] as number);
      const entry = saved.get(id);
      const line = { id, quoteId, qty: n, version: lineOf.get(id)?.version, itemNumber: `K-${n}`, ...LINE };
      entry?.asked.push(n);
      const answer = await answerOf(server.fetchFrom(QuoteEdit.SaveQuoteItem, line));
      if (answer?.status === 200) {
        const { item } = answer.body as { item: { id: number; version: number } };
        saved.set(item.id, { qty: n, asked: [] });
        lineOf.set(item.id, { quoteId, version: item.version });
        saves++;
      } else if (answer?.status === 409 && entry) {
        // The previous save took effect although no answer came.
        const { current: item } = (answer.body as { conflict: { current: { version: number; qty: number } } }).conflict;
        lineOf.set(id, { quoteId, version: item.version });
        entry.qty = item.qty;
        entry.asked = [];
      } else if (answer) wrong.push(answer);
    }
  };

  const sent = new Set<number>();
  const send = async (server: KilledServer) => {
    while (!over.signal.aborted) {
      const quoteId = toSend.pop();
      if (quoteId === undefined) return;
      const mail = { quoteId, version: 1, to: [`buyer-${quoteId}@example.org`], subject: 'Your quote', body: 'Hello' };
      for (let known = false; !known && !over.signal.aborted; ) {
        const answer = await answerOf(server.fetchFrom(QuoteWorkflow.SendEmail, mail));
        known = answer !== null;
        // 409: the previous call took effect although no answer came.
        if (answer?.status === 200 || answer?.status === 409) sent.add(quoteId);
        else if (answer) wrong.push(answer);
      }
    }
  };

  let kills = 0;
  let clients: Promise<void>[] = [];
  const busy = async (server: KilledServer) => {
    if (clients.length === 0) clients = [...toEdit.map((id) => edit(server, id)), send(server), send(server)];
    // The server has done something, however slow the machine.
    const before = saves + sent.size;
    await until(() => wrong.length > 0 || saves + sent.size > before + 1, 600);
    expect(wrong).toEqual([]);
    kills++;
  };
  /** The mail server has a mail and has not confirmed it. */
  const handedOver: Point = {
    work: async (server) => {
      await busy(server);
      smtp.answerAfter(60_000);
      const before = smtp.taken.length;
      await until(() => smtp.taken.length > before, 600);
      return () => smtp.answerAfter(ANSWER_MS);
    },
  };
  const anyMoment = (): Point => ({
    work: async (server) => {
      await busy(server);
      await sleep(random.int(0, 700));
    },
  });
  const points = [handedOver, ...Array.from({ length: RANDOM_KILLS }, anyMoment)];

  return {
    fill: async ({ db }) => {
      const user = await aUser(db, { roles: ['csrep'] });
      await db.transaction().execute(async (trx) => {
        for (let n = 0; n < QUOTES_TO_EDIT; n++) toEdit.push((await aPricedQuote(trx, { ownerId: user.id })).id);
        for (let n = 0; n < QUOTES_TO_SEND; n++)
          toSend.push((await aPricedQuote(trx, { ownerId: user.id, statusId: 'Processing' })).id);
      });
      return user;
    },
    // Uses production's mail time-out: with the short one of tests, mails would go out twice on a busy machine.
    variables: () => ({ SMTP_URL: smtp.url.replace(/\?.*/, ''), MAIL: '' }),
    points,
    rest: async (server) => {
      over.abort();
      await Promise.all(clients);
      await until(server.hasNoJobs, 240);
    },
    proof: (server) =>
      server.inDatabase(async ({ db }) => {
        const lines = await db.selectFrom('quote_item').select(['id', 'qty']).where('type', '=', 'custom').execute();
        const mails = await db
          .selectFrom('mail')
          .innerJoin('quote', 'quote.id', 'mail.quote_id')
          .select(['mail.quote_id', 'mail.state'])
          .where('subject', '=', 'Your quote')
          .execute();
        const problems = await db
          .selectFrom('quote_event')
          .select('quote_id')
          .where('action', '=', 'MailProblem')
          .execute();
        const moved = await db.selectFrom('quote').select('id').where('status_id', '=', 'SentToCustomer').execute();
        const { rows: failed } = await server.inDatabase(({ pool }) =>
          pool.query<{ name: string; output: unknown }>(`select name, output from pgboss.job where state = 'failed'`),
        );

        const stored = new Map(lines.map(({ id, qty }) => [id, qty]));
        const lost = [...saved].filter(([id, { qty, asked }]) => ![qty, ...asked].includes(stored.get(id) ?? 0));
        const received = Map.groupBy(smtp.taken, ({ to }) => Number(/buyer-(\d+)@/.exec(to[0] ?? '')?.[1]));
        const uncertain = mails.filter(({ state }) => state === 'Uncertain').map((mail) => mail.quote_id);
        const arrived = uncertain.filter((id) => received.has(id ?? 0));
        console.log(
          `${kills} kills: ${saves} saves and ${sent.size} sends acknowledged, ${smtp.taken.length} mails received; ` +
            `${uncertain.length} handed over at the moment of a kill, of which ${arrived.length} had arrived`,
        );
        expect(wrong).toEqual([]);
        expect(failed.filter(({ name }) => name !== 'mail')).toEqual([]);
        expect(lost).toEqual([]);
        // Before each kill something was acknowledged.
        expect(saves + sent.size).toBeGreaterThan(kills);
        // One mail for each sent quote, whether or not its answer arrived.
        expect([...sent].filter((id) => !moved.some((quote) => quote.id === id))).toEqual([]);
        expect(inOrder(mails.map((mail) => mail.quote_id))).toEqual(inOrder(moved.map(({ id }) => id)));
        expect([...received].filter(([, copies]) => copies.length > 1).map(([id]) => id)).toEqual([]);
        // Each mail arrived, except those that the quote itself reports as uncertain.
        expect(mails.filter(({ state }) => state !== 'Sent' && state !== 'Uncertain')).toEqual([]);
        expect(mails.filter(({ state, quote_id }) => state === 'Sent' && !received.has(quote_id ?? 0))).toEqual([]);
        expect(inOrder(problems.map((event) => event.quote_id))).toEqual(inOrder(uncertain));
        expect(failed.length).toBe(uncertain.length);
        // At least the one of the first point, which the mail server has.
        expect(arrived.length).toBeGreaterThan(0);
        expect(uncertain.length).toBeLessThanOrEqual(AT_ONCE + kills);
      }),
  };
}

const LINE = { type: 'custom', description: 'Killed', unit: 'EA', unitPrice: 1 } as const;
const inOrder = (ids: (number | null)[]) => ids.toSorted((a, b) => Number(a) - Number(b));

/** The answer; null when the server died first, so that nobody knows whether the call took effect, or when it says that its database is busy. */
async function answerOf(call: Promise<Response>): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await call;
    if (response.status === 503) {
      await sleep(20);
      return null;
    }
    return { status: response.status, body: await response.json() };
  } catch {
    await sleep(20);
    return null;
  }
}

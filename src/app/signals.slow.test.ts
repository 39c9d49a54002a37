// Tests that no request in progress is cut and no mail becomes uncertain, whichever process gets the signal to stop, and however often it is
// forwarded.
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import {
  aProcessHome,
  isIdle,
  killProcesses,
  metricsOf,
  type ProcessHome,
  type ServerProcess,
  startProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import { startSmtp, type TestSmtp } from '#testing/smtp.server.ts';

/** An older Node cannot replace its process, so the wrapper stays and forwards signals. */
const STAYS = "--import 'data:text/javascript,delete process.execve'";
const WAYS = {
  npm: { command: 'npm', args: ['start'] },
  'npm, a shell and a wrapper that stay': {
    command: 'npm',
    args: ['exec', '--offline', '-c', `node ${STAYS} tools/start.mjs; exit $?`],
  },
  service: { command: process.execPath, args: ['tools/start.mjs'] },
  'a wrapper that stays': { command: 'sh', args: ['-c', `exec "${process.execPath}" ${STAYS} tools/start.mjs`] },
};
/** The receiver of the signal: all processes, as from Ctrl+C, systemd or a container; the process that was started; or the server itself. */
const TABLE: [keyof typeof WAYS, 'group' | 'first' | 'server', NodeJS.Signals][] = [
  ['npm', 'group', 'SIGTERM'],
  ['npm', 'group', 'SIGINT'],
  ['npm', 'first', 'SIGTERM'],
  ['npm', 'server', 'SIGTERM'],
  ['npm, a shell and a wrapper that stay', 'group', 'SIGTERM'],
  ['npm, a shell and a wrapper that stay', 'first', 'SIGTERM'],
  ['npm, a shell and a wrapper that stay', 'server', 'SIGTERM'],
  ['service', 'group', 'SIGTERM'],
  ['service', 'first', 'SIGTERM'],
  ['service', 'first', 'SIGHUP'],
  ['a wrapper that stays', 'group', 'SIGTERM'],
  ['a wrapper that stays', 'first', 'SIGTERM'],
  ['a wrapper that stays', 'server', 'SIGTERM'],
];

/** `STOPS=100` makes the test stop more servers. */
const STOPS = Number(process.env['STOPS'] ?? 4);

describe.skipIf(process.platform === 'win32')('a signal under load', () => {
  const toSend: number[] = [];
  let home: ProcessHome;
  let smtp: TestSmtp;
  let environment: Record<string, string>;
  let token: string;
  let toEdit = 0;
  beforeAll(async () => {
    smtp = await startSmtp();
    smtp.answerAfter(100);
    let userId = 0;
    home = await aProcessHome(async ({ db }) => {
      userId = (await aUser(db, { roles: ['csrep'] })).id;
      await db.transaction().execute(async (trx) => {
        toEdit = (await aPricedQuote(trx, { ownerId: userId })).id;
        for (let n = 0; n < 30 * TABLE.length; n++) {
          toSend.push((await aPricedQuote(trx, { ownerId: userId, statusId: 'Processing' })).id);
        }
      });
    });
    environment = { ...home.environment, SMTP_URL: smtp.url.replace(/\?.*/, ''), MAIL: '', DRAIN_SECONDS: '1' };
    ({ token } = await tokensOf(home, environment, { token: { id: userId } }));
  });
  afterAll(async () => {
    killProcesses();
    await smtp.goAway();
    await home.remove();
  });

  it.each(TABLE)('%s, to the %s, %s', { timeout: 600_000 }, async (way, whom, signal) => {
    const { command, args } = WAYS[way];
    const run = startProcess(args, environment, { command, group: true });
    await until(() => run.output.includes('"listening"'), 180);
    const over = new AbortController();
    let done = 0;
    const cut: string[] = [];
    const leaving: string[] = [];
    const call = async (url: string, body: unknown) => {
      try {
        const response = await fetch(home.address + url, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await response.json();
        if (response.status === 200) done++;
        else cut.push(`${url} ${response.status}`);
      } catch (error) {
        cut.push(`${url} ${String((error as Error).cause)}`);
      }
    };
    // Callers as behind a proxy, which switches to another server as soon as this one reports that it is stopping.
    const edit = async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const line = {
          quoteId: toEdit,
          type: 'custom',
          itemNumber: `S-${n}`,
          description: 'Stopped',
          qty: 1,
          unit: 'EA',
          unitPrice: 1,
        };
        await call(QuoteEdit.SaveQuoteItem.path, line);
      }
    };
    const send = async () => {
      while (!over.signal.aborted) {
        const quoteId = toSend.pop();
        if (quoteId === undefined) throw new Error('more quotes are needed');
        const mail = {
          quoteId,
          version: 1,
          to: [`buyer-${quoteId}@example.org`],
          subject: 'Your quote',
          body: 'Hello',
        };
        await call(QuoteWorkflow.SendEmail.path, mail);
        // Mails should be in progress all the time without piling up.
        await sleep(100);
      }
    };
    const probe = async () => {
      while (!over.signal.aborted) {
        const answer = await fetch(`${home.address}/readyz`).catch((error: unknown) => error as Error);
        if (!(answer instanceof Response) || answer.status !== 200) {
          leaving.push(answer instanceof Response ? await answer.text() : String(answer.cause));
          over.abort();
        } else await sleep(30);
      }
    };
    const before = smtp.taken.length;
    const clients = [edit(), send(), send(), probe()];
    await until(() => done > 10 && smtp.taken.length > before, 180);
    process.kill(
      whom === 'group' ? -Number(run.child.pid) : whom === 'first' ? Number(run.child.pid) : serverOf(run),
      signal,
    );
    await Promise.all(clients);
    await until(() => run.output.includes('"stopping"'), 60);
    await serverEnds(run);
    await run.ended;
    expect(cut).toEqual([]);
    expect(leaving).toEqual(['{"status":"not ready","reason":"the server is stopping"}']);
    expect(run.output).not.toContain('stopped with an error');
  });

  it('callers that keep their connections and never ask /readyz', { timeout: STOPS * 180_000 }, async () => {
    const cut: string[] = [];
    for (let stop = 0; stop < STOPS; stop++) {
      const run = startProcess(['tools/start.mjs'], environment);
      await until(() => run.output.includes('"listening"'), 180);
      let done = 0;
      const caller = async (pause: number) => {
        const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
        const url = `${home.address}${QuoteEdit.PopulateQuoteEditDataForInternalRep.path}?id=${toEdit}`;
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        for (; ; await sleep(pause)) {
          const status = await new Promise<number | undefined>((resolve, reject) =>
            http
              .request(url, { agent, headers, method: 'POST' }, (answer) => {
                answer.resume().once('end', () => resolve(answer.statusCode));
                answer.once('error', reject);
              })
              .once('error', reject)
              .end(),
          ).catch((error: NodeJS.ErrnoException) => error.code);
          if (status === 'ECONNREFUSED') return agent.destroy();
          if (status === 200) done++;
          else cut.push(`stop ${stop}: ${status}`);
        }
      };
      const callers = [0, 0, 1, 7, 30, 110].map(caller);
      await until(() => done > 50 || cut.length > 0, 60);
      run.child.kill('SIGTERM');
      await Promise.all(callers);
      expect(await run.ended).toBe(0);
    }
    expect(cut).toEqual([]);
  });

  it('no email is uncertain, and none went twice', { timeout: 300_000 }, async () => {
    const run = startProcess(['tools/start.mjs'], environment, { group: true });
    await until(() => run.output.includes('"listening"'), 180);
    await until(async () => isIdle(await metricsOf(home.address)), 60);
    run.child.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    const { db, close } = await home.open();
    const mails = await db.selectFrom('mail').select(['state', 'quote_id']).execute();
    await close();
    expect(mails.length).toBeGreaterThan(TABLE.length);
    expect(mails.filter(({ state }) => state !== 'Sent')).toEqual([]);
    expect(smtp.taken.length).toBe(mails.length);
  });

  it('a second signal, later, stops at once', { timeout: 300_000 }, async () => {
    const run = startProcess(['tools/start.mjs'], { ...environment, DRAIN_SECONDS: '60' });
    await until(() => run.output.includes('"listening"'), 180);
    run.child.kill('SIGINT');
    run.child.kill('SIGINT');
    await until(() => run.output.includes('"stopping"'), 60);
    // Longer than the time in which two signals are treated as one.
    await sleep(2500);
    expect(run.child.exitCode).toBe(null);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(1);
  });
});

/** Returns the id of the server's own process from its log. */
function serverOf(run: ServerProcess): number {
  return Number(/"pid":(\d+)/.exec(run.output)?.[1]);
}

/** The process that was started first may end before the server does. */
async function serverEnds(run: ServerProcess): Promise<void> {
  await until(() => {
    try {
      process.kill(serverOf(run), 0);
      return false;
    } catch {
      return true;
    }
  }, 60);
}

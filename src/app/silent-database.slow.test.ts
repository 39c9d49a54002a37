// Tests connections to the database that become silent, and a server frozen inside a transaction: users get a message, and the rest works.
import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import {
  connectTo,
  aProcessHome,
  freePort,
  killProcesses,
  type ProcessHome,
  type ServerProcess,
  startProcess,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';

const CONNECTIONS = 20;
const UNREACHABLE = 'The database cannot be reached right now. Try again in a moment.';
const BUSY = 'Someone else is changing this right now. Nothing was saved. Try again in a moment.';

describe('the database', () => {
  let home: ProcessHome;
  let passage: Awaited<ReturnType<typeof aPassage>>;
  let token: string;
  let quoteId = 0;
  /** The first server reaches the database through the passage, the second directly. */
  const servers: { process: ServerProcess; address: string }[] = [];
  beforeAll(async () => {
    let userId = 0;
    home = await aProcessHome(async ({ db }) => {
      userId = (await aUser(db, { roles: ['csrep'] })).id;
      quoteId = (await aPricedQuote(db, { ownerId: userId })).id;
    });
    ({ token } = await tokensOf(home, home.environment, { token: { id: userId } }));
    passage = await aPassage(new URL(home.environment['DATABASE_URL'] ?? ''));
    for (const url of [passage.url, home.environment['DATABASE_URL'] ?? '']) {
      const port = String(await freePort());
      const process = await startServerProcess({ ...home.environment, DATABASE_URL: url, PORT: port });
      servers.push({ process, address: `http://127.0.0.1:${port}` });
    }
  });
  afterAll(async () => {
    killProcesses();
    passage.close();
    await home.remove();
  });

  /** Returns the answer and how many seconds it took. No answer after half a minute fails the test. */
  const call = async (server: number, path: string, body: unknown) => {
    const began = performance.now();
    const response = await fetch(servers[server]?.address + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const { detail } = (await response.json()) as { detail?: string };
    return { status: response.status, detail, seconds: (performance.now() - began) / 1000 };
  };
  const read = (server: number) =>
    call(server, `${QuoteEdit.PopulateQuoteEditDataForInternalRep.path}?id=${quoteId}`, null);
  const save = (server: number) =>
    call(server, QuoteEdit.SaveQuoteItem.path, {
      quoteId,
      type: 'custom',
      itemNumber: 'F-1',
      description: 'Frozen',
      qty: 1,
      unit: 'EA',
      unitPrice: 1,
    });

  it('whose connections all fall silent is reached again', { timeout: 300_000 }, async () => {
    // As many as the pool has connections.
    for (let n = 0; passage.open() < CONNECTIONS && n < 50; n++) {
      await Promise.all(Array.from({ length: CONNECTIONS * 2 }, () => read(0)));
    }
    expect(passage.open()).toBeGreaterThanOrEqual(CONNECTIONS);
    passage.fallSilent();
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => read(0)));
    expect(new Set(answers.map(({ status, detail }) => `${status} ${detail}`))).toEqual(
      new Set([`503 ${UNREACHABLE}`]),
    );
    await until(async () => (await read(0)).status === 200, 30);
    const slowest = Math.max(...answers.map(({ seconds }) => seconds)).toFixed(1);
    console.log(
      `${CONNECTIONS} silent connections: answer after ${slowest} s at most, well again after ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );
    expect((await save(0)).status).toBe(200);
  });

  it('whose every connection is silent, new ones too, is answered as away', { timeout: 300_000 }, async () => {
    passage.fallSilent({ forGood: true });
    const answers = await Promise.all(Array.from({ length: 30 }, () => read(0)));
    expect(answers.filter(({ status, detail }) => status !== 503 || detail !== UNREACHABLE)).toEqual([]);
    const ready = await fetch(`${servers[0]?.address}/readyz`);
    expect(ready.status).toBe(503);
    passage.speak();
    await until(async () => (await read(0)).status === 200, 30);
  });

  it('that keeps the job queue waiting does not end a server that starts', { timeout: 400_000 }, async () => {
    const { db, close } = await home.open();
    const holder = await db.startTransaction().execute();
    await sql`lock table pgboss.job in access exclusive mode`.execute(holder);
    const port = await freePort();
    const starting = startProcess(['--disable-warning=ExperimentalWarning', 'src/main.server.ts'], {
      ...home.environment,
      PORT: String(port),
    });
    const readiness = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return answer && [answer.status, await answer.json()];
    };
    // The first statement for the queue has failed.
    await until(() => starting.output.includes('"msg":"job queue"'), 180);
    expect(await readiness()).toEqual([503, { status: 'not ready', reason: 'the background workers are starting' }]);
    await holder.rollback().execute();
    await close();
    await until(async () => (await readiness())?.[0] === 200, 60);
    starting.child.kill('SIGTERM');
    expect(await starting.ended).toBe(0);
  });

  it('gives back what a frozen server had locked', { timeout: 400_000 }, async () => {
    const [frozen] = servers;
    const { db, close } = await home.open();
    const { child } = (frozen as (typeof servers)[number]).process;
    const states = async (what: string) =>
      (await sql`select 1 from pg_stat_activity where datname = current_database() and ${sql.raw(what)}`.execute(db))
        .rows.length;
    // The server is stopped while it waits for a table that it reads and has locked the quote; then it gets the table and never continues.
    const holder = await db.startTransaction().execute();
    await sql`lock table approval_rule in access exclusive mode`.execute(holder);
    const saving = save(0);
    await until(() => states("wait_event_type = 'Lock'"), 60);
    child.kill('SIGSTOP');
    await holder.rollback().execute();
    await until(() => states("state = 'idle in transaction' and wait_event = 'ClientRead'"), 60);
    const began = performance.now();
    const answer = await save(1);
    expect(['200 undefined', `503 ${BUSY}`]).toContain(`${answer.status} ${answer.detail}`);
    await until(async () => (await save(1)).status === 200, 30);
    console.log(
      `a server frozen inside a save: answer after ${answer.seconds.toFixed(1)} s, saved after ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );
    child.kill('SIGCONT');
    expect((await saving).status).toBe(503);
    await until(async () => (await save(0)).status === 200, 30);
    await close();
  });

  it('saves what a server has sent before it froze, because the commit travels with the write', {
    timeout: 400_000,
  }, async () => {
    const [frozen] = servers;
    const { db, close } = await home.open();
    const { child } = (frozen as (typeof servers)[number]).process;
    const holder = await db.startTransaction().execute();
    await sql`lock table quote_event in share mode`.execute(holder);
    const saving = save(0);
    const waiting = async () =>
      (
        await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
      ).rows.length;
    await until(waiting, 60);
    child.kill('SIGSTOP');
    await holder.rollback().execute();
    expect((await save(1)).status).toBe(200);
    child.kill('SIGCONT');
    expect((await saving).status).toBe(200);
    await close();
  });
});

/** Opens a port that leads to the database until it becomes silent: connections stay open, but nothing gets through any more. */
async function aPassage(url: URL) {
  const pairs = new Set<[net.Socket, net.Socket]>();
  let silent = false;
  const server = net.createServer((caller) => {
    const database = connectTo(url);
    const pair: [net.Socket, net.Socket] = [caller, database];
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    if (silent) return;
    caller.pipe(database);
    database.pipe(caller);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  own.searchParams.delete('host');
  return {
    url: own.href,
    open: () => pairs.size,
    /** `forGood` means that new connections are silent as well. */
    fallSilent: ({ forGood = false } = {}) => {
      silent = forGood;
      for (const [caller, database] of pairs) {
        caller.unpipe(database);
        database.unpipe(caller);
        caller.pause();
        database.pause();
      }
    },
    speak: () => {
      silent = false;
    },
    close: () => {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}

// Tests migrations while servers work: each gives way and runs once, and no call of this version fails because of the next one.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Db } from '#platform/db/database.server.ts';
import { migrate, ONE_AT_A_TIME } from '#platform/db/migrate.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { emptyDatabase, freshDatabase } from '#testing/base-database.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { until } from '#testing/server-process.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { folderWith, landed, next } from '#testing/upgrade.server.ts';

describe('a migration', () => {
  let database: Database;
  afterEach(() => database.close());

  it('gives way to a transaction that has the other of its tables', { timeout: 120_000 }, async () => {
    database = await freshDatabase();
    const { db, pool } = database;
    const person = await pool.connect();
    await person.query('begin');
    await person.query('lock table quote in row exclusive mode');
    // The migration has locked quote_item and waits for quote; the user wants quote_item.
    const migration = migrate(db, folderWith([...landed, ...next]));
    await untilWaiting(db, 'quote');
    await person.query('lock table quote_item in row exclusive mode');
    await person.query('commit');
    person.release();
    expect(await migration).toEqual(next.map(({ name }) => name));
  });

  it('runs once when two servers start at once', { timeout: 120_000 }, async () => {
    database = await emptyDatabase();
    const { db, pool } = database;
    const small = [1, 2, 3].map((n) => ({ name: `000${n}-small`, text: `create table small_${n} (id int)` }));
    const folder = folderWith(small);
    // A third server holds the lock until both have seen an empty database and wait.
    const third = await pool.connect();
    await third.query('begin');
    await third.query(`select pg_advisory_xact_lock(${ONE_AT_A_TIME})`);
    const both = Promise.all([migrate(db, folder), migrate(db, folder)]);
    await until(async () => {
      const { rows } = await third.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${ONE_AT_A_TIME} and not granted`,
      );
      return rows.length === 2;
    }, 60);
    await third.query('commit');
    third.release();
    const [first, two] = await both;
    expect([...first, ...two].toSorted()).toEqual(small.map(({ name }) => name));
  });
});

describe('to the next version', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('no call of the version at work fails', { timeout: 120_000 }, async () => {
    const user = await aUser(server.db, { roles: ['csrep'] });
    const over = new AbortController();
    const wrong: unknown[] = [];
    let saves = 0;
    const work = async () => {
      const { id } = await aPricedQuote(server.db, { ownerId: user.id, statusId: 'Processing' });
      while (!over.signal.aborted) {
        const line = {
          quoteId: id,
          type: 'custom',
          itemNumber: 'U-1',
          description: 'Upgraded',
          qty: 1,
          unit: 'EA',
          unitPrice: 1,
        };
        for (const answer of [
          await server.call(QuoteEdit.SaveQuoteItem, line, { as: user }),
          await server.call(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: user }),
        ]) {
          if (answer.status === 200) saves++;
          else wrong.push(answer.body);
        }
      }
    };
    const workers = [work(), work(), work()];
    await until(() => saves >= 20 || wrong.length > 0, 60);
    await migrate(server.db, folderWith([...landed, ...next]));
    const before = saves;
    await until(() => saves >= before + 20 || wrong.length > 0, 60);
    over.abort();
    await Promise.all(workers);
    expect(wrong).toEqual([]);
  });
});

/** Waits until a statement waits for a lock on a table. */
async function untilWaiting(db: Db, table: string): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select 1 from pg_locks where relation = ${table}::regclass and not granted`.execute(db);
    return rows.length > 0;
  }, 60);
}

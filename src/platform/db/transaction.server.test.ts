// Tests that work deferred to the commit runs once after it, and never without it.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '#testing/base-database.server.ts';
import type { Database } from './database.server.ts';
import { afterCommit, inTransaction } from './transaction.server.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  await sql`create table step (n int primary key)`.execute(database.db);
});
afterAll(() => database.close());

const steps = async () => (await sql<{ n: number }>`select n from step order by n`.execute(database.db)).rows;
const conflict = () => Object.assign(new Error('given up for another'), { code: '40001' });

it('deferred work runs once the transaction is committed', async () => {
  const done: string[] = [];
  await inTransaction(database.db, async (transaction) => {
    afterCommit(transaction, () => done.push('after'));
    await sql`insert into step values (1)`.execute(transaction);
    done.push('within');
  });
  expect(done).toEqual(['within', 'after']);
  expect(await steps()).toEqual([{ n: 1 }]);
});

it('after retries, only the deferred work of the last try runs', async () => {
  const done: number[] = [];
  let tries = 0;
  await inTransaction(database.db, async (transaction) => {
    const now = ++tries;
    afterCommit(transaction, () => done.push(now));
    await sql`insert into step values (2)`.execute(transaction);
    if (now < 3) throw conflict();
  });
  expect(done).toEqual([3]);
  expect(await steps()).toEqual([{ n: 1 }, { n: 2 }]);
});

it('deferred work of a rolled-back transaction never runs, however many tries it had', async () => {
  let tries = 0;
  const done: number[] = [];
  const failing = (error: Error) =>
    inTransaction(database.db, (transaction) => {
      afterCommit(transaction, () => done.push(tries));
      tries++;
      return Promise.reject(error);
    });
  await expect(failing(new Error('no'))).rejects.toThrow('no');
  expect(tries).toBe(1);
  await expect(failing(conflict())).rejects.toThrow('given up for another');
  expect(tries).toBe(4);
  expect(done).toEqual([]);
});

it('a failure after the commit does not repeat the committed work', async () => {
  let tries = 0;
  const failing = inTransaction(database.db, async (transaction) => {
    tries++;
    afterCommit(transaction, () => {
      throw conflict();
    });
  });
  await expect(failing).rejects.toThrow('given up for another');
  expect(tries).toBe(1);
});

it('outside of a transaction deferred work runs at once', () => {
  const done: string[] = [];
  afterCommit(database.db, () => done.push('at once'));
  expect(done).toEqual(['at once']);
});

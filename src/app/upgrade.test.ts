// An upgrade beside servers at work: from the oldest released schema, and from today's to the next, nobody's call fails for it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database, Db } from '#db/database.server.ts';
import { lockedBy, MIGRATIONS, type Migration, migrate, migrationsIn, ONE_AT_A_TIME } from '#db/migrate.server.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { emptyDatabase } from '#testing/base-database.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { until } from '#testing/server-process.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

/** The last migration of the oldest released version. */
const FIRST_RELEASE = '0008-start-values';
/** What a later version may bring: it changes both tables that everybody works on, one with a rewrite, and adds one that refers to them. */
const NEXT = {
  '9001-next':
    "-- Locks: quote_item, quote\nalter table quote_item add column next_text text not null default 'x'; alter table quote add column next_no int;",
  '9002-more': '-- Locks: quote\ncreate index quote_next on quote (next_no); update quote set next_no = 1;',
  '9003-table':
    '-- Locks: quote, item\ncreate table next_thing (quote_id int references quote, item_id int references item);',
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true });
});

function folderWith(migrations: { name: string; text: string }[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-migrations-'));
  folders.push(folder);
  for (const { name, text } of migrations) fs.writeFileSync(path.join(folder, `${name}.sql`), text);
  return folder;
}

const landed = await migrationsIn(MIGRATIONS);
const released = landed.filter(({ name }) => name <= FIRST_RELEASE);
const next = Object.entries(NEXT).map(([name, text]) => ({ name, text }));

describe('from the oldest released schema', () => {
  let database: Database;
  let over: AbortController;
  beforeEach(() => {
    over = new AbortController();
  });
  // Whatever became of the test, those at work end before their database does.
  afterEach(async () => {
    over.abort();
    await database.close();
  });

  it('each migration names the tables it locks', { timeout: 120_000 }, async () => {
    database = await emptyDatabase();
    const { db } = database;
    const todo = [...landed.slice(released.length), ...next.map((one) => ({ ...one, hash: '' }))];
    const done: Migration[] = [...released];
    await migrate(db, folderWith(done));
    for (const migration of todo) {
      const locks = await locksOf(db, migration.text);
      expect([migration.name, lockedBy(migration)]).toEqual([migration.name, expect.arrayContaining(locks)]);
      done.push(migration);
      await migrate(db, folderWith(done));
    }
    expect(await locksOf(db, 'alter table quote add column unnamed int')).toEqual(['quote']);
  });

  it('goes up to the newest while others read and write', { timeout: 120_000 }, async () => {
    database = await emptyDatabase();
    const { db } = database;
    await migrate(db, folderWith(released));
    await sql`insert into app_user (id, user_name, full_name) values (1, 'a@example.com', 'A')`.execute(db);
    await sql`insert into quote (id, owner_id, quote_date, valid_until)
      select n, 1, '2026-11-22', '2026-12-22' from generate_series(1, 2000) n`.execute(db);
    await sql`insert into quote_item (quote_id, line_no) select id, n from quote, generate_series(1, 20) n`.execute(db);

    const failed: unknown[] = [];
    let rounds = 0;
    const work = async (quoteId: number) => {
      const tables = quoteId % 2 === 0 ? ['quote', 'quote_item'] : ['quote_item', 'quote'];
      const keys = { quote: 'id', quote_item: 'quote_id' } as Record<string, string>;
      while (!over.signal.aborted) {
        try {
          await db.transaction().execute(async (trx) => {
            for (const table of tables) {
              await sql`update ${sql.table(table)} set version = version + 1 where ${sql.ref(keys[table] ?? '')} = ${quoteId}`.execute(
                trx,
              );
            }
          });
          await sql`select count(*) from quote join quote_item on quote_id = quote.id where quote.id = ${quoteId}`.execute(
            db,
          );
          rounds++;
        } catch (error) {
          failed.push(error);
        }
        // Six people, not six loops: a migration may find a moment in which nobody has both tables.
        await setTimeout(Math.random() * 20);
      }
    };
    const workers = [1, 2, 3, 4, 5, 6].map(work);
    const ran = await migrate(db, folderWith([...landed, ...next]));
    over.abort();
    await Promise.all(workers);
    expect(failed).toEqual([]);
    expect(ran).toEqual([...landed.slice(released.length), ...next].map(({ name }) => name));
    expect(rounds).toBeGreaterThan(10);
  });

  it('gives way to a transaction that has the other of its tables', { timeout: 60_000 }, async () => {
    database = await emptyDatabase();
    const { db, pool } = database;
    await migrate(db, folderWith(landed));
    const person = await pool.connect();
    await person.query('begin');
    await person.query('lock table quote in row exclusive mode');
    // It has quote_item and waits for quote; the person wants quote_item.
    const migration = migrate(db, folderWith([...landed, ...next]));
    await untilWaiting(db, 'quote');
    await person.query('lock table quote_item in row exclusive mode');
    await person.query('commit');
    person.release();
    expect(await migration).toEqual(Object.keys(NEXT));
  });

  it('two servers that start at once run each migration once', { timeout: 60_000 }, async () => {
    database = await emptyDatabase();
    const { db, pool } = database;
    const small = [1, 2, 3].map((n) => ({ name: `000${n}-small`, text: `create table small_${n} (id int)` }));
    const folder = folderWith(small);
    // A third server has the lock until both have seen an empty database and wait.
    const third = await pool.connect();
    await third.query('begin');
    await third.query(`select pg_advisory_xact_lock(${ONE_AT_A_TIME})`);
    const both = Promise.all([migrate(db, folder), migrate(db, folder)]);
    await until(async () => {
      const { rows } = await third.query(
        `select from pg_locks where locktype = 'advisory' and objid = ${ONE_AT_A_TIME} and not granted`,
      );
      return rows.length === 2;
    }, 30);
    await third.query('commit');
    third.release();
    const [one, two] = await both;
    expect([...one, ...two].toSorted()).toEqual(small.map(({ name }) => name));
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

/** The tables that were there before and that a migration locks against readers or writers. */
async function locksOf(db: Db, text: string): Promise<string[]> {
  const back = new Error('rolled back');
  let locks: string[] = [];
  await db
    .transaction()
    .execute(async (trx) => {
      const existing = sql<{
        oid: number;
      }>`select oid::int from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
      const before = new Set((await existing.execute(trx)).rows.map(({ oid }) => oid));
      await sql.raw(text).execute(trx);
      const { rows } = await sql<{ oid: number; name: string }>`
        select distinct relation::int as oid, relation::regclass::text as name from pg_locks
        where pid = pg_backend_pid() and locktype = 'relation'
          and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
        order by name`.execute(trx);
      locks = rows.filter(({ oid }) => before.has(oid)).map(({ name }) => name);
      throw back;
    })
    .catch((error: unknown) => {
      if (error !== back) throw error;
    });
  return locks;
}

/** Waits until somebody waits for a lock on a table. */
async function untilWaiting(db: Db, table: string): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select 1 from pg_locks where relation = ${table}::regclass and not granted`.execute(db);
    return rows.length > 0;
  }, 30);
}

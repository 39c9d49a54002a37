// Tests that the database uses the types of the wire format, and that a statement survives a change of its tables.
import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#testing/base-database.server.ts';
import { type Database, type Db, isOutdatedPlan, isUnreachable, openPostgres, WITH_NEXT } from './database.server.ts';
import { tableTypes } from './table-types.server.ts';

describe('values', () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  it('have the form of the wire: exact decimals as numbers, dates as text, instants in ISO', async () => {
    const { rows } =
      await sql`select 99999999.9999::numeric(14,4) as price, 9007199254740991::int8 as big, date '2024-02-29' as day,
      timestamptz '2026-03-08 01:59:59.123-06' as instant, array[1,2]::int[] as ids, 'äß€'::text as text, true as yes`.execute(
        database.db,
      );
    expect(rows).toEqual([
      {
        price: 99_999_999.9999,
        big: 9_007_199_254_740_991,
        day: '2024-02-29',
        instant: '2026-03-08T07:59:59.123Z',
        ids: [1, 2],
        text: 'äß€',
        yes: true,
      },
    ]);
  });

  it('have the types that tables.ts was generated with', async () => {
    const written = fs.readFileSync(path.join(import.meta.dirname, 'tables.ts'), 'utf8');
    expect(await tableTypes(database.db)).toBe(written);
  });

  it('of a transaction that throws are gone', async () => {
    const name = 'Rolled back';
    const work = database.db.transaction().execute(async (db) => {
      await db.insertInto('region').values({ name }).execute();
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await database.db.selectFrom('region').where('name', '=', name).execute()).toEqual([]);
  });
});

describe('a statement that was planned before its tables changed', () => {
  it('is planned again, inside a transaction by the code that began it', async () => {
    const database = await freshDatabase();
    const { db } = database;
    await sql`create table shelf as select 1 as id`.execute(db);
    const shelves = (on: typeof db) => sql`select * from shelf where id = ${1}`.execute(on);
    await db.connection().execute(async (connection) => {
      for (let time = 0; time < 3; time++) await shelves(connection);
      await sql`alter table shelf add column place text`.execute(connection);
      expect((await shelves(connection)).rows).toEqual([{ id: 1, place: null }]);
      for (let time = 0; time < 3; time++) await shelves(connection);
    });
    await sql`alter table shelf add column row int`.execute(db);
    const refused: unknown = await db
      .transaction()
      .execute(shelves)
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(refused === null || isOutdatedPlan(refused)).toBe(true);
    expect((await db.transaction().execute(shelves)).rows).toEqual([{ id: 1, place: null, row: null }]);
    await database.close();
  });
});

it('a prepared statement has the same name on every connection, whatever ran before it', async () => {
  const database = await freshDatabase();
  const textsOnFreshConnection = (numbers: number[]) =>
    database.db.connection().execute(async (connection) => {
      for (const number of numbers) await sql`select ${sql.lit(number)} + ${1}::int as sum`.execute(connection);
      const { rows } = await sql<{ name: string; statement: string }>`
        select name, statement from pg_prepared_statements where statement like 'select % as sum'`.execute(connection);
      return new Map(rows.map(({ name, statement }) => [name, statement]));
    });
  const [up, down] = await Promise.all([textsOnFreshConnection([1, 2, 3]), textsOnFreshConnection([3, 2, 1])]);
  expect(up.size).toBe(3);
  expect(down).toEqual(up);
  await database.close();
});

describe('a statement that is sent with the next', () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase();
    await sql`create table drawer (id int primary key)`.execute(database.db);
  });
  afterAll(() => database.close());
  const put = (db: Db, id: number) => sql`insert into drawer values (${id}) ${WITH_NEXT}`.execute(db);
  const inside = async (db: Db, from: number) =>
    (await sql<{ id: number }>`select id from drawer where id >= ${from} order by id`.execute(db)).rows.map(
      ({ id }) => id,
    );

  it('is done before that statement, in a transaction that begins with it, too', async () => {
    const seen = await database.db.transaction().execute(async (db) => {
      await put(db, 10);
      await put(db, 11);
      const both = await inside(db, 10);
      await put(db, 12);
      return both;
    });
    expect(seen).toEqual([10, 11]);
    expect(await inside(database.db, 10)).toEqual([10, 11, 12]);
  });

  it('is done before one that cannot be prepared', async () => {
    const counted = await database.db.transaction().execute(async (db) => {
      await put(db, 20);
      return sql`select from drawer where id = 20`.execute(db);
    });
    expect(counted.rows).toHaveLength(1);
  });

  it('fails the commit when it fails, and nothing of the transaction is saved', async () => {
    const work = database.db.transaction().execute(async (db) => {
      await sql`insert into drawer values (${30})`.execute(db);
      await put(db, 30);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await inside(database.db, 30)).toEqual([]);
  });

  it('fails the next statement when it fails', async () => {
    const work = database.db.transaction().execute(async (db) => {
      await put(db, 40);
      await put(db, 40);
      return inside(db, 40);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await inside(database.db, 40)).toEqual([]);
  });

  it('is dropped with its transaction, also by one that sends nothing else', async () => {
    const work = database.db.transaction().execute(async (db) => {
      await put(db, 50);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    await database.db.transaction().execute(async () => {});
    await database.db.transaction().execute((db) => put(db, 51));
    expect(await inside(database.db, 50)).toEqual([51]);
  });

  it('is sent at once without a transaction', async () => {
    await put(database.db, 60);
    expect(await inside(database.db, 60)).toEqual([60]);
  });

  it('may fail when it is first used, and works afterwards', async () => {
    await database.db.connection().execute(async (connection) => {
      const half = (divisor: number) => sql<{ half: number }>`select 6 / ${divisor}::int as half`.execute(connection);
      await expect(half(0)).rejects.toMatchObject({ code: '22012' });
      expect((await half(2)).rows).toEqual([{ half: 3 }]);
      await expect(half(0)).rejects.toMatchObject({ code: '22012' });
      expect((await half(3)).rows).toEqual([{ half: 2 }]);
    });
  });

  it('leaves its connection usable when a value cannot be sent', async () => {
    await database.db.connection().execute(async (connection) => {
      const round: Record<string, unknown> = {};
      round['self'] = round;
      await expect(sql`select ${round}::jsonb as value`.execute(connection)).rejects.toThrow(/circular/i);
      expect((await sql`select ${1}::int as value`.execute(connection)).rows).toEqual([{ value: 1 }]);
    });
  });
});

describe('an unreachable database', () => {
  it('is distinguished from a wrong statement', async () => {
    const nobody = openPostgres('postgres://nobody@127.0.0.1:1/nothing', 1);
    const refused: unknown = await sql`select 1`.execute(nobody.db).catch((error: unknown) => error);
    await nobody.close();
    expect(isUnreachable(refused)).toBe(true);
    expect(isUnreachable(Object.assign(new Error('terminating connection'), { code: '57P01' }))).toBe(true);
    expect(isUnreachable(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isUnreachable(Object.assign(new Error('syntax error'), { code: '42601' }))).toBe(false);
    expect(isUnreachable('text')).toBe(false);
  });
});

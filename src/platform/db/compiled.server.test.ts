// Tests that a statement that is compiled once is sent with the values of each call.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '#testing/base-database.server.ts';
import { compiledOnce } from './compiled.server.ts';
import type { Database } from './database.server.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('is built once, and takes each value from the call, also one that is used several times or is missing', async () => {
  let built = 0;
  const texts = compiledOnce<{ text: string; ids: number[] }, { word: string; end: string | null; ids: number[] }>(
    ({ word, end, ids }) => {
      built++;
      return sql`select concat(${word}::text, ' ', ${word}::text, ${end}::text) as text, ${ids}::int[] as ids`;
    },
  );
  expect(await texts(database.db, { word: 'one', end: '.', ids: [1, 2] })).toEqual([{ text: 'one one.', ids: [1, 2] }]);
  expect(await texts(database.db, { word: 'two', end: null, ids: [] })).toEqual([{ text: 'two two', ids: [] }]);
  expect(built).toBe(1);
});

test('runs in the transaction that it is given', async () => {
  const name = compiledOnce<{ id: number }, { name: string }>(
    ({ name: input }) => sql`insert into region (name) values (${input}) returning id`,
  );
  const work = database.db.transaction().execute(async (db) => {
    await name(db, { name: 'Rolled back' });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await database.db.selectFrom('region').where('name', '=', 'Rolled back').execute()).toEqual([]);
});

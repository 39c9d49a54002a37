// Tests an upgrade from the oldest released schema while users work: no statement of a user fails because of it.
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '#platform/db/migrate.server.ts';
import { emptyDatabase } from '#testing/base-database.server.ts';
import { folderWith, landed, next, released } from '#testing/upgrade.server.ts';

it('the oldest released schema goes up to the newest while others read and write', { timeout: 120_000 }, async () => {
  const database = await emptyDatabase();
  onTestFinished(database.close);
  const over = new AbortController();
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
      // These are six users, not six endless loops: a migration may find a moment in which none of them uses both tables.
      await setTimeout(Math.random() * 20);
    }
  };
  const workers = [1, 2, 3, 4, 5, 6].map(work);
  const ran = await migrate(db, folderWith([...landed, ...next])).finally(async () => {
    over.abort();
    await Promise.all(workers);
  });
  expect(failed).toEqual([]);
  expect(ran).toEqual([...landed.slice(released.length), ...next].map(({ name }) => name));
  expect(rounds).toBeGreaterThan(10);
});

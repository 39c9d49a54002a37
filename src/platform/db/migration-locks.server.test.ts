// Tests that each migration since the oldest released schema names the tables that it locks, so that it locks all of them first.
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { emptyDatabase } from '#testing/base-database.server.ts';
import { folderWith, landed, next, released } from '#testing/upgrade.server.ts';
import type { Db } from './database.server.ts';
import { lockedBy, migrate } from './migrate.server.ts';

it('each migration names the tables it locks', { timeout: 120_000 }, async () => {
  const { db, close } = await emptyDatabase();
  onTestFinished(close);
  await migrate(db, folderWith(released));
  for (const migration of [...landed.slice(released.length), ...next]) {
    const locks = await locksOf(db, migration.text);
    expect([migration.name, lockedBy(migration)]).toEqual([migration.name, expect.arrayContaining(locks)]);
  }
  expect(await locksOf(db, 'alter table quote add column unnamed int')).toEqual(['quote']);
});

/** Runs a migration, and returns the existing tables that it locked against readers or writers. */
function locksOf(db: Db, text: string): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const existing = sql<{ oid: number; name: string }>`
      select oid::int, relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    const before = new Map((await existing.execute(trx)).rows.map(({ oid, name }) => [oid, name]));
    await sql.raw(text).execute(trx);
    const { rows } = await sql<{ oid: number }>`
      select distinct relation::int as oid from pg_locks where pid = pg_backend_pid() and locktype = 'relation'
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`.execute(trx);
    return rows.flatMap(({ oid }) => before.get(oid) ?? []).toSorted();
  });
}

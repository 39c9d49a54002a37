// Migrates a database to the newest migration in database/migrations (plain SQL, forward only) while servers use it.
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './database.server.ts';

export const MIGRATIONS = path.join(import.meta.dirname, '../../../database/migrations');

export type Migration = { name: string; hash: string; text: string };

/**
 * How long a migration waits for a table that others use. It is shorter than PostgreSQL's deadlock_timeout (1 s), so in a deadlock the migration
 * gives way and never the save of a user.
 */
const LOCK_TIMEOUT = '400ms';
const TRIES = 150;
const GAVE_WAY = new Set(['55P03', '40P01']);
/** The advisory lock that lets only one process migrate at a time. The number is arbitrary; nothing else uses it. */
export const ONE_AT_A_TIME = 7_245_020;

/** Returns the migrations of a folder in their order. The hash does not depend on the line endings. */
export async function migrationsIn(folder: string): Promise<Migration[]> {
  const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  return Promise.all(
    names.map(async (file) => {
      const text = (await fs.readFile(path.join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.replace(/\.sql$/, ''), hash: createHash('sha256').update(text).digest('hex'), text };
    }),
  );
}

/** Runs each missing migration in its own transaction and returns their names. Throws with a sentence that says what to do. */
export async function migrate(db: Db, folder = MIGRATIONS): Promise<string[]> {
  const known = await migrationsIn(folder);
  const ran: string[] = [];
  const before = await ranBefore(db);
  for (let next = nextOf(known, before); next; next = nextOf(known, await ranBefore(db))) {
    const name = await runNext(db, known, next.name);
    if (name) ran.push(name);
  }
  // Without statistics on tables that a migration filled, the first statements get bad plans. A new database has no rows to analyze yet.
  if (ran.length > 0 && before.length > 0) await sql`analyze`.execute(db);
  return ran;
}

/** Returns whether every migration in the folder has run on this database. */
export async function isCurrent(db: Db): Promise<boolean> {
  const ran = new Set((await ranBefore(db)).map(({ name }) => name));
  return (await names()).every((name) => ran.has(name));
}

let namesOnce: Promise<string[]> | undefined;
/** Returns the names of the program's own migrations, which do not change while it runs. */
function names(): Promise<string[]> {
  namesOnce ??= migrationsIn(MIGRATIONS).then((all) => all.map(({ name }) => name));
  return namesOnce;
}

type Ran = { name: string; hash: string };

async function ranBefore(db: Db): Promise<Ran[]> {
  // Reads pg_class, because to_regclass may answer from a cache that this connection filled before it waited for another server's lock.
  const { rows } = await sql<{ ours: boolean | null; older: boolean | null }>`
    select bool_or(relname = 'schema_migration') as ours, bool_or(relname = 'kysely_migration') as older
    from pg_class where relnamespace = 'public'::regnamespace
      and relname in ('schema_migration', 'kysely_migration')`.execute(db);
  if (rows[0]?.ours) return (await sql<Ran>`select name, hash from schema_migration order by name`.execute(db)).rows;
  if (rows[0]?.older) {
    throw new Error(
      'This database was made before the first version of Quoteboard and cannot be upgraded. Use an empty database or another DATA_DIR.',
    );
  }
  return [];
}

/** Returns the first migration that has not run. Throws if the database and the program do not belong together. */
function nextOf(known: Migration[], ran: Ran[]): Migration | undefined {
  const unknown = ran.find(({ name }) => !known.some((migration) => migration.name === name));
  if (unknown) {
    throw new Error(
      `The database is newer than this program: it has migration ${unknown.name}, which this program does not know. ` +
        'Start the newer version of the program, or restore the backup made before the upgrade.',
    );
  }
  const changed = known.find(({ name, hash }) =>
    ran.some((candidate) => candidate.name === name && candidate.hash !== hash),
  );
  if (changed) {
    throw new Error(
      `Migration ${changed.name} was changed after it ran on this database. Restore its file as it was released.`,
    );
  }
  const next = known.find(({ name }) => !ran.some((candidate) => candidate.name === name));
  const late = next && ran.find(({ name }) => name > next.name);
  if (late)
    throw new Error(`Migration ${next.name} comes before ${late.name}, which has run here. Give it a later number.`);
  return next;
}

/** Runs the next migration and returns its name, or undefined if another process ran it first. Gives way to other work. */
async function runNext(db: Db, known: Migration[], name: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`set local statement_timeout = 0`.execute(trx);
        await sql`set local lock_timeout = 0`.execute(trx);
        await sql`select pg_advisory_xact_lock(${sql.lit(ONE_AT_A_TIME)})`.execute(trx);
        const before = await ranBefore(trx);
        const migration = nextOf(known, before);
        if (migration?.name !== name) return undefined;
        if (before.length === 0) {
          await sql`create table if not exists schema_migration
            (name text primary key, hash text not null, ran_at timestamptz not null default now())`.execute(trx);
        }
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(trx);
        const tables = lockedBy(migration);
        if (tables.length > 0) {
          await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in access exclusive mode`.execute(
            trx,
          );
        }
        await sql.raw(migration.text).execute(trx);
        await sql`insert into schema_migration (name, hash) values (${name}, ${migration.hash})`.execute(trx);
        return name;
      });
    } catch (error) {
      if (!GAVE_WAY.has((error as { code?: string }).code ?? '')) {
        // A database error becomes the cause. Our own errors are thrown unchanged.
        if (error instanceof Error && !('code' in error)) throw error;
        throw new Error(`Migration ${name} failed.`, { cause: error });
      }
      if (attempt === TRIES) {
        throw new Error(
          `Migration ${name} could not lock its tables in ${TRIES} attempts, because another session holds them. ` +
            'Find the open transaction in pg_stat_activity, end it, and start again.',
          { cause: error },
        );
      }
      await setTimeout(100 + Math.random() * 400);
    }
  }
}

/**
 * Returns the tables on the line `-- Locks: …` of a migration: the existing tables that it changes. The migration locks them all first, so it never
 * waits for a table while others wait for it.
 */
export function lockedBy({ text }: Pick<Migration, 'text'>): string[] {
  const line = /^-- Locks: (.+)$/m.exec(text)?.[1];
  return line ? line.split(',').map((table) => table.trim()) : [];
}

// Databases of tests: each is a copy of one migrated template on the PostgreSQL of the run (test-postgres.server.ts).
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import type { Services } from '#platform/api/services.server.ts';
import { jobKinds } from '#app/calls.server.ts';
import { type Database, openPostgres } from '#platform/db/database.server.ts';
import { migrate } from '#platform/db/migrate.server.ts';
import { migrateJobs, openJobs } from '#platform/jobs/jobs.server.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../database/migrations');

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(MIGRATIONS).toSorted())
    hash.update(name).update(fs.readFileSync(path.join(MIGRATIONS, name)));
  hash.update(jobKinds.map(({ name }) => name).join());
  return hash.digest('hex').slice(0, 16);
}

/** A fresh migrated database. Closing it drops it. */
export async function freshDatabase(): Promise<Database> {
  return copyOf(`quoteboard_test_${fingerprint()}`);
}

/** A new, empty database, for tests of migrations. */
export async function emptyDatabase(): Promise<Database> {
  return copyOf('template0');
}

/** The address of a database made here, for another process or a connection of one's own. */
export function addressOf(database: Database): string {
  return database.pool.options.connectionString ?? '';
}

async function copyOf(template: string): Promise<Database> {
  const name = `quoteboard_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  await onServer(async (admin) => {
    if (template !== 'template0') await makeTemplate(admin, template);
    const strategy = (await isUnsafe(admin)) ? 'file_copy' : 'wal_log';
    await admin.query(`create database ${name} template ${template} strategy ${strategy}`);
  });
  const database = openPostgres(urlOf(name), 8, { long: true });
  return {
    ...database,
    close: async () => {
      await database.close();
      await onServer((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

/** Makes the template once. One test process makes it; the others wait. */
async function makeTemplate(admin: pg.ClientBase, template: string): Promise<void> {
  await admin.query('select pg_advisory_lock(724501)');
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (!rowCount) {
    // A process that was killed at this point has left a database behind.
    await admin.query(`drop database if exists ${template}_part with (force)`);
    await admin.query(`create database ${template}_part`);
    const base = openPostgres(urlOf(`${template}_part`), 4, { long: true });
    await migrate(base.db);
    await migrateJobs(base);
    // Makes the queues, which each test server would else make again.
    const log = pino({ level: 'silent' });
    await (await openJobs(base, jobKinds, () => ({}) as Services, log, { superviseSeconds: 0 })).stop();
    await base.close();
    await admin.query(`alter database ${template}_part rename to ${template}`);
  }
  await admin.query('select pg_advisory_unlock(724501)');
}

/**
 * Whether the server does not wait for the disk, like the one of a test run. There a copy of the files takes a third of the processor time of a copy
 * through the log. Elsewhere it would wait for each of the 1,300 files of the template.
 */
async function isUnsafe(admin: pg.ClientBase): Promise<boolean> {
  const { rows } = await admin.query<{ fsync: string }>('show fsync');
  return rows[0]?.fsync === 'off';
}

/** The connection through which a test process makes and drops its databases. A connection of PostgreSQL costs as much as a dozen statements. */
const servers = new Map<string, pg.Pool>();

async function onServer<T>(work: (admin: pg.ClientBase) => Promise<T>): Promise<T> {
  const url = server();
  let pool = servers.get(url);
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
    // The server may stop while the connection rests.
    pool.on('error', () => {});
    servers.set(url, pool);
  }
  const admin = await pool.connect();
  try {
    const result = await work(admin);
    admin.release();
    return result;
  } catch (error) {
    // Closes the connection, which may hold the lock of the template.
    admin.release(true);
    throw error;
  }
}

function server(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url)
    throw new Error('The tests have no PostgreSQL: src/testing/test-postgres.server.ts starts one for each run.');
  return url;
}

function urlOf(database: string): string {
  const url = new URL(server());
  url.pathname = `/${database}`;
  return url.href;
}

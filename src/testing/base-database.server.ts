// A migrated database that each test server copies: a dump of the embedded one, or a template database on PostgreSQL.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Database, dumpEmbedded, openEmbedded, openPostgres } from '#db/database.server.ts';
import { migrate } from '#db/migrate.server.ts';
import { migrateJobs } from '#jobs/jobs.server.ts';

const MIGRATIONS = path.join(import.meta.dirname, '../../database/migrations');

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const name of fs.readdirSync(MIGRATIONS).toSorted())
    hash.update(name).update(fs.readFileSync(path.join(MIGRATIONS, name)));
  return hash.digest('hex').slice(0, 16);
}

/** A fresh migrated database: on TEST_DATABASE_URL when that is set, else embedded in memory. */
export async function freshDatabase(): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  return server ? freshOnServer(server) : freshEmbedded();
}

/** A new, empty database, for tests of migrations. */
export async function emptyDatabase(): Promise<Database> {
  const server = process.env['TEST_DATABASE_URL'];
  return server ? freshOnServer(server, 'template0') : openEmbedded({});
}

/** A new data folder with a migrated embedded database, for tests of whole processes. */
export async function freshDataDir(): Promise<string> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'quoteboard-data-'));
  const database = await openEmbedded({ dataDir, dump: await embeddedDump() });
  await database.close();
  return dataDir;
}

async function freshEmbedded(): Promise<Database> {
  return openEmbedded({ dump: await embeddedDump() });
}

async function embeddedDump(): Promise<Blob> {
  const file = path.join(os.tmpdir(), `quoteboard-test-${os.userInfo().uid}-${fingerprint()}.tar`);
  if (!fs.existsSync(file)) {
    const base = await openEmbedded({});
    await migrate(base.db);
    await migrateJobs(base);
    const dump = Buffer.from(await (await dumpEmbedded(base)).arrayBuffer());
    await base.close();
    // The rename lets a test that starts meanwhile see the whole file or none.
    const part = `${file}.${process.pid}`;
    fs.writeFileSync(part, dump);
    fs.renameSync(part, file);
  }
  return fs.openAsBlob(file);
}

async function freshOnServer(server: string, from?: string): Promise<Database> {
  const template = from ?? `quoteboard_test_${fingerprint()}`;
  const name = `quoteboard_test_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    // One test process makes the template; the others wait.
    await admin.query('select pg_advisory_lock(724501)');
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (!rowCount) {
      // A process that was killed at this point has left a database behind.
      await admin.query(`drop database if exists ${template}_part with (force)`);
      await admin.query(`create database ${template}_part`);
      const base = openPostgres(urlOf(server, `${template}_part`), 4, { long: true });
      await migrate(base.db);
      await migrateJobs(base);
      await base.close();
      await admin.query(`alter database ${template}_part rename to ${template}`);
    }
    await admin.query(`create database ${name} template ${template}`);
  } finally {
    await admin.end();
  }
  const database = openPostgres(urlOf(server, name), 8, { long: true });
  return {
    ...database,
    close: async () => {
      await database.close();
      const last = new pg.Client({ connectionString: server });
      await last.connect();
      await last.query(`drop database ${name} with (force)`);
      await last.end();
    },
  };
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

// Opens the database: real PostgreSQL by address, or the embedded one in a folder. Both are used through the same Kysely.
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** The database or a transaction on it. Inside a transaction use only the transaction: the embedded database has one connection. */
export type Db = Kysely<Tables>;

export type Database = {
  db: Db;
  pool: pg.Pool;
  embedded: boolean;
  close: () => Promise<void>;
};

// Numbers and calendar dates travel as the wire has them: numeric(14,4) fits a double exactly, dates are ISO text.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

/** Opens PostgreSQL by its address. */
export function openPostgres(databaseUrl: string, max = 20): Database {
  const pool = new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 10_000 });
  return wrap(pool, false, async () => {});
}

/**
 * Opens the embedded database in `dataDir`, or in memory from a dump.
 * Throws when another process has the folder open: two processes on it would lose each other's rows.
 */
export async function openEmbedded(where: { dataDir: string } | { dump?: Blob }): Promise<Database> {
  const release = 'dataDir' in where ? lockFolder(where.dataDir) : () => {};
  try {
    const lite = await PGlite.create({
      extensions: { pg_trgm },
      ...('dataDir' in where
        ? { dataDir: path.join(where.dataDir, 'database') }
        : where.dump
          ? { loadDataDir: where.dump }
          : {}),
    });
    const pool = new pg.Pool({ ...createPgConfig(lite), max: 1 });
    const database = wrap(pool, true, async () => {
      await lite.close();
      release();
    });
    dumps.set(database, async () => {
      const dump = await lite.dumpDataDir('none');
      return dump;
    });
    return database;
  } catch (error) {
    release();
    throw error;
  }
}

const dumps = new WeakMap<Database, () => Promise<Blob>>();

/** The whole embedded database as one file, from which tests open copies. */
export async function dumpEmbedded(database: Database): Promise<Blob> {
  const dump = dumps.get(database);
  if (!dump) throw new Error('only an embedded database can be dumped');
  return dump();
}

/** Whether an error means that the server is not there (stopped, restarting, too busy, cut off), so that a later try may succeed. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(08...|53...|57P0.|ECONN\w+|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EPIPE)$/.test(code) ||
    // The pool and the client say these without a code.
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  );
}

function wrap(pool: pg.Pool, embedded: boolean, after: () => Promise<void>): Database {
  // An idle connection that breaks is replaced by the pool; without a listener the error would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    embedded,
    close: async () => {
      await db.destroy();
      await after();
    },
  };
}

/** One process a folder. The lock names its process, so that one left by a killed process is taken over. */
function lockFolder(dataDir: string): () => void {
  fs.mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(fs.readFileSync(file, 'utf8'));
      if (owner && owner !== process.pid && isRunning(owner)) {
        throw new Error(
          `The data folder ${dataDir} is in use by process ${owner}. Stop it first, or choose another DATA_DIR.`,
          {
            cause: error,
          },
        );
      }
      fs.rmSync(file, { force: true });
    }
  }
  throw new Error(`The data folder ${dataDir} cannot be locked.`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

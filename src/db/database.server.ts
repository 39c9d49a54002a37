// Opens the database: real PostgreSQL by address, or the embedded one in a folder. Both are used through the same Kysely.
import fs from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { Kysely, PostgresDialect, sql } from 'kysely';
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
  const pool = new pg.Pool({ connectionString: databaseUrl, max, connectionTimeoutMillis: 10_000, keepAlive: true });
  pool.on('connect', prepareStatements);
  return wrap(pool, false, async () => {});
}

/** Their best plan depends on what is searched for: a plan for any value would read far too much. */
const PLANNED_EACH_TIME = / like | offset |count\(/;
/** At the end of a statement (`modifyEnd`) that looks so, but is read by the same index whatever is searched for. */
export const ONE_PLAN = sql`/* one plan */`;
const MOST_PREPARED = 200;

/**
 * Lets a connection parse and plan each statement once instead of at every call: the same text gets the same name. The plan of a
 * statement whose tables a newer version has changed meanwhile is made anew.
 */
function prepareStatements(client: pg.PoolClient): void {
  const names = new Map<string, string>();
  let last = 0;
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  const prepared = async (text: string, values: unknown[]) => {
    const name = names.get(text) ?? `q${++last}`;
    names.set(text, name);
    try {
      return await query({ name, text, values });
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      names.delete(text);
      // In a transaction the database takes nothing more; its caller begins the whole anew.
      if (client.getTransactionStatus() !== 'I') throw error;
      return query({ text, values });
    }
  };
  client.query = ((...input: unknown[]) => {
    const [text, values, callback] = input;
    const mayPrepare = typeof text === 'string' && Array.isArray(values) && values.length > 0 && callback === undefined;
    const varies = mayPrepare && PLANNED_EACH_TIME.test(text) && !text.endsWith('/* one plan */');
    if (!mayPrepare || varies || (names.size >= MOST_PREPARED && !names.has(text))) {
      return query(...input);
    }
    return prepared(text, values);
  }) as typeof client.query;
}

/** Whether a statement was planned before its tables changed, so that the same again succeeds. */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/**
 * Opens the embedded database in `dataDir`, or in memory; a new one begins with what is in `dump`.
 * Throws when another process has the folder open: two processes on it would lose each other's rows.
 */
export async function openEmbedded({ dataDir, dump }: { dataDir?: string; dump?: Blob }): Promise<Database> {
  const release = dataDir === undefined ? () => {} : lockFolder(dataDir);
  try {
    const lite = await PGlite.create({
      extensions: { pg_trgm },
      ...(dataDir === undefined ? {} : { dataDir: path.join(dataDir, 'database') }),
      ...(dump ? { loadDataDir: dump } : {}),
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
  // A connection that breaks is replaced by the pool, and a statement on it fails by itself; without a listener on the pool (for idle
  // connections) and on each connection (while one is between two statements of a transaction) the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
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
    if (writeNew(file, `${process.pid} ${startOf(process.pid)}`)) return () => fs.rmSync(file, { force: true });
    const [owner = '', start = ''] = fs.readFileSync(file, 'utf8').split(' ');
    if (isRunning(Number(owner), start)) {
      throw new Error(
        `The data folder ${dataDir} is in use by process ${owner}. Stop it first, or choose another DATA_DIR.`,
      );
    }
    fs.rmSync(file, { force: true });
  }
  throw new Error(`The data folder ${dataDir} cannot be locked.`);
}

/** Writes a file that must not be there yet; false when it is. */
function writeNew(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Whether the process that wrote the lock still lives. Its number alone may be another's by now: in a container it always is. */
function isRunning(pid: number, start: string): boolean {
  if (!pid) return false;
  const now = startOf(pid);
  if (start && now) return start === now;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process was started, in ticks since the machine was; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; the start is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

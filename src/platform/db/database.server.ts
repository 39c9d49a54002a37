// Opens a PostgreSQL database by its address, with limits for every wait.
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { Kysely, type LogEvent, PostgresDialect, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { beginSpan, isTracing, errorName, withoutValues } from '#platform/outside/trace.server.ts';
import { type Call, forget, Prepared, sendRound } from './round-trip.server.ts';
import type { Tables } from './tables.ts';

/** The database or a transaction on it. Inside a transaction use only the transaction, because another connection does not see its changes. */
export type Db = Kysely<Tables>;

/** A part of a statement. */
export type Sql = RawBuilder<unknown>;

export type Database = {
  db: Db;
  /** The same database with the limits of long work: imports, exports, migrations. Do not use it for work that users wait for. */
  longDb: Db;
  pool: pg.Pool;
  longPool: pg.Pool;
  close: () => Promise<void>;
};

// Numbers and dates have the types of the wire format: numeric(14,4) fits a double exactly, dates are ISO text.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

/** Time limits in milliseconds, on the database server and in the client. The database server times out first and reports why. */
type Limits = { connect: number; statement: number; lock: number; idleInTransaction: number; answer: number };

/** A user gets an answer within ten seconds, even if a connection is slow and a statement fails afterwards. */
const SERVING: Limits = { connect: 3500, statement: 5500, lock: 4000, idleInTransaction: 10_000, answer: 6000 };
const MINUTE = 60_000;
const LONG: Limits = {
  connect: 10_000,
  statement: 30 * MINUTE,
  lock: MINUTE,
  idleInTransaction: 10 * MINUTE,
  answer: 31 * MINUTE,
};
const MAX_LONG_STATEMENTS = 5;

/** Opens PostgreSQL by its address. With `long`, every statement has the limits of long work, for tools that no screen waits for. */
export function openPostgres(databaseUrl: string, max = 20, { long = false } = {}): Database {
  const longPool = poolOf(databaseUrl, long ? max : MAX_LONG_STATEMENTS, LONG);
  const pool = long ? longPool : poolOf(databaseUrl, max, SERVING);
  const longDb = kyselyOn(longPool);
  const db = long ? longDb : kyselyOn(pool);
  return {
    db,
    longDb,
    pool,
    longPool,
    close: async () => {
      await db.destroy();
      if (!long) await longDb.destroy();
    },
  };
}

function poolOf(databaseUrl: string, max: number, limits: Limits): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    query_timeout: limits.answer,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The database server also notices within half a minute that the client is gone, and then releases the connection's locks. JIT compilation is
    // off: it took 1.6 s for the map's territories, and the statement itself 0.2 s.
    options:
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000 -c jit=off',
  });
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  pool.on('connect', (client) =>
    prepareStatements(client, () => {
      // If one connection is silent, the others probably are too. Closing them gives the next caller a new connection instead of the same wait.
      for (const silent of [client, ...idle]) socketOf(silent).destroy();
    }),
  );
  return pool;
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Statements whose best plan depends on the searched value: a generic plan would read far too much. */
const PLANNED_EACH_TIME = / like | @@ | offset |count\(/;
/** Marks the end of a statement (`modifyEnd`) that looks like such a search but uses the same index for every value. */
export const ONE_PLAN = sql`/* one plan */`;
/**
 * Marks the end of a statement (`modifyEnd`) whose result is not needed. It is sent in one round with the next statement of its transaction, or with
 * the commit. That statement then fails in its place. A rollback before that drops it.
 */
export const WITH_NEXT = sql`/* with the next */`;
const MAX_PREPARED = 200;

/**
 * Names each statement by its text, so that a connection parses and plans it only once. If a newer version has changed the tables of a statement
 * since then, the connection plans it again. Statements whose answer can wait, such as the begin of a transaction, wait for the next one and share
 * its round trip.
 */
function prepareStatements(client: pg.PoolClient, onSilence: () => void): void {
  const known = new Map<string, Prepared>();
  let held: Call[] = [];
  const send = client.query.bind(client) as (...input: unknown[]) => unknown;
  const heard = <T>(answer: Promise<T>): Promise<T> => {
    answer.catch((error: unknown) => isSilence(error) && onSilence());
    return answer;
  };
  const query = (...input: unknown[]) => {
    const answer = send(...input);
    return answer instanceof Promise ? heard(answer) : answer;
  };
  const statementOf = (text: string) => {
    const statement = known.get(text) ?? new Prepared(statementName(text), text);
    known.set(text, statement);
    return statement;
  };
  /** Sends the held statements and the given calls in one round. Returns the result of the last. */
  const inRound = async (...added: Call[]): Promise<pg.QueryResult> => {
    const calls = [...held, ...added];
    held = [];
    try {
      const results = await heard(sendRound(send, calls));
      return results.at(-1) ?? nothing('SELECT');
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error;
      for (const { statement } of calls) forget(statement);
      // A failed transaction accepts no more statements; its caller starts it again.
      if (calls.length > 1 || client.getTransactionStatus() !== 'I') throw error;
      return inRound(...calls);
    }
  };
  const alone = async (...input: unknown[]) => {
    await inRound();
    return query(...input);
  };
  client.query = ((...input: unknown[]) => {
    const [text, values, callback] = input;
    const isText = typeof text === 'string' && Array.isArray(values) && callback === undefined;
    if (isText && values.length === 0) {
      const isBegun = held[0]?.statement.text !== 'begin';
      if (text === 'begin') {
        held = [{ statement: statementOf(text), values }];
        return Promise.resolve(nothing('BEGIN'));
      }
      if (text === 'commit' && held.length > 0) {
        if (isBegun || held.length > 1) return inRound({ statement: statementOf(text), values });
        held = [];
        return Promise.resolve(nothing('COMMIT'));
      }
      if (text === 'rollback') {
        held = [];
        if (!isBegun) return Promise.resolve(nothing('ROLLBACK'));
      }
    }
    const mayPrepare = isText && values.length > 0;
    const varies = mayPrepare && PLANNED_EACH_TIME.test(text) && !text.endsWith('/* one plan */');
    if (!mayPrepare || varies || (known.size >= MAX_PREPARED && !known.has(text))) {
      return held.length > 0 ? alone(...input) : query(...input);
    }
    const call = { statement: statementOf(text), values };
    const mayWait = held.length > 0 || client.getTransactionStatus() === 'T';
    if (!mayWait || !text.endsWith('/* with the next */')) return inRound(call);
    held.push(call);
    return Promise.resolve(nothing('SELECT'));
  }) as typeof client.query;
}

/** The name of a prepared statement. It depends only on the text, so that a pooler that shares connections cannot confuse two statements. */
function statementName(text: string): string {
  return `q${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

/** The result of a statement that is held back. */
function nothing(command: string): pg.QueryResult {
  return { command, rowCount: null, oid: 0, fields: [], rows: [] };
}

/** Returns whether a statement was planned before its tables changed, so that repeating it succeeds. */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/** Returns whether the client stopped waiting for an answer. The connection may still deliver that answer later, so it must not be used again. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns whether an error means that the server is unavailable (stopped, restarting, too busy, cut off), so that a later try may succeed. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(08...|53...|57P0.|25P03|ECONN\w+|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EPIPE)$/.test(code) ||
    // The pool and the client throw these errors without a code.
    isSilence(error) ||
    /^(Connection terminated|Client was closed|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(
      error.message,
    )
  );
}

function kyselyOn(pool: pg.Pool): Db {
  // The pool replaces a broken connection, and a statement on it fails in any case. Without a listener on the pool (for idle connections) and on each
  // connection (between two statements of a transaction) the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    ...(isTracing() ? { log: traceStatement } : {}),
  });
}

/** Records a span for a statement that has ended: its text without values, never its parameters. */
function traceStatement(event: LogEvent): void {
  const { sql: text } = event.query;
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const began = Date.now() - event.queryDurationMillis;
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': verb,
    'db.query.text': withoutValues(text),
  };
  beginSpan(verb, 'client', attributes, { began })?.end(event.level === 'error' ? errorName(event.error) : undefined);
}

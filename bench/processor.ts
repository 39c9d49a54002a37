// Reads processor time and memory of the server and PostgreSQL from /proc. Unlike calls per second, they hardly depend on other load.
import fs from 'node:fs';
import pg from 'pg';

/** A clock tick of /proc in milliseconds. */
const TICK = 10;

/** Milliseconds of processor time of a process and its ended children; 0 if the system does not report it. */
function processorOf(pid: number | string): number {
  return read(() => {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces. The times of the process and its ended children begin twelve fields after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK, 0);
  });
}

/** Milliseconds of processor time that a process and its child processes have used so far. */
export function processorOfTree(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce<number>((sum, entry) => sum + processorOf(entry), 0);
}

/** MB of memory of a process and its child processes. */
export function memoryOfTree(pid: number): number {
  const kilobytes = (process: number | string) =>
    read(() => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${process}/status`, 'utf8'))?.[1]));
  return Math.round([pid, ...childrenOf(pid)].reduce<number>((sum, entry) => sum + kilobytes(entry), 0) / 1024);
}

function childrenOf(pid: number): string[] {
  return read(() => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean), []);
}

function read<T = number>(work: () => T, otherwise: T = 0 as T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The processor time of the connections to one database, if PostgreSQL runs on this machine. */
export class Backends {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** null if this machine cannot see the processes of PostgreSQL. */
  static async of(databaseUrl: string): Promise<Backends | null> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const name = read(() => fs.readFileSync(`/proc/${rows[0]?.pid}/comm`, 'utf8').trim(), '');
    if (name === 'postgres') return new Backends(client);
    await client.end();
    return null;
  }

  /** Starts measuring. The returned function returns the milliseconds of processor time since then. */
  async watch(): Promise<() => Promise<number>> {
    const before = await this.#times();
    return async () => {
      const after = await this.#times();
      return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
    };
  }

  async #times(): Promise<Map<number, number>> {
    const { rows } = await this.#client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return new Map(rows.map(({ pid }) => [pid, processorOf(pid)]));
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

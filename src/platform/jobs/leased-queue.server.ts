// Runs the queues that send to other systems: one process at a time serves a sender, row by row, under a lease.
import { randomUUID } from 'node:crypto';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Tables } from '#platform/db/tables.ts';

/** A sender that this process serves under a lease. */
type Held<Sender> = {
  sender: Sender;
  lease: string;
  /** Renews the lease during a long try. Throws if another process has taken over, which ends `serveSender`. */
  renew: () => Promise<void>;
};

/** Less than the time after which the job queue treats a job as stuck. The next job continues. */
export const RUN_MS = 300_000;

/** After this time without a renewal, another process may take over. Each try renews the lease. */
const LEASE_MS = 60_000;

class LeaseLost extends Error {
  override message = 'Another process serves this sender.';
}

/** SQL for a sender that is not paused, and that no process holds except under this lease. */
export const isFree = (now: Date, lease = '') => sql<SqlBool>`(paused_until is null or paused_until <= ${now})
  and (leased_until is null or leased_until <= ${now} or lease = ${lease})`;

/**
 * Repeats `sendNext` while this process holds the sender, a row of `table`. Ends when another process holds it, when it is paused, when `sendNext`
 * returns false, or at `until`.
 */
export async function serveSender<T extends 'crm_connection' | 'webhook_endpoint'>(
  { database: { db }, clock }: Pick<Services, 'database' | 'clock'>,
  table: T,
  { id, until }: { id: number; until: number },
  sendNext: (held: Held<Selectable<Tables[T]>>) => Promise<boolean>,
): Promise<void> {
  const lease = randomUUID();
  const hold = async (condition: RawBuilder<SqlBool>) => {
    const leasedUntil = new Date(clock.now().getTime() + LEASE_MS);
    const { rows } = await sql<Selectable<Tables[T]>>`
      update ${sql.table(table)} set lease = ${lease}, leased_until = ${leasedUntil}
      where id = ${id} and ${condition} returning *`.execute(db);
    return rows[0];
  };
  const renew = async () => {
    if (!(await hold(sql`lease = ${lease}`))) throw new LeaseLost();
  };
  try {
    while (performance.now() < until) {
      const sender = await hold(isFree(clock.now(), lease));
      if (!sender || !(await sendNext({ sender, lease, renew }))) return;
    }
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error;
  } finally {
    await sql`update ${sql.table(table)} set lease = '', leased_until = null where lease = ${lease}`.execute(db);
  }
}

/** Returns the length of a pause in seconds: 5, doubled with each failure after the first, at most `longest`. */
export const pauseAfter = (failures: number, longest: number) => Math.min(longest, 5 * 2 ** Math.min(failures - 1, 10));

/** SQL for a value to store after a try. If a user requested another send while the try ran, the value is `otherwise`. */
export const unlessAskedAgain = <T>(asks: number, value: RawBuilder<T>, otherwise: RawBuilder<T>) =>
  sql<T>`case when asks = ${asks} then ${value} else ${otherwise} end`;

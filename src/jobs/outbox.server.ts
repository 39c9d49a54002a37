// What the queues share that send to other systems: the lease of their one sender, growing pauses, and requests made while they send.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/database.server.ts';

/** A job ends before the job queue counts it as stuck; the next job continues. */
export const RUN_MS = 300_000;

/** Another process may take over this long after the last renewal, which each try makes. */
const LEASE_MS = 60_000;

/** The values of an update that takes or renews a lease. */
export const leaseOf = (lease: string, now: Date) => ({ lease, leased_until: new Date(now.getTime() + LEASE_MS) });

/** The condition of an update that takes a lease: no other process has it. */
export const isFreeFor = (lease: string, now: Date) =>
  sql<boolean>`(lease in ('', ${lease}) or leased_until is null or leased_until <= ${now})`;

export async function endLease(db: Db, table: 'crm_connection' | 'webhook_endpoint', lease: string): Promise<void> {
  await db.updateTable(table).set({ lease: '', leased_until: null }).where('lease', '=', lease).execute();
}

/** The end of a pause: 5 seconds, doubled with each failure after the first, at most `longest` seconds. */
export const pauseAfter = (failures: number, longest: number) => Math.min(longest, 5 * 2 ** Math.min(failures - 1, 10));

/** A value to store of a try, unless somebody asked to send again while it ran: the column then keeps `otherwise`. */
export const unlessAskedAgain = <T>(asks: number, value: RawBuilder<T>, otherwise: RawBuilder<T>) =>
  sql<T>`case when asks = ${asks} then ${value} else ${otherwise} end`;

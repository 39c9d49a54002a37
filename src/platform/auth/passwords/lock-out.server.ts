// Slows down password guessing per account, address or known device: a wait of one minute after a few failures, doubling up to an hour.
import { sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { afterCommit } from '#platform/db/transaction.server.ts';
import { noteSecurity, type Suspect } from '#platform/security-events/note-security-event.server.ts';
import type { SecurityAction } from '#platform/security-events/security-kinds.ts';

// An office shares one address, so an address may fail more often than an account before it is blocked.
const FREE_FAILURES = { account: 5, device: 5, address: 20 };
const FIRST_WAIT = 60_000;
const MAX_WAIT_MS = 3_600_000;
/** The count restarts after this much time without a failure. */
const FORGOTTEN_AFTER = { account: 24 * 3_600_000, device: 24 * 3_600_000, address: 3_600_000 };

type Kind = keyof typeof FREE_FAILURES;

export const accountKey = (userName: string) => `u:${userName}`;
export const addressKey = (address: string | undefined) => `a:${networkOf(address)}`;
/** The key of a known device or a session. It has its own count, separate from guesses by anyone who only knows the name of the account. */
export const deviceKey = (id: string) => `d:${id}`;
/** The key of the second step of signing in, on a known device or by user. */
export const factorKey = (id: string) => `f:${id}`;

export function tooManyTries(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

/**
 * Returns the network of an address. An IPv6 user has 2^64 addresses, so the first four groups are treated as one. A caller who has disconnected has
 * no address.
 */
export function networkOf(address: string | undefined): string {
  if (!address) return 'gone';
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  return `${[...(before ?? []), ...zeros, ...(after ?? [])].slice(0, 4).join(':')}::/64`;
}

/** Returns the seconds to wait before any of the keys may try again; 0 if none is blocked. */
export async function secondsBlocked(db: Db, now: Date, keys: string[]): Promise<number> {
  const blocked = await db
    .selectFrom('sign_in_failure')
    .select('blocked_until')
    .where('key', 'in', keys)
    .where('blocked_until', '>', now.toISOString())
    .execute();
  const until = Math.max(0, ...blocked.map((row) => Date.parse(row.blocked_until ?? '')));
  return until === 0 ? 0 : Math.ceil((until - now.getTime()) / 1000);
}

const LOCKED = { account: 'Account locked', device: 'Device locked', address: 'Address locked' } as const;

/** Counts a failed sign-in, or a failed proof of identity, under each key. Logs it to the security log, with any lockout that it causes. */
export async function countFailures(
  db: Db,
  services: Services,
  failed: Suspect & { action: SecurityAction },
  keys: readonly (readonly [kind: Kind, key: string] | null)[],
): Promise<void> {
  const { action, ...suspect } = failed;
  const note = (more: { kind: 'SignInFailed' | 'LockedOut'; action: SecurityAction }) =>
    afterCommit(db, () => noteSecurity(services, { ...suspect, ...more }));
  note({ kind: 'SignInFailed', action });
  for (const [kind, key] of keys.filter((candidate) => candidate !== null))
    if (await countFailure(db, services.clock.now(), kind, key)) note({ kind: 'LockedOut', action: LOCKED[kind] });
}

/** Counts a failure of a key and blocks the key after too many. Returns whether it blocked the key. */
async function countFailure(db: Db, now: Date, kind: Kind, key: string): Promise<boolean> {
  const forgotten = new Date(now.getTime() - FORGOTTEN_AFTER[kind]);
  const { failures } = await db
    .insertInto('sign_in_failure')
    .values({ key, failures: 1, last_at: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when sign_in_failure.last_at < ${forgotten} then 1 else sign_in_failure.failures + 1 end`,
        last_at: now,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  const over = failures - FREE_FAILURES[kind];
  if (over < 0) return false;
  const wait = Math.min(FIRST_WAIT * 2 ** Math.min(over, 16), MAX_WAIT_MS);
  await db
    .updateTable('sign_in_failure')
    .set({ blocked_until: new Date(now.getTime() + wait) })
    .where('key', '=', key)
    .execute();
  return true;
}

/** Returns a signed-in user in the form of the security log. */
export function suspectOf({ id, fullName, userName, from }: Caller): Suspect {
  return { userId: id, who: fullName, account: userName, from };
}

/**
 * Restarts the count of the account or known device after a success. The address is forgiven only one failure: otherwise someone with one account of
 * their own could guess at others forever. Also removes old entries.
 */
export async function forgive(db: Db, now: Date, key: string, address: string): Promise<void> {
  await db
    .deleteFrom('sign_in_failure')
    .where((where) =>
      where.or([
        where('key', '=', key),
        where('last_at', '<', new Date(now.getTime() - 2 * FORGOTTEN_AFTER.account).toISOString()),
      ]),
    )
    .execute();
  await db
    .updateTable('sign_in_failure')
    .set({ failures: sql`greatest(failures - 1, 0)` })
    .where('key', '=', address)
    .execute();
}

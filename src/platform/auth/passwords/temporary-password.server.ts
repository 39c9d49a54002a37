// The temporary password: mailed to the address of the account, valid once within 30 minutes, and to be changed at once.
import { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { userByName } from '../user-by-name.server.ts';
import { digestOf, newTemporaryPassword } from './password.server.ts';

const LIFE = 30 * 60_000;
/** The minimum time between two mails, so that repeated requests cannot flood a mailbox. */
const PAUSE = 60_000;
/** Thrown to roll back the mail to an address without an account. */
class NobodyGetsIt extends Error {}

/**
 * Finds the account and mails it a temporary password. Runs as a job for known and unknown addresses alike, separately from the answer, so that not
 * even the duration of the call reveals who has an account. For an unknown address it runs the same statements and rolls them back.
 */
export const resetPasswordJob = {
  name: 'reset-password',
  payload: z.object({ email: z.string() }),
  run: async (services: Services, { email }) => {
    const work = inTransaction(services.database.db, async (db) => {
      const user = await userByName(db, email, { lock: true });
      const now = services.clock.now().getTime();
      const isTooSoon = user?.temporary_until && Date.parse(user.temporary_until) > now + LIFE - PAUSE;
      const gets = user?.active && !isTooSoon ? user : null;
      await mailTemporaryPassword(db, services, gets ?? { ...NO_TEMPORARY, id: 0, user_name: email, full_name: email });
      if (!gets) throw new NobodyGetsIt();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof NobodyGetsIt)) throw error;
    });
  },
} satisfies JobKind<z.ZodType<{ email: string }>, Services>;

/**
 * Creates a temporary password and mails it. The old password works until the temporary one is used and changed (design 6). Earlier temporary
 * passwords stay valid for their half hour, so a user who requests two can use either mail.
 */
async function mailTemporaryPassword(
  db: Db,
  services: Services,
  user: Temporary & { id: number; user_name: string; full_name: string },
): Promise<void> {
  const password = newTemporaryPassword();
  const now = services.clock.now();
  const until = new Date(now.getTime() + LIFE);
  const { appTitle, publicUrl } = services.config;
  await db
    .updateTable('app_user')
    .set({
      temporary_hash: digestOf(password),
      temporary_until: until,
      temporary_earlier: JSON.stringify(goodOf(user, now)),
    })
    .where('id', '=', user.id)
    .execute();
  const { time_zone: timeZone } = await db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow();
  const time = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'long' }).format(until);
  await queueMail(db, services.jobs, {
    to: [user.user_name],
    subject: `Your temporary password for ${appTitle}`,
    body: `Hello ${user.full_name},

a new password was requested for your account. Sign in with this temporary password; you will then be asked to choose your own.

    ${password}

Sign in at ${publicUrl}/login

It works once, until ${time}. Your old password keeps working until you have chosen a new one.
If you didn't request this, you can ignore this email. Nothing has changed.
`,
    secret: 'Password mail',
  });
}

/** Voids an unused temporary password, because it was sent to an old address. */
export async function voidTemporaryPassword(db: Db, userId: number): Promise<void> {
  await db
    .updateTable('app_user')
    .set(NO_TEMPORARY)
    .where('id', '=', userId)
    .where('temporary_until', 'is not', null)
    .execute();
}

type Mailed = { hash: string; until: string };
/** The temporary passwords that an account stores: the newest, and those mailed before it. */
type Temporary = { temporary_hash: string | null; temporary_until: string | null; temporary_earlier: unknown };

/** The column values that void every temporary password. */
export const NO_TEMPORARY = { temporary_hash: null, temporary_until: null, temporary_earlier: '[]' };

const hashOf = (password: string) => digestOf(password.trim().toUpperCase());

/** Returns the unused temporary passwords that are still valid. */
function goodOf(user: Temporary, now: Date): Mailed[] {
  const { temporary_hash: hash, temporary_until: until } = user;
  return [...(user.temporary_earlier as Mailed[]), ...(hash && until ? [{ hash, until }] : [])].filter(
    (mailed) => Date.parse(mailed.until) > now.getTime(),
  );
}

/** Returns whether this is an unused and valid temporary password of the user. */
export function isTemporaryPassword(user: Temporary, password: string, now: Date): boolean {
  const hash = hashOf(password);
  return goodOf(user, now).some((mailed) => mailed.hash === hash);
}

/** Returns whether the user has signed in with this temporary password and not yet chosen a new one. */
export function isUsedTemporaryPassword(user: Pick<Temporary, 'temporary_hash'>, password: string): boolean {
  return user.temporary_hash === hashOf(password);
}

/**
 * Uses up the temporary password and requires a new password. All other temporary passwords become void. Returns false if another request used one in
 * the meantime.
 */
export async function useTemporaryPassword(db: Db, userId: number, password: string): Promise<boolean> {
  const used = await db
    .updateTable('app_user')
    .set({ ...NO_TEMPORARY, temporary_hash: hashOf(password), must_change_password: true })
    .where('id', '=', userId)
    .where('temporary_until', 'is not', null)
    .executeTakeFirst();
  return used.numUpdatedRows > 0n;
}

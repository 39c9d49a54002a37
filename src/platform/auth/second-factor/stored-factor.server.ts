// The second factor of a user: whether it is set up or required, and the check of a code.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { resealed, SealBroken, unseal } from '#platform/outside/sealed.server.ts';
import { digestOf } from '../passwords/password.server.ts';
import { codeStep } from './totp.server.ts';

/** Returns the name under which a secret is sealed, so that it opens for one user only. */
export const sealedFor = (userId: number): string => `second factor of ${userId}`;

/** Returns the form of the code that is hashed. Users type it with or without hyphens. */
export const plainCode = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const IS_CODE = /^\s*(\d\s*){6}$/;

/** SQL for the number of passkeys of the `app_user` of the statement. */
export const PASSKEYS = sql<number>`(select count(*)::int from passkey where passkey.user_id = app_user.id)`;

/** Returns whether the user has an app or a passkey, so that the password alone is not enough to sign in. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { has } = await db
    .selectNoFrom(
      sql<boolean>`exists (select from second_factor where user_id = ${userId} and secret <> '')
        or exists (select from passkey where user_id = ${userId})`.as('has'),
    )
    .executeTakeFirstOrThrow();
  return has;
}

export async function countPasskeys(db: Db, userId: number): Promise<number> {
  const { passkeys } = await db
    .selectFrom('app_user')
    .select(PASSKEYS.as('passkeys'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return passkeys;
}

/** SQL for whether one of the roles of `userId` must have a second factor. */
export const isRequiredFor = (userId: ReturnType<typeof sql>) =>
  sql<boolean>`exists (select from user_role join sign_in_rule on role = any(second_factor_roles) where user_id = ${userId})`;

export async function isRequired(db: Db, userId: number): Promise<boolean> {
  const { required } = await db
    .selectNoFrom(isRequiredFor(sql`${userId}::int`).as('required'))
    .executeTakeFirstOrThrow();
  return required;
}

/** Returns the number of unused recovery codes. */
export async function codesLeft(db: Db, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

export type Checked = 'code' | 'recovery code' | 'wrong' | 'broken';

/**
 * Checks a typed code and uses it up, in the transaction `db` and under a lock, so that a second sign-in with the same code is refused. 'broken'
 * means that the secret was sealed under another TOKEN_SECRET.
 */
export async function useCode(db: Db, services: Services, userId: number, typed: string): Promise<Checked> {
  const now = services.clock.now();
  if (!IS_CODE.test(typed)) {
    const used = await db
      .updateTable('recovery_code')
      .set({ used_at: now })
      .where('user_id', '=', userId)
      .where('code_hash', '=', digestOf(plainCode(typed)))
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n ? 'recovery code' : 'wrong';
  }
  const factor = await db
    .selectFrom('second_factor')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('secret', '!=', '')
    .forUpdate()
    .executeTakeFirst();
  if (!factor) return 'wrong';
  let secret: string;
  try {
    secret = unseal(services.config, sealedFor(userId), factor.secret);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return 'broken';
  }
  const step = codeStep(secret, typed, now, factor.last_step);
  if (step === null) return 'wrong';
  await db.updateTable('second_factor').set({ last_step: step }).where('user_id', '=', userId).execute();
  return 'code';
}

/** Seals again the secrets that are sealed under the other TOKEN_SECRET. Returns how many there were. */
export async function resealFactors(db: Db, { config }: Pick<Services, 'config'>): Promise<number> {
  let sealed = 0;
  for (const { user_id: id, ...stored } of await db
    .selectFrom('second_factor')
    .select(['user_id', 'secret', 'pending'])
    .execute())
    for (const column of ['secret', 'pending'] as const) {
      const newSeal = resealed(config, sealedFor(id), stored[column]);
      if (newSeal === null) continue;
      const change = { [column]: newSeal };
      await db
        .updateTable('second_factor')
        .set(change)
        .where('user_id', '=', id)
        .where(column, '=', stored[column])
        .execute();
      sealed++;
    }
  return sealed;
}

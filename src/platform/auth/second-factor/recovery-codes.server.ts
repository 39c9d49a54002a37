// Recovery codes: each signs a user in once when the app or the passkey is not at hand.
import type { Db } from '#platform/db/database.server.ts';
import { digestOf, newTemporaryPassword } from '../passwords/password.server.ts';
import { plainCode } from './stored-factor.server.ts';

const RECOVERY_CODES = 10;

/** Creates ten codes and voids the earlier ones. Each has 79 bits, so a plain digest protects it well enough. */
export async function newRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newTemporaryPassword);
  await voidRecoveryCodes(db, userId);
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: digestOf(plainCode(code)) })))
    .execute();
  return codes;
}

export async function voidRecoveryCodes(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
}

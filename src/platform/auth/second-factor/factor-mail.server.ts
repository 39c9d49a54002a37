// Mails a user whose second factor changed, so that nobody else can change it unnoticed.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type Actor, recordChange } from '#platform/history/record-change.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { mailAccountChange } from '../account-mail.server.ts';
import { codesLeft, hasSecondFactor } from './stored-factor.server.ts';
import { FEW_CODES } from './second-factor.contract.ts';

const CHANGES = {
  added: { happened: 'An authenticator app was set up', next: 'From now on, you need a code from it to sign in.' },
  replaced: { happened: 'Another authenticator app was set up', next: 'The codes of the old app no longer work.' },
  removed: { happened: 'Your second factor was removed', next: 'From now on, you sign in with just your password.' },
  unused: { happened: 'Your authenticator app was removed', next: 'From now on, you need a passkey instead.' },
  reset: {
    happened: 'Your second factor was reset',
    next: 'Your app, your passkeys and your recovery codes no longer work.',
  },
  codes: { happened: 'New recovery codes were created', next: 'The old recovery codes no longer work.' },
} as const;

/** Queues the mail in the transaction of the change. `by` is the administrator who made the change, unless the user made it. */
export function mailFactorChange(
  db: Db,
  services: Services,
  userId: number,
  change: keyof typeof CHANGES,
  by?: string,
): Promise<void> {
  const { happened, next } = CHANGES[change];
  return mailAccountChange(db, services, userId, { happened: by ? `${happened} by ${by}` : happened, next });
}

/** Records the use of a recovery code, and mails the user when few are left. `person` is the owner of the code. */
export async function noteRecoveryCode(db: Db, services: Services, person: Actor): Promise<void> {
  const { id, fullName } = person;
  await recordChange(db, person, { type: 'user', id, name: fullName, action: 'Use recovery code' });
  const left = await codesLeft(db, id);
  // Removing the second factor also removes its last codes.
  if (left >= FEW_CODES || !(await hasSecondFactor(db, id))) return;
  const words = left === 0 ? 'none are left' : left === 1 ? 'one is left' : `${left} are left`;
  const next = `Create new ones before you run out: ${services.config.publicUrl}${paths.account}`;
  await mailAccountChange(db, services, id, { happened: `A recovery code was used, ${words}`, next });
}

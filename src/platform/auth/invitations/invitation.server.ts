// Invitations: a one-time link by mail that lets a new user choose a password (docs/administration.md).
import { randomBytes } from 'node:crypto';
import { HttpError } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { digestOf, hashPassword } from '../passwords/password.server.ts';
import { NO_TEMPORARY } from '../passwords/temporary-password.server.ts';
import { refuseWeakPassword } from '../passwords/weak-password.server.ts';
import { forgetCallers } from '../sessions/caller.server.ts';
import { revokeSessionsOf } from '../sessions/session.server.ts';
import type { Invitation } from './invitation.contract.ts';

const LIFE = 7 * 24 * 3_600_000;

export const invitationAnswers: Answers<typeof Invitation> = {
  GetInvitation: async ({ db, services }, { token }) => readInvitation(db, services, token),

  AcceptInvitation: async ({ db, services, request }, { token, newPassword }) => {
    // Refuses a guessed link before doing slow work.
    const person = await readInvitation(db, services, token);
    await refuseWeakPassword(db, person, newPassword);
    const password_hash = await hashPassword(newPassword);
    const user = await inTransaction(services.database.db, async (transaction) => {
      const used = await transaction
        .updateTable('invitation')
        .set({ used_at: services.clock.now() })
        .from('app_user')
        .whereRef('app_user.id', '=', 'invitation.user_id')
        .where('app_user.active', '=', true)
        .where('token_hash', '=', digestOf(token))
        .where('used_at', 'is', null)
        .returning(['app_user.id', 'app_user.user_name as userName', 'app_user.full_name as fullName'])
        .executeTakeFirst();
      // If the link is open in two windows, the first submission wins.
      if (!used) throw notGood();
      await transaction
        .updateTable('app_user')
        .set({ password_hash, must_change_password: false, ...NO_TEMPORARY })
        .where('id', '=', used.id)
        .execute();
      await revokeSessionsOf(transaction, services, used.id);
      await recordChange(
        transaction,
        { ...used, from: originOf(request) },
        {
          type: 'user',
          id: used.id,
          name: used.fullName,
          action: 'Accept invitation',
        },
      );
      return used;
    });
    forgetCallers(services);
    return { userName: user.userName };
  },
};

/** Mails a new link in the transaction `db` and returns it; earlier links become void. */
export async function invite(
  db: Db,
  services: Services,
  user: { id: number; userName: string; fullName: string },
  invitedBy: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const sent_at = services.clock.now();
  const expires_at = new Date(sent_at.getTime() + LIFE);
  const invitation = { token_hash: digestOf(token), sent_at, expires_at, used_at: null };
  await db
    .insertInto('invitation')
    .values({ user_id: user.id, ...invitation })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(invitation))
    .execute();
  const { appTitle, publicUrl } = services.config;
  const link = `${publicUrl}${paths.invitation(token)}`;
  const { time_zone: timeZone } = await db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow();
  const until = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(
    expires_at,
  );
  await queueMail(db, services.jobs, {
    to: [user.userName],
    subject: `Your account for ${appTitle}`,
    body: `Hello ${user.fullName},

${invitedBy} has created an account for you. Choose your password here:

    ${link}

The link works once, until ${until}. After that, sign in at ${publicUrl}${paths.login} as ${user.userName}.
If you did not expect this email, you can ignore it.
`,
    secret: 'Invitation',
  });
  return link;
}

/** Voids an unused link because the user has left, or because it was sent to an old address. */
export async function voidInvitation(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('invitation').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}

async function readInvitation(db: Db, services: Services, token: string) {
  const row = await db
    .selectFrom('invitation')
    .innerJoin('app_user', 'app_user.id', 'invitation.user_id')
    .select(['app_user.user_name as userName', 'app_user.full_name as fullName'])
    .where('token_hash', '=', digestOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', services.clock.now().toISOString())
    .where('app_user.active', '=', true)
    .executeTakeFirst();
  if (!row) throw notGood();
  return row;
}

/** Returns the same refusal for every problem with a link, so that nobody learns who has an account. */
function notGood(): HttpError {
  return new HttpError(
    404,
    'This link no longer works. It was used, has expired, or was replaced by a newer one. Ask your system administrator for a new one.',
  );
}

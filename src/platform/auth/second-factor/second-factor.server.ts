// The answers of the second factor: the second step of signing in, and setting up a factor in the user's own account.
import { HttpError } from '#platform/api/http-error.ts';
import { originOf } from '#platform/api/origin.server.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import type { RecordAction } from '#platform/history/record-words.ts';
import { SealBroken, seal, unseal } from '#platform/outside/sealed.server.ts';
import { ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import { proven } from '../passkeys/require-proof.server.ts';
import { refuseBlockedSession } from '../passwords/prove-password.server.ts';
import { forgetCallers } from '../sessions/caller.server.ts';
import { knownRoles } from '../sessions/read-caller.server.ts';
import { signInAnswer } from '../open-session.server.ts';
import { answerChallenge, enter } from './challenge.server.ts';
import { codesLeft, countPasskeys, hasSecondFactor, isRequired, PASSKEYS, sealedFor } from './stored-factor.server.ts';
import { mailFactorChange } from './factor-mail.server.ts';
import { newRecoveryCodes, voidRecoveryCodes } from './recovery-codes.server.ts';
import type { SecondFactor } from './second-factor.contract.ts';
import type { SecondFactorAdmin } from './second-factor-admin.contract.ts';
import { newSecret, otpauth, codeStep } from './totp.server.ts';
import { wrongCode } from './require-code.server.ts';

const SETUP_LIFE = 15 * 60_000;
const REQUIRED = 'One of your roles requires a second factor. You can set up another app instead.';

export const secondFactorAnswers: Answers<typeof SecondFactor> = {
  ConfirmSignIn: async ({ services, request }, { challenge: token, code }) => {
    const input = { token, code, from: originOf(request) };
    const { device, signedIn } = await answerChallenge(services, input, async (db, answered) =>
      enter(db, services, answered, request),
    );
    return signInAnswer(services, signedIn, device || undefined);
  },

  GetSecondFactor: async ({ db, user }) => {
    const row = await db
      .selectFrom('app_user')
      .leftJoin('second_factor', 'user_id', 'app_user.id')
      .select(['password_hash', 'since', PASSKEYS.as('passkeys')])
      .where('app_user.id', '=', user.id)
      .executeTakeFirstOrThrow();
    return {
      since: row.since,
      passkeys: row.passkeys,
      recoveryCodesLeft: await codesLeft(db, user.id),
      required: await isRequired(db, user.id),
      hasPassword: row.password_hash !== null,
    };
  },

  BeginSecondFactor: async (context, proof) => {
    const { db, services, user } = context;
    // Someone who knows only the password must not be able to replace the owner's app.
    await proven(context, proof, async () => {});
    const secret = newSecret();
    const pending = {
      pending: seal(services.config, sealedFor(user.id), secret),
      pending_until: new Date(services.clock.now().getTime() + SETUP_LIFE),
    };
    await db
      .insertInto('second_factor')
      .values({ user_id: user.id, ...pending })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pending))
      .execute();
    return { secret, address: otpauth(secret, services.config.appTitle, user.userName) };
  },

  ConfirmSecondFactor: async ({ services, user }, { code }) => {
    await refuseBlockedSession(services, user);
    const now = services.clock.now();
    const codes = await inTransaction(services.database.db, async (db) => {
      const factor = await db
        .selectFrom('second_factor')
        .select(['pending', 'pending_until', 'secret'])
        .where('user_id', '=', user.id)
        .forUpdate()
        .executeTakeFirst();
      if (!factor?.pending || !factor.pending_until || Date.parse(factor.pending_until) <= now.getTime())
        throw new HttpError(409, 'Setup took too long or was already completed. Start over.');
      const step = codeStep(openedPending(services, user.id, factor.pending), code, now, 0);
      if (step === null) return null;
      await db
        .updateTable('second_factor')
        .set({ secret: factor.pending, since: now, last_step: step, pending: '', pending_until: null })
        .where('user_id', '=', user.id)
        .execute();
      await db.updateTable('session').set({ must_enroll: false }).where('user_id', '=', user.id).execute();
      await recordOwn(db, user, 'Set up second factor');
      await mailFactorChange(db, services, user.id, factor.secret === '' ? 'added' : 'replaced');
      return newRecoveryCodes(db, user.id);
    });
    if (!codes) throw await wrongCode(services, user);
    forgetCallers(services);
    return { recoveryCodes: codes };
  },

  RenewRecoveryCodes: (context, proof) =>
    proven(context, proof, async (db) => {
      const { services, user } = context;
      if (!(await hasSecondFactor(db, user.id))) throw new HttpError(409, 'You have no second factor.');
      await recordOwn(db, user, 'Renew recovery codes');
      await mailFactorChange(db, services, user.id, 'codes');
      return { recoveryCodes: await newRecoveryCodes(db, user.id) };
    }),

  RemoveSecondFactor: async (context, proof) => {
    const { db, services, user } = context;
    if ((await countPasskeys(db, user.id)) === 0 && (await isRequired(db, user.id))) throw new HttpError(409, REQUIRED);
    return proven(context, proof, async (transaction) => {
      await removeApp(transaction, user.id);
      await recordOwn(transaction, user, 'Remove second factor');
      const left = await countPasskeys(transaction, user.id);
      await mailFactorChange(transaction, services, user.id, left > 0 ? 'unused' : 'removed');
      return {};
    });
  },
};

export const secondFactorAdminAnswers: Answers<typeof SecondFactorAdmin> = {
  ResetSecondFactor: async ({ db, services, user: actor }, { id }) => {
    const person = await db
      .selectFrom('app_user')
      .leftJoin('second_factor', 'user_id', 'app_user.id')
      .select(['full_name as fullName', 'since', PASSKEYS.as('passkeys')])
      .where('app_user.id', '=', id)
      .executeTakeFirst();
    if (!person) throw new HttpError(404, 'This user does not exist.');
    if (person.since === null && person.passkeys === 0)
      throw new HttpError(409, `${person.fullName} has no second factor.`);
    await db.deleteFrom('passkey').where('user_id', '=', id).execute();
    await removeApp(db, id);
    await recordChange(db, actor, { type: 'user', id, name: person.fullName, action: 'Reset second factor' });
    await mailFactorChange(db, services, id, 'reset', actor.fullName);
    return {};
  },

  GetSecondFactorRules: ({ db }) => readRules(db),

  SaveSecondFactorRules: async ({ db, services, user }, { roles, sessionDays, version }) => {
    await db.selectFrom('sign_in_rule').select('id').forUpdate().execute();
    const before = await readRules(db);
    await requireFresh(db, 'signInRule', { id: 1, version: before.version }, version, before);
    const after = { roles: ROLES.filter((role) => roles.includes(role)), sessionDays, version: before.version + 1 };
    const words = (target: typeof roles) => target.map((role) => ROLE_LABELS[role]).join(', ');
    const changes = [
      { field: 'Roles with a second factor', before: words(before.roles), after: words(after.roles) },
      { field: 'Days until the next sign-in', before: String(before.sessionDays), after: String(after.sessionDays) },
    ].filter((change) => change.before !== change.after);
    if (changes.length === 0) return before;
    await db
      .updateTable('sign_in_rule')
      .set({ second_factor_roles: after.roles, session_days: sessionDays, version: after.version })
      .execute();
    await recordChange(db, user, {
      type: 'signInRule',
      id: 1,
      name: 'Sign-in rules',
      action: 'Edit',
      version: after.version,
      changes,
    });
    forgetCallers(services);
    return after;
  },
};

async function readRules(db: Db) {
  const row = await db.selectFrom('sign_in_rule').selectAll().executeTakeFirstOrThrow();
  return { roles: knownRoles(row.second_factor_roles), sessionDays: row.session_days, version: row.version };
}

/** Removes the app. A sign-in that is waiting for a code must start again. */
async function removeApp(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('second_factor').where('user_id', '=', userId).execute();
  await db.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute();
  if (!(await hasSecondFactor(db, userId))) await voidRecoveryCodes(db, userId);
}

function openedPending(services: Services, userId: number, pending: string): string {
  try {
    return unseal(services.config, sealedFor(userId), pending);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new HttpError(409, "Setup can't continue. Start over.");
  }
}

function recordOwn(db: Db, user: Caller, action: RecordAction): Promise<void> {
  return recordChange(db, user, { type: 'user', id: user.id, name: user.fullName, action });
}

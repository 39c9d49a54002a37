// The answers of the second factor: the second step of signing in, and setting up a factor in one's own account.
import { HttpError, invalid } from '#api/http-error.ts';
import { originOf } from '#api/origin.server.ts';
import type { Answers } from '#api/serve.server.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { recordChange, requireFresh } from '#features/operations/history/record-change.server.ts';
import type { RecordAction } from '#features/operations/history/record-words.ts';
import { SealBroken, seal, unseal } from '#outside/sealed.server.ts';
import { ROLE_LABELS, ROLES } from '#shared/roles.ts';
import { countFailures, deviceKey, suspectOf } from '../passwords/lock-out.server.ts';
import { digestOf, newTemporaryPassword } from '../passwords/password.server.ts';
import { provePassword, refuseBlockedSession } from '../passwords/prove-password.server.ts';
import { forgetCallers } from '../sessions/caller.server.ts';
import { knownRoles } from '../sessions/read-caller.server.ts';
import { answerOf, signInByPassword, siteLockFor } from '../signed-in.server.ts';
import { answerChallenge } from './challenge.server.ts';
import { codesLeft, hasSecondFactor, isRequired, plainCode, sealedFor, useCode } from './factor.server.ts';
import { mailFactorChange, noteRecoveryCode } from './factor-mail.server.ts';
import type { SecondFactor } from './second-factor.contract.ts';
import type { SecondFactorAdmin } from './second-factor-admin.contract.ts';
import { newSecret, otpauth, stepOf } from './totp.server.ts';

const RECOVERY_CODES = 10;
const SETUP_LIFE = 15 * 60_000;
const WRONG_CODE = 'This code is wrong or was used already';
const REQUIRED = 'One of your roles requires a second factor. You can set up another app instead.';

export const secondFactorAnswers: Answers<typeof SecondFactor> = {
  ConfirmSignIn: async ({ services, request }, { challenge: token, code }) => {
    const given = { token, code, from: originOf(request) };
    const { device, signedIn } = await answerChallenge(services, given, async (db, { userId, device }) => {
      const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute();
      const sentence = await siteLockFor(db, services, knownRoles(roles.map(({ role }) => role)));
      if (sentence !== null) throw new HttpError(403, sentence);
      return { device, signedIn: await signInByPassword(db, services, userId, request) };
    });
    return answerOf(services, signedIn, device || undefined);
  },

  GetSecondFactor: async ({ db, user }) => {
    const row = await db
      .selectFrom('app_user')
      .leftJoin('second_factor', 'user_id', 'app_user.id')
      .select(['password_hash', 'since'])
      .where('app_user.id', '=', user.id)
      .executeTakeFirstOrThrow();
    return {
      since: row.since,
      recoveryCodesLeft: await codesLeft(db, user.id),
      required: await isRequired(db, user.id),
      hasPassword: row.password_hash !== null,
    };
  },

  BeginSecondFactor: async ({ db, services, user }, { password, code }) => {
    await provePassword(services, user, password);
    // A person who has only the password must not replace the owner's app with their own.
    if (await hasSecondFactor(db, user.id)) await withCode(services, user, code, async () => {});
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
        throw new HttpError(409, 'Setting up took too long or was finished already. Begin again.');
      const step = stepOf(openedPending(services, user.id, factor.pending), code, now, 0);
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

  RenewRecoveryCodes: async ({ services, user }, { password, code }) => {
    await provePassword(services, user, password);
    const recoveryCodes = await withCode(services, user, code, async (db) => {
      await recordOwn(db, user, 'Renew recovery codes');
      await mailFactorChange(db, services, user.id, 'codes');
      return newRecoveryCodes(db, user.id);
    });
    return { recoveryCodes };
  },

  RemoveSecondFactor: async ({ db, services, user }, { password, code }) => {
    if (await isRequired(db, user.id)) throw new HttpError(409, REQUIRED);
    await provePassword(services, user, password);
    await withCode(services, user, code, async (transaction) => {
      await removeSecondFactor(transaction, user.id);
      await recordOwn(transaction, user, 'Remove second factor');
      await mailFactorChange(transaction, services, user.id, 'removed');
    });
    return {};
  },
};

export const secondFactorAdminAnswers: Answers<typeof SecondFactorAdmin> = {
  ResetSecondFactor: async ({ db, services, user: actor }, { id }) => {
    const person = await db
      .selectFrom('app_user')
      .leftJoin('second_factor', 'user_id', 'app_user.id')
      .select(['full_name as fullName', 'since'])
      .where('app_user.id', '=', id)
      .executeTakeFirst();
    if (!person) throw new HttpError(404, 'This user does not exist.');
    if (person.since === null || !(await removeSecondFactor(db, id)))
      throw new HttpError(409, `${person.fullName} has no second factor.`);
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
    const words = (of: typeof roles) => of.map((role) => ROLE_LABELS[role]).join(', ');
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
      name: 'Rules of signing in',
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

/** Makes ten codes and voids the earlier ones. Each has 79 bits, so a plain digest protects it well enough. */
async function newRecoveryCodes(db: Db, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newTemporaryPassword);
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, code_hash: digestOf(plainCode(code)) })))
    .execute();
  return codes;
}

/** Returns whether the person had one. A sign-in that waits for a code has to start again. */
async function removeSecondFactor(db: Db, userId: number): Promise<boolean> {
  const removed = await db.deleteFrom('second_factor').where('user_id', '=', userId).executeTakeFirst();
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await db.deleteFrom('sign_in_challenge').where('user_id', '=', userId).execute();
  return removed.numDeletedRows > 0n;
}

/** Runs `change` in a transaction once the code is right; a wrong one counts against the session. */
async function withCode<T>(services: Services, user: Caller, code: string, change: (db: Db) => Promise<T>): Promise<T> {
  const done = await inTransaction(services.database.db, async (db) => {
    const checked = await useCode(db, services, user.id, code);
    if (checked !== 'code' && checked !== 'recovery code') return null;
    const answer = await change(db);
    if (checked === 'recovery code') await noteRecoveryCode(db, services, user);
    return { answer };
  });
  if (!done) throw await wrongCode(services, user);
  return done.answer;
}

async function wrongCode(services: Services, user: Caller): Promise<HttpError> {
  const failed = { ...suspectOf(user), action: 'Wrong proof' } as const;
  await countFailures(services.database.db, services, failed, [['device', deviceKey(user.sessionId)]]);
  return invalid([{ path: 'code', message: WRONG_CODE }]);
}

function openedPending(services: Services, userId: number, pending: string): string {
  try {
    return unseal(services.config, sealedFor(userId), pending);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new HttpError(409, 'Setting up cannot continue. Begin again.');
  }
}

function recordOwn(db: Db, user: Caller, action: RecordAction): Promise<void> {
  return recordChange(db, user, { type: 'user', id: user.id, name: user.fullName, action });
}

// Answers the SignIn calls about the provider, and the UserEdit calls about linked users. None of them ever returns a secret.
import type { z } from 'zod';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { readUser } from '#platform/users/user-record.server.ts';
import { seal } from '#platform/outside/sealed.server.ts';
import { isIssuer, SignOnError, type SignOnLogin } from '#platform/outside/sign-on.server.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import { link } from './person.server.ts';
import {
  clientOf,
  type Provider,
  providerOf,
  readProvider,
  readRows,
  redirectUri,
  SEALED_FOR,
} from './provider.server.ts';
import type { SignOnAdmin, SignOnInput, SignOnSettings, UserSignOn } from './single-sign-on.contract.ts';

type Typed = z.output<typeof SignOnInput>;

const RECORD = { type: 'signInRule', id: 2, name: 'Single sign-on' } as const;
const LABELS = {
  issuer: 'Issuer',
  clientId: 'Client ID',
  scopes: 'Scopes',
  button: 'Button text',
  makesPeople: 'Create accounts at first sign-in',
  localOff: 'Password sign-in turned off',
  localAdmin: 'Administrator with password',
  rows: 'Roles by claim',
};
const NONE = {
  issuer: '',
  client_id: '',
  secret: '',
  button: '',
  makes_people: false,
  local_off: false,
  local_admin_id: null,
};

export const signOnAdminAnswers: Answers<typeof SignOnAdmin> = {
  GetSignOnSettings: ({ db, services }) => readSettings(db, services),

  SaveSignOnSettings: async ({ db, services, user }, typed) => {
    const before = await locked(db, services);
    const result = await readSettings(db, services);
    await requireFresh(db, 'signInRule', { id: 2, version: result.version }, typed.version, result);
    const login = loginTyped(services, before, typed);
    if (typed.localOff) requireAdministrator(result, typed.localAdminId);
    const version = before.row.version + 1;
    await db
      .updateTable('sign_on_provider')
      .set({
        issuer: login.issuer,
        client_id: login.clientId,
        scopes: login.scopes,
        button: typed.button,
        makes_people: typed.makesPeople,
        local_off: typed.localOff,
        local_admin_id: typed.localAdminId,
        version,
        ...(typed.secret ? { secret: seal(services.config, SEALED_FOR, typed.secret) } : {}),
      })
      .execute();
    await writeRows(db, typed.rows);
    const saved = await readSettings(db, services);
    const isNew = before.row.issuer === '';
    const secret = typed.secret && !isNew ? [{ field: 'Client secret', before: 'kept', after: 'replaced' }] : [];
    await recordChange(db, user, {
      ...RECORD,
      action: isNew ? 'Create' : 'Edit',
      version,
      changes: [...changesBetween(historyWords(result), historyWords(saved), LABELS), ...secret],
    });
    return saved;
  },

  RemoveSignOn: async ({ db, services, user }, { version: input }) => {
    const { row } = await locked(db, services);
    await requireFresh(db, 'signInRule', { id: 2, version: row.version }, input);
    if (row.issuer === '') throw new HttpError(409, 'No provider is set up.');
    const version = row.version + 1;
    await db
      .updateTable('sign_on_provider')
      .set({ ...NONE, version })
      .execute();
    await db.deleteFrom('sign_on_attempt').execute();
    await db
      .updateTable('session')
      .set({ revoked_at: services.clock.now() })
      .where('sign_on_issuer', '=', row.issuer)
      .where('revoked_at', 'is', null)
      .execute();
    forgetCallers(services);
    await recordChange(db, user, { ...RECORD, action: 'Remove', version });
    return readSettings(db, services);
  },

  TestSignOn: async ({ db, services }, typed) => {
    const before = await readProvider(db, services);
    const login = loginTyped(services, before, typed);
    try {
      // Not the client for sign-ins, because the typed values must not be cached.
      const { keys, logout } = await clientOf(services, login, before.row.version).test();
      const end = logout ? 'It supports back-channel logout.' : 'It does not announce back-channel logout.';
      return {
        ok: true,
        sentence: `${login.issuer} responds and has ${keys === 1 ? '1 key' : `${keys} keys`}. ${end}`,
      };
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error;
      return { ok: false, sentence: error.message };
    }
  },

  GetUserSignOn: async ({ db, services }, { id }) => {
    await readUser(db, id);
    return linksOf(db, services, id);
  },

  LinkUserSignOn: async ({ db, services, user: actor }, { id, subject }) => {
    const user = await readUser(db, id, 'lock');
    const { row } = await readProvider(db, services);
    if (row.issuer === '') throw new HttpError(409, 'No provider is set up.');
    await link(db, actor, user, { iss: row.issuer, sub: subject });
    return linksOf(db, services, id);
  },

  UnlinkUserSignOn: async ({ db, services, user: actor }, { id, issuer, subject }) => {
    const user = await readUser(db, id, 'lock');
    const removed = await db
      .deleteFrom('sign_on_identity')
      .where('user_id', '=', id)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n)
      throw new HttpError(409, `${user.fullName} is not linked with this provider account.`);
    await db
      .updateTable('session')
      .set({ revoked_at: services.clock.now() })
      .where('user_id', '=', id)
      .where('sign_on_issuer', '=', issuer)
      .where('revoked_at', 'is', null)
      .execute();
    forgetCallers(services);
    await recordChange(db, actor, {
      type: 'user',
      id,
      name: user.fullName,
      action: 'Unlink sign-in',
      changes: [{ field: 'Provider subject', before: subject, after: '' }],
    });
    return linksOf(db, services, id);
  },
};

async function readSettings(db: Db, services: Services): Promise<SignOnSettings> {
  const { row, problem } = await readProvider(db, services);
  return {
    version: row.version,
    issuer: row.issuer,
    clientId: row.client_id,
    hasSecret: row.secret !== '',
    scopes: row.scopes,
    button: row.button,
    makesPeople: row.makes_people,
    localOff: row.local_off,
    localAdminId: row.local_admin_id,
    rows: await readRows(db),
    problem,
    redirectUri: redirectUri(services),
    logoutUri: `${services.config.publicUrl}/api/SignOn/BackchannelLogout`,
    administrators: await db
      .selectFrom('app_user')
      .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
      .select(['app_user.id', 'full_name as name'])
      .where('role', '=', 'systemadmin')
      .where('active', '=', true)
      .where('password_hash', 'is not', null)
      .orderBy('full_name')
      .execute(),
  };
}

async function locked(db: Db, services: Services): Promise<Provider> {
  const row = await db.selectFrom('sign_on_provider').selectAll().forUpdate().executeTakeFirstOrThrow();
  return providerOf(services, row);
}

/** The typed values. An empty secret means the stored one, which is never sent to another issuer or used for another client. */
function loginTyped(services: Services, { login, row }: Provider, typed: Typed): SignOnLogin {
  const errors: { path: string; message: string }[] = [];
  const { clientId, scopes } = typed;
  // The issuer must match the provider's spelling exactly. Some issuers end with a slash.
  const issuer = typed.issuer;
  if (!isIssuer(issuer, services.config.reach))
    errors.push({ path: 'issuer', message: 'Enter an address such as https://login.example.com/tenant, with https.' });
  const staysThere = login !== null && row.issuer === issuer && row.client_id === clientId;
  if (!typed.secret && !staysThere)
    errors.push({
      path: 'secret',
      message: login
        ? 'Enter the secret again. The stored one is not used for another issuer or client.'
        : 'This field is required',
    });
  if (errors.length > 0) throw invalid(errors);
  return { issuer, clientId, clientSecret: typed.secret || (login?.clientSecret ?? ''), scopes };
}

/** Requires that one administrator with a password keeps the sign-in form, so that the company is never locked out. */
function requireAdministrator({ administrators }: SignOnSettings, id: number | null): void {
  if (!administrators.some((administrator) => administrator.id === id))
    throw invalid([
      {
        path: 'localAdminId',
        message: 'Choose an active system administrator with a password',
      },
    ]);
}

async function writeRows(db: Db, rows: Typed['rows']): Promise<void> {
  await db.deleteFrom('sign_on_role').execute();
  if (rows.length === 0) return;
  await db
    .insertInto('sign_on_role')
    .values(rows.map(({ claim, value, roles }, position) => ({ position, claim, value, roles })))
    .execute();
}

function historyWords(settings: SignOnSettings) {
  const { issuer, clientId, scopes, button, makesPeople, localOff, localAdminId, administrators, rows } = settings;
  return {
    issuer,
    clientId,
    scopes,
    button,
    makesPeople,
    localOff,
    localAdmin: administrators.find(({ id }) => id === localAdminId)?.name ?? '',
    rows: rows
      .map(({ claim, value, roles }) => `${claim} = ${value}: ${roles.map((role) => ROLE_LABELS[role]).join(', ')}`)
      .join('; '),
  };
}

async function linksOf(db: Db, services: Services, userId: number): Promise<UserSignOn> {
  const { row } = await readProvider(db, services);
  const links = await db
    .selectFrom('sign_on_identity')
    .select(['issuer', 'subject', 'linked_at as linkedAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .execute();
  return { issuer: row.issuer, links };
}

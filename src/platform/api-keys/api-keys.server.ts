// The answers of ApiKey.
import { type RawBuilder, sql } from 'kysely';
import { type FieldError, HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers, ServedCall } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import {
  bumpRecord,
  changesOf,
  keptIn,
  lockForSave,
  oneRecord,
  type RecordKind,
  saveRecord,
  wrongName,
} from '#platform/history/record-kit.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { knownRoles } from '#platform/auth/sessions/read-caller.server.ts';
import type { ApiKey, ApiKeyEdit, ApiKeyState, ScopeGroup } from './api-keys.contract.ts';
import { newKey } from '#platform/auth/key-check/check-key.server.ts';
import { isForKeys, scopeOf } from '#platform/auth/key-check/key-scopes.server.ts';

const LABELS = { name: 'Name', scopes: 'Scopes', callsPerMinute: 'Calls per minute', expiresOn: 'Last day' };

const API_KEY: RecordKind<ApiKeyEdit, 'apiKey'> = {
  type: 'apiKey',
  read: readKey,
  nameOf: ({ name }) => name,
  changes: changesOf(LABELS, historyWords),
};

const NEW_KEY: ApiKeyEdit = {
  id: 0,
  name: '',
  ownerId: 0,
  scopes: [],
  callsPerMinute: 600,
  expiresOn: '',
  version: 0,
};

const OWNER = sql<Named>`json_build_object('id', app_user.id, 'name', app_user.full_name)`;

export const apiKeyAnswers: Answers<typeof ApiKey> = {
  SearchApiKeys: async ({ db, services }, { keyword, state, ...criteria }) => {
    const stateNow = stateOn(await companyDay(db, services));
    const query = db
      .selectFrom('api_key')
      .innerJoin('app_user', 'app_user.id', 'api_key.owner_id')
      .select(['api_key.id', 'api_key.name', 'api_key.prefix', 'api_key.scopes', 'api_key.version'])
      .select(['calls_per_minute as callsPerMinute', 'expires_on as expiresOn', 'api_key.created_at as createdAt'])
      .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt', OWNER.as('owner'), stateNow.as('state')])
      .$if(Boolean(keyword), (qb) =>
        qb.where(holds(sql`api_key.name || ' ' || app_user.full_name || ' ' || api_key.prefix`, keyword ?? '')),
      )
      .$if(Boolean(state), (qb) => qb.where(stateNow, '=', state ?? 'Active'));
    return pageFrom(query, criteria, {
      sorts: {
        name: sql`lower(api_key.name)`,
        owner: sql`lower(app_user.full_name)`,
        expiresOn: sql`api_key.expires_on`,
        lastUsedAt: sql`api_key.last_used_at`,
      },
      key: sql`api_key.id`,
      first: { field: 'name', dir: 'asc' },
    });
  },

  PopulateApiKeyEditModel: async ({ db, services }, { id }) => {
    if (!id) return { key: NEW_KEY, owner: null, state: null };
    const key = await readKey(db, id);
    const { owner, state } = await db
      .selectFrom('api_key')
      .innerJoin('app_user', 'app_user.id', 'api_key.owner_id')
      .select([OWNER.as('owner'), stateOn(await companyDay(db, services)).as('state')])
      .where('api_key.id', '=', id)
      .executeTakeFirstOrThrow();
    return { key, owner, state };
  },

  /** Returns an empty list for a user who is not active. */
  GetScopesOf: async ({ db, request }, { ownerId, id }) => {
    const roles = await rolesOfKey(db, ownerId, id ?? 0);
    return roles === null ? [] : scopesOf(request.server.calls, roles);
  },

  /** Throws 422 for scopes beyond the owner's rights or for a changed owner, and 409 for a revoked key. */
  SaveApiKey: async ({ db, user, services, request }, input) => {
    const before = await lockForSave(db, API_KEY, input);
    if (before) await requireNotRevoked(db, before.id);
    const { name, ownerId, callsPerMinute, ...stored } = keptIn(input, before ?? NEW_KEY);
    const expiresOn = stored.expiresOn || null;
    const scopes = [...new Set(input.scopes)].toSorted();
    const errors: FieldError[] = await wrongName(db, 'apiKey', input);
    if (before && before.ownerId !== ownerId)
      errors.push({
        path: 'ownerId',
        message: "The owner of a key can't be changed. Create a new key for someone else.",
      });
    const roles = await rolesOfKey(db, ownerId, before?.id ?? 0);
    if (roles === null) errors.push({ path: 'ownerId', message: 'Choose an active user.' });
    else {
      const allowed = scopesOf(request.server.calls, roles).flatMap(({ group, read, write }) => [
        ...(read.length > 0 ? [`${group}:read`] : []),
        ...(write.length > 0 ? [`${group}:write`] : []),
      ]);
      const beyond = scopes.filter((scope) => !allowed.includes(scope));
      if (beyond.length > 0)
        errors.push({
          path: 'scopes',
          message: `These calls are not available to the owner or to this key: ${beyond.join(', ')}`,
        });
    }
    if (expiresOn && expiresOn !== before?.expiresOn && expiresOn < (await companyDay(db, services)))
      errors.push({ path: 'expiresOn', message: 'This day has passed.' });
    if (errors.length > 0) throw invalid(errors);
    const changed = { name, scopes, calls_per_minute: callsPerMinute, expires_on: expiresOn };
    if (before) return { ...(await saveRecord({ db, user }, API_KEY, before, changed as never)), key: null };
    const { key, prefix, hash } = newKey();
    const row = {
      ...changed,
      prefix,
      secret_hash: hash,
      owner_id: ownerId,
      created_by: user.id,
      roles: roles ?? [],
    };
    return { ...(await saveRecord({ db, user }, API_KEY, null, row)), key };
  },

  /** A key that is already revoked keeps its time of revocation. */
  RevokeApiKey: async ({ db, user, services }, { id, version }) => {
    const before = await readKey(db, id, 'lock');
    const { revoked_at } = await db
      .selectFrom('api_key')
      .select('revoked_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (revoked_at) return before;
    await requireFresh(db, 'apiKey', before, version);
    const bumped = await bumpRecord(db, 'apiKey', id, { revoked_at: services.clock.now(), revoked_by: user.id });
    await recordChange(db, user, { type: 'apiKey', id, name: before.name, action: 'End', version: bumped.version });
    return readKey(db, id);
  },
};

async function readKey(db: Db, id: number, lock?: 'lock'): Promise<ApiKeyEdit> {
  const query = db
    .selectFrom('api_key')
    .select(['id', 'name', 'owner_id as ownerId', 'scopes', 'calls_per_minute as callsPerMinute', 'version'])
    .select(sql<string>`coalesce(expires_on::text, '')`.as('expiresOn'))
    .where('id', '=', id);
  return oneRecord('apiKey', query, lock);
}

const companyDay = async (db: Db, services: Services): Promise<IsoDate> => today(services, await loadCompany(db));

function stateOn(day: IsoDate): RawBuilder<ApiKeyState> {
  return sql<ApiKeyState>`case when api_key.revoked_at is not null then 'Revoked'
    when api_key.expires_on < ${day}::date then 'Expired' when not app_user.active then 'Owner inactive' else 'Active' end`;
}

/**
 * Returns the roles of a new key (id 0), or the remaining roles of an existing one, without roles that its owner got later. Null for a user who is
 * not active.
 */
async function rolesOfKey(db: Db, userId: number, keyId: number): Promise<Role[] | null> {
  const user = await db
    .selectFrom('app_user')
    .leftJoin('api_key', (join) => join.on('api_key.id', '=', keyId))
    .select(
      sql<string[]>`array(select role from user_role where user_id = app_user.id
        and (api_key.id is null or role = any(api_key.roles)))`.as('roles'),
    )
    .where('app_user.id', '=', userId)
    .where('active', '=', true)
    .executeTakeFirst();
  return user ? knownRoles(user.roles) : null;
}

/** Returns the scopes that a user with these roles may grant, with the calls of each. */
function scopesOf(calls: readonly ServedCall[], roles: readonly Role[]): ScopeGroup[] {
  const open = calls.filter(
    ({ access, ...call }) =>
      access !== 'anyone' && isForKeys(call) && (access === 'user' || hasRole({ roles: [...roles] }, ...access)),
  );
  const byGroup = [...Map.groupBy(open, ({ group }) => group)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return byGroup.map(([group, theirs]) => {
    const named = (scope: string) =>
      theirs
        .filter((call) => scopeOf(call) === scope)
        .map(({ name }) => name)
        .toSorted();
    return { group, read: named(`${group}:read`), write: named(`${group}:write`) };
  });
}

async function requireNotRevoked(db: Db, id: number): Promise<void> {
  const { revoked_at } = await db
    .selectFrom('api_key')
    .select('revoked_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (revoked_at) throw new HttpError(409, 'This key is revoked. Create a new one.');
}

function historyWords({ name, scopes, callsPerMinute, expiresOn }: ApiKeyEdit) {
  return { name, scopes: scopes.join(', '), callsPerMinute, expiresOn };
}

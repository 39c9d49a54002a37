// The answers of UserAccount and UserEdit: adding and changing users, inviting them, activating and deactivating them, and their sessions.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { PASSKEYS } from '#platform/auth/second-factor/stored-factor.server.ts';
import { invite, voidInvitation } from '#platform/auth/invitations/invitation.server.ts';
import { voidTemporaryPassword } from '#platform/auth/passwords/temporary-password.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { userByName } from '#platform/auth/user-by-name.server.ts';
import {
  readUser,
  type UserRecord,
  reasonToKeepAdministrator,
  writeUser,
  SELF_LOCKOUT_MESSAGE,
} from '#platform/users/user-record.server.ts';
import { hasOneOf } from '#platform/users/users.server.ts';
import { recordManager } from '#core/territories/regions/regions.server.ts';
import { ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import type { Named } from '#platform/shared/wire.ts';
import { changeActive, holdingsOf } from './leaving/leaving.server.ts';
import { sessionsOf, signOut } from './sessions.server.ts';
import type { UserAccount, UserEdit, UserFields } from './user-admin.contract.ts';
import { NOT_INVITED } from './user-list.server.ts';

const LABELS = {
  userName: 'Email',
  fullName: 'Full name',
  phone: 'Phone',
  roles: 'Roles',
  regions: 'Regions managed',
  reps: 'Reps supported',
  gpoTabHidden: 'GPO Contracts tab hidden',
};

const MAX_INVITED = 500;

const BLANK: UserFields = {
  id: 0,
  userName: '',
  fullName: '',
  phone: '',
  roles: [],
  regionIds: [],
  repIds: [],
  gpoTabHidden: false,
  version: 0,
};

export const userAccountAnswers: Answers<typeof UserAccount> = {
  /** Throws 422 for an email address that is in use. */
  AddNewUser: async (context, input) => {
    const { db, services, user: actor } = context;
    const { id } = await save(context, null, { ...BLANK, ...input });
    await invite(db, services, { ...input, id }, actor.fullName);
    return readUser(db, id);
  },

  /**
   * Throws 409 if another administrator has changed the user, and 422 for an address that is in use, for removing systemadmin from the caller, or for
   * removing it from the last holder. New roles take effect within a minute. A new address voids what was sent to the old one.
   */
  UpdateUser: async (context, input) => {
    const { db, services } = context;
    const before = await readUser(db, input.id, 'lock');
    await requireFresh(db, 'user', before, input.version);
    const after: UserRecord = { ...before, ...withoutUndefined(input), version: before.version };
    await save(context, before, after);
    if (after.userName.toLowerCase() !== before.userName.toLowerCase()) {
      await voidInvitation(db, before.id);
      await voidTemporaryPassword(db, before.id);
    }
    forgetCallers(services);
    return readUser(db, before.id);
  },
};

export const userEditAnswers: Answers<typeof UserEdit> = {
  GetAllRoles: () => Promise.resolve(ROLES.map((id) => ({ id, name: ROLE_LABELS[id] }))),

  GetUserEditData: async ({ db, services, user: actor }, { id }) => {
    const record = id === 0 ? { ...BLANK, active: true } : await readUser(db, id);
    const { active, ...user } = record;
    const more = await db
      .selectFrom(sql<object>`(select 1)`.as('one'))
      .leftJoin('app_user', (join) => join.on('app_user.id', '=', id))
      .leftJoin('invitation', (join) => join.on('invitation.user_id', '=', id).on('used_at', 'is', null))
      .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
      .select(['sent_at as sentAt', 'expires_at as expiresAt', 'since', PASSKEYS.as('passkeys')])
      .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
      .select(
        sql<string | null>`(select max(last_used_at) from session where session.user_id = ${id})`.as('lastUsedAt'),
      )
      .executeTakeFirstOrThrow();
    const { sentAt, expiresAt } = more;
    return {
      user,
      active,
      invitation:
        sentAt && expiresAt
          ? { sentAt, expiresAt, expired: Date.parse(expiresAt) <= services.clock.now().getTime() }
          : null,
      hasPassword: more.hasPassword,
      secondFactorSince: more.since,
      passkeys: more.passkeys,
      lastUsedAt: more.lastUsedAt,
      keptBecause: id === actor.id ? SELF_LOCKOUT_MESSAGE : '',
      regions: await db
        .selectFrom('region')
        .select(['id', 'name'])
        .where((eb) => eb.or([eb('active', '=', true), eb('id', '=', eb.fn.any(eb.val(user.regionIds)))]))
        .orderBy('name')
        .execute(),
      reps: await db
        .selectFrom('app_user')
        .select(['id', 'full_name as name', 'user_name as userName'])
        .where('id', '=', (eb) => eb.fn.any(eb.val(user.repIds)))
        .orderBy('full_name')
        .execute(),
      supportedBy: await db
        .selectFrom('user_support')
        .innerJoin('app_user', 'app_user.id', 'user_support.support_id')
        .select(['app_user.id', 'full_name as name'])
        .where('rep_id', '=', id)
        .where('active', '=', true)
        .orderBy('full_name')
        .execute(),
    };
  },

  ActiveDeactiveUser: async (context, { id }) => {
    const { active, version } = await readUser(context.db, id, 'lock');
    return changeActive(context, { id, active: !active, version, handOver: {} });
  },

  SetUserActive: (context, input) => changeActive(context, input),

  GetUserHoldings: async ({ db, services }, { id }) => {
    await readUser(db, id);
    return holdingsOf(db, services, id);
  },

  GetUserSessions: async ({ db, services, user }, { id }) => {
    await readUser(db, id);
    return sessionsOf(db, services, user, id);
  },

  SignOutUser: async ({ db, services, user }, { id, sessionId }) => {
    await signOut(db, services, user, await readUser(db, id), sessionId ?? null);
    forgetCallers(services);
    return sessionsOf(db, services, user, id);
  },

  InviteUsers: async ({ db, services, user: actor }) => {
    const waiting = await db
      .selectFrom('app_user')
      .select(['id', 'user_name as userName', 'full_name as fullName'])
      .where(NOT_INVITED)
      .orderBy('id')
      .limit(MAX_INVITED)
      .forUpdate()
      .execute();
    for (const user of waiting) {
      await invite(db, services, user, actor.fullName);
      await recordChange(db, actor, { type: 'user', id: user.id, name: user.fullName, action: 'Invite' });
    }
    const { left } = await db
      .selectFrom('app_user')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where(NOT_INVITED)
      .executeTakeFirstOrThrow();
    return { invited: waiting.length, left };
  },

  ResendInvitation: async ({ db, services, user: actor }, { id }) => {
    const user = await readUser(db, id, 'lock');
    const { hasPassword } = await db
      .selectFrom('app_user')
      .select(sql<boolean>`password_hash is not null`.as('hasPassword'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (!user.active) throw new HttpError(409, `${user.fullName} is not active. Activate the account first.`);
    if (hasPassword) {
      const sentence = `${user.fullName} already has a password. 'I forgot my password' on the sign-in screen emails a new one.`;
      throw new HttpError(409, sentence);
    }
    await invite(db, services, user, actor.fullName);
    await recordChange(db, actor, { type: 'user', id, name: user.fullName, action: 'Invite' });
    return {};
  },
};

type Context = { db: Db; services: Services; user: Caller };

/** Validates and writes a user, with the history of the user and of the regions. */
async function save({ db, user: actor }: Context, before: UserRecord | null, wanted: UserFields) {
  const after = {
    ...wanted,
    // Losing a role removes the data that belongs to it.
    regionIds: wanted.roles.includes('salesQuoteManager') ? unique(wanted.regionIds) : [],
    repIds: wanted.roles.includes('salessupport') ? unique(wanted.repIds) : [],
    roles: unique(wanted.roles),
  };
  const namesake = await userByName(db, after.userName);
  if (namesake && namesake.id !== after.id)
    throw invalid([{ path: 'userName', message: `${namesake.full_name} already has this email address.` }]);
  if (before?.active && before.roles.includes('systemadmin') && !after.roles.includes('systemadmin')) {
    const why = await reasonToKeepAdministrator(db, actor, before);
    if (why) throw invalid([{ path: 'roles', message: why }]);
  }
  const added = after.regionIds.filter((id) => !before?.regionIds.includes(id));
  const removed = (before?.regionIds ?? []).filter((id) => !after.regionIds.includes(id));
  await requireRegions(db, added);
  await requireReps(
    db,
    after.id,
    after.repIds.filter((id) => !before?.repIds.includes(id)),
  );

  const { id, version } = await writeUser(db, after);
  await recordManager(db, actor, after.fullName, { added, removed });
  await recordChange(db, actor, {
    type: 'user',
    id,
    name: after.fullName,
    action: before ? 'Edit' : 'Create',
    version,
    changes: changesBetween(
      before ? await historyWords(db, before) : { gpoTabHidden: false },
      await historyWords(db, after),
      LABELS,
    ),
  });
  return { id };
}

async function requireRegions(db: Db, ids: number[]): Promise<void> {
  const { known } = await db
    .selectFrom('region')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .where('active', '=', true)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .executeTakeFirstOrThrow();
  if (known < ids.length) throw invalid([{ path: 'regionIds', message: 'Choose active regions.' }]);
}

async function requireReps(db: Db, userId: number, ids: number[]): Promise<void> {
  const { known } = await db
    .selectFrom('app_user')
    .select(({ fn }) => fn.countAll<number>().as('known'))
    .where('active', '=', true)
    .where(hasOneOf(['salesrep']))
    .where('id', '!=', userId)
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .executeTakeFirstOrThrow();
  if (known < ids.length)
    throw invalid([
      { path: 'repIds', message: 'Only other people who are active sales representatives can be supported.' },
    ]);
}

/** Returns the user as the history shows it: roles, regions and reps by name. */
async function historyWords(db: Db, user: Omit<UserFields, 'id' | 'version'>) {
  const named = (table: 'region' | 'app_user', ids: number[]): Promise<Named[]> =>
    table === 'region'
      ? db.selectFrom('region').select(['id', 'name']).where('id', '=', any(ids)).orderBy('name').execute()
      : db
          .selectFrom('app_user')
          .select(['id', 'full_name as name'])
          .where('id', '=', any(ids))
          .orderBy('full_name')
          .execute();
  return {
    ...user,
    roles: ROLES.filter((role) => user.roles.includes(role)).map((role) => ROLE_LABELS[role]),
    regions: await named('region', user.regionIds),
    reps: await named('app_user', user.repIds),
  };
}

const any = (ids: number[]) => sql<number>`any(${ids})`;

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

/** Returns the fields that are defined. */
function withoutUndefined<T extends object>(input: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never;
}

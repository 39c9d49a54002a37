// The administration of users (specification section 7, Users, and our own calls): list, sign-up, edit, leaving, sessions.
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { Person } from '#platform/users/users.contract.ts';
import { ROLES, type Role } from '#platform/shared/roles.ts';
import { Id, Named, PageInput, pageOf, RequiredText, Text, Version } from '#platform/shared/wire.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin'];
const RoleName = z.enum(ROLES);

export const UserRow = z.object({
  id: z.number().int(),
  userName: z.string(),
  fullName: z.string(),
  phone: z.string(),
  roles: z.array(RoleName),
  active: z.boolean(),
  /** Whether the user has chosen a password. Without one, the user cannot sign in. */
  hasPassword: z.boolean(),
  /** An invitation was sent and not used, whether or not it has expired. */
  invited: z.boolean(),
  lastUsedAt: z.string().nullable(),
  /** The managed regions. */
  regions: z.array(Named),
  /** The supported sales reps. */
  reps: z.array(Named),
});
export type UserRow = z.infer<typeof UserRow>;

export const UserCriteria = PageInput.extend({
  /** Matches parts of the name, email address or phone number. */
  keyword: Text(100).nullish(),
  role: RoleName.nullish(),
  /** Null returns active and inactive users. */
  active: z.boolean().nullish(),
  /** Only active users from an import without a password or an invitation. */
  notInvited: z.boolean().nullish(),
});

/** A user as the form reads it. A new user is blank. */
export const UserFields = z.object({
  id: z.number().int(),
  userName: z.string(),
  fullName: z.string(),
  phone: z.string(),
  roles: z.array(RoleName),
  regionIds: z.array(z.number().int()),
  repIds: z.array(z.number().int()),
  gpoTabHidden: z.boolean(),
  version: z.number().int(),
});
export type UserFields = z.infer<typeof UserFields>;

const Fields = {
  userName: RequiredText(320).regex(/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/, 'This is not an email address'),
  fullName: RequiredText(200),
  roles: z.array(RoleName).min(1, 'Choose at least one role').max(ROLES.length),
};
export const NewUser = z.object({
  ...Fields,
  phone: Text(60).default(''),
  regionIds: z.array(Id).max(200).default([]),
  repIds: z.array(Id).max(500).default([]),
  gpoTabHidden: z.boolean().default(false),
});
/** Omitted fields keep their value. */
export const ChangedUser = z.object({
  id: Id,
  userName: Fields.userName.optional(),
  fullName: Fields.fullName.optional(),
  phone: Text(60).optional(),
  roles: Fields.roles.optional(),
  regionIds: z.array(Id).max(200).optional(),
  repIds: z.array(Id).max(500).optional(),
  gpoTabHidden: z.boolean().optional(),
  version: Version,
});

/** The duties that a leaving user may have to hand over. */
export const DUTIES = ['sales', 'cs', 'is', 'manager', 'owner', 'assignee'] as const;
export type Duty = (typeof DUTIES)[number];

export const Holdings = z.object({
  /** Only the duties of this user. */
  duties: z.array(z.object({ duty: z.enum(DUTIES), openQuotes: z.number().int(), territories: z.array(Named) })),
  /** Each quote is counted once. */
  openQuotes: z.number().int(),
  supports: z.array(Named),
  supportedBy: z.array(Named),
  /** The user's undecided approval requests. */
  pendingApprovals: z.number().int(),
  /** Regions without another manager. */
  regionsWithoutManager: z.array(Named),
  /** API keys that call on the user's behalf. They stop working. */
  apiKeys: z.array(Named),
  /** The number of reports by mail that the user set up. They are paused. */
  sentReports: z.number().int(),
});
export type Holdings = z.infer<typeof Holdings>;

export const Session = z.object({
  id: z.string(),
  /** 'Chrome on Windows' */
  device: z.string(),
  startedAt: z.string(),
  lastUsedAt: z.string(),
  /** The session of this request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

export const UserEditData = z.object({
  user: UserFields,
  active: z.boolean(),
  /** Null if none was sent since the last one was voided. */
  invitation: z.object({ sentAt: z.string(), expiresAt: z.string(), expired: z.boolean() }).nullable(),
  /** The user has chosen a password. */
  hasPassword: z.boolean(),
  /** When the user set up an authenticator app. Null without one. */
  secondFactorSince: z.string().nullable(),
  passkeys: z.number().int(),
  lastUsedAt: z.string().nullable(),
  /** Why this user cannot be deactivated or lose systemadmin; empty if they can. */
  keptBecause: z.string(),
  /** Active regions, and those that this user manages. */
  regions: z.array(Named),
  /** The supported reps, ordered by name. */
  reps: z.array(Person),
  supportedBy: z.array(Named),
});
export type UserEditData = z.infer<typeof UserEditData>;

const UserId = z.object({ id: Id });
const IdInPath = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });
const ActiveState = z.object({ id: z.number().int(), active: z.boolean(), version: z.number().int() });
const successor = Id.nullish();

export const User = {
  SearchUsers: post('/api/User/SearchUsers', UserCriteria, pageOf(UserRow), {
    access: ADMINISTRATORS,
    summary: 'Users with their roles, when they were last here, what they manage and support.',
  }),
  ExportUsers: post('/api/User/ExportUsers', UserCriteria, Bytes, { access: ADMINISTRATORS, file: 'text/csv' }),
};

export const UserAccount = {
  AddNewUser: post('/api/Account/AddNewUser', NewUser, UserFields, {
    access: ADMINISTRATORS,
    writes: true,
    summary: 'Adds a user and emails an invitation: a link, good once for 7 days, to choose a password.',
  }),
  UpdateUser: post('/api/Account/UpdateUser', ChangedUser, UserFields, { access: ADMINISTRATORS, writes: true }),
};

export const UserEdit = {
  GetAllRoles: post('/api/UserEdit/GetAllRoles', Nothing, z.array(z.object({ id: RoleName, name: z.string() })), {
    access: ADMINISTRATORS,
    summary: 'Every role a user can have, with its name in words.',
  }),
  GetUserEditData: post(
    '/api/UserEdit/GetUserEditData/:id',
    z.object({ id: z.coerce.number().int().min(0).max(2_147_483_647) }),
    UserEditData,
    { access: ADMINISTRATORS, in: 'path', summary: 'A user to edit, or a new one for id 0.' },
  ),
  ActiveDeactiveUser: post('/api/UserEdit/ActiveDeactiveUser/:id', IdInPath, ActiveState, {
    access: ADMINISTRATORS,
    in: 'path',
    writes: true,
    summary:
      'Turns active into inactive and back. 422 as long as the person has open quotes or territories to hand over.',
  }),
  SetUserActive: post(
    '/api/UserEdit/SetUserActive',
    z.object({
      id: Id,
      active: z.boolean(),
      version: Version,
      /** The successor for each duty. */
      handOver: z
        .object({
          sales: successor,
          cs: successor,
          is: successor,
          manager: successor,
          owner: successor,
          assignee: successor,
        })
        .default({}),
    }),
    ActiveState,
    {
      access: ADMINISTRATORS,
      writes: true,
      summary: 'Activates, or hands open quotes and territories over, deactivates and signs out everywhere.',
    },
  ),
  GetUserHoldings: post('/api/UserEdit/GetUserHoldings', UserId, Holdings, {
    access: ADMINISTRATORS,
    summary: 'What a deactivation would affect.',
  }),
  GetUserSessions: post('/api/UserEdit/GetUserSessions', UserId, z.array(Session), {
    access: ADMINISTRATORS,
    summary: 'Where a user is signed in, last used first.',
  }),
  SignOutUser: post(
    '/api/UserEdit/SignOutUser',
    z.object({
      id: Id,
      /** Omitted: all sessions, or all other sessions for the caller's own account. */
      sessionId: z.guid().nullish(),
    }),
    z.array(Session),
    {
      access: ADMINISTRATORS,
      writes: true,
      summary: 'Ends one session of a user, or all. Returns the remaining ones.',
    },
  ),
  InviteUsers: post(
    '/api/UserEdit/InviteUsers',
    Nothing,
    z.object({ invited: z.number().int(), left: z.number().int() }),
    {
      access: ADMINISTRATORS,
      writes: true,
      summary: 'Invites active users who have no password and no invitation, at most 500 at a time.',
    },
  ),
  ResendInvitation: post('/api/UserEdit/ResendInvitation', UserId, Nothing, {
    access: ADMINISTRATORS,
    writes: true,
    summary:
      'Emails a new invitation; the previous one stops working. 409 for a person who has a password or is not active.',
  }),
};

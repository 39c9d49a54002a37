// Finds the user for an identity at the provider, by issuer and subject alone, and sets the user's current roles.
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { userByName } from '#platform/auth/user-by-name.server.ts';
import { readUser, reasonToKeepAdministrator, writeUser } from '#platform/users/user-record.server.ts';
import { recordManager } from '#core/territories/regions/regions.server.ts';
import type { Claims } from '#platform/outside/sign-on.server.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { type ProviderRow, readRows } from './provider.server.ts';
import { leftOut, rolesOfClaims } from './roles-of-claims.server.ts';

const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/;
/** The same words as in the history of users who are created on the screen. */
const rolesInWords = (roles: readonly Role[]) => roles.map((role) => ROLE_LABELS[role]).join(', ');

export async function identityOf(db: Db, { iss, sub }: Pick<Claims, 'iss' | 'sub'>): Promise<number | null> {
  const row = await db
    .selectFrom('sign_on_identity')
    .select('user_id')
    .where('issuer', '=', iss)
    .where('subject', '=', sub)
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** The id of the user, after setting the roles from the claims. Throws a readable error if the user may not sign in. */
export async function admit(db: Db, services: Services, row: ProviderRow, claims: Claims): Promise<number> {
  const rows = await readRows(db);
  const missing = leftOut(claims, rows);
  if (missing !== null)
    throw new HttpError(
      403,
      `The provider did not send '${missing}', because you have too many. Ask your system administrator to use app roles instead.`,
    );
  const known = await identityOf(db, claims);
  // Check this before the roles: a deactivated user must get this message, whatever roles the provider sends.
  if (known !== null && !(await readUser(db, known)).active)
    throw new HttpError(403, 'This account is inactive. Contact your system administrator.');
  const roles = rolesOfClaims(claims, rows);
  if (roles.length === 0)
    throw new HttpError(
      403,
      `You signed in with the provider, but it gives you no role in ${services.config.appTitle}. Contact your system administrator.`,
    );
  const id = known ?? (await make(db, row, claims, roles));
  if (known !== null) await giveRoles(db, services, known, roles);
  await db
    .updateTable('sign_on_identity')
    .set({ last_used_at: services.clock.now() })
    .where('issuer', '=', claims.iss)
    .where('subject', '=', claims.sub)
    .execute();
  return id;
}

/** Some providers send the claim as text, and some, such as Entra ID, never send it. */
const isVerified = (claim: unknown) => claim === undefined || claim === true || claim === 'true';

/** Creates a user on the first sign-in. Never takes over an existing account with the same email address. */
async function make(db: Db, row: ProviderRow, claims: Claims, roles: Role[]): Promise<number> {
  if (!row.makes_people)
    throw new HttpError(
      403,
      'No account is linked with your provider account. If you have a password, sign in with it and link your account in My account. Otherwise, ask your system administrator.',
    );
  const text = (claim: string) => {
    const value = claims[claim];
    return typeof value === 'string' ? value.trim() : '';
  };
  const userName = text('email');
  if (!EMAIL.test(userName) || userName.length > 320 || !isVerified(claims['email_verified']))
    throw new HttpError(
      403,
      'The provider sent no verified email address for you, but an account needs one. Contact your system administrator.',
    );
  if (await userByName(db, userName))
    throw new HttpError(
      409,
      `An account for ${userName} already exists. Sign in with your password and link it in My account, or ask your system administrator to link it.`,
    );
  const fullName = (text('name') || `${text('given_name')} ${text('family_name')}`.trim() || userName).slice(0, 200);
  const user = { id: 0, userName, fullName, phone: '', roles, regionIds: [], repIds: [], gpoTabHidden: false };
  const { id, version } = await writeUser(db, user);
  await db.insertInto('sign_on_identity').values({ issuer: claims.iss, subject: claims.sub, user_id: id }).execute();
  await recordChange(db, null, {
    type: 'user',
    id,
    name: fullName,
    action: 'Create',
    version,
    comment: 'First sign-in with the provider',
    changes: [
      { field: 'Email', before: '', after: userName },
      { field: 'Roles', before: '', after: rolesInWords(roles) },
    ],
  });
  return id;
}

/** Replaces the roles with those of the claims. The last system administrator keeps that role. */
async function giveRoles(db: Db, services: Services, id: number, wanted: Role[]): Promise<void> {
  const before = await readUser(db, id, 'lock');
  const loses = before.roles.includes('systemadmin') && !wanted.includes('systemadmin');
  const stays = loses && (await reasonToKeepAdministrator(db, { id: 0 }, before)) !== null;
  const roles = ROLES.filter((role) => wanted.includes(role) || (stays && role === 'systemadmin'));
  if (rolesInWords(roles) === rolesInWords(before.roles)) return;
  const after = {
    ...before,
    roles,
    // Losing a role removes the data that belongs to it.
    regionIds: roles.includes('salesQuoteManager') ? before.regionIds : [],
    repIds: roles.includes('salessupport') ? before.repIds : [],
  };
  const { version } = await writeUser(db, after);
  const removed = before.regionIds.filter((region) => !after.regionIds.includes(region));
  await recordManager(db, before, before.fullName, { added: [], removed });
  await recordChange(db, null, {
    type: 'user',
    id,
    name: before.fullName,
    action: 'Edit',
    version,
    comment: 'From the provider’s claims',
    changes: [{ field: 'Roles', before: rolesInWords(before.roles), after: rolesInWords(roles) }],
  });
  forgetCallers(services);
}

/** Links an account with an identity at the provider. Each account has one identity, and each identity one account. */
export async function link(
  db: Db,
  actor: { id: number; fullName: string },
  user: { id: number; fullName: string },
  { iss, sub }: Pick<Claims, 'iss' | 'sub'>,
): Promise<void> {
  const other = await db
    .selectFrom('sign_on_identity')
    .innerJoin('app_user', 'app_user.id', 'user_id')
    .select(['app_user.id', 'full_name as fullName'])
    .where('issuer', '=', iss)
    .where((eb) => eb.or([eb('subject', '=', sub), eb('user_id', '=', user.id)]))
    .executeTakeFirst();
  if (other) {
    throw new HttpError(
      409,
      other.id === user.id
        ? `${user.fullName} is already linked with the provider.`
        : 'This person is already linked with another account. Contact your system administrator.',
    );
  }
  await db.insertInto('sign_on_identity').values({ issuer: iss, subject: sub, user_id: user.id }).execute();
  await recordChange(db, actor, {
    type: 'user',
    id: user.id,
    name: user.fullName,
    action: 'Link sign-in',
    changes: [{ field: 'Provider subject', before: '', after: sub }],
  });
}

// The last step of every way to sign in: opens the session and builds the answer to the browser.
import type { FastifyRequest } from 'fastify';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { TokenAnswer } from './auth.contract.ts';
import { isGpoTabHidden } from './gpo-tab.server.ts';
import { hasSecondFactor, isRequired } from './second-factor/stored-factor.server.ts';
import { deviceMark } from './sessions/known-device.server.ts';
import { knownRoles, lockedOut } from './sessions/read-caller.server.ts';
import { ACCESS_SECONDS, startSession, type Tokens } from './sessions/session.server.ts';

export type SignedIn = { userId: number; tokens: Tokens; mustEnroll: boolean };

/** Opens the session of a user who has proved their identity by password, and by the second factor if they have one. */
export async function signInByPassword(
  db: Db,
  services: Services,
  userId: number,
  request: FastifyRequest,
): Promise<SignedIn> {
  const mustEnroll = (await isRequired(db, userId)) && !(await hasSecondFactor(db, userId));
  const tokens = await startSession(db, services, userId, request.headers['user-agent'] ?? '', { mustEnroll });
  return { userId, tokens, mustEnroll };
}

/** Returns the answer of a sign-in. `device` is the known device. */
export async function signInAnswer(
  services: Services,
  { userId, tokens, mustEnroll }: SignedIn,
  device: string | undefined,
): Promise<TokenAnswer> {
  const { db } = services.database;
  const user = await db
    .selectFrom('app_user')
    .select(['user_name', 'full_name', 'gpo_tab_hidden', 'must_change_password'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const roles = await db.selectFrom('user_role').select('role').where('user_id', '=', userId).execute();
  return {
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    id: userId,
    userName: user.user_name,
    fullName: user.full_name,
    roles: knownRoles(roles.map(({ role }) => role)),
    gpoTabHidden: isGpoTabHidden(services, user),
    mustChangePassword: user.must_change_password,
    ...(mustEnroll ? { mustEnroll } : {}),
    device: await deviceMark(services, userId, device),
    '.issued': tokens.issued.toISOString(),
    '.expires': tokens.expires.toISOString(),
  };
}

/** Returns the message for users with these roles while the public site is locked, or null if they may come in. */
export async function siteLockFor(db: Db, services: Services, roles: readonly Role[]): Promise<string | null> {
  const company = await db
    .selectFrom('company')
    .select(['public_site_locked', 'public_site_message', 'public_site_locked_until'])
    .executeTakeFirstOrThrow();
  return lockedOut(roles, company, services.clock.now());
}

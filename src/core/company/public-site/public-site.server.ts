// The answers of PublicSiteAdmin.
import { sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { isLocked } from '#platform/auth/sessions/read-caller.server.ts';
import { endSessionsOfPublicUsers, publicUsersSignedIn } from '#platform/auth/sessions/public-sessions.server.ts';
import type { PublicSiteAdmin, PublicSiteStatus } from './public-site.contract.ts';

/** The message for public users if no message was ever written. */
const CLOSED = 'The site is closed at the moment. Please try again later.';

export const publicSiteAnswers: Answers<typeof PublicSiteAdmin> = {
  GetPublicSiteStatus: ({ db, services }) => readStatus(db, services),

  /** Throws 409 if the site is already locked, and 422 for an end in the past. */
  LockPublicSite: async ({ db, services, user }, input) => {
    await lockSite({ db, services, user }, await readStatus(db, services, 'lock'), input);
    return readStatus(db, services);
  },

  /** A site that is already in this state is not changed. Throws 409 if it is locked with another message. */
  UnlockPublicSite: async ({ db, services, user }, { locked, message, until = null }) => {
    const before = await readStatus(db, services, 'lock');
    if (locked) {
      const isSame = before.locked && until === null && (message === '' || message === before.message);
      if (!isSame)
        await lockSite({ db, services, user }, before, { message: message || before.message || CLOSED, until });
      return readStatus(db, services);
    }
    if (before.locked) {
      await db.updateTable('company').set({ public_site_locked: false, public_site_locked_until: null }).execute();
      await recordChange(db, user, { type: 'publicSite', id: 1, name: 'Public site', action: 'Unlock' });
      forgetCallers(services);
    }
    return readStatus(db, services);
  },
};

/** Throws 409 if the site is already locked, and 422 for an end in the past. */
async function lockSite(
  { db, services, user }: Pick<Context<readonly ['systemadmin']>, 'db' | 'services' | 'user'>,
  before: PublicSiteStatus,
  { message, until = null }: { message: string; until?: string | null | undefined },
): Promise<void> {
  if (before.locked) throw new HttpError(409, `${before.lockedBy ?? 'Someone'} has already locked the public site.`);
  const now = services.clock.now();
  if (until !== null && new Date(until) <= now) throw invalid([{ path: 'until', message: 'This time has passed' }]);
  await db
    .updateTable('company')
    .set({
      public_site_locked: true,
      public_site_message: message,
      public_site_locked_at: now,
      public_site_locked_by: user.id,
      public_site_locked_until: until === null ? null : new Date(until),
    })
    .execute();
  await endSessionsOfPublicUsers(db, services);
  await recordChange(db, user, {
    type: 'publicSite',
    id: 1,
    name: 'Public site',
    action: 'Lock',
    comment: until === null ? message : `${message} (until ${new Date(until).toISOString()})`,
  });
  forgetCallers(services);
}

async function readStatus(db: Db, services: Services, lock?: 'lock'): Promise<PublicSiteStatus> {
  const company = await db
    .selectFrom('company')
    .select(['public_site_locked', 'public_site_message', 'public_site_locked_at', 'public_site_locked_until'])
    .select(
      sql<string | null>`(select full_name from app_user where id = company.public_site_locked_by)`.as('locked_by'),
    )
    .$if(lock === 'lock', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const locked = isLocked(company, services.clock.now());
  return {
    locked,
    message: company.public_site_message,
    lockedAt: locked ? company.public_site_locked_at : null,
    lockedBy: locked ? company.locked_by : null,
    lockedUntil: locked ? company.public_site_locked_until : null,
    signedIn: await publicUsersSignedIn(db, services),
  };
}

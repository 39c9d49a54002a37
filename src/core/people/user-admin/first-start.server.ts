// Prepares an empty database for the first sign-in: the company's name and a first system administrator.
import type { Services } from '#platform/api/services.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { invite } from '#platform/auth/invitations/invitation.server.ts';
import { writeUser } from '#platform/users/user-record.server.ts';

/** The company name that the migrations set. */
const NO_NAME = 'My company';

/**
 * Names a company that has no name yet. While no user exists, makes FIRST_ADMIN a system administrator. Returns the link with which this
 * administrator chooses a password, and also mails it. Returns null if it creates no user.
 */
export function firstStart(services: Services): Promise<string | null> {
  const { companyName, firstAdmin } = services.config;
  return inTransaction(services.database.db, async (db) => {
    // The lock lets only one of several starting processes do it.
    const company = await db.selectFrom('company').select('name').forUpdate().executeTakeFirstOrThrow();
    if (company.name === NO_NAME) await db.updateTable('company').set({ name: companyName }).execute();
    if (firstAdmin === undefined) return null;
    if (await db.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) return null;
    const user = {
      id: 0,
      userName: firstAdmin,
      fullName: firstAdmin.split('@')[0] ?? firstAdmin,
      phone: '',
      roles: ['systemadmin' as const],
      regionIds: [],
      repIds: [],
      gpoTabHidden: false,
    };
    const { id, version } = await writeUser(db, user);
    await recordChange(db, null, { type: 'user', id, name: user.fullName, action: 'Create', version });
    return invite(db, services, { ...user, id }, services.config.appTitle);
  });
}

// Decides who has the GPO Contracts tab.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';

type Row = { user_name: string; gpo_tab_hidden: boolean };

/** Everyone but one named account has the GPO Contracts tab (specification section 6); it can also be hidden per user. */
export function isGpoTabHidden({ config }: Pick<Services, 'config'>, user: Row): boolean {
  return user.gpo_tab_hidden || config.gpoTabHiddenFor?.toLowerCase() === user.user_name.toLowerCase();
}

/** The same for the account with an id. */
export async function hasNoGpoTab(db: Db, services: Pick<Services, 'config'>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('app_user')
    .select(['user_name', 'gpo_tab_hidden'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return isGpoTabHidden(services, row);
}

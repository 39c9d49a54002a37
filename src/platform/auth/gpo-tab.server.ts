// Determines who sees the GPO Contracts tab.
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';

type Row = { user_name: string; gpo_tab_hidden: boolean };

/**
 * Returns whether the GPO Contracts tab is hidden. Everyone sees it (specification section 6) except one configured account, and users for whom it is
 * hidden.
 */
export function isGpoTabHidden({ config }: Pick<Services, 'config'>, user: Row): boolean {
  return user.gpo_tab_hidden || config.gpoTabHiddenFor?.toLowerCase() === user.user_name.toLowerCase();
}

/** Like `isGpoTabHidden`, for the id of an account. */
export async function hasNoGpoTab(db: Db, services: Pick<Services, 'config'>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('app_user')
    .select(['user_name', 'gpo_tab_hidden'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return isGpoTabHidden(services, row);
}

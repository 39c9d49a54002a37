// Answers the calls about the company's defaults for notifications, and reads them.
import type { Answers } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import type { NotificationSettings } from './notification-settings.contract.ts';
import { BY_ROLE, type CompanyWays, KINDS, NOTIFICATION_KINDS, WAY_LABELS } from './notification-kinds.ts';

export const notificationSettingsAnswers: Answers<typeof NotificationSettings> = {
  GetCompanyWays: ({ db }) => readCompanyWays(db),

  /** Throws 409 if another user has changed the settings. */
  SaveCompanyWays: async ({ db, user }, { version, ...ways }) => {
    const { version: stored, ...before } = await readCompanyWays(db, 'lock');
    const now = { version: stored, ...before };
    await requireFresh(db, 'notificationSettings', { id: 1, version: stored }, version, now);
    await db
      .updateTable('notification_settings')
      .set({ ways: JSON.stringify(ways), version: stored + 1 })
      .execute();
    await recordChange(db, user, {
      type: 'notificationSettings',
      id: 1,
      name: 'Notifications',
      action: 'Edit',
      version: stored + 1,
      changes: changesBetween(historyWords(before), historyWords(ways), LABELS),
    });
    return { version: stored + 1, ...ways };
  },
};

export async function readCompanyWays(db: Db, lock?: 'lock'): Promise<CompanyWays & { version: number }> {
  const { version, ways } = await db
    .selectFrom('notification_settings')
    .select(['version', 'ways'])
    .$if(lock !== undefined, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const chosen = ways as Partial<CompanyWays>;
  const each = NOTIFICATION_KINDS.map((kind) => [kind, chosen[kind] ?? null]);
  return { version, ...(Object.fromEntries(each) as CompanyWays) };
}

const LABELS = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, KINDS[kind].label]));

function historyWords(ways: CompanyWays): Record<string, string> {
  return Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => {
      const way = ways[kind];
      return [kind, way ? WAY_LABELS[way] : BY_ROLE];
    }),
  );
}

// Answers the Notification calls. A notification of a quote that its reader may no longer see is hidden.
import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { countedPages } from '#platform/db/page.server.ts';
import { KINDS, kindsFor, startWay, type Way } from './notification-kinds.ts';
import { readCompanyWays } from './notification-settings.server.ts';
import type { NotificationCalls } from './notifications.contract.ts';
import { readShown, shownNotifications } from './visible-notifications.server.ts';

export const notificationAnswers: Answers<typeof NotificationCalls> = {
  SearchNotifications: async ({ db, user }, { page, pageSize }) => {
    const records = await readShown(shownNotifications(db, user), user, {
      offset: (page - 1) * pageSize,
      limit: pageSize,
    });
    return { records, ...countedPages(await countShown(db, user, 1001), pageSize), unread: await unreadOf(db, user) };
  },

  CountUnread: async ({ db, user }) => ({ unread: await unreadOf(db, user) }),

  MarkRead: async ({ db, services, user }, which) => {
    await db
      .updateTable('notification')
      .set({ read_at: services.clock.now(), for_daily: false })
      .where('user_id', '=', user.id)
      .where('read_at', 'is', null)
      .$if('ids' in which, (query) =>
        query.where('id', '=', (eb) => eb.fn.any(eb.val('ids' in which ? which.ids : []))),
      )
      .execute();
    return { unread: await unreadOf(db, user) };
  },

  GetWays: ({ db, user }) => ownWays(db, user),

  SaveWay: async ({ db, user }, { kind, way }) => {
    if (way === null) {
      await db.deleteFrom('notification_way').where('user_id', '=', user.id).where('kind', '=', kind).execute();
    } else {
      await db
        .insertInto('notification_way')
        .values({ user_id: user.id, kind, way })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet({ way }))
        .execute();
    }
    return ownWays(db, user);
  },
};

async function countShown(db: Db, user: Caller, most: number, unreadOnly = false): Promise<number> {
  const subset = shownNotifications(db, user)
    .select('note.id')
    .$if(unreadOnly, (query) => query.where('note.read_at', 'is', null))
    .limit(most);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${subset}) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The count stops at a hundred. */
const unreadOf = (db: Db, user: Caller) => countShown(db, user, 100, true);

async function ownWays(db: Db, user: Caller) {
  const own = await db.selectFrom('notification_way').select(['kind', 'way']).where('user_id', '=', user.id).execute();
  const chosen = new Map(own.map(({ kind, way }) => [kind, way as Way]));
  const company = await readCompanyWays(db);
  return kindsFor(user).map((kind) => ({
    kind,
    label: KINDS[kind].label,
    chosen: chosen.get(kind) ?? null,
    start: startWay(kind, user, company),
  }));
}

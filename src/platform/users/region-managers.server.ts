// Stores which users manage a region, and which regions a user manages. Both sides edit the same table.
import type { Db } from '#platform/db/database.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { bumpRecords } from '#platform/history/record-kit.server.ts';
import type { Named } from '#platform/shared/wire.ts';

type Actor = { id: number; fullName: string };

/** Makes exactly these active users the managers of a region. Inactive users keep their regions in case they return. */
export async function setRegionManagers(db: Db, actor: Actor, region: Named, userIds: number[]): Promise<void> {
  const removed = await db
    .deleteFrom('user_region')
    .using('app_user')
    .whereRef('app_user.id', '=', 'user_region.user_id')
    .where('app_user.active', '=', true)
    .where('region_id', '=', region.id)
    .where((eb) => eb.not(eb('user_id', '=', eb.fn.any(eb.val(userIds)))))
    .returning('user_id')
    .execute();
  const added =
    userIds.length === 0
      ? []
      : await db
          .insertInto('user_region')
          .values(userIds.map((user_id) => ({ user_id, region_id: region.id })))
          .onConflict((conflict) => conflict.doNothing())
          .returning('user_id')
          .execute();
  for (const { user_id } of removed) await recordRegions(db, actor, user_id, { before: region.name, after: '' });
  for (const { user_id } of added) await recordRegions(db, actor, user_id, { before: '', after: region.name });
}

/** The change also increments the user's version and appears in the user's history. */
async function recordRegions(
  db: Db,
  actor: Actor,
  userId: number,
  change: { before: string; after: string },
): Promise<void> {
  const [user] = await bumpRecords(db, 'user', [userId]);
  if (!user) return;
  const changes = [{ field: 'Regions managed', ...change }];
  await recordChange(db, actor, { type: 'user', ...user, action: 'Edit', changes });
}

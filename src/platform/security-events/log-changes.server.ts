// Adds an entry to the security log for changes that the history records, in their transaction.
import { type RawBuilder, sql } from 'kysely';
import type { Origin } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { SecurityKind } from './security-kinds.ts';

/** The user who makes a change. For a caller, also the key and the origin. */
type Changer = { id: number; userName?: string; keyId?: number; from?: Origin };

/** Runs an insert into `record_event`, and adds an entry for each of its events. If kind is null, the security log skips them. */
export async function insertChanges(
  db: Db,
  kind: SecurityKind | null,
  actor: Changer | null,
  insert: RawBuilder<unknown>,
): Promise<void> {
  if (kind === null) {
    await insert.execute(db);
    return;
  }
  const { id = null, keyId = null, userName = null, from } = actor ?? {};
  await sql`with event as (${insert} returning id, at, actor, action)
    insert into security_event (at, last_at, kind, action, user_id, key_id, who, account, address, user_agent, event_id)
    select at, at, ${kind}, action, ${id}::int, ${keyId}::int, actor,
      coalesce(${userName}::text, (select user_name from app_user where id = ${id}::int), ''),
      ${from?.address ?? ''}, ${(from?.userAgent ?? '').slice(0, 300)}, id from event`.execute(db);
}

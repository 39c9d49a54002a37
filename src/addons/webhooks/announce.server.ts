// Announces an event to webhooks in the transaction that causes it.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { WebhookEvent } from './webhook-events.ts';

/**
 * Announces an event to every endpoint that subscribed to its type. `db` is the transaction of the change. The event exists only if that transaction
 * commits, and a job delivers it afterwards. One statement does this, and writes nothing if no endpoint wants the event. `data` is minimal: `id`,
 * `number`, `revision` and `status` of the subject, never a price or the name of a user. Receivers get the rest from the API.
 *
 * Triggers announce the events of quotes and imports instead, so that no change of state is missed.
 */
export async function announce(
  db: Db,
  type: Exclude<WebhookEvent, `quote.${string}` | 'import.finished'>,
  data: { id: number; number?: number | string; revision?: number; status?: string },
): Promise<void> {
  await sql`select announce(${type}, ${JSON.stringify(data)}::json)`.execute(db);
}

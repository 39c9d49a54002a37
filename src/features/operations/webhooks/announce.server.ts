// Telling webhooks of an event, in the transaction that makes it happen.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import type { WebhookEvent } from './webhook-events.ts';

/**
 * Tells every endpoint that wants events of this type. `db` is the transaction of the change: the event exists exactly when that commits,
 * and is delivered afterwards by a job. One statement; while no endpoint wants it, it writes nothing. `data` is thin: `id`, `number`,
 * `revision`, `status` of what it is about, never a price and never a name of a person; receivers ask by the API for the rest.
 *
 * Events of quotes and of imports are not announced by this: triggers do, so that no way of moving them is forgotten.
 */
export async function announce(
  db: Db,
  type: Exclude<WebhookEvent, `quote.${string}` | 'import.finished'>,
  data: { id: number; number?: number | string; revision?: number; status?: string },
): Promise<void> {
  await sql`select announce(${type}, ${JSON.stringify(data)}::json)`.execute(db);
}

// Stores a user's last criteria for each screen, with a delay so that no request waits for it.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';

export type CriteriaScreen = 'quote-search' | 'home' | 'item-search' | 'quote-board';

const WRITTEN_AFTER = 2_000;

type Remembered = { user_id: number; screen: CriteriaScreen; criteria: object };
type Waiting = { rows: Map<string, Remembered>; timer?: NodeJS.Timeout };
const waitingBy = new WeakMap<Services, Waiting>();

/** Remembers criteria, and stores them two seconds later in one statement with those of other users. */
export function rememberCriteria(services: Services, userId: number, screen: CriteriaScreen, criteria: object): void {
  const waiting: Waiting = waitingBy.get(services) ?? { rows: new Map() };
  waitingBy.set(services, waiting);
  waiting.rows.set(`${userId} ${screen}`, { user_id: userId, screen, criteria });
  waiting.timer ??= setTimeout(() => void writeCriteria(services), WRITTEN_AFTER).unref();
}

/** Writes waiting criteria, also when the server stops. Never fails. It drops criteria that it cannot write, because they are only a convenience. */
export async function writeCriteria(services: Services): Promise<void> {
  const waiting = waitingBy.get(services);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  delete waiting.timer;
  const rows = [...waiting.rows.values()];
  waiting.rows.clear();
  if (rows.length === 0 || (await isWritten(services, rows))) return;
  // One unwritable entry must not block the others.
  for (const row of rows) await isWritten(services, [row]);
}

async function isWritten({ database }: Services, rows: Remembered[]): Promise<boolean> {
  const statement = sql`
    insert into saved_criteria (user_id, screen, criteria)
    select r.user_id, r.screen, r.criteria
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(user_id int, screen text, criteria jsonb)
    join app_user on app_user.id = r.user_id order by r.user_id, r.screen
    on conflict (user_id, screen) do update set criteria = excluded.criteria
      where saved_criteria.criteria is distinct from excluded.criteria`;
  return statement.execute(database.db).then(
    () => true,
    () => false,
  );
}

/** The remembered value if it still matches the schema, otherwise null. */
export async function rememberedCriteria<S extends z.ZodType>(
  services: Services,
  userId: number,
  screen: CriteriaScreen,
  shape: S,
): Promise<z.output<S> | null> {
  await writeCriteria(services);
  const row = await services.database.db
    .selectFrom('saved_criteria')
    .select('criteria')
    .where('user_id', '=', userId)
    .where('screen', '=', screen)
    .executeTakeFirst();
  return shape.safeParse(row?.criteria).data ?? null;
}

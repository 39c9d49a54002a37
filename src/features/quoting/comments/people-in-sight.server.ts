// Who sees a quote: the people whom a comment may mention.
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { callerColumns, callerFrom } from '#features/people/auth/sessions/read-caller.server.ts';
import type { QuoteRecord } from '#features/quoting/quotes/records.ts';
import { seesQuote } from '#features/quoting/quotes/sight.server.ts';

export type Colleague = { id: number; name: string };

/** The active people who see the quote, by name. */
export async function peopleInSight(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  quote: QuoteRecord,
): Promise<Colleague[]> {
  const now = clock.now();
  const asked = await db
    .selectFrom('approval_request')
    .select('id')
    .where('quote_id', '=', quote.id)
    .limit(1)
    .executeTakeFirst();
  const rows = await db
    .selectFrom(['app_user', 'company'])
    .select(callerColumns(now))
    .where('app_user.active', '=', true)
    .orderBy('app_user.full_name')
    .orderBy('app_user.id')
    .execute();
  return rows.flatMap((row) => {
    const { caller } = callerFrom(row, now);
    return seesQuote(caller, { ...quote, wasAsked: asked !== undefined })
      ? [{ id: caller.id, name: caller.fullName }]
      : [];
  });
}

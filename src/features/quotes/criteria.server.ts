// What a person last searched for, kept per person and screen.
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '#db/database.server.ts';

export type CriteriaScreen = 'quote-search' | 'home';

export async function rememberCriteria(
  db: Db,
  userId: number,
  screen: CriteriaScreen,
  criteria: object,
): Promise<void> {
  await db
    .insertInto('saved_criteria')
    .values({ user_id: userId, screen, criteria: JSON.stringify(criteria) })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'screen'])
        .doUpdateSet({ criteria: sql`excluded.criteria` })
        .where('saved_criteria.criteria', 'is distinct from', sql`excluded.criteria`),
    )
    .execute();
}

/** What was remembered, if it still has the shape asked for; else null. */
export async function rememberedCriteria<S extends z.ZodType>(
  db: Db,
  userId: number,
  screen: CriteriaScreen,
  shape: S,
): Promise<z.output<S> | null> {
  const row = await db
    .selectFrom('saved_criteria')
    .select('criteria')
    .where('user_id', '=', userId)
    .where('screen', '=', screen)
    .executeTakeFirst();
  return shape.safeParse(row?.criteria).data ?? null;
}

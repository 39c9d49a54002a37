// Cross-references for tests.
import type { Insertable } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { CrossReference } from '#platform/db/tables.ts';

/** A number that means the item, the same for everybody unless the test says otherwise. */
export async function aCrossReference(
  db: Db,
  overrides: Pick<Insertable<CrossReference>, 'number' | 'item_id'> & Partial<Insertable<CrossReference>>,
): Promise<{ id: number; version: number }> {
  return db.insertInto('cross_reference').values(overrides).returning(['id', 'version']).executeTakeFirstOrThrow();
}

// Reports that a missing record was cleared by age (src/platform/retention).
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { formatDate } from '#platform/shared/dates.ts';

/** Returns the error for a missing record: 410 if a record with its id was cleared, otherwise 404. `what` names it in the message. */
export async function missing(db: Db, kind: 'mail' | 'imports', id: number, what: string): Promise<HttpError> {
  const cleared = await db
    .selectFrom('retention_cleared')
    .select('before_day')
    .where('kind', '=', kind)
    .where('through', '>=', id)
    .executeTakeFirst();
  if (!cleared) return notFound(what);
  return new HttpError(
    410,
    `This ${what} was cleared. The company keeps none from before ${formatDate(cleared.before_day)}.`,
  );
}

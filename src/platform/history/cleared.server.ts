// Says of a missing record that it was cleared by age (src/platform/retention).
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import { formatDate } from '#platform/shared/dates.ts';

/** The error of a record that is not there: 410 if one of its number was cleared, otherwise 404. `what` names it for people. */
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

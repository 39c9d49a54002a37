// Reads the stored lines of a quote, in order.
import type { Db } from '#platform/db/database.server.ts';
import type { Line } from './quote-rows.ts';

export function quoteLines(db: Db, quoteId: number): Promise<Line[]> {
  return db
    .selectFrom('quote_item')
    .selectAll()
    .$castTo<Line>()
    .where('quote_id', '=', quoteId)
    .orderBy('line_no')
    .orderBy('id')
    .execute();
}

import { sql } from 'kysely';
import type { Answers } from '#platform/api/serve.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import type { LineCount } from './line-count.contract.ts';

export const lineCountAnswers: Answers<typeof LineCount> = {
  /** 404 for a quote that the user may not see. */
  CountLines: async ({ db, user }, { quoteId }) => {
    await requireQuote(db, user, quoteId);
    const { rows } = await sql<{ lines: number; pieces: number }>`
      select count(*)::int as lines, coalesce(sum(qty), 0)::float8 as pieces
        from quote_item where quote_id = ${quoteId} and type <> 'section' and active`.execute(db);
    return rows[0] ?? { lines: 0, pieces: 0 };
  },
};

// Decides who sees a savings analysis: as with quotes, its owner, users who sell to the facility, and users who see all quotes.
import { type Expression, expressionBuilder, type Selectable, type SqlBool } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { SavingsAnalysis, Tables } from '#platform/db/tables.ts';
import { seesAllQuotes, type Viewer } from '#core/quoting/quotes/sight.server.ts';
import { hasRole } from '#platform/shared/roles.ts';

export type AnalysisRecord = Selectable<SavingsAnalysis>;

/** The condition on `savings_analysis` for the analyses that a user sees. It uses the same facts as for a quote of the facility. */
export function inAnalysisSight(user: Viewer): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'savings_analysis'>();
  if (seesAllQuotes(user)) return eb.lit(true);
  const reps = hasRole(user, 'salessupport') ? [user.id, ...user.supportedRepIds] : [user.id];
  const seen = [eb('savings_analysis.owner_id', '=', user.id), eb('savings_analysis.sales_rep_id', 'in', reps)];
  if (hasRole(user, 'salesQuoteManager') && user.regionIds.length > 0)
    seen.push(eb('savings_analysis.region_id', 'in', user.regionIds));
  return eb.or(seen);
}

/** Reads the analysis if the user sees it. Otherwise throws 404, as for an unknown one. `lock` locks it until the transaction ends. */
export async function requireAnalysis(
  db: Db,
  user: Viewer,
  id: number,
  options: { lock?: boolean } = {},
): Promise<AnalysisRecord> {
  const analysis = await db
    .selectFrom('savings_analysis')
    .selectAll()
    .where('savings_analysis.id', '=', id)
    .where(inAnalysisSight(user))
    .$if(options.lock ?? false, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!analysis) throw notFound('savings analysis');
  return analysis;
}

// SQL conditions for the open points of a quote: unanswered customer questions, and mail that failed.
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '#platform/db/tables.ts';
import { companyDay } from '#platform/company/company.server.ts';
import { IN_TROUBLE, LATE } from '#platform/mail/trouble.server.ts';
import type { WaitsFor } from '../quotes.contract.ts';
import { seesAllQuotes, type Viewer } from '../sight.server.ts';

/** A sent revision whose mail has been waiting for its PDF for too long. */
const PDF_IS_LATE = sql`quote_sending.mail_id is null and quote_sending.created_at < now() - ${LATE}`;
const SENDINGS = sql`quote_sending join quote_revision on quote_revision.id = quote_sending.quote_revision_id`;

/** The columns `open_questions` and `mail_trouble` of a statement on `quote`. Each one reads a small partial index once per quote. */
export const FOLLOW_UP_COUNTS = sql`
  (select count(*) from quote_question where quote_id = quote.id and answered_at is null)::int as open_questions,
  ((select count(*) from mail where mail.quote_id = quote.id and ${IN_TROUBLE})
    + (select count(*) from ${SENDINGS} where quote_revision.quote_id = quote.id and ${PDF_IS_LATE}))::int as mail_trouble`;
export type FollowUpCounts = { open_questions: number; mail_trouble: number };

/** The condition on `quote` for quotes with open points. The query starts from the partial indexes, which contain only open points. */
export const NEEDS_FOLLOW_UP: RawBuilder<SqlBool> = sql<SqlBool>`quote.id = any(array(
  select quote_id from quote_question where answered_at is null
  union all select mail.quote_id from mail where mail.quote_id is not null and ${IN_TROUBLE}
  union all select quote_revision.quote_id from ${SENDINGS} where ${PDF_IS_LATE}))`;

/**
 * The condition on `quote` for the visible quotes that are waiting for this user. For users who see all quotes, only quotes in which they have a
 * part.
 */
export function waitsForMe(what: WaitsFor, user: Viewer, now: Date): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'quote'>();
  const isMine = ['owner_id', 'sales_rep_id', 'cs_rep_id', 'is_rep_id', 'assignee_id'] as const;
  return eb.and([
    seesAllQuotes(user) ? eb.or(isMine.map((part) => eb(`quote.${part}`, '=', user.id))) : eb.lit(true),
    what === 'question'
      ? sql<SqlBool>`quote.id = any(array(select quote_id from quote_question where answered_at is null))`
      : sql<SqlBool>`quote.status_id = 'SentToCustomer' and quote.valid_until between ${companyDay(now)} and ${companyDay(now)} + 7`,
  ]);
}

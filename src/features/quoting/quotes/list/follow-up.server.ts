// Says in SQL what a quote waits for: questions of its customer without an answer, and mail that did not go out.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { IN_TROUBLE, LATE } from '#features/operations/mail/trouble.server.ts';

/** A sent revision whose mail still waits for its PDF, for too long. */
const PDF_IS_LATE = sql`quote_sending.mail_id is null and quote_sending.created_at < now() - ${LATE}`;
const SENDINGS = sql`quote_sending join quote_revision on quote_revision.id = quote_sending.quote_revision_id`;

/** The columns `open_questions` and `mail_trouble` of a statement on `quote`. Each looks into a small partial index, once a quote. */
export const FOLLOW_UP_COUNTS = sql`
  (select count(*) from quote_question where quote_id = quote.id and answered_at is null)::int as open_questions,
  ((select count(*) from mail where mail.quote_id = quote.id and ${IN_TROUBLE})
    + (select count(*) from ${SENDINGS} where quote_revision.quote_id = quote.id and ${PDF_IS_LATE}))::int as mail_trouble`;
export type FollowUpCounts = { open_questions: number; mail_trouble: number };

/** The condition on `quote` for those that wait for something. The partial indexes hold just what is open, so that it starts from there. */
export const NEEDS_FOLLOW_UP: RawBuilder<SqlBool> = sql<SqlBool>`quote.id = any(array(
  select quote_id from quote_question where answered_at is null
  union all select mail.quote_id from mail where mail.quote_id is not null and ${IN_TROUBLE}
  union all select quote_revision.quote_id from ${SENDINGS} where ${PDF_IS_LATE}))`;

// Stores the questions that customers ask on the page of a quote, until a user answers them.
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { OpenQuestion } from './follow-up.contract.ts';

type Asked = { quoteId: number; revision: number; name: string; email: string; question: string };

export async function keepQuestion(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  { quoteId, revision, name, email, question }: Asked,
): Promise<void> {
  await db
    .insertInto('quote_question')
    .values({ quote_id: quoteId, revision, asked_by: name, email, question, asked_at: clock.now() })
    .execute();
}

/** The quote's questions without an answer, oldest first. */
export function openQuestions(db: Db, quoteId: number): Promise<OpenQuestion[]> {
  return db
    .selectFrom('quote_question')
    .select(['id', 'asked_by as name', 'email', 'question', 'asked_at as askedAt', 'revision'])
    .where('quote_id', '=', quoteId)
    .where('answered_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Marks the question as answered and returns it. Throws 409 when it is not open. */
export async function closeQuestion(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
  quoteId: number,
  id: number,
): Promise<Omit<OpenQuestion, 'askedAt'>> {
  const closed = await db
    .updateTable('quote_question')
    .set({ answered_at: clock.now() })
    .where('id', '=', id)
    .where('quote_id', '=', quoteId)
    .where('answered_at', 'is', null)
    .returning(['id', 'asked_by as name', 'email', 'question', 'revision'])
    .executeTakeFirst();
  if (!closed) throw new HttpError(409, 'A colleague has already answered this question.');
  return closed;
}

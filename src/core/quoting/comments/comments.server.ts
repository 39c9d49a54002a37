// Implements the comment calls. Users who can see a quote can read its comments. Quoting roles can also write to the customer.
import { forbidden, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { notify } from '#platform/notifications/notify.server.ts';
import { callerColumns, callerFrom } from '#platform/auth/sessions/read-caller.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote, seesQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { type Comment, type Comments, EDITABLE_MINUTES, type QuoteComment } from './comments.contract.ts';
import { mentionedIn } from './mentions.ts';

type Asks = Pick<Context<'user'>, 'db' | 'user' | 'services'>;

export const commentAnswers: Answers<typeof Comment> = {
  GetComments: async (asks, { quoteId }) => commentsOf(asks, (await requireQuote(asks.db, asks.user, quoteId)).id),

  AddComment: async (asks, { quoteId, itemId, text, toCustomer }) => {
    const { db, user, services } = asks;
    const quote = await requireQuote(db, user, quoteId);
    if (toCustomer && !hasRole(user, ...QUOTING_ROLES)) throw forbidden(QUOTING_ROLES);
    const line = itemId ? await lineWords(db, quoteId, itemId) : '';
    const mailedTo = toCustomer ? await mailCustomer(asks, quote, text) : [];
    const mentioned = mentionedIn(text, await peopleInSight(db, services, quote)).filter(({ id }) => id !== user.id);
    const id = await keepComment(db, {
      quote,
      user,
      text,
      toCustomer,
      itemId: itemId ?? null,
      line,
      mailedTo,
      mentioned: mentioned.map((entry) => entry.id),
      at: services.clock.now(),
    });
    await tellMentioned(asks, quote, { id, text, people: mentioned });
    return { id, mailedTo, ...(await commentsOf(asks, quoteId)) };
  },

  EditComment: async (asks, { id, version, text }) => {
    const { db, user, services } = asks;
    const { comment, quote } = await requireComment(asks, id);
    if (comment.written_by !== user.id) throw forbidden();
    if (!isEditable(comment, services.clock.now())) {
      throw new HttpError(
        409,
        comment.mailed_to.length > 0
          ? 'This comment went to the customer by email. Write another one.'
          : `A comment can be changed for ${EDITABLE_MINUTES} minutes. Write another one.`,
      );
    }
    if (comment.version !== version) throw new HttpError(409, 'This comment was changed elsewhere. Reload it.');
    const mentioned = mentionedIn(text, await peopleInSight(db, services, quote)).filter(
      (candidate) => candidate.id !== user.id,
    );
    await db
      .updateTable('quote_comment')
      .set({
        text,
        mentioned: mentioned.map((entry) => entry.id),
        edited_at: services.clock.now(),
        version: version + 1,
      })
      .where('id', '=', id)
      .execute();
    const added = mentioned.filter((candidate) => !comment.mentioned.includes(candidate.id));
    await tellMentioned(asks, quote, { id, text, people: added });
    return commentsOf(asks, comment.quote_id);
  },

  DeleteComment: async (asks, { id }) => {
    const { db, user, services } = asks;
    const { comment } = await requireComment(asks, id);
    if (!mayDelete(comment, user)) throw forbidden();
    // When two users delete the comment, the second deletion changes nothing.
    if (comment.deleted_at === null) {
      await db
        .updateTable('quote_comment')
        .set({ text: '', deleted_at: services.clock.now(), deleted_by: user.id, version: comment.version + 1 })
        .where('id', '=', id)
        .execute();
    }
    return commentsOf(asks, comment.quote_id);
  },

  GetMentionable: async ({ db, user, services }, { quoteId }) => ({
    people: await peopleInSight(db, services, await requireQuote(db, user, quoteId)),
  }),
};

type NewComment = {
  quote: Pick<QuoteRecord, 'id' | 'revision'>;
  user: Caller;
  text: string;
  toCustomer: boolean;
  itemId?: number | null;
  line?: string;
  questionId?: number;
  mailedTo: readonly string[];
  mentioned?: readonly number[];
  at: Date;
};

/** Stores a comment and returns its id. */
export async function keepComment(db: Db, comment: NewComment): Promise<number> {
  const { quote, user, text, toCustomer, mailedTo } = comment;
  const { id } = await db
    .insertInto('quote_comment')
    .values({
      quote_id: quote.id,
      revision: quote.revision,
      item_id: comment.itemId ?? null,
      line: comment.line ?? '',
      to_customer: toCustomer,
      question_id: comment.questionId ?? null,
      written_by: user.id,
      text,
      mentioned: [...(comment.mentioned ?? [])],
      mailed_to: [...mailedTo],
      written_at: comment.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type Row = Awaited<ReturnType<typeof requireComment>>['comment'];

/** Reads and locks the comment, and reads its quote. Throws when the user cannot see the quote. */
async function requireComment({ db, user }: Asks, id: number) {
  const comment = await db.selectFrom('quote_comment').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!comment) throw notFound('comment');
  const quote = await requireQuote(db, user, comment.quote_id).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 404 ? notFound('comment') : error;
  });
  return { comment, quote };
}

function isEditable(comment: Pick<Row, 'deleted_at' | 'mailed_to' | 'written_at'>, now: Date): boolean {
  const age = now.getTime() - new Date(comment.written_at).getTime();
  return comment.deleted_at === null && comment.mailed_to.length === 0 && age <= EDITABLE_MINUTES * 60_000;
}

function mayDelete(comment: Pick<Row, 'written_by'>, user: Caller): boolean {
  return comment.written_by === user.id || hasRole(user, 'salesadmin', 'systemadmin');
}

/** The comments of a quote and the questions of its customer, oldest first. */
async function commentsOf({ db, user, services }: Asks, quoteId: number): Promise<Comments> {
  const now = services.clock.now();
  const questions = await db
    .selectFrom('quote_question')
    .select(['asked_by', 'question', 'asked_at', 'revision'])
    .where('quote_id', '=', quoteId)
    .execute();
  const written = await db
    .selectFrom('quote_comment')
    .selectAll()
    .select([whoDid('written_by').as('author'), whoDid('deleted_by').as('deletedBy')])
    .where('quote_id', '=', quoteId)
    .execute();
  const comments: QuoteComment[] = [
    ...questions.map((question) => ({
      ...OF_CUSTOMER,
      text: question.question,
      author: question.asked_by,
      at: question.asked_at,
      revision: question.revision,
    })),
    ...written.map((entry) => ({
      id: entry.id,
      version: entry.version,
      itemId: entry.item_id,
      line: entry.line,
      text: entry.text,
      toCustomer: entry.to_customer,
      fromCustomer: false,
      author: entry.author,
      at: entry.written_at,
      editedAt: entry.edited_at,
      deletedBy: entry.deletedBy,
      revision: entry.revision,
      mayEdit: entry.written_by === user.id && isEditable(entry, now),
      mayDelete: entry.deleted_at === null && mayDelete(entry, user),
    })),
  ];
  return { comments: comments.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id ?? 0) - (b.id ?? 0)) };
}

const OF_CUSTOMER = {
  id: null,
  version: 0,
  itemId: null,
  line: '',
  toCustomer: true,
  fromCustomer: true,
  editedAt: null,
  deletedBy: '',
  mayEdit: false,
  mayDelete: false,
};

async function tellMentioned(
  { db, user, services }: Asks,
  quote: QuoteRecord,
  { id, text, people }: { id: number; text: string; people: readonly { id: number }[] },
): Promise<void> {
  const by = { id: user.id, name: user.fullName };
  const mail = { what: 'you were mentioned', paragraphs: () => [`${user.fullName} mentioned you:`, text] };
  const concerns = people.map((person) => ({ userId: person.id, quoteId: quote.id, aboutId: id }));
  await notify(db, services, { kind: 'mentioned', by, mail }, concerns);
}

/** 'Line 2: 421023 Saline flush syringe'. Throws 422 when the quote has no such line. */
async function lineWords(db: Db, quoteId: number, itemId: number): Promise<string> {
  const line = await db
    .selectFrom('quote_item')
    .select(['line_no', 'item_number', 'description'])
    .where('quote_id', '=', quoteId)
    .where('id', '=', itemId)
    .executeTakeFirst();
  if (!line) throw invalid([{ path: 'itemId', message: 'This line is not on the quote.' }]);
  return `Line ${line.line_no}: ${[line.item_number, line.description].filter(Boolean).join(' ')}`.slice(0, 300);
}

/**
 * Mails a comment to the recipients of the sent quote and returns their addresses. Returns none before the quote is sent or after its page is closed.
 */
async function mailCustomer({ db, user, services }: Asks, quote: QuoteRecord, text: string): Promise<string[]> {
  const page = await db
    .selectFrom('quote_revision')
    .innerJoin('quote_sending', 'quote_sending.quote_revision_id', 'quote_revision.id')
    .select(['quote_revision.doc_id', 'quote_revision.revision', 'quote_sending.recipients'])
    .where('quote_revision.quote_id', '=', quote.id)
    .where('quote_revision.revoked_at', 'is', null)
    .orderBy('quote_sending.id', 'desc')
    .executeTakeFirst();
  if (!page) return [];
  const number = quoteNumber(quote.num, page.revision);
  const { name, phone } = await loadCompany(db);
  await queueMail(db, services.jobs, {
    quoteId: quote.id,
    to: page.recipients,
    subject: `A message about quote ${number} from ${name}`,
    body: [
      text,
      `You can reply on the quote page:\n${services.config.publicUrl}${paths.quoteDoc(page.doc_id)}`,
      ['Kind regards,', user.fullName, name, phone].filter(Boolean).join('\n'),
    ].join('\n\n'),
  });
  await recordEvent(db, {
    quoteId: quote.id,
    userId: user.id,
    actor: user.fullName,
    action: 'WriteToCustomer',
    revision: quote.revision,
    comment: `To ${page.recipients.join(', ')}: ${text}`,
  });
  return page.recipients;
}

/**
 * Returns the messages on a revision's page, oldest first: the customer's questions and our answers. `until` is the time when a later revision was
 * sent. Later messages are on the page of that revision, except questions asked on this page.
 */
export async function messagesOnPage(
  db: Db,
  quoteId: number,
  { revision, until }: { revision: number; until: string | null },
): Promise<{ from: 'customer' | 'company'; name: string; text: string; at: string }[]> {
  const request = await db
    .selectFrom('quote_question')
    .select(['asked_by as name', 'question as text', 'asked_at as at'])
    .where('quote_id', '=', quoteId)
    .$if(until !== null, (query) =>
      query.where((eb) => eb.or([eb('asked_at', '<', until ?? ''), eb('revision', '=', revision)])),
    )
    .execute();
  const written = await db
    .selectFrom('quote_comment')
    .innerJoin('app_user', 'app_user.id', 'quote_comment.written_by')
    .select(['app_user.full_name as name', 'text', 'written_at as at'])
    .where('quote_id', '=', quoteId)
    .where('to_customer', '=', true)
    .where('deleted_at', 'is', null)
    .$if(until !== null, (query) => query.where('written_at', '<', until ?? ''))
    .execute();
  return [
    ...request.map((entry) => ({ from: 'customer' as const, ...entry })),
    ...written.map((entry) => ({ from: 'company' as const, ...entry })),
  ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

type Colleague = { id: number; name: string };

/** The active users who can see the quote, ordered by name. */
async function peopleInSight(db: Db, { clock }: Pick<Services, 'clock'>, quote: QuoteRecord): Promise<Colleague[]> {
  const now = clock.now();
  const request = await db
    .selectFrom('approval_request')
    .select('id')
    .where('quote_id', '=', quote.id)
    .limit(1)
    .executeTakeFirst();
  const rows = await db
    .selectFrom(['app_user', 'company'])
    .select(callerColumns(now))
    .where('app_user.active', '=', true)
    .orderBy('app_user.full_name')
    .orderBy('app_user.id')
    .execute();
  return rows.flatMap((row) => {
    const { caller } = callerFrom(row, now);
    return seesQuote(caller, { ...quote, wasAsked: request !== undefined })
      ? [{ id: caller.id, name: caller.fullName }]
      : [];
  });
}

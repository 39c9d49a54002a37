// Implements the calls of the customer's page. Its unguessable address opens a frozen revision without an account (design 3, 6 and 7).
import { sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { messagesOnPage } from '#core/quoting/comments/comments.server.ts';
import { stopReminder } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import { keepQuestion } from '#core/quoting/follow-up/questions.server.ts';
import { loadProvisional } from '#core/quoting/provisional/pending-requests.server.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { tellRepSide } from '#core/quoting/quote-workflow/notices.server.ts';
import { performAction } from '#core/quoting/quote-workflow/perform.server.ts';
import { customerActor } from '#core/quoting/quotes/events/event-words.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { isExpired, StatusId } from '#core/quoting/quotes/status.ts';
import { sentDocuments, sentFile } from '#core/quoting/workflow-calls/documents/sent-documents.server.ts';
import { filesOnPage } from '#core/quoting/workflow-calls/files/quote-files.server.ts';
import { frozenPdf, pdfName } from '#core/quoting/workflow-calls/sending/revision-pdf.server.ts';
import { dayIn, formatDate } from '#platform/shared/dates.ts';
import { type Acceptance, noticeOf, stateOfDocument } from './document-state.server.ts';
import { DOC_ID, type PublicQuote, type QuoteDoc } from './quote-doc.contract.ts';

/** The revision behind an address. Throws the same 404 for unknown, malformed and revoked addresses. `lock` locks the quote. */
async function requireDocument(db: Db, docId: string, options: { lock?: boolean } = {}) {
  if (!DOC_ID.test(docId)) throw notFound('quote');
  const find = () =>
    db
      .selectFrom('quote_revision')
      .selectAll()
      .where('doc_id', '=', docId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
  const match = await find();
  if (!match) throw notFound('quote');
  const quote: QuoteRecord = await db
    .selectFrom('quote')
    .selectAll()
    .where('id', '=', match.quote_id)
    .$if(options.lock ?? false, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  // Reads again under the lock, because the quote may have been accepted, replaced or revoked since.
  const revision = options.lock ? await find() : match;
  if (!revision) throw notFound('quote');
  return { quote, revision };
}

type Found = Awaited<ReturnType<typeof requireDocument>>;

/** The time when the first later revision was sent. Null while this is the newest. */
async function laterSentAt(db: Db, { quote_id, revision }: Found['revision']): Promise<string | null> {
  const later = await db
    .selectFrom('quote_revision')
    .select('sent_at')
    .where('quote_id', '=', quote_id)
    .where('revision', '>', revision)
    .orderBy('revision')
    .limit(1)
    .executeTakeFirst();
  return later?.sent_at ?? null;
}

/** The files of this revision's page. Files added after the next revision was started belong to that revision. */
async function pageFiles(db: Db, { quote, revision }: Found) {
  return filesOnPage(db, quote.id, revision.superseded_at ?? (await laterSentAt(db, revision)));
}

async function stateNow(db: Db, services: Pick<Services, 'clock'>, { quote, revision }: Found) {
  const company = await loadCompany(db);
  const replacedAt = await laterSentAt(db, revision);
  const day = (instant: string | null) =>
    instant === null ? '' : formatDate(dayIn(company.time_zone, new Date(instant)));
  const facts = {
    status: StatusId.parse(quote.status_id),
    current: revision.revision === quote.revision && revision.superseded_at === null,
    replaced: replacedAt !== null,
    expired: isExpired(quote, today(services, company)),
    validUntil: formatDate(revision.valid_until),
    acceptance: revision.acceptance as Acceptance | null,
    acceptedOn: day(revision.accepted_at),
    declinedOn: day(revision.declined_at),
  };
  const state = stateOfDocument(facts);
  return { state, notice: noticeOf(state, facts), acceptance: facts.acceptance, replacedAt };
}

async function publicQuote(db: Db, services: Services, result: Found): Promise<PublicQuote> {
  const { state, notice, acceptance, replacedAt } = await stateNow(db, services, result);
  const { quote, revision } = result;
  const day = today(services, await loadCompany(db));
  return {
    document: QuoteDocument.parse(revision.document),
    state,
    notice,
    files: (await pageFiles(db, result)).map(({ id, name, size }) => ({ id, name, size })),
    documents: await sentDocuments(db, revision.id),
    provisional: state === 'Open' ? await loadProvisional(db, quote, day) : null,
    agreedTotal: state === 'Accepted' ? quote.total_amount : null,
    orderNo: state === 'Accepted' ? await orderNoOf(db, revision) : '',
    messages: await messagesOnPage(db, quote.id, { revision: revision.revision, until: replacedAt }),
    acceptance: acceptance && {
      name: acceptance.name,
      title: acceptance.title,
      poNumber: acceptance.poNumber,
      at: acceptance.at,
    },
  };
}

/** Loading the page again within this time does not count as another opening. */
const ONE_OPENING_MS = 10 * 60_000;

/** Counts an opening of the page by anyone with the address. Notifies the sales representative of the first one. */
async function noteViewed(services: Services, { quote, revision }: Found): Promise<void> {
  const now = services.clock.now();
  if (revision.viewed_at !== null) {
    const before = new Date(now.getTime() - ONE_OPENING_MS);
    if (new Date(revision.last_viewed_at ?? revision.viewed_at) > before) return;
    await services.database.db
      .updateTable('quote_revision')
      .set((eb) => ({ later_views: eb('later_views', '+', 1), last_viewed_at: now }))
      .where('id', '=', revision.id)
      // Counts only one of two simultaneous openings.
      .where(sql<boolean>`coalesce(last_viewed_at, viewed_at) <= ${before}`)
      .execute();
    return;
  }
  await inTransaction(services.database.db, async (db) => {
    const first = await db
      .updateTable('quote_revision')
      .set({ viewed_at: now })
      .where('id', '=', revision.id)
      .where('viewed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (first)
      await tellRepSide({ db, services, quote }, 'opened', '', 'opened by the customer', [
        'The customer opened the quote for the first time.',
      ]);
  });
}

async function orderNoOf(db: Db, { quote_id, revision }: Found['revision']): Promise<string> {
  const order = await db
    .selectFrom('order_request')
    .select('erp_order_no')
    .where('quote_id', '=', quote_id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return order?.erp_order_no ?? '';
}

/** Locks the document if the customer may still decide on it. Otherwise throws 409 with the notice of the page. */
async function requireOpen(db: Db, services: Services, docId: string): Promise<Found> {
  const result = await requireDocument(db, docId, { lock: true });
  const { state, notice } = await stateNow(db, services, result);
  if (state !== 'Open') throw new HttpError(409, notice);
  return result;
}

export const quoteDocAnswers: Answers<typeof QuoteDoc> = {
  GetQuoteDoc: async ({ db, services }, { id, look }) => {
    const result = await requireDocument(db, id);
    if (!look) await noteViewed(services, result);
    return publicQuote(db, services, result);
  },

  AcceptQuote: async ({ db, services, request }, { docId, name, title, poNumber, atFallbackPrice, total }) => {
    const { quote, revision } = await requireOpen(db, services, docId);
    await performAction(
      { db, services },
      { customer: name },
      {
        quoteId: quote.id,
        action: 'MarkWon',
        atFallbackPrice,
        total,
        comment: `Accepted by ${name}, ${title}`,
        poNumber,
        signedName: name,
      },
    );
    const acceptance = {
      name,
      title,
      poNumber,
      at: services.clock.now().toISOString(),
      termsVersion: QuoteDocument.parse(revision.document).terms.version,
      address: request.ip,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    };
    await db
      .updateTable('quote_revision')
      .set({ acceptance: JSON.stringify(acceptance) })
      .where('id', '=', revision.id)
      .execute();
    return publicQuote(db, services, await requireDocument(db, docId));
  },

  DeclineQuote: async ({ db, services }, { docId, name, reasonCode, comment }) => {
    const { quote } = await requireOpen(db, services, docId);
    await performAction(
      { db, services },
      { customer: name },
      {
        quoteId: quote.id,
        action: 'MarkLost',
        reasonCode,
        comment,
        signedName: name,
      },
    );
    return publicQuote(db, services, await requireDocument(db, docId));
  },

  AskQuestion: async ({ db, services }, { docId, name, email, question }) => {
    const { quote, revision } = await requireDocument(db, docId);
    await recordEvent(db, {
      quoteId: quote.id,
      userId: null,
      actor: customerActor(name),
      action: 'Question',
      revision: revision.revision,
      comment: `${question}\n\n${email}`,
    });
    await keepQuestion(db, services, { quoteId: quote.id, revision: revision.revision, name, email, question });
    await tellRepSide({ db, services, quote }, 'question', name, 'question from the customer', [
      `${name} <${email}> asked:`,
      question,
      `Reply to ${email}.`,
    ]);
    await stopReminder({ db, services }, quote, null, `${customerActor(name)} asked a question`);
    return { answer: 'Thank you. We have received your question and will reply by email.' };
  },

  GetQuotePdf: async ({ db, services }, { id }) => {
    const { quote, revision } = await requireDocument(db, id);
    return { name: pdfName(quote.num, revision.revision), bytes: await frozenPdf(services, revision) };
  },

  GetQuoteDocument: async ({ db, services }, { docId, id }) => {
    const { revision } = await requireDocument(db, docId);
    const file = await sentFile(db, revision.id, id);
    if (!file) throw notFound('document');
    return {
      name: file.name,
      mediaType: file.mediaType,
      bytes: await readStored(services, file.storageKey, 'document'),
    };
  },

  GetQuoteFile: async ({ db, services }, { docId, fileId }) => {
    const result = await requireDocument(db, docId);
    const file = (await pageFiles(db, result)).find(({ id }) => id === fileId);
    if (!file) throw notFound('file');
    return { name: file.name, mediaType: file.mediaType, bytes: await readStored(services, file.storageKey) };
  },
};

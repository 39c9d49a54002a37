// Implements the workflow calls: moving, sending, printing and comparing quotes (specification section 7, design 2 and 6).
import { forbidden, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { stopReminder } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import { loadQuoteEditData } from '#core/quoting/quote-edit/view/load-quote.server.ts';
import { boxesOf } from '#core/quoting/quote-pdf/boxes.server.ts';
import { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { quotePdf } from '#core/quoting/quote-pdf/render-pdf.server.ts';
import { competitorNames } from '#core/quoting/quote-workflow/competitors.server.ts';
import { performAction, requireAllowed } from '#core/quoting/quote-workflow/perform.server.ts';
import { compareRevisions } from '#core/quoting/quote-workflow/revisions/compare-revisions.server.ts';
import { comparedRevision } from '#core/quoting/quote-workflow/revisions/compared-revision.server.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { maySend, requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { seesInternalFigures } from '#platform/shared/roles.ts';
import { draftDocument } from './sending/draft-document.server.ts';
import { picturesShown } from './sending/pictures-shown.server.ts';
import { frozenPdf, pdfName } from './sending/revision-pdf.server.ts';
import { initialMail, sendQuote } from './sending/sending.server.ts';
import type { QuoteWorkflow } from './workflow-calls.contract.ts';

type Context = { db: Db; services: Services; user: Caller };

/** The quote after the action, as this user may see it. */
function answerWith({ db, services, user }: Context, quoteId: number) {
  return loadQuoteEditData({ db, services, user }, quoteId, seesInternalFigures(user) ? 'internal' : 'public');
}

/** The current revision as it was sent. Undefined before it is sent. */
function sentRevision(db: Db, quote: QuoteRecord) {
  return db
    .selectFrom('quote_revision')
    .select(['id', 'document', 'pdf_file_id'])
    .where('quote_id', '=', quote.id)
    .where('revision', '=', quote.revision)
    .executeTakeFirst();
}

export const quoteWorkflowAnswers: Answers<typeof QuoteWorkflow> = {
  PerformWorkflowAction: async (context, input) => {
    const { db, services, user } = context;
    if (input.action === 'Send' || input.action === 'Resend') {
      const quote = await requireQuote(db, user, input.quoteId);
      await requireAllowed(db, await readQuoteState(db, services, user, quote), input.action, input.version);
      throw invalid([{ path: 'action', message: 'Use SendEmail to send a quote.' }]);
    }
    await performAction(context, { user }, input);
    return answerWith(context, input.quoteId);
  },

  GetCompetitors: async ({ db }) => ({ names: await competitorNames(db) }),

  GenerateQuotePdf: async ({ db, services, user }, { id, pictures }) => {
    const quote = await requireQuote(db, user, id);
    const sent = await sentRevision(db, quote);
    const name = pdfName(quote.num, quote.revision);
    if (sent) return { name, bytes: await frozenPdf(services, sent) };
    const visible = pictures ? pictures === 'true' : await picturesShown(db, quote);
    const document = await draftDocument({ db, services }, quote, visible);
    return { name, bytes: (await quotePdf(services, document, { draft: true })).pdf };
  },

  GetLettersNotInPdf: async ({ db, services, user }, { id }) => {
    const quote = await requireQuote(db, user, id);
    const sent = await sentRevision(db, quote);
    return boxesOf(
      services,
      sent ? QuoteDocument.parse(sent.document) : await draftDocument({ db, services }, quote, false),
    );
  },

  GetInitQuoteSendingEmailData: (context, { id }) => initialMail(context, id),

  SendEmail: async (context, mail) => {
    await sendQuote(context, mail);
    return answerWith(context, mail.quoteId);
  },

  CompareRevisions: async ({ db, user }, { quoteId, from, to }) => {
    const quote = await requireQuote(db, user, quoteId);
    return compareRevisions(await comparedRevision(db, quote, from), await comparedRevision(db, quote, to));
  },

  RevokePublicLink: async (context, { quoteId, revision, comment }) => {
    const { db, services, user } = context;
    const quote = await requireQuote(db, user, quoteId, { lock: true });
    if (!maySend(user, quote)) throw forbidden();
    const sent = await db
      .selectFrom('quote_revision')
      .select(['id', 'revoked_at'])
      .where('quote_id', '=', quoteId)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (!sent) throw notFound('revision');
    if (sent.revoked_at !== null) throw new HttpError(409, 'The public page of this revision is already closed.');
    await db
      .updateTable('quote_revision')
      .set({ revoked_at: services.clock.now() })
      .where('id', '=', sent.id)
      .execute();
    await recordEvent(db, { quoteId, userId: user.id, actor: user.fullName, action: 'RevokeLink', revision, comment });
    if (revision === quote.revision)
      await stopReminder(context, quote, null, `${user.fullName} closed the customer’s link`);
    return answerWith(context, quoteId);
  },
};

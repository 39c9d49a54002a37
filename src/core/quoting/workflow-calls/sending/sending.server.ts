// Sends a quote: one transaction freezes the revision and records the mail, and a job makes the PDF and sends the mail once (design 2).
import { z } from 'zod';
import { invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { hasNoGpoTab } from '#platform/auth/gpo-tab.server.ts';
import { remindAfter, reminderDraft } from '#core/quoting/customer-reminders/customer-reminders.server.ts';
import { QUOTE_LINK, withLink } from '#core/quoting/customer-reminders/reminder-day.ts';
import { type NextTier, tierLabel } from '#core/quoting/next-tier/next-tier.contract.ts';
import { nextTiersOf } from '#core/quoting/next-tier/next-tier.server.ts';
import type { QuoteDocument } from '#core/quoting/quote-pdf/quote-document.ts';
import { performAction, requireAllowed } from '#core/quoting/quote-workflow/perform.server.ts';
import { readQuoteState } from '#core/quoting/quote-workflow/workflow-facts.server.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { addressesWithout, distinctAddresses, readAddresses } from '#platform/shared/mail-addresses.ts';
import { paths } from '#platform/shared/paths.ts';
import { Id } from '#platform/shared/wire.ts';
import { whatFits } from '../documents/mail-size.ts';
import {
  chosenDocuments,
  freezeDocuments,
  offeredDocuments,
  sentDocuments,
} from '../documents/sent-documents.server.ts';
import { filesOf } from '../files/quote-files.server.ts';
import type { Mail } from '../workflow-calls.contract.ts';
import { offeredPictures, picturesShown } from './pictures-shown.server.ts';
import { pdfFileOf, pdfName } from './revision-pdf.server.ts';

/** `title` is set for a document. It names the link when the document does not fit into the mail. */
const Attachments = z.array(z.object({ fileId: Id, name: z.string(), title: z.string().optional() }));

/** Renders the PDF of the sent revision and queues its mail. After a failure or a crash the job continues where it stopped. */
export const sendRevisionJob = {
  name: 'send-revision',
  payload: z.object({ sendingId: Id }),
  run: async (services: Services, { sendingId }) => {
    const { db } = services.database;
    const sending = await db
      .selectFrom('quote_sending')
      .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
      .innerJoin('quote', 'quote.id', 'quote_revision.quote_id')
      .select([
        'quote_sending.mail_id',
        'quote_sending.recipients',
        'quote_sending.cc',
        'quote_sending.subject',
        'quote_sending.body',
        'quote_sending.attachments',
        'quote_revision.id',
        'quote_revision.document',
        'quote_revision.pdf_file_id',
        'quote_revision.revision',
        'quote.id as quoteId',
        'quote.num',
      ])
      .where('quote_sending.id', '=', sendingId)
      .executeTakeFirst();
    if (!sending || sending.mail_id !== null) return;
    const fileId = await pdfFileOf(services, sending);
    const { attachments, linked } = await carried(db, fileId, Attachments.parse(sending.attachments));
    await inTransaction(services.database.db, async (db) => {
      const { mail_id } = await db
        .selectFrom('quote_sending')
        .select('mail_id')
        .where('id', '=', sendingId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      if (mail_id !== null) return;
      const mailId = await queueMail(db, services.jobs, {
        quoteId: sending.quoteId,
        to: sending.recipients,
        cc: sending.cc,
        subject: sending.subject,
        body: withLinked(sending.body, linked),
        attachments: [{ fileId, name: pdfName(sending.num, sending.revision) }, ...attachments],
      });
      await db.updateTable('quote_sending').set({ mail_id: mailId }).where('id', '=', sendingId).execute();
    });
  },
} satisfies JobKind<z.ZodType<{ sendingId: number }>, Services>;

/** The mail's attachments besides the PDF, and the titles of documents that do not fit. */
async function carried(db: Db, pdfId: number, input: z.infer<typeof Attachments>) {
  const files = await db
    .selectFrom('file')
    .select(['id', 'size'])
    .where('id', 'in', [pdfId, ...input.map(({ fileId }) => fileId)])
    .execute();
  const sizes = new Map(files.map(({ id, size }) => [id, size]));
  const sized = input.map((entry) => ({ ...entry, size: sizes.get(entry.fileId) ?? 0 }));
  const must = sized.filter(({ title }) => title === undefined);
  const mustCarry = must.reduce((sum, { size }) => sum + size, sizes.get(pdfId) ?? 0);
  const { attached, linked } = whatFits(
    mustCarry,
    sized.filter(({ title }) => title !== undefined),
  );
  return {
    attachments: [...must, ...attached].map(({ fileId, name }) => ({ fileId, name })),
    linked: linked.map(({ title }) => title ?? ''),
  };
}

/** Adds the titles of linked documents to the body, which contains the link to the customer's page with these documents. */
function withLinked(body: string, titles: string[]): string {
  if (titles.length === 0) return body;
  return `${body}\n\nThese documents are too large for an email. You can find them on the quote page:\n${titles
    .map((title) => `- ${title}`)
    .join('\n')}`;
}

type Context = { db: Db; services: Services; user: Caller };

/** Offers no tiers to users who do not work with contracts. */
async function offeredTiers({ db, services, user }: Context, quote: QuoteRecord): Promise<NextTier[]> {
  return (await hasNoGpoTab(db, services, user.id)) ? [] : nextTiersOf(db, quote);
}

/** The facts about a tier that the customer's page shows. */
function toldTier({ number, tierNo, tierName, requirement, saving }: NextTier): QuoteDocument['nextTiers'][number] {
  return { contract: number, tier: tierLabel(tierNo, tierName), requirement, saving };
}

/** A sent quote is resent from its frozen revision. Any other is sent for the first time. */
const sendingAction = (quote: QuoteRecord): ActionName => (quote.status_id === 'SentToCustomer' ? 'Resend' : 'Send');

/** Performs Send or Resend with its mail. Throws the errors of `performAction`, and 422 for attachments that the customer may not see. */
export async function sendQuote({ db, services, user }: Context, mail: Mail): Promise<void> {
  const before = await requireQuote(db, user, mail.quoteId, { lock: true });
  const action = sendingAction(before);
  const documents = chosenDocuments(await documentsFor({ db, services }, before), mail.documentIds);
  const titles = documents.map(({ title }) => title).join(', ');
  const to = distinctAddresses(mail.to);
  const cc = addressesWithout(distinctAddresses(mail.cc), to);
  const { quote } = await performAction(
    { db, services },
    { user },
    {
      quoteId: mail.quoteId,
      action,
      version: mail.version,
      pictures: action === 'Send' && (mail.pictures ?? (await picturesShown(db, before))),
      nextTiers:
        action === 'Send' && mail.nextTiers ? (await offeredTiers({ db, services, user }, before)).map(toldTier) : [],
      comment: `To ${to.join(', ')}${cc.length > 0 ? `; copy to ${cc.join(', ')}` : ''}${titles ? `; with ${titles}` : ''}`,
    },
  );
  const revision = await db
    .selectFrom('quote_revision')
    .select(['id', 'doc_id', 'valid_until'])
    .where('quote_id', '=', quote.id)
    .where('revision', '=', quote.revision)
    .executeTakeFirstOrThrow();
  if (action === 'Send') await freezeDocuments(db, revision.id, documents);
  const { id: sendingId } = await db
    .insertInto('quote_sending')
    .values({
      quote_revision_id: revision.id,
      recipients: to,
      cc,
      subject: mail.subject.replace(/\s+/g, ' '),
      body: withLink(mail.body, `${services.config.publicUrl}${paths.quoteDoc(revision.doc_id)}`),
      attachments: JSON.stringify([
        ...(await attachmentsOf(db, quote.id, mail.attachmentIds)),
        ...documents.map(({ fileId, name, title }) => ({ fileId, name, title })),
      ]),
      sent_by: user.id,
      created_at: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await remindAfter({ db, services, user }, quote, {
    id: sendingId,
    validUntil: revision.valid_until,
    reminder: mail.reminder,
  });
  await services.jobs.send(db, sendRevisionJob, { sendingId });
}

/** The documents to offer. For a revision already sent, these are the documents sent with it, so that a Resend is identical. */
async function documentsFor({ db, services }: Pick<Context, 'db' | 'services'>, quote: QuoteRecord) {
  if (sendingAction(quote) === 'Send') return offeredDocuments(db, services, quote.id);
  const revision = await db
    .selectFrom('quote_revision')
    .select('id')
    .where('quote_id', '=', quote.id)
    .where('revision', '=', quote.revision)
    .executeTakeFirst();
  return revision ? sentDocuments(db, revision.id) : [];
}

async function attachmentsOf(db: Db, quoteId: number, ids: readonly number[]): Promise<z.infer<typeof Attachments>> {
  if (ids.length === 0) return [];
  const files = await filesOf(db, quoteId);
  return [...new Set(ids)].map((id) => {
    const file = files.find((result) => result.id === id);
    if (!file) throw invalid([{ path: 'attachmentIds', message: 'A selected file is no longer on the quote.' }]);
    if (!file.visibleToCustomer) {
      throw invalid([
        {
          path: 'attachmentIds',
          message: `${file.name} is hidden from the customer. Select ‘Visible to customer’ for it first.`,
        },
      ]);
    }
    return { fileId: file.fileId, name: file.name };
  });
}

/** The mail dialog's initial values: the contact (on a Resend, the last recipients), the sales representative in copy, and a text without a price. */
export async function initialMail({ db, services, user }: Context, quoteId: number) {
  const quote = await requireQuote(db, user, quoteId);
  const action = sendingAction(quote);
  await requireAllowed(db, await readQuoteState(db, services, user, quote), action);
  const company = await loadCompany(db);
  const number = quoteNumber(quote.num, quote.revision);
  const last = await db
    .selectFrom('quote_sending')
    .innerJoin('quote_revision', 'quote_revision.id', 'quote_sending.quote_revision_id')
    .select(['recipients', 'cc'])
    .where('quote_revision.quote_id', '=', quote.id)
    .where('quote_revision.revision', '=', quote.revision)
    .orderBy('quote_sending.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const salesRep = await db
    .selectFrom('app_user')
    .select('user_name')
    .where('id', '=', quote.sales_rep_id)
    .where('id', '!=', user.id)
    .where('active', '=', true)
    .executeTakeFirst();
  const paragraphs = [
    quote.contact_name ? `Dear ${quote.contact_name},` : 'Hello,',
    `Attached is our quote ${number} for ${quote.facility_name}, valid until ${formatDate(quote.valid_until)}.${
      quote.revision > 1 ? ' It replaces our earlier quote.' : ''
    }`,
    `View it online, ask questions, and accept or decline it here:\n${QUOTE_LINK}`,
    ['Kind regards,', user.fullName, company.name, company.phone].filter(Boolean).join('\n'),
  ];
  return {
    to: last?.recipients ?? readAddresses(quote.contact_email),
    cc: last?.cc ?? (salesRep ? [salesRep.user_name] : []),
    subject: `Quote ${number} from ${company.name} for ${quote.facility_name}`,
    body: paragraphs.join('\n\n'),
    attachments: (await filesOf(db, quote.id)).filter((file) => file.visibleToCustomer),
    documents: await documentsFor({ db, services }, quote),
    pictures: action === 'Send' ? await offeredPictures(db, quote) : null,
    nextTiers: action === 'Send' ? await offeredTiers({ db, services, user }, quote) : [],
    reminder: await reminderDraft({ db, services, user }, quote),
    pdfName: pdfName(quote.num, quote.revision),
    resend: action === 'Resend',
  };
}

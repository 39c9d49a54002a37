// Sends a quote: one transaction freezes the revision and records the mail; a job makes the PDF and sends the mail once (design 2).
import { z } from 'zod';
import { invalid } from '#api/http-error.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import { loadCompany } from '#features/company/company/company.server.ts';
import { queueMail } from '#features/operations/mail/outbox.server.ts';
import { performAction, requireAllowed } from '#features/quoting/quote-workflow/perform.server.ts';
import { readQuoteState } from '#features/quoting/quote-workflow/workflow-facts.server.ts';
import type { ActionName } from '#features/quoting/quotes/actions.ts';
import type { QuoteRecord } from '#features/quoting/quotes/records.ts';
import { requireQuote } from '#features/quoting/quotes/sight.server.ts';
import { quoteNumber } from '#features/quoting/quotes/status.ts';
import type { JobKind } from '#jobs/jobs.server.ts';
import { formatDate } from '#shared/dates.ts';
import { paths } from '#shared/paths.ts';
import { Id } from '#shared/wire.ts';
import { filesOf } from '../files/quote-files.server.ts';
import { type Mail, QUOTE_LINK } from '../quote-steps.contract.ts';
import { pdfFileOf, pdfName } from './revision-pdf.server.ts';

const Attachments = z.array(z.object({ fileId: Id, name: z.string() }));

/** Makes the PDF of the sent revision and queues its mail. After a failure or a kill it continues where it stopped. */
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
        body: sending.body,
        attachments: [
          { fileId, name: pdfName(sending.num, sending.revision) },
          ...Attachments.parse(sending.attachments),
        ],
      });
      await db.updateTable('quote_sending').set({ mail_id: mailId }).where('id', '=', sendingId).execute();
    });
  },
} satisfies JobKind<z.ZodType<{ sendingId: number }>, Services>;

type Context = { db: Db; services: Services; user: Caller };

/** A sent quote is resent as frozen; any other is sent for the first time. */
const sendingAction = (quote: QuoteRecord): ActionName => (quote.status_id === 'SentToCustomer' ? 'Resend' : 'Send');

/** Performs Send or Resend with its mail. Errors as `performAction`; 422 for attachments the customer may not see. */
export async function sendQuote({ db, services, user }: Context, mail: Mail): Promise<void> {
  const action = sendingAction(await requireQuote(db, user, mail.quoteId, { lock: true }));
  const to = [...new Set(mail.to)];
  const cc = [...new Set(mail.cc)].filter((address) => !to.includes(address));
  const { quote } = await performAction(
    { db, services },
    { user },
    {
      quoteId: mail.quoteId,
      action,
      version: mail.version,
      comment: `To ${to.join(', ')}${cc.length > 0 ? `; copy to ${cc.join(', ')}` : ''}`,
    },
  );
  const revision = await db
    .selectFrom('quote_revision')
    .select(['id', 'doc_id'])
    .where('quote_id', '=', quote.id)
    .where('revision', '=', quote.revision)
    .executeTakeFirstOrThrow();
  const { id: sendingId } = await db
    .insertInto('quote_sending')
    .values({
      quote_revision_id: revision.id,
      recipients: to,
      cc,
      subject: mail.subject.replace(/\s+/g, ' '),
      body: withLink(mail.body, `${services.config.publicUrl}${paths.quoteDoc(revision.doc_id)}`),
      attachments: JSON.stringify(await attachmentsOf(db, quote.id, mail.attachmentIds)),
      sent_by: user.id,
      created_at: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await services.jobs.send(db, sendRevisionJob, { sendingId });
}

function withLink(body: string, link: string): string {
  return body.includes(QUOTE_LINK) ? body.replaceAll(QUOTE_LINK, link) : `${body}\n\nRead the quote online: ${link}`;
}

async function attachmentsOf(db: Db, quoteId: number, ids: readonly number[]): Promise<z.infer<typeof Attachments>> {
  if (ids.length === 0) return [];
  const files = await filesOf(db, quoteId);
  return [...new Set(ids)].map((id) => {
    const file = files.find((found) => found.id === id);
    if (!file) throw invalid([{ path: 'attachmentIds', message: 'A chosen file is no longer on the quote.' }]);
    if (!file.visibleToCustomer) {
      throw invalid([
        { path: 'attachmentIds', message: `${file.name} is not for the customer. Show it to the customer first.` },
      ]);
    }
    return { fileId: file.fileId, name: file.name };
  });
}

/** The mail dialog's initial values: the contact (on a Resend the last recipients), the sales rep in copy, a text without a price. */
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
    quote.contact_name ? `Dear ${quote.contact_name},` : 'Good day,',
    `Attached is our quote ${number} for ${quote.facility_name}, valid until ${formatDate(quote.valid_until)}.${
      quote.revision > 1 ? ' It replaces what we sent before.' : ''
    }`,
    `You can read it online, accept or decline it, and ask a question here:\n${QUOTE_LINK}`,
    ['Kind regards,', user.fullName, company.name, company.phone].filter(Boolean).join('\n'),
  ];
  return {
    to: last?.recipients ?? (quote.contact_email ? [quote.contact_email] : []),
    cc: last?.cc ?? (salesRep ? [salesRep.user_name] : []),
    subject: `Quote ${number} from ${company.name} for ${quote.facility_name}`,
    body: paragraphs.join('\n\n'),
    attachments: (await filesOf(db, quote.id)).filter((file) => file.visibleToCustomer),
    pdfName: pdfName(quote.num, quote.revision),
    resend: action === 'Resend',
  };
}

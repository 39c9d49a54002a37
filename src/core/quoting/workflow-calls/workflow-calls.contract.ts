// The API calls that move, send and print quotes, and those for files: Quote workflow and files (specification section 7; design 2, 6).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { ReminderDraft, ReminderInput } from '#core/quoting/customer-reminders/customer-reminders.contract.ts';
import { NextTier } from '#core/quoting/next-tier/next-tier.contract.ts';
import { QuoteEditData, QuoteFile } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { ActionName } from '#core/quoting/quotes/actions.ts';
import { QUOTING_ROLES } from '#platform/shared/roles.ts';
import { Amount, Decimal, Id, QueryId, RequiredText, Text, Version } from '#platform/shared/wire.ts';

const MailAddress = z.email('This is not an email address').max(320);

export const Mail = z.object({
  quoteId: Id,
  version: Version,
  to: z.array(MailAddress).min(1, 'Enter at least one recipient').max(20),
  cc: z.array(MailAddress).max(20).default([]),
  subject: RequiredText(300),
  body: RequiredText(10_000),
  /** Files of the quote to attach. The PDF is always attached. */
  attachmentIds: z.array(Id).max(20).default([]),
  /** The item documents to send, by the ids of their revisions. They are on the customer's page, and attached if they fit into the mail. */
  documentIds: z.array(Id).max(50).default([]),
  /** Whether the page and the PDF show pictures of the items. By default as in the revision before, or for the first one, the company's setting. */
  pictures: z.boolean().optional(),
  /** Whether the customer's page shows how much other tiers of its contracts would save. */
  nextTiers: z.boolean().default(false),
  /**
   * Reminds the recipients in `to` before the quote expires, unless the customer responds first. By default none, or on a Resend the waiting one.
   * Null for none.
   */
  reminder: ReminderInput.nullish(),
});
/** A document of an item, in the revision to send. */
export const SendableDocument = z.object({
  /** The id of the revision. */
  id: z.number().int(),
  title: z.string(),
  category: z.string(),
  label: z.string(),
  name: z.string(),
  size: z.number().int(),
  /** Whether it is selected by default. */
  offered: z.boolean(),
});
export type SendableDocument = z.infer<typeof SendableDocument>;

/** If the body lacks '[quote link]', the mail adds the address of the customer's page at the end. */
export type Mail = z.infer<typeof Mail>;

/** Characters and their places: 'line 3', 'the message'. */
const Boxes = z.object({ letters: z.array(z.string()), places: z.array(z.string()) });

export const QuoteWorkflow = {
  PerformWorkflowAction: post(
    '/api/QuoteWorkflow/PerformWorkflowAction',
    z.object({
      quoteId: Id,
      action: ActionName,
      version: Version,
      comment: Text(2000).nullish(),
      reasonCode: Text(100).nullish(),
      poNumber: Text(100).nullish(),
      signedName: Text(200).nullish(),
      /** For MarkLost: who got the order, and their price for the whole order in the quote's currency. */
      lostCompetitor: Text(100).nullish(),
      lostCompetitorPrice: Amount.nullish(),
      /** For MarkWon: accepts the prices without the eligibility requests that the quote depends on. */
      atFallbackPrice: z.boolean().optional(),
      /** For MarkWon: the total that the user saw. The call returns 409 when the current total differs. */
      total: Decimal.optional(),
    }),
    QuoteEditData,
    {
      access: 'user',
      writes: true,
      summary:
        'Performs a workflow step. 409 if another user moved the quote (with its status and the user) or if the total has changed (with both totals). To send or resend, use SendEmail.',
    },
  ),
  GetCompetitors: post(
    '/api/QuoteWorkflow/GetCompetitors',
    z.object({}),
    z.object({
      /** The most frequent first. */
      names: z.array(z.string()),
    }),
    { access: QUOTING_ROLES, summary: 'Competitors named on lost quotes.' },
  ),
  GenerateQuotePdf: post(
    '/api/QuoteWorkflow/GenerateQuotePdf',
    QueryId.extend({ pictures: z.enum(['true', 'false']).optional() }),
    Bytes,
    {
      access: 'user',
      in: 'query',
      file: 'application/pdf',
      summary:
        'The final PDF of a sent revision. For an unsent quote, a PDF marked DRAFT. `pictures` includes or omits item pictures; the default is what would be sent.',
    },
  ),
  GetLettersNotInPdf: post('/api/QuoteWorkflow/GetLettersNotInPdf', QueryId, Boxes, {
    access: 'user',
    in: 'query',
    summary:
      'The characters that the PDF of GenerateQuotePdf shows as boxes because no font has them, and where they are.',
  }),
  GetInitQuoteSendingEmailData: post(
    '/api/QuoteWorkflow/GetInitQuoteSendingEmailData',
    QueryId,
    z.object({
      to: z.array(z.string()),
      cc: z.array(z.string()),
      subject: z.string(),
      body: z.string(),
      /** Files of the quote that the customer may see. */
      attachments: z.array(QuoteFile),
      /** The items' documents for customers. If the revision was already sent, the documents sent with it. */
      documents: z.array(SendableDocument),
      /** Pictures of the items that the customer may see. Null if the revision was already sent. */
      pictures: z
        .object({
          /** Whether the quote shows them by default. */
          shown: z.boolean(),
          /** The number of items with a picture. */
          count: z.number().int(),
          /** Whether the pictures are too large for the PDF, so that only the page shows them. */
          onPageOnly: z.boolean(),
        })
        .nullable(),
      /** The savings at other tiers that the customer's page can show. Empty if the revision was already sent. */
      nextTiers: z.array(NextTier),
      reminder: ReminderDraft,
      /** The name of the PDF, which every mail includes. */
      pdfName: z.string(),
      resend: z.boolean(),
    }),
    { access: QUOTING_ROLES, in: 'query' },
  ),
  SendEmail: post('/api/QuoteWorkflow/SendEmail', Mail, QuoteEditData, {
    access: QUOTING_ROLES,
    writes: true,
    copies: true,
    summary: 'Performs Send (or Resend): freezes the revision and queues the email with its PDF, in one transaction.',
  }),
  CompareRevisions: post(
    '/api/QuoteWorkflow/CompareRevisions',
    z.object({
      quoteId: Id,
      from: Id,
      /** Null for the current quote. */ to: Id.nullable(),
    }),
    z.object({
      header: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
      lines: z.array(
        z.object({
          change: z.enum(['added', 'removed', 'changed']),
          itemNumber: z.string(),
          description: z.string(),
          /** 'Quantity 4 → 6', 'Price 9.84 → 9.35 (manual)'. */
          causes: z.array(z.string()),
          before: z.number().nullable(),
          after: z.number().nullable(),
        }),
      ),
      totalBefore: z.number(),
      totalAfter: z.number(),
      currnIdx: z.number().int(),
    }),
    { access: 'user', summary: 'The differences between two revisions, by line, with the cause.' },
  ),
  RevokePublicLink: post(
    '/api/QuoteWorkflow/RevokePublicLink',
    z.object({ quoteId: Id, revision: Id, comment: RequiredText(500) }),
    QuoteEditData,
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'Closes the public page of a revision. Resend publishes it again under a new link.',
    },
  ),
};

export const QuoteFileUpload = {
  UploadQuoteFile: post(
    '/api/QuoteFileUpload/UploadQuoteFile',
    z.object({ quoteId: QueryId.shape.id, visibleToCustomer: z.stringbool().default(false) }),
    QuoteFile,
    { access: QUOTING_ROLES, in: 'upload', writes: true, bodyLimit: 25 * 1024 * 1024 },
  ),
  DownloadQuoteFile: post('/api/QuoteFileUpload/DownloadQuoteFile', QueryId, Bytes, {
    access: 'user',
    in: 'query',
    file: 'application/octet-stream',
  }),
  GetQuoteItemDocuments: post(
    '/api/QuoteFileUpload/GetQuoteItemDocuments',
    QueryId,
    z.array(
      z.object({
        id: z.number().int(),
        title: z.string(),
        category: z.string(),
        label: z.string(),
        name: z.string(),
        size: z.number().int(),
      }),
    ),
    { access: 'user', in: 'query', summary: 'The documents of the items on a quote that the caller may read.' },
  ),
  ChangeQuoteFile: post(
    '/api/QuoteFileUpload/ChangeQuoteFile',
    z.object({ id: Id, visibleToCustomer: z.boolean().optional(), remove: z.boolean().optional() }),
    z.array(QuoteFile),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: "Shows a file to the customer, hides it or removes it. Returns the quote's files.",
    },
  ),
};

// Moving, sending and printing quotes, and their files: Quote workflow and files of the specification (section 7), design 2 and 6.
import { z } from 'zod';
import { Bytes, post } from '#api/endpoint.ts';
import { QuoteEditData, QuoteFile } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { ActionName } from '#features/quoting/quotes/actions.ts';
import { QUOTING_ROLES } from '#shared/roles.ts';
import { Id, QueryId, RequiredText, Text, Version } from '#shared/wire.ts';

const MailAddress = z.email('This is not an e-mail address').max(320);

/** The placeholder in a mail's body for the address of the customer's page, which is known only after sending. */
export const QUOTE_LINK = '[quote link]';

export const Mail = z.object({
  quoteId: Id,
  version: Version,
  to: z.array(MailAddress).min(1, 'Name at least one recipient').max(20),
  cc: z.array(MailAddress).max(20).default([]),
  subject: RequiredText(300),
  body: RequiredText(10_000),
  /** Files of the quote to attach; the PDF is always attached. */
  attachmentIds: z.array(Id).max(20).default([]),
});
/** Without QUOTE_LINK in the body, the address is added below. */
export type Mail = z.infer<typeof Mail>;

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
    }),
    QuoteEditData,
    {
      access: 'user',
      writes: true,
      summary: 'One step of the workflow. 409 names the state and who moved it; Send and Resend go through SendEmail.',
    },
  ),
  GenerateQuotePdf: post('/api/QuoteWorkflow/GenerateQuotePdf', QueryId, Bytes, {
    access: 'user',
    in: 'query',
    file: 'application/pdf',
    summary: 'The frozen PDF of a sent revision; DRAFT across the page before.',
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
      /** Name of the PDF that always goes along. */
      pdfName: z.string(),
      resend: z.boolean(),
    }),
    { access: QUOTING_ROLES, in: 'query' },
  ),
  SendEmail: post('/api/QuoteWorkflow/SendEmail', Mail, QuoteEditData, {
    access: QUOTING_ROLES,
    writes: true,
    summary: 'Performs Send (or Resend): freezes the revision and queues the mail with its PDF, in one transaction.',
  }),
  CompareRevisions: post(
    '/api/QuoteWorkflow/CompareRevisions',
    z.object({
      quoteId: Id,
      from: Id,
      /** null: the quote as it stands. */ to: Id.nullable(),
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
    { access: 'user', summary: 'What differs between two revisions, by line, with the cause.' },
  ),
  RevokePublicLink: post(
    '/api/QuoteWorkflow/RevokePublicLink',
    z.object({ quoteId: Id, revision: Id, comment: RequiredText(500) }),
    QuoteEditData,
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: 'The public page of a revision stops opening; a Resend brings it back under a new link.',
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
  ChangeQuoteFile: post(
    '/api/QuoteFileUpload/ChangeQuoteFile',
    z.object({ id: Id, visibleToCustomer: z.boolean().optional(), remove: z.boolean().optional() }),
    z.array(QuoteFile),
    {
      access: QUOTING_ROLES,
      writes: true,
      summary: "Shows a file to the customer or hides it, or removes it; answers the quote's files.",
    },
  ),
};

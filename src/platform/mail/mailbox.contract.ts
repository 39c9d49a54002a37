// Our own calls with which administrators read the program's outgoing mail (design 8).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { Id, PageInput, pageOf, QueryId, Text } from '#platform/shared/wire.ts';

export const MAIL_STATES = ['Waiting', 'HandingOver', 'Sent', 'Uncertain', 'Failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

const MailRow = z.object({
  id: z.number().int(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  recipients: z.array(z.string()),
  cc: z.array(z.string()),
  /** For a mail with a secret, the kind of mail: 'Password mail'. */
  subject: z.string(),
  /** The mail contains a secret, such as a one-time link. No call shows its subject or text, whatever its state. */
  secret: z.boolean(),
  state: z.enum(MAIL_STATES),
  tries: z.number().int(),
  lastError: z.string(),
  quoteId: z.number().int().nullable(),
  quoteNum: z.number().int().nullable(),
  attachments: z.number().int(),
  /** The id in the mail server's log. */
  messageId: z.string(),
});
export type MailRow = z.infer<typeof MailRow>;

/** A mail of a quote that was not sent, or not to everyone. */
export const MailTrouble = z.object({
  id: z.number().int(),
  /** Late: still being tried. Refused: the mail server accepted it for the other recipients. Uncertain: it is not known whether it arrived. */
  state: z.enum(['Late', 'Failed', 'Refused', 'Uncertain']),
  /** The recipients whom it did not reach, or may not have reached. */
  to: z.array(z.string()),
  subject: z.string(),
  since: z.string(),
  reason: z.string(),
  /** It can be sent again. */
  sendsAgain: z.boolean(),
});
export type MailTrouble = z.infer<typeof MailTrouble>;

export const MailCriteria = PageInput.extend({
  /** Searches addresses and subject. */
  keyword: Text(200).nullish(),
  state: z.enum(MAIL_STATES).nullish(),
});

export const Mailbox = {
  SearchMail: post('/api/Mailbox/SearchMail', MailCriteria, pageOf(MailRow), {
    access: ['systemadmin'],
    summary: 'Sent and unsent mail, newest first.',
  }),
  GetMail: post(
    '/api/Mailbox/GetMail',
    QueryId,
    MailRow.extend({
      /** Empty for a mail with a secret. */
      body: z.string(),
      files: z.array(z.object({ name: z.string() })),
      /** Whether mail goes into a mailbox on disk instead of to a mail server. */
      embedded: z.boolean(),
    }),
    { access: ['systemadmin'], in: 'query' },
  ),
  GetMailAttachment: post(
    '/api/Mailbox/GetMailAttachment',
    z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647), index: z.coerce.number().int().min(0).max(100) }),
    Bytes,
    { access: ['systemadmin'], in: 'query', file: 'application/octet-stream' },
  ),
  SendMailAgain: post('/api/Mailbox/SendMailAgain', z.object({ id: Id }), MailRow, {
    changes: true,
    access: ['systemadmin'],
    summary: 'Retries an email that failed permanently.',
  }),
  GetMailHeld: post('/api/Mailbox/GetMailHeld', z.object({}), z.object({ since: z.string().nullable() }), {
    access: ['systemadmin'],
    summary: 'Since when mail has been held because the database was restored from a backup.',
  }),
  ReleaseMail: post('/api/Mailbox/ReleaseMail', z.object({}), z.object({ released: z.number().int() }), {
    changes: true,
    access: ['systemadmin'],
    summary: 'Lets a restored copy send mail from now on.',
  }),
  DecideMails: post(
    '/api/Mailbox/DecideMails',
    z.object({
      ids: z.array(Id).min(1).max(200),
      /** True: the mails arrived. False: send them again. */
      arrived: z.boolean(),
    }),
    z.object({ decided: z.number().int() }),
    {
      changes: true,
      access: ['systemadmin'],
      summary: 'Decides uncertain emails, which may or may not have arrived.',
    },
  ),
};

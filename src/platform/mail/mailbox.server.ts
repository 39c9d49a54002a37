// Answers the Mailbox calls.
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { missing } from '#platform/history/cleared.server.ts';
import { Id } from '#platform/shared/wire.ts';
import { releaseMail } from './restored-copy.server.ts';
import type { Mailbox, MailCriteria, MailRow, MailState } from './mailbox.contract.ts';
import { mailHeldSince, mailJob, messageIdOf, SHOWN_SUBJECT } from './outbox.server.ts';
import { decideMails } from './uncertain.server.ts';

const ORDER = {
  sorts: { createdAt: sql`mail.id`, subject: sql`lower(${SHOWN_SUBJECT})`, state: sql`mail.state` },
  key: sql`mail.id`,
  first: { field: 'createdAt', dir: 'desc' as const },
};

const Files = z.array(z.object({ fileId: Id, name: z.string() }));

export const mailboxAnswers: Answers<typeof Mailbox> = {
  SearchMail: async ({ db, services }, criteria) => {
    const page = await pageFrom(mails(db, criteria), criteria, ORDER);
    return { ...page, records: page.records.map((mail) => mailRow(services, mail)) };
  },

  GetMail: async ({ db, services }, { id }) => {
    const mail = await readMail(db, id);
    return {
      ...mailRow(services, mail),
      body: mail.secret ? '' : mail.body,
      files: Files.parse(mail.attachments).map(({ name }) => ({ name })),
      embedded: services.config.smtpUrl === undefined,
    };
  },

  GetMailAttachment: async ({ db, services }, { id, index }) => {
    const file = Files.parse((await readMail(db, id)).attachments)[index];
    const stored = file
      ? await db
          .selectFrom('file')
          .select(['storage_key', 'media_type'])
          .where('id', '=', file.fileId)
          .executeTakeFirst()
      : undefined;
    if (!file || !stored) throw notFound('attachment');
    return {
      name: file.name,
      mediaType: stored.media_type,
      bytes: await readStored(services, stored.storage_key, 'attachment'),
    };
  },

  /** Throws 409 for a mail that was sent or is still being tried. */
  SendMailAgain: async ({ db, services }, { id }) => {
    const mail = await readMail(db, id);
    if (mail.state === 'Uncertain')
      throw new HttpError(409, 'This email may or may not have arrived. Decide that first.');
    const retried = await services.jobs.retry({ kind: mailJob.name, payload: { mailId: id } });
    if (retried === 0) throw new HttpError(409, 'This email was sent or is still being tried.');
    return { ...mailRow(services, mail), state: 'Waiting' };
  },

  GetMailHeld: async ({ db }) => ({ since: await mailHeldSince(db) }),

  ReleaseMail: async ({ services }) => ({ released: await releaseMail(services) }),

  /** Throws 409 if none of the mails is uncertain any more. */
  DecideMails: async ({ services, user }, { ids, arrived }) => {
    const decided = await decideMails(services, ids, { arrived, by: user.fullName });
    if (decided === 0) throw new HttpError(409, 'This has already been decided.');
    return { decided };
  },
};

function mails(db: Db, { keyword, state }: Pick<z.infer<typeof MailCriteria>, 'keyword' | 'state'>) {
  return db
    .selectFrom('mail')
    .leftJoin('quote', 'quote.id', 'mail.quote_id')
    .selectAll('mail')
    .select(['quote.num as quote_num', SHOWN_SUBJECT.as('shown_subject')])
    .$if(Boolean(keyword), (query) =>
      query.where(
        holds(sql`${SHOWN_SUBJECT} || ' ' || array_to_string(mail.recipients || mail.cc, ' ')`, keyword ?? ''),
      ),
    )
    .$if(Boolean(state), (query) => query.where('mail.state', '=', state ?? 'Sent'));
}

async function readMail(db: Db, id: number) {
  const mail = await mails(db, {}).where('mail.id', '=', id).executeTakeFirst();
  if (!mail) throw await missing(db, 'mail', id, 'email');
  return mail;
}

function mailRow(services: Services, mail: Awaited<ReturnType<typeof readMail>>): MailRow {
  return {
    id: mail.id,
    createdAt: mail.created_at,
    sentAt: mail.sent_at,
    recipients: mail.recipients,
    cc: mail.cc,
    subject: mail.shown_subject,
    secret: mail.secret !== '',
    state: mail.state as MailState,
    tries: mail.tries,
    lastError: mail.last_error,
    quoteId: mail.quote_id,
    quoteNum: mail.quote_num,
    attachments: Files.parse(mail.attachments).length,
    messageId: messageIdOf(services, mail),
  };
}

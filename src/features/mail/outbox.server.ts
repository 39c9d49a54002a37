// Mail that leaves with the change that causes it: a row and a job in one transaction, sent afterwards, tried again until it is out.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import type { JobKind, Jobs } from '#jobs/jobs.server.ts';
import { Id } from '#shared/wire.ts';

const Attachments = z.array(z.object({ fileId: Id, name: z.string() }));

export type QueuedMail = {
  quoteId?: number;
  to: string[];
  cc?: string[];
  subject: string;
  /** Plain text. */
  body: string;
  attachments?: z.infer<typeof Attachments>;
  /** The body holds a secret: it is erased once the mail is out. */
  forgetBody?: boolean;
};

const RETRY_LIMIT = 12;

/** Sends one mail of the outbox. Run again after it was sent it does nothing; a lost file counts as a failure like any other. */
export const mailJob = {
  name: 'mail',
  payload: z.object({ mailId: Id, forgetBody: z.boolean().default(false) }),
  retryLimit: RETRY_LIMIT,
  run: async (services: Services, { mailId, forgetBody }) => {
    const { db } = services.database;
    const mail = await db.selectFrom('mail').selectAll().where('id', '=', mailId).executeTakeFirst();
    if (!mail || mail.state === 'Sent') return;
    const tries = mail.tries + 1;
    let refused: string[] = [];
    try {
      const taken = await services.mail.send({
        // The same over all tries, so that a receiver drops a second copy.
        messageId: `<${mail.message_id}@${new URL(services.config.publicUrl).hostname}>`,
        to: mail.recipients,
        cc: mail.cc,
        subject: mail.subject,
        text: mail.body,
        attachments: await readAttachments(services, Attachments.parse(mail.attachments)),
      });
      refused = taken?.refused ?? [];
    } catch (error) {
      // Failed only when no further try comes by itself; an administrator's retry still sends it.
      const state = tries > RETRY_LIMIT ? 'Failed' : 'Waiting';
      const last_error = error instanceof Error ? error.message : String(error);
      await db.updateTable('mail').set({ state, tries, last_error }).where('id', '=', mailId).execute();
      throw error;
    }
    // Not tried again for those, or the others would get it twice.
    const last_error = refused.length > 0 ? `The mail server refused ${refused.join(', ')}.` : '';
    await db
      .updateTable('mail')
      .set({ state: 'Sent', tries, last_error, sent_at: services.clock.now() })
      .$if(forgetBody, (query) => query.set({ body: '' }))
      .where('id', '=', mailId)
      .execute();
  },
} satisfies JobKind<z.ZodType<{ mailId: number; forgetBody: boolean }>, Services>;

/** Puts a mail into the outbox in the transaction `db`: it is sent exactly when the transaction commits. Answers its id. */
export async function queueMail(db: Db, jobs: Jobs, mail: QueuedMail): Promise<number> {
  const { id } = await db
    .insertInto('mail')
    .values({
      quote_id: mail.quoteId ?? null,
      recipients: mail.to,
      cc: mail.cc ?? [],
      subject: mail.subject,
      body: mail.body,
      attachments: JSON.stringify(mail.attachments ?? []),
      message_id: randomUUID(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await jobs.send(db, mailJob, { mailId: id, forgetBody: mail.forgetBody ?? false });
  return id;
}

async function readAttachments(services: Services, attachments: z.infer<typeof Attachments>) {
  if (attachments.length === 0) return [];
  const files = await services.database.db
    .selectFrom('file')
    .select(['id', 'storage_key', 'media_type'])
    .where(
      'id',
      'in',
      attachments.map(({ fileId }) => fileId),
    )
    .execute();
  return Promise.all(
    attachments.map(async ({ fileId, name }) => {
      const file = files.find(({ id }) => id === fileId);
      if (!file) throw new Error(`The attachment ${name} (file ${fileId}) is lost.`);
      return { name, mediaType: file.media_type, bytes: await services.files.get(file.storage_key) };
    }),
  );
}

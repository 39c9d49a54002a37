// Queues mail in the transaction that causes it, as a row and a job. The job sends it afterwards and retries until it is sent.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Selectable, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';
import { type Db, isUnreachable } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { GivenUp, type JobKind, type Jobs, type PlainJob } from '#platform/jobs/jobs.server.ts';
import { type RefusedRecipient, verdictOf } from '#platform/outside/mail.server.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { Id } from '#platform/shared/wire.ts';

const Attachments = z.array(z.object({ fileId: Id, name: z.string() }));

export type QueuedMail = {
  quoteId?: number;
  to: string[];
  cc?: string[];
  subject: string;
  /** Plain text. */
  body: string;
  attachments?: z.infer<typeof Attachments>;
  /**
   * The mail contains a secret, such as a one-time link. No call, screen, log or error shows its subject or text, whatever its state; they show these
   * words instead. The text is erased after sending.
   */
  secret?: 'Password mail' | 'Invitation';
  /** The address of the page where the reader sets which mails they receive. */
  unsubscribe?: string;
  /**
   * Holds the mail for five minutes from `now`, to combine it with others about the same quote to the same recipient. `what` names this part in the
   * subject. `isUrgent` sends it at once, with everything collected so far.
   */
  gather?: { now: Date; what: string; isUrgent: boolean };
};

const GATHER_MS = 5 * 60_000;
const MAX_SUBJECT_LENGTH = 200;

const RETRY_LIMIT = 12;
export const HELD = 'Mail is held, because this database was restored from a backup. Release it in Settings → Mailbox.';
const WHO_DECIDES = 'Decide it in Settings → Mailbox, or with npm run jobs -- uncertain.';
const NO_ANSWER =
  'The mail server was given the whole email but did not answer, so the email may or may not have been accepted. It is not sent again automatically.';
const NOBODY_KNOWS =
  'The server stopped while sending this email, so it may or may not have arrived. It is not sent again automatically.';

/**
 * Sends one mail of the outbox once. Each try has a number, and only the newest try may hand the mail over. A repeat after sending does nothing. A
 * lost attachment is a failure. If the process dies, or the mail server becomes silent or disconnects during the handover, the mail becomes
 * Uncertain, and only a user's decision sends it again (`uncertain.server.ts`, docs/decisions/0037).
 */
export const mailJob = {
  name: 'mail',
  payload: z.object({ mailId: Id }),
  retryLimit: RETRY_LIMIT,
  // Longer than a mail server may take to answer.
  expireInSeconds: 1200,
  // A recipient that keeps the mail server busy for minutes does not delay the others.
  concurrency: 8,
  run: async (services: Services, { mailId }) => {
    const { db } = services.database;
    if (await mailHeldSince(db)) throw new GivenUp(HELD);
    const mail = await beginTry(db, mailId);
    if (!mail) {
      if (await isUncertain(services, mailId)) throw new GivenUp(`${NOBODY_KNOWS} ${WHO_DECIDES}`);
      return;
    }
    const { tries } = mail;
    /** Records the result of this try, and a problem also in the quote's history, unless a newer try has begun. Returns whether it recorded it. */
    const note = (change: Updateable<Tables['mail']>, problem = '', later: RefusedRecipient[] = []) =>
      inTransaction(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('mail')
          .set(change)
          .where('id', '=', mailId)
          .where('tries', '=', tries)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows > 0 && problem) await queueProblem(transaction, services, mail, problem);
        if (numUpdatedRows > 0 && later.length > 0) await queueFor(transaction, services, mail, later);
        return numUpdatedRows > 0;
      });
    let claim: Promise<void> = Promise.resolve();
    let handedOver = false;
    const aboutToHandOver = () => {
      claim = note({ state: 'HandingOver' }).then((first) => {
        if (!first) throw new Error('Another server is sending this email.');
        handedOver = true;
      });
      return claim;
    };
    let refused: RefusedRecipient[] = [];
    try {
      const taken = await services.mail.send(
        {
          // The id is the same in all tries, so that a receiver drops a second copy.
          messageId: messageIdOf(services, mail),
          to: mail.recipients,
          cc: mail.cc,
          subject: mail.subject,
          text: mail.body,
          ...(mail.unsubscribe ? { unsubscribe: mail.unsubscribe } : {}),
          attachments: await readAttachments(services, Attachments.parse(mail.attachments)),
        },
        aboutToHandOver,
      );
      refused = taken?.refused ?? [];
    } catch (error) {
      // Waits for the claim, which could otherwise overwrite the state below.
      await claim.catch(() => {});
      const { isAnswer, isForGood } = verdictOf(error);
      if (handedOver && !isAnswer) {
        await untilReachable(() => note({ state: 'Uncertain', last_error: NO_ANSWER }, NO_ANSWER));
        throw new GivenUp(NO_ANSWER, { cause: error });
      }
      // The mail has failed only if no automatic try is left or would help; a retry by a user can still send it.
      const state = tries > RETRY_LIMIT || isForGood ? 'Failed' : 'Waiting';
      const last_error = mail.secret ? withoutReply(error) : messageOf(error);
      await untilReachable(() => note({ state, last_error }, state === 'Failed' ? last_error : ''));
      // The queue stores the error, shows it and logs it.
      if (isForGood) throw new GivenUp(last_error, { cause: error });
      throw mail.secret ? new Error(last_error) : error;
    }
    // Does not retry this mail for the refused recipients, because the others would get it twice.
    const [later, never] = [refused.filter(({ isForNow }) => isForNow), refused.filter(({ isForNow }) => !isForNow)];
    const last_error = never.map(({ address, reply }) => `The mail server refused ${address}: ${reply}`).join(' ');
    const sent = {
      state: 'Sent',
      last_error,
      refused: never.map(({ address }) => address),
      sent_at: services.clock.now(),
      ...(mail.secret ? { body: '' } : {}),
    };
    await untilReachable(() => note(sent, last_error, later));
  },
} satisfies JobKind<z.ZodType<{ mailId: number }>, Services>;

/** Returns the error of a mail with a secret. A server that has read the mail may repeat parts of it in its reply. */
function withoutReply(error: unknown): string {
  const { command = '', responseCode } = error as { command?: string; responseCode?: number };
  return command === 'DATA' ? `The mail server refused the email (${responseCode ?? 'no code'}).` : messageOf(error);
}

export function messageIdOf(services: Services, mail: { message_id: string }): string {
  return `<${mail.message_id}@${new URL(services.config.publicUrl).hostname}>`;
}

/** The job to queue when a mail of a quote did not reach its recipients, or may not have. */
export const mailProblem = {
  name: 'mail-problem',
  payload: z.object({ quoteId: Id, since: z.string(), comment: z.string() }),
};

/** Returns the time since when mail is held because the database is a restored copy (`restored-copy.server.ts`), or null if it is not held. */
export async function mailHeldSince(db: Db): Promise<string | null> {
  const row = await db.selectFrom('installation').select('mail_held_at').executeTakeFirst();
  return row?.mail_held_at ?? null;
}

type MailRecord = Selectable<Tables['mail']>;

/** SQL for the subject that screens show. For a mail with a secret, only its kind. */
export const SHOWN_SUBJECT = sql<string>`coalesce(nullif(mail.secret, ''), mail.subject)`;

/** Starts a new try for the mail, unless it was sent or another process is handing it over. */
function beginTry(db: Db, mailId: number): Promise<MailRecord | undefined> {
  return db
    .updateTable('mail')
    .set((eb) => ({ state: 'Waiting', tries: eb('tries', '+', 1) }))
    .where('id', '=', mailId)
    .where('state', 'not in', ['Sent', 'HandingOver', 'Uncertain'])
    .returningAll()
    .executeTakeFirst();
}

/**
 * Returns whether the outcome of a mail is unknown because its job restarted during the handover. If the first process is still alive, it records the
 * outcome later.
 */
function isUncertain(services: Services, mailId: number): Promise<boolean> {
  return inTransaction(services.database.db, async (db) => {
    const mail = await db
      .updateTable('mail')
      .set({ state: 'Uncertain', last_error: NOBODY_KNOWS })
      .where('id', '=', mailId)
      .where('state', '=', 'HandingOver')
      .returningAll()
      .executeTakeFirst();
    if (mail) await queueProblem(db, services, mail, NOBODY_KNOWS);
    if (mail) return true;
    const still = await db
      .selectFrom('mail')
      .select('id')
      .where('id', '=', mailId)
      .where('state', '=', 'Uncertain')
      .executeTakeFirst();
    return still !== undefined;
  });
}

/** Queues the same mail for the recipients that the mail server refused temporarily. */
async function queueFor(db: Db, { jobs }: Services, mail: MailRecord, recipients: RefusedRecipient[]): Promise<void> {
  const { quote_id, subject, body, attachments, unsubscribe, secret } = mail;
  await queueMail(db, jobs, {
    ...(quote_id === null ? {} : { quoteId: quote_id }),
    to: recipients.map(({ address }) => address),
    subject,
    body,
    attachments: Attachments.parse(attachments),
    unsubscribe,
    ...(secret ? { secret: secret as NonNullable<QueuedMail['secret']> } : {}),
  });
}

/** Reports the outcome to the source of the mail; for quotes that is `mailProblemJob`. */
async function queueProblem(db: Db, services: Services, mail: MailRecord, what: string): Promise<void> {
  if (mail.quote_id === null) return;
  await services.jobs.send(db, mailProblem, {
    quoteId: mail.quote_id,
    since: services.clock.now().toISOString(),
    comment: `To ${[...mail.recipients, ...mail.cc].join(', ')}: ${what}`,
  });
}

/** Retries while the database is temporarily unavailable, so that the mail server's answer is not lost. */
async function untilReachable<T>(work: () => Promise<T>): Promise<T> {
  for (let wait = 100; ; wait = Math.min(wait * 2, 5000)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await setTimeout(wait);
    }
  }
}

/** Adds a mail to the outbox; it is sent if and only if the transaction `db` commits. Returns its id. */
export async function queueMail(db: Db, jobs: Jobs, mail: QueuedMail): Promise<number> {
  const gathering = await joinGathering(db, mail);
  const { gather } = mail;
  if (gathering !== null) {
    if (gather?.isUrgent) await jobs.send(db, mailJob, { mailId: gathering });
    return gathering;
  }
  const waits = gather && !gather.isUrgent;
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
      secret: mail.secret ?? '',
      unsubscribe: mail.unsubscribe ?? '',
      gather_until: waits ? new Date(gather.now.getTime() + GATHER_MS) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Otherwise `gatheredMailJob` queues it.
  if (!waits) await jobs.send(db, mailJob, { mailId: id });
  return id;
}

/** Appends the mail to one that is still collecting, and returns its id, or null if there is none. */
async function joinGathering(db: Db, { gather, quoteId, to, subject, body }: QueuedMail): Promise<number | null> {
  if (!gather || quoteId === undefined) return null;
  const waiting = await db
    .selectFrom('mail')
    .select(['id', 'subject', 'body'])
    .where('gather_until', '>', gather.now.toISOString())
    .where('quote_id', '=', quoteId)
    .where('recipients', '=', sql<string[]>`${to}::text[]`)
    .where('state', '=', 'Waiting')
    .where('tries', '=', 0)
    .orderBy('id', 'desc')
    .forUpdate()
    .executeTakeFirst();
  if (!waiting) return null;
  const both = `${waiting.subject}; ${gather.what}`;
  const named = waiting.subject === subject || both.length > MAX_SUBJECT_LENGTH;
  await db
    .updateTable('mail')
    .set({
      subject: named ? waiting.subject : both,
      body: `${waiting.body}\n\n---\n\n${body}`,
      ...(gather.isUrgent ? { gather_until: null } : {}),
    })
    .where('id', '=', waiting.id)
    .execute();
  return waiting.id;
}

/** Sends the mails that have been collecting long enough. Running it twice changes nothing. */
export const gatheredMailJob = {
  name: 'mail-gathered',
  due: async ({ database, clock }: Services) =>
    (await database.db
      .selectFrom('mail')
      .select('id')
      .where('gather_until', '<=', clock.now().toISOString())
      .limit(1)
      .executeTakeFirst()) !== undefined,
  run: (services: Services) =>
    inTransaction(services.database.db, async (db) => {
      const ready = await db
        .updateTable('mail')
        .set({ gather_until: null })
        .where('gather_until', '<=', services.clock.now().toISOString())
        .returning('id')
        .execute();
      for (const { id } of ready) await services.jobs.send(db, mailJob, { mailId: id });
    }),
} satisfies PlainJob<Services>;

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

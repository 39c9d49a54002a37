// Finds the mails of quotes that were not sent, and carries out the users' decisions about them.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { MailTrouble } from './mailbox.contract.ts';
import { HELD, mailHeldSince, mailJob, queueMail } from './outbox.server.ts';

/** The time after which an unsent mail is late. */
export const LATE = sql`interval '10 minutes'`;

/**
 * The condition on `mail` for trouble. It begins like the index `mail_not_out`, so it costs one lookup in that index per quote. Whether mail is late
 * is measured from the last time a user requested another try.
 */
export const IN_TROUBLE: RawBuilder<SqlBool> = sql<SqlBool>`mail.settled_at is null and (mail.state <> 'Sent' or mail.refused <> '{}')
  and (mail.state in ('Failed', 'Uncertain', 'Sent') or coalesce(mail.again_at, mail.created_at) < now() - ${LATE})`;

const troubles = (db: Db, quoteId: number) =>
  db.selectFrom('mail').selectAll().where('mail.quote_id', '=', quoteId).where(IN_TROUBLE);

/** Returns the quote's mails in trouble, oldest first. */
export async function mailTroubleOf(db: Db, quoteId: number): Promise<MailTrouble[]> {
  const mails = await troubles(db, quoteId).orderBy('id').execute();
  const isHeld = mails.some(({ state }) => state === 'Waiting') && (await mailHeldSince(db)) !== null;
  return mails.map((mail) => {
    const state = troubleOf(mail.state);
    const held = state === 'Late' && isHeld;
    return {
      id: mail.id,
      state,
      to: state === 'Refused' ? mail.refused : [...mail.recipients, ...mail.cc],
      subject: mail.subject,
      since: mail.created_at,
      reason: held ? HELD : mail.last_error,
      sendsAgain: !held && mail.state !== 'HandingOver',
    };
  });
}

function troubleOf(state: string): MailTrouble['state'] {
  if (state === 'Failed' || state === 'Uncertain') return state;
  return state === 'Sent' ? 'Refused' : 'Late';
}

async function requireTrouble(db: Db, quoteId: number, mailId: number) {
  const mail = await troubles(db, quoteId).where('id', '=', mailId).forUpdate().executeTakeFirst();
  if (!mail) throw new HttpError(409, 'This email needs no action: it was sent, or a colleague took care of it.');
  return { ...mail, trouble: troubleOf(mail.state) };
}

/**
 * Sends the quote's mail again, or for a refused one only to the refused recipients, and returns the recipients. Throws 409 if it is no longer in
 * trouble.
 */
export async function sendTroubledAgain(
  db: Db,
  services: Pick<Services, 'jobs' | 'clock'>,
  { quoteId, mailId }: { quoteId: number; mailId: number },
): Promise<string[]> {
  const mail = await requireTrouble(db, quoteId, mailId);
  if (mail.state === 'HandingOver') throw new HttpError(409, 'This email is being sent right now.');
  if (await mailHeldSince(db)) throw new HttpError(409, HELD);
  const now = services.clock.now();
  if (mail.trouble === 'Refused') {
    await db.updateTable('mail').set({ settled_at: now }).where('id', '=', mailId).execute();
    const { subject, body, refused } = mail;
    const attachments = mail.attachments as { fileId: number; name: string }[];
    await queueMail(db, services.jobs, { quoteId, to: refused, subject, body, attachments });
    return refused;
  }
  await db.updateTable('mail').set({ state: 'Waiting', again_at: now }).where('id', '=', mailId).execute();
  // The earlier job of the mail may still be queued. Only the newest try hands the mail over.
  await services.jobs.send(db, mailJob, { mailId });
  return [...mail.recipients, ...mail.cc];
}

/** Marks the mail's trouble as settled; an uncertain mail is then treated as sent. Returns what was in trouble. Throws 409 if nothing was. */
export async function settleTrouble(
  db: Db,
  services: Pick<Services, 'clock'>,
  { quoteId, mailId, by }: { quoteId: number; mailId: number; by: string },
): Promise<{ to: string[]; state: MailTrouble['state'] }> {
  const mail = await requireTrouble(db, quoteId, mailId);
  if (mail.trouble === 'Late') throw new HttpError(409, 'This email will still be sent.');
  await db
    .updateTable('mail')
    .set({ settled_at: services.clock.now() })
    .$if(mail.trouble === 'Uncertain', (query) =>
      query.set({ state: 'Sent', last_error: `${by} confirmed that it arrived.` }),
    )
    .where('id', '=', mailId)
    .execute();
  return { state: mail.trouble, to: mail.trouble === 'Refused' ? mail.refused : [...mail.recipients, ...mail.cc] };
}

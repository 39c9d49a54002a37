// Mails about a quote to colleagues. Each gets a separate mail with their own board address, and the subject never contains a price.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { type Notice, notify } from '#platform/notifications/notify.server.ts';
import type { QuoteRecord } from '#core/quoting/quotes/quote-rows.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { paths } from '#platform/shared/paths.ts';
import { APPROVER_ROLES, hasRole, opensInternalBoard, type Role } from '#platform/shared/roles.ts';

export type Colleague = { id: number; userName: string; board: 'internal' | 'public' };
/** The quote that a mail is about, in the transaction that causes the mail. */
export type AboutQuote = { db: Db; services: Services; quote: QuoteRecord };

/** The active users among `ids`, in the order of their ids. */
export async function activeColleagues(db: Db, ids: readonly (number | null)[]): Promise<Colleague[]> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return [];
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'user_name', sql<Role[]>`array(select role from user_role where user_id = app_user.id)`.as('roles')])
    .where('active', '=', true)
    .where('id', 'in', wanted)
    .orderBy('id')
    .execute();
  return rows.map(({ id, user_name, roles }) => ({
    id,
    userName: user_name,
    board: opensInternalBoard({ roles }) || hasRole({ roles }, ...APPROVER_ROLES) ? 'internal' : 'public',
  }));
}

/** Notifies colleagues about this quote: in their notifications, and by mail if they chose it. `by` is the user who did it, who is not notified. */
export async function tellColleagues(
  { db, services, quote }: AboutQuote,
  { kind, by }: Pick<Notice, 'kind' | 'by'>,
  ids: readonly (number | null)[],
  what: string,
  paragraphs: readonly string[],
): Promise<void> {
  const concerns = ids.map((userId) => ({ userId, quoteId: quote.id }));
  await notify(db, services, { kind, by, mail: { what, paragraphs: () => paragraphs } }, concerns);
}

/** Sends each reader a separate mail, because the address of the quote's board differs. */
export async function mailColleagues(
  { db, services, quote }: AboutQuote,
  readers: readonly Omit<Colleague, 'id'>[],
  what: string,
  paragraphs: readonly string[],
): Promise<void> {
  const number = quoteNumber(quote.num, quote.revision);
  for (const reader of readers) {
    const path = reader.board === 'internal' ? paths.internalBoard(quote.id) : paths.publicBoard(quote.id);
    await queueMail(db, services.jobs, {
      quoteId: quote.id,
      to: [reader.userName],
      subject: `Quote ${number} for ${quote.facility_name}: ${what}`,
      body: [...paragraphs, `${services.config.publicUrl}${path}`].filter(Boolean).join('\n\n'),
    });
  }
}

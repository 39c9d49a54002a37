// Notifies users of events, in the transaction of the event: under the bell, and by mail if they chose so (docs/decisions/0014).
import { type Selectable, sql } from 'kysely';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Quote } from '#platform/db/tables.ts';
import { quoteSight } from '#platform/kit/quote-sight.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { callerColumns, callerFrom } from '#platform/auth/sessions/read-caller.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { type CompanyWays, KINDS, type NotificationKind, startWay, type Way } from './notification-kinds.ts';
import { placeAddress, titleOf } from './notification-words.server.ts';

export type Notice = {
  kind: NotificationKind;
  /** The actor, who gets no notification. The id is null for a customer or the program itself. */
  by: { id: number | null; name: string };
  /** The text of the mail. Without it, the mail has the text of the bell. */
  mail?: NoticeMail;
  /** The quotes are part of many, and the others follow in later transactions. All of them become one notification. */
  isOneOfMany?: boolean;
  /** The quote of the notification, if the caller has just stored it. */
  quote?: NoticeQuote;
};

export type NoticeMail = {
  /** The end of the subject: 'discount approved'. Without a quote, the whole subject. */
  what: string;
  /** The paragraphs for this reader, above the link. */
  paragraphs?: (userId: number) => readonly string[];
  /** The target of the link, instead of the place of the kind. */
  path?: string;
};

/** A user to notify, and the subject: a quote, or an import, an endpoint or a comment, depending on the kind. */
export type Recipient = { userId: number | null; quoteId?: number; aboutId?: number };

/** The fields of a quote that notifications show, and those that decide who may see it. */
export type NoticeQuote = Pick<
  Selectable<Quote>,
  'id' | 'num' | 'revision' | 'facility_name' | 'valid_until' | 'owner_id' | 'sales_rep_id' | 'region_id'
> & { wasAsked: boolean };

/** If there are more of one kind at once, they become one notification, which leads to their list. */
export const MAX_AT_ONCE = 20;
const MAX_NAME_LENGTH = 300;

/**
 * Notifies each user once. Skips the actor, inactive users, users who may not see the quote now, and users who turned this kind off. An unread
 * notification about the same event gets the new time. Runs in the transaction `db` of the event.
 */
export async function notify(
  db: Db,
  services: Pick<Services, 'clock' | 'jobs' | 'config'>,
  { kind, by, mail, isOneOfMany = false, quote: known }: Notice,
  recipients: readonly Recipient[],
): Promise<void> {
  const wanted = recipients.flatMap(({ userId, quoteId = null, aboutId = null }) =>
    userId === null || userId === by.id ? [] : [{ userId, quoteId, aboutId }],
  );
  if (wanted.length === 0) return;
  const now = services.clock.now();
  const readers = await readersOf(db, now, kind, new Set(wanted.map(({ userId }) => userId)));
  const quotes = known
    ? new Map([[known.id, known]])
    : await quotesById(db, new Set(wanted.flatMap(({ quoteId }) => quoteId ?? [])));
  const deliveries = new Map<string, Delivery>();
  for (const { userId, quoteId, aboutId } of wanted) {
    const reader = readers.get(userId);
    const quote = quoteId === null ? null : quotes.get(quoteId);
    if (!reader || quote === undefined || reader.way === 'none') continue;
    if (quote && !quoteSight().seesQuote(reader.caller, quote)) continue;
    deliveries.set(`${userId} ${quoteId} ${aboutId}`, { reader, quote, quoteId, aboutId });
  }
  if (deliveries.size === 0) return;
  const all = [...Map.groupBy(deliveries.values(), ({ reader }) => reader).values()]
    .flatMap((ones): Delivery[] => {
      const [first] = ones;
      const isMany = first !== undefined && first.quote !== null && (isOneOfMany || ones.length > MAX_AT_ONCE);
      return isMany ? [{ reader: first.reader, quote: null, quoteId: null, aboutId: null }] : ones;
    })
    .toSorted((a, other) => a.reader.caller.id - other.reader.caller.id);
  const rows = all.map(({ reader, quoteId, aboutId }) => ({
    user_id: reader.caller.id,
    quote_id: quoteId,
    about_id: aboutId,
    for_daily: reader.way === 'daily',
  }));
  const { rows: stored } = await sql<{
    user_id: number;
    is_new: boolean;
  }>`insert into notification (user_id, kind, quote_id, about_id, by_name, at, for_daily)
    select user_id, ${kind}, quote_id, about_id, ${by.name.slice(0, MAX_NAME_LENGTH)}, ${now}, for_daily
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(user_id int, quote_id int, about_id int, for_daily boolean)
    on conflict (user_id, kind, coalesce(quote_id, 0), coalesce(about_id, 0)) where read_at is null
    do update set at = excluded.at, by_name = excluded.by_name, for_daily = notification.for_daily or excluded.for_daily
    returning user_id, (xmax = 0) as is_new`.execute(db);
  const alreadyNotified = new Set(stored.flatMap(({ user_id: id, is_new: isNew }) => (isNew ? [] : [id])));
  for (const { reader, quote, quoteId, aboutId } of all) {
    if (reader.way !== 'mail') continue;
    // Many quotes lead to only one mail while their notification is unread.
    if (isOneOfMany && quoteId === null && alreadyNotified.has(reader.caller.id)) continue;
    const about = {
      kind,
      quoteId,
      aboutId,
      by: by.name,
      validUntil: quote?.valid_until ?? null,
      approval: null,
      importRun: null,
    };
    // Many quotes need another text than a single one.
    const words: NoticeMail | undefined = quote === null && quotes.size > 0 ? { what: titleOf(about) } : mail;
    const what = words?.what ?? KINDS[kind].label.toLowerCase();
    const { caller } = reader;
    const url = services.config.publicUrl;
    await queueMail(db, services.jobs, {
      ...(quoteId === null ? {} : { quoteId, gather: { now, what, isUrgent: KINDS[kind].isUrgent === true } }),
      to: [caller.userName],
      subject: quote
        ? `Quote ${quoteSight().quoteNumber(quote.num, quote.revision)} for ${quote.facility_name}: ${what}`
        : what,
      body: [
        ...(words?.paragraphs?.(caller.id) ?? [`${titleOf(about)}.`]),
        `${url}${words?.path ?? placeAddress(about, caller)}`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      unsubscribe: `${url}${paths.account}#notifications`,
    });
  }
}

/** Returns the active system administrators, who are notified about the installation. */
export async function administrators(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('app_user')
    .innerJoin('user_role', 'user_role.user_id', 'app_user.id')
    .select('app_user.id')
    .where('app_user.active', '=', true)
    .where('user_role.role', '=', 'systemadmin')
    .orderBy('app_user.id')
    .execute();
  return rows.map(({ id }) => id);
}

type Delivery = { reader: Reader; quote: NoticeQuote | null; quoteId: number | null; aboutId: number | null };
type Reader = { caller: Omit<Caller, 'sessionId'>; way: Way };

/** Returns the active users among `ids`, with how each receives the kind. */
async function readersOf(
  db: Db,
  now: Date,
  kind: NotificationKind,
  ids: ReadonlySet<number>,
): Promise<Map<number, Reader>> {
  const [only, ...others] = ids;
  const rows = await db
    .selectFrom('app_user')
    .innerJoin('company', (join) => join.onTrue())
    .innerJoin('notification_settings as settings', (join) => join.onTrue())
    .leftJoin('notification_way as own', (join) =>
      join.onRef('own.user_id', '=', 'app_user.id').on('own.kind', '=', kind),
    )
    .select(callerColumns(now))
    .select(['settings.ways', 'own.way'])
    .where('app_user.active', '=', true)
    // A plan for a single id is made once; a plan for several ids is made each time.
    .where('app_user.id', '=', (eb) => (others.length === 0 ? eb.val(only ?? 0) : eb.fn.any(eb.val([...ids]))))
    .execute();
  return new Map(
    rows.map((row) => {
      const { caller } = callerFrom(row, now);
      const { roles } = KINDS[kind];
      const applies = !roles || hasRole(caller, ...roles);
      const way = applies
        ? ((row.way as Way | null) ?? startWay(kind, caller, row.ways as Partial<CompanyWays>))
        : 'none';
      return [row.id, { caller, way }];
    }),
  );
}

async function quotesById(db: Db, ids: ReadonlySet<number>): Promise<Map<number, NoticeQuote>> {
  if (ids.size === 0) return new Map();
  const rows = await db
    .selectFrom('quote')
    .select(['id', 'num', 'revision', 'facility_name', 'valid_until', 'owner_id', 'sales_rep_id', 'region_id'])
    .select(sql<boolean>`exists (select from approval_request where quote_id = quote.id)`.as('wasAsked'))
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

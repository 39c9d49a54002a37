// Reads the notifications that a user may see now, in words. Notifications of quotes that the user may no longer see are left out.
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { quoteSight } from '#platform/kit/quote-sight.server.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { NotificationRow } from './notifications.contract.ts';
import type { NotificationKind } from './notification-kinds.ts';
import { type About, placeAddress, titleOf } from './notification-words.server.ts';

type Viewer = Pick<Caller, 'id' | 'roles' | 'regionIds' | 'supportedRepIds' | 'deputyFor'>;

/** Kinds for administrators only, unless they belong to a quote. */
const OF_ADMINISTRATORS: NotificationKind[] = ['webhookFailing', 'importInbox', 'crmFailing'];

export function shownNotifications(db: Db, user: Viewer) {
  const eb = expressionBuilder<Tables & { note: Tables['notification'] }, 'note' | 'quote'>();
  const ofNoQuote: Expression<SqlBool> = hasRole(user, 'systemadmin')
    ? eb('note.quote_id', 'is', null)
    : eb.and([eb('note.quote_id', 'is', null), eb('note.kind', 'not in', OF_ADMINISTRATORS)]);
  return db
    .selectFrom('notification as note')
    .leftJoin('quote', 'quote.id', 'note.quote_id')
    .where('note.user_id', '=', user.id)
    .where(eb.or([ofNoQuote, eb.and([eb('note.quote_id', 'is not', null), quoteSight().inSight(user)])]));
}

/** Reads a range of these notifications, newest first. */
export async function readShown(
  query: ReturnType<typeof shownNotifications>,
  user: Viewer,
  { offset, limit }: { offset: number; limit: number },
): Promise<NotificationRow[]> {
  const rows = await query
    .leftJoin('data_import as run', (join) =>
      join.onRef('run.id', '=', 'note.about_id').on('note.kind', 'in', ['importEnded', 'importInbox']),
    )
    .leftJoin('webhook_endpoint as endpoint', (join) =>
      join.onRef('endpoint.id', '=', 'note.about_id').on('note.kind', '=', 'webhookFailing'),
    )
    .select(['note.id', 'note.kind', 'note.quote_id', 'note.about_id', 'note.by_name', 'note.at', 'note.read_at'])
    .select(['quote.num', 'quote.revision', 'quote.facility_name', 'quote.valid_until'])
    .select(['run.kind as run_kind', 'run.state as run_state', 'run.file_name', 'endpoint.description'])
    .select(sql<number>`coalesce((run.report->>'refused')::int, 0)`.as('refused'))
    .select(
      sql<
        string | null
      >`(select state from approval_request r where r.quote_id = note.quote_id order by r.id desc limit 1)`.as(
        'approval',
      ),
    )
    .orderBy('note.at', 'desc')
    .orderBy('note.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const about: About = {
      kind: row.kind as NotificationKind,
      quoteId: row.quote_id,
      aboutId: row.about_id,
      by: row.by_name,
      validUntil: row.valid_until,
      approval: row.approval,
      importRun:
        row.run_kind === null ? null : { kind: row.run_kind, state: row.run_state ?? '', refused: row.refused },
    };
    return {
      id: row.id,
      kind: about.kind,
      title: titleOf(about),
      path: placeAddress(about, user),
      quoteId: row.quote_id,
      about:
        row.num === null || row.revision === null
          ? (row.file_name ?? row.description ?? '')
          : `${quoteSight().quoteNumber(row.num, row.revision)} · ${row.facility_name}`,
      at: row.at,
      read: row.read_at !== null,
    };
  });
}

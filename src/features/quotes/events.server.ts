// The history of a quote: written in the transaction of the change it tells of, never changed (design 2).
import type { Db } from '#db/database.server.ts';

/** A field that changed, its values as a person reads them. `internal`: not for readers without the internal figures. */
export type FieldChange = { field: string; before: string; after: string; internal?: boolean };

export type NewEvent = {
  quoteId: number;
  /** Null when the customer acts on the public page. */
  userId: number | null;
  /** The name to show, as it was then. */
  actor: string;
  /** An action of the workflow, or Create, Edit, Upload, RemoveFile, Question, … */
  action: string;
  from?: string | null;
  to?: string | null;
  revision: number;
  comment?: string;
  changes?: FieldChange[];
};

export async function recordEvent(db: Db, event: NewEvent): Promise<void> {
  await db
    .insertInto('quote_event')
    .values({
      quote_id: event.quoteId,
      user_id: event.userId,
      actor: event.actor,
      action: event.action,
      from_status: event.from ?? null,
      to_status: event.to ?? null,
      revision: event.revision,
      comment: event.comment ?? '',
      changes: JSON.stringify(event.changes ?? []),
    })
    .execute();
}

export type PastEvent = {
  id: number;
  at: string;
  actor: string;
  action: string;
  from: string | null;
  to: string | null;
  revision: number;
  comment: string;
  changes: { field: string; before: string; after: string }[];
};

/**
 * What happened to a quote, newest first. Without `internal`, changes of internal fields are left out, and an event that consisted of
 * nothing else with them.
 */
export async function eventsOf(
  db: Db,
  quoteId: number,
  options: { internal: boolean; limit?: number },
): Promise<PastEvent[]> {
  const rows = await db
    .selectFrom('quote_event')
    .select(['id', 'at', 'actor', 'action', 'from_status as from', 'to_status as to', 'revision', 'comment', 'changes'])
    .where('quote_id', '=', quoteId)
    .orderBy('id', 'desc')
    .limit(options.limit ?? 500)
    .execute();
  return rows.flatMap((row) => {
    const all = row.changes as FieldChange[];
    const shown = all.filter((change) => options.internal || !change.internal);
    if (shown.length < all.length && shown.length === 0 && row.from === row.to && !row.comment) return [];
    return [{ ...row, changes: shown.map(({ field, before, after }) => ({ field, before, after })) }];
  });
}

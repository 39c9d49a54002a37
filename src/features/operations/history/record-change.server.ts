// Records a change in the transaction of that change, and refuses a save over somebody else's.
import { HttpError, invalid } from '#api/http-error.ts';
import type { Db } from '#db/database.server.ts';
import type { FieldChange } from '#shared/conflict.ts';
import { SEND_VERSION } from '#shared/wire.ts';
import { RECORD_TYPES, type RecordType } from './record-types.ts';
import type { RecordAction } from './record-words.ts';

export type Actor = { id: number; fullName: string };

export type RecordChange = {
  type: RecordType;
  id: number;
  /** What people call the record. */
  name: string;
  action: RecordAction;
  /** The record's version after the change. */
  version?: number;
  comment?: string;
  changes?: FieldChange[];
};

/** An edit that changed nothing is no event. */
export async function recordChange(db: Db, actor: Actor | null, change: RecordChange): Promise<void> {
  const { changes = [], comment = '' } = change;
  if (change.action === 'Edit' && changes.length === 0 && !comment) return;
  await db
    .insertInto('record_event')
    .values({
      record_type: change.type,
      record_id: change.id,
      record_name: change.name,
      user_id: actor?.id ?? null,
      actor: actor?.fullName ?? 'Quoteboard',
      action: change.action,
      version: change.version ?? null,
      comment,
      changes: JSON.stringify(changes),
    })
    .execute();
}

/**
 * Throws 409 when a save was made from another version than the record's: who changed what since, and the record as it is now, so that
 * the screen can offer both values (design 5). `current` is what the screen's form reads. Throws 422 when the save does not say from
 * which version it was made.
 */
export async function requireFresh(
  db: Db,
  type: RecordType,
  record: { id: number; version: number },
  given: number | undefined,
  current: Record<string, unknown> = record,
): Promise<void> {
  if (given === undefined) throw invalid([{ path: 'version', message: SEND_VERSION }]);
  if (given === record.version) return;
  const events = await db
    .selectFrom('record_event')
    .select(['actor', 'at', 'changes'])
    .where('record_type', '=', type)
    .where('record_id', '=', record.id)
    .where('version', '>', given)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const [last] = events;
  const changes = events.toReversed().flatMap((event) => event.changes as FieldChange[]);
  const what = changes.map(({ field, before, after }) => `${field} from '${before}' to '${after}'`).join('; ');
  throw new HttpError(
    409,
    `${last?.actor ?? 'Someone else'} changed this ${RECORD_TYPES[type].label} while you were editing it${what ? `: ${what}` : ''}.`,
    { conflict: { changedBy: last?.actor ?? null, changedAt: last?.at ?? null, changes, current } },
  );
}

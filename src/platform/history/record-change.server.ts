// Records a change in the transaction of that change, and refuses a save that would overwrite a change of another user.
import { type RawBuilder, sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Origin } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { insertChanges } from '#platform/security-events/log-changes.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { SEND_VERSION } from '#platform/shared/wire.ts';
import { RECORD_TYPES, type RecordType } from './record-types.ts';
import type { RecordAction } from './record-words.ts';

/** The user who changes a record. For a caller, also the origin, which the security log stores. */
export type Actor = { id: number; fullName: string; userName?: string; keyId?: number; from?: Origin };

export type RecordChange = {
  type: RecordType;
  id: number;
  /** The name of the record in the history. */
  name: string;
  action: RecordAction;
  /** The record's version after the change. */
  version?: number;
  comment?: string;
  changes?: FieldChange[];
};

/** Records an event. An edit that changed nothing records none. */
export async function recordChange(db: Db, actor: Actor | null, change: RecordChange): Promise<void> {
  const { changes = [], comment = '' } = change;
  if (change.action === 'Edit' && changes.length === 0 && !comment) return;
  await recordAll(
    db,
    change.type,
    actor,
    sql`values (${change.type}, ${change.id}::int, ${change.name}, ${actor?.id ?? null}::int, ${actor?.fullName ?? 'Quoteboard'},
      ${change.action}, ${change.version ?? null}::int, ${comment}, ${JSON.stringify(changes)}::jsonb)`,
  );
}

/** Records the events of one type that a query returns. Its columns are: type, id, name, user, actor, action, version, comment, changes. */
export async function recordAll(
  db: Db,
  type: RecordType,
  actor: Actor | null,
  events: RawBuilder<unknown>,
): Promise<void> {
  const insert = sql`insert into record_event (record_type, record_id, record_name, user_id, actor, action, version, comment, changes)
    ${events}`;
  const recordType = RECORD_TYPES[type];
  await insertChanges(db, 'security' in recordType ? recordType.security : null, actor, insert);
}

/**
 * Throws 409 if the save is based on an older version of the record. The conflict contains who has changed what since then, and the current record,
 * so that the screen can offer both values (design 5). `current` is the record as the form reads it. Throws 422 if the save does not name the version
 * that it is based on.
 */
export async function requireFresh(
  db: Db,
  type: RecordType,
  record: { id: number; version: number },
  version: number | undefined,
  current: Record<string, unknown> = record,
): Promise<void> {
  if (version === undefined) throw invalid([{ path: 'version', message: SEND_VERSION }]);
  if (version === record.version) return;
  const events = await db
    .selectFrom('record_event')
    .select(['actor', 'at', 'changes'])
    .where('record_type', '=', type)
    .where('record_id', '=', record.id)
    .where('version', '>', version)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  const [last] = events;
  const changes = events.toReversed().flatMap((event) => event.changes as FieldChange[]);
  const what = changes.map(({ field, before, after }) => `${field} from '${before}' to '${after}'`).join('; ');
  const kind = RECORD_TYPES[type];
  const [these, them] = 'several' in kind ? ['these', 'them'] : ['this', 'it'];
  throw new HttpError(
    409,
    `${last?.actor ?? 'Someone else'} changed ${these} ${kind.label} while you were editing ${them}${what ? `: ${what}` : ''}.`,
    { conflict: { changedBy: last?.actor ?? null, changedAt: last?.at ?? null, changes, current } },
  );
}

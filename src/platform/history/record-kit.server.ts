// The shared code of administered records: locking, unique names, versions and history.
import { type Insertable, type RawBuilder, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import { type FieldError, notFound } from '#platform/api/http-error.ts';
import { contains } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { changesBetween } from './changes-between.server.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { type Actor, recordChange, requireFresh } from './record-change.server.ts';
import { RECORD_TYPES } from './record-types.ts';
import type { RecordAction } from './record-words.ts';

/** The records that have their own row with a version, with the table and the name column of each. */
const TABLES = {
  company: { table: 'company', name: 'name' },
  user: { table: 'app_user', name: 'full_name' },
  region: { table: 'region', name: 'name' },
  territory: { table: 'territory', name: 'name' },
  facility: { table: 'facility', name: 'name' },
  itemClass: { table: 'item_class', name: 'name' },
  crossReference: { table: 'cross_reference', name: 'number' },
  product: { table: 'product', name: 'name' },
  document: { table: 'document', name: 'title' },
  documentCategory: { table: 'document_category', name: 'name' },
  promotion: { table: 'promotion', name: 'name' },
  contract: { table: 'gpo_contract', name: 'number' },
  contractTier: { table: 'contract_tier', name: 'name' },
  contractLine: { table: 'contract_line', name: 'id' },
  quoteTemplate: { table: 'quote_template', name: 'name' },
  configurableModel: { table: 'configurable_model', name: 'name' },
  approvalRule: { table: 'approval_rule', name: 'name' },
  approvalReminder: { table: 'approval_reminder', name: 'id' },
  approvalAbsence: { table: 'approval_absence', name: 'id' },
  rosterRow: { table: 'contract_roster', name: 'member_id' },
  letter: { table: 'contract_loc', name: 'signer' },
  eligibilityRequest: { table: 'eligibility_request', name: 'note' },
  contractFolder: { table: 'contract_folder', name: 'name' },
  contractFile: { table: 'contract_file', name: 'name' },
  apiKey: { table: 'api_key', name: 'name' },
  webhook: { table: 'webhook_endpoint', name: 'description' },
  savedView: { table: 'saved_view', name: 'name' },
  territoryPlan: { table: 'territory_plan', name: 'name' },
} as const;
type KeptType = keyof typeof TABLES;
type Row<T extends KeptType> = Tables[(typeof TABLES)[T]['table']];

/** The values to write: plain values, or SQL that returns one. */
type Values<V> = { [K in keyof Omit<V, 'id' | 'version'>]: V[K] | RawBuilder<NonNullable<V[K]>> };

/** Kysely checks one table at a time. All of these have an id, a name and a version. */
const tableOf = (type: KeptType) => TABLES[type].table as 'region';

type Kept = { id: number; version: number };
type Context = { db: Db; user: Actor };

/** Describes how one type of record is read, and what its history says about a save. */
export type RecordKind<R extends Kept, T extends KeptType = KeptType> = {
  type: T;
  read: (db: Db, id: number, lock?: 'lock') => Promise<R>;
  /** Returns the name of the record in the history. */
  nameOf: (record: R) => string;
  /** What a save changed; `before` is null for a new record. */
  changes: (before: R | null, after: R, db: Db) => FieldChange[] | Promise<FieldChange[]>;
};

/** Returns what a save changed in the fields of `labels`, in the words of `historyWords`. */
export function changesOf<R, W extends object>(
  labels: Partial<Record<keyof W, string>>,
  historyWords: (record: R, db: Db) => W | Promise<W>,
): RecordKind<R & Kept>['changes'] {
  return async (before, after, db) =>
    changesBetween<W>(before ? await historyWords(before, db) : {}, await historyWords(after, db), labels);
}

/** Returns the only row of a query. Throws 404 without one. `lock` locks the record until the transaction ends. */
export async function oneRecord<DB, TB extends keyof DB, O>(
  type: KeptType,
  query: SelectQueryBuilder<DB, TB, O>,
  lock?: 'lock',
): Promise<O> {
  const record = await (lock ? query.forUpdate(TABLES[type].table as never) : query).executeTakeFirst();
  if (!record) throw notFound(RECORD_TYPES[type].label);
  return record;
}

/** Returns the locked record of a save, or null for a new one. Throws 409 if another user has saved it since it was read. */
export async function lockForSave<R extends Kept>(
  db: Db,
  kind: RecordKind<R>,
  input: { id: number; version?: number | undefined },
): Promise<R | null> {
  if (input.id === 0) return null;
  const before = await kind.read(db, input.id, 'lock');
  await requireFresh(db, kind.type, before, input.version);
  return before;
}

/**
 * Returns the input of a save in which each omitted field has its value in `stored`: that of the stored record, or of a blank new one (design 6:
 * omitted fields keep their value).
 */
export function keptIn<I extends object, K extends { [P in keyof I]?: unknown }>(
  input: I,
  stored: K,
): Omit<I, keyof K> & { [P in keyof K]: K[P] | Exclude<P extends keyof I ? I[P] : never, undefined> } {
  const values = Object.entries(input).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(values) } as never;
}

/** Returns the error for a last day before the first. A schema can check this only if both days are given. */
export function wrongDays({ from, to }: { from: string; to?: string | null | undefined }): FieldError[] {
  return from && to && to < from ? [{ path: 'to', message: 'The last day cannot be before the first day.' }] : [];
}

/** Creates a record (id 0), or changes one and increments its version. */
export async function storeRecord<T extends KeptType>(
  db: Db,
  type: T,
  id: number,
  values: Values<Insertable<Row<T>>>,
): Promise<Kept> {
  if (id !== 0) return bumpRecord(db, type, id, values as Partial<Values<Updateable<Row<T>>>>);
  return db
    .insertInto(tableOf(type))
    .values(values as never)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

/** Increments the version of a record when something that belongs to it changes. */
export async function bumpRecord<T extends KeptType>(
  db: Db,
  type: T,
  id: number,
  values: Partial<Values<Updateable<Row<T>>>> = {},
): Promise<Kept> {
  return db
    .updateTable(tableOf(type))
    .set((eb) => ({ ...(values as object), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow();
}

/** Increments the versions of many records. Returns what the history needs for each. */
export function bumpRecords(db: Db, type: KeptType, ids: number[]): Promise<(Kept & { name: string })[]> {
  return db
    .updateTable(tableOf(type))
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .returning(['id', 'version', sql.ref<string>(TABLES[type].name).as('name')])
    .execute();
}

/** Stores a record, then its parts (`parts`), and writes its history. Returns the stored record. */
export async function saveRecord<R extends Kept, T extends KeptType>(
  { db, user }: Context,
  kind: RecordKind<R, T>,
  before: R | null,
  values: Values<Insertable<Row<T>>>,
  { parts, comment, action }: { parts?: (id: number) => Promise<void>; comment?: string; action?: RecordAction } = {},
): Promise<R> {
  const { id } = await storeRecord(db, kind.type, before?.id ?? 0, values);
  await parts?.(id);
  const after = await kind.read(db, id);
  await recordChange(db, user, {
    type: kind.type,
    id,
    name: kind.nameOf(after),
    action: action ?? (before ? 'Edit' : 'Create'),
    version: after.version,
    changes: await kind.changes(before, after, db),
    ...(comment ? { comment } : {}),
  });
  return after;
}

/**
 * Activates or deactivates a record; without `active` it toggles. A record that is already in that state is not changed. Throws 409 if another user
 * changed it. `check` refuses what this type does not allow.
 */
export async function setRecordActive<R extends Kept & { active: boolean }>(
  { db, user }: Context,
  kind: RecordKind<R>,
  input: { id: number; active?: boolean | undefined; version: number },
  check?: (before: R, active: boolean) => Promise<void>,
): Promise<Kept & { active: boolean }> {
  const before = await kind.read(db, input.id, 'lock');
  const { id } = before;
  const active = input.active ?? !before.active;
  if (active === before.active) return { id, active, version: before.version };
  await requireFresh(db, kind.type, before, input.version);
  await check?.(before, active);
  const { version } = await bumpRecord(db, kind.type, id, { active });
  await recordChange(db, user, {
    type: kind.type,
    id,
    name: kind.nameOf(before),
    action: active ? 'Activate' : 'Deactivate',
    version,
    changes: changesBetween({ active: before.active }, { active }, { active: 'Active' }),
  });
  return { id, active, version };
}

/** Records in a record's history that one of its parts was added, changed or removed. Returns the record's next version. */
export async function recordPart(
  { db, user }: Context,
  type: KeptType,
  { id, name }: { id: number; name: string },
  action: RecordAction,
  change: FieldChange,
): Promise<number> {
  const { version } = await bumpRecord(db, type, id);
  await recordChange(db, user, { type, id, name, action, version, changes: [change] });
  return version;
}

/** Returns the name for a copy: the wanted one, with a number appended if another record of the type has it. */
export async function findUniqueName(db: Db, type: KeptType, wanted: string): Promise<string> {
  const taken = await db.selectFrom(tableOf(type)).select('name').where('name', 'ilike', contains(wanted)).execute();
  const names = new Set(taken.map(({ name }) => name.toLowerCase()));
  let name = wanted;
  for (let count = 2; names.has(name.toLowerCase()); count++) name = `${wanted} (${count})`;
  return name;
}

/**
 * Finds another record with this name, ignoring case. It reserves the name until the transaction ends: if two users choose it at once, the second one
 * is refused.
 */
export async function otherWithName(
  db: Db,
  type: KeptType,
  { id, name }: { id: number; name: string },
  { column = 'name', among = sql`true` }: { column?: string; among?: RawBuilder<unknown> } = {},
): Promise<{ name: string } | undefined> {
  const { table, name: called } = TABLES[type];
  await sql`select pg_advisory_xact_lock(hashtext(${`${table}-${column}`}), hashtext(${name.toLowerCase()}))`.execute(
    db,
  );
  const { rows } = await sql<{ name: string }>`select ${sql.ref(called)} as name from ${sql.table(table)}
    where lower(${sql.ref(column)}) = ${name.toLowerCase()} and id <> ${id} and ${among} limit 1`.execute(db);
  return rows[0];
}

/** Returns the error under `name` if another record has this name. */
export async function wrongName(
  db: Db,
  type: KeptType,
  named: { id: number; name: string },
  among?: RawBuilder<unknown>,
): Promise<FieldError[]> {
  if (!(await otherWithName(db, type, named, among ? { among } : {}))) return [];
  return [{ path: 'name', message: `A ${RECORD_TYPES[type].label} named ${named.name} already exists.` }];
}

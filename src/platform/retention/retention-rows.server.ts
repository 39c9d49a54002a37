// The SQL of what may be cleared by age. In it, the table of the kind is `r`. Migration 0074 has an index for each order of age.
import { type RawBuilder, sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { REFRESH_LIFE } from '#platform/auth/sessions/session.server.ts';
import { RETENTION, type RetentionKind } from './retention-groups.ts';

type Rows = {
  table: string;
  /** The age of a row, and its key. Rows are cleared in this order. */
  at: Sql;
  key: string;
  keyType: 'int' | 'bigint' | 'uuid';
  /** The rows that may be cleared at all. */
  among: Sql;
  /** Rows among them that are kept, however old they are. */
  stays: Sql;
  /** Rows that are cleared with a row, as (table, referring column). They are included in the number of rows of a transaction. */
  parts?: [table: string, column: string][];
  /** An array of the ids of its files, which are deleted unless something else refers to them. */
  files?: Sql;
  /** Empties the row instead of deleting it. */
  emptied?: Sql;
  /** The statement that clears other data of the cleared rows. */
  alsoEmptied?: (keys: Sql) => Sql;
};

/** The newest import of each kind, whose columns the next file is matched by, as in `lookAtFile`. */
const MATCHED_BY = sql`r.id = (select n.id from data_import n where n.kind = r.kind
  and n.state in ('Checked', 'Applying', 'Applied', 'Undoing', 'Undone') order by n.id desc limit 1)`;

export const ROWS: Record<RetentionKind, Rows> = {
  mail: {
    table: 'mail',
    // A mail that a user marked as arrived may have no sending time.
    at: sql`coalesce(r.sent_at, r.created_at)`,
    key: 'id',
    keyType: 'int',
    among: sql`r.state = 'Sent'`,
    stays: sql`false`,
    // The recipients are kept, because they are suggested when the revision is sent again. Files of a report were created for its mail alone. Files
    // of a quote belong to the quote.
    files: sql`case when r.quote_id is null then array(select (a ->> 'fileId')::int from jsonb_array_elements(r.attachments) a) end`,
    alsoEmptied: (keys) =>
      sql`update quote_sending set subject = '', body = '', attachments = '[]' where mail_id = any(${keys})`,
  },
  recordEvents: {
    table: 'record_event',
    at: sql`r.at`,
    key: 'id',
    keyType: 'bigint',
    among: sql`true`,
    // Conflicts and lists name who acted last. Whether a territory was active on an earlier day is read from its history.
    stays: sql`(r.record_type = 'territory' and r.action in ('Activate', 'Deactivate')) or not exists (
      select from record_event n where n.record_type = r.record_type and n.record_id = r.record_id and n.id > r.id
        and n.action = r.action)`,
  },
  imports: {
    table: 'data_import',
    at: sql`greatest(r.created_at, r.applied_at, r.undone_at)`,
    key: 'id',
    keyType: 'int',
    among: sql`true`,
    stays: sql`r.undoable or r.state in ('Checking', 'Applying', 'Undoing') or ${MATCHED_BY}
      or exists (select from import_inbox_file i where i.import_id = r.id and i.state = 'Taken')`,
    parts: [
      ['data_import_held', 'import_id'],
      ['data_import_change', 'import_id'],
    ],
    files: sql`array[r.file_id, r.refused_file_id]`,
  },
  usageFiles: {
    table: 'savings_file',
    at: sql`r.kept_at`,
    key: 'analysis_id',
    keyType: 'int',
    among: sql`true`,
    stays: sql`exists (select from savings_analysis a where a.id = r.analysis_id and a.state in ('reading', 'columns'))`,
    files: sql`array[r.file_id]`,
  },
  orderFiles: {
    table: 'order_file',
    at: sql`r.written_at`,
    key: 'request_id',
    keyType: 'int',
    among: sql`r.written_at is not null and r.cleared_at is null`,
    stays: sql`exists (select from order_request o where o.id = r.request_id and o.state = 'Waiting')`,
    emptied: sql`content = '', cleared_at = now(), sha256 = encode(sha256(convert_to(r.content, 'UTF8')), 'hex')`,
  },
  sessions: {
    table: 'session',
    // Sessions end REFRESH_LIFE after their last use, which is less than the shortest retention time.
    at: sql`r.last_used_at`,
    key: 'id',
    keyType: 'uuid',
    among: sql`true`,
    // Lists of users show when each was last active.
    stays: sql`not exists (select from session n where n.user_id = r.user_id and (n.last_used_at, n.id) > (r.last_used_at, r.id))`,
    parts: [['refresh_token', 'session_id']],
  },
  newQuoteKeys: {
    table: 'new_quote_key',
    at: sql`r.created_at`,
    key: 'quote_id',
    keyType: 'int',
    among: sql`true`,
    stays: sql`false`,
  },
  notifications: {
    table: 'notification',
    at: sql`r.at`,
    key: 'id',
    keyType: 'int',
    among: sql`true`,
    stays: sql`false`,
  },
};
if (RETENTION.sessions.least * 28 * 86_400_000 < REFRESH_LIFE) throw new Error('A session in use could be cleared.');

/**
 * SQL that is true if no row refers to `alias`, except rows that are cleared with it. Reads from the database which tables refer to this one, so that
 * none is missed.
 */
export async function unreferenced(db: Db, table: string, alias: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ from: string; column: string; to: string }>`
    select c.conrelid::regclass::text as "from", a.attname as "column", b.attname as "to"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and c.confdeltype not in ('c', 'n') order by 1, 2`.execute(
    db,
  );
  const none = rows.map(
    ({ from, column, to }) =>
      sql`not exists (select from ${sql.table(from)} x where ${sql.ref(`x.${column}`)} = ${sql.ref(`${alias}.${to}`)})`,
  );
  return sql.join([sql`true`, ...none], sql` and `);
}

/** Rows of one kind that are older than a time. */
export type Older = { kind: RetentionKind; before: string };

/** The number of old rows among which a preview looks for rows to clear. */
const MAX_ROWS_READ = 100_000;
const MAX_COUNTED = 1000;
/** Returns how many rows would be cleared. Checks the oldest 100,000 and stops at 1,000; `more` means that it stopped. */
export async function countGoing(db: Db, { kind, before }: Older): Promise<{ rows: number; more: boolean }> {
  const { table, at, key, among, stays } = ROWS[kind];
  const old = sql`${sql.table(table)} r where ${among} and ${at} < ${before}::timestamptz order by ${at}, ${sql.ref(`r.${key}`)}`;
  const { rows } = await sql<{ count: number; more: boolean }>`
    with going as materialized (
      select from (select r.* from ${old} limit ${MAX_ROWS_READ}) r
      where (${stays}) is not true and ${await unreferenced(db, table, 'r')} limit ${MAX_COUNTED + 1})
    select (select count(*) from going) as count,
      (select count(*) from going) > ${MAX_COUNTED} or exists (select from ${old} offset ${MAX_ROWS_READ}) as more`.execute(
    db,
  );
  const [{ count, more } = { count: 0, more: false }] = rows;
  return { rows: Math.min(count, MAX_COUNTED), more };
}

/** A position in the order of age. The time is text, because a Date has no microseconds. */
export type Place = { at: string; key: string };
export type Batch = {
  cleared: number;
  /** The highest id of a cleared row; 0 for ids that are not integers. */
  through: number;
  /** Where the next batch begins; null if no older row is left. */
  next: Place | null;
  /** The files of the cleared rows that nothing refers to any more. Their rows are deleted. */
  storageKeys: string[];
};

/**
 * Clears the rows to clear among the next `most` rows that are older than a time, in the transaction `db`. It clears fewer if they have parts: a row
 * is cleared with all its parts, and a transaction changes at most `most` rows, or one row with its parts. Rows that changed in the meantime are
 * checked again.
 */
export async function clearSome(db: Db, { kind, before }: Older, from: Place | null, most: number): Promise<Batch> {
  const { table, at, key, keyType, among, stays, parts = [], files, emptied, alsoEmptied } = ROWS[kind];
  const [t, k, type] = [sql.table(table), sql.ref(`r.${key}`), sql.raw(keyType)];
  const weight = sql.join(
    [
      sql`1`,
      ...(files ? [sql`2`] : []),
      ...(alsoEmptied ? [sql`1`] : []),
      ...parts.map(
        ([part, target]) => sql`(select count(*) from ${sql.table(part)} p where ${sql.ref(`p.${target}`)} = ${k})`,
      ),
    ],
    sql` + `,
  );
  const beyond = from ? sql`and (${at}, ${k}) > (${from.at}::timestamptz, ${from.key}::${type})` : sql``;
  const goes = sql`${k} = taken.key and ${among} and ${at} < ${before}::timestamptz and (${stays}) is not true
    and ${await unreferenced(db, table, 'r')}`;
  const returning = sql`returning ${k} as key, ${files ?? sql`null::int[]`} as files`;
  await sql`select set_config('quoteboard.clearing', 'on', true)`.execute(db);
  const { rows } = await sql<{ keys: string[]; files: number[]; at: string | null; key: string | null }>`
    with looked as materialized (
      select ${at} as at, ${k} as key, ${weight} as weight from ${t} r
      where ${among} and ${at} < ${before}::timestamptz ${beyond} order by ${at}, ${k} limit ${most}),
    taken as materialized (
      select at, key from (select *, sum(weight) over up as rows, row_number() over up as place from looked
        window up as (order by at, key)) sized where rows <= ${most} or place = 1),
    gone as (${
      emptied
        ? sql`update ${t} r set ${emptied} from taken where ${goes} ${returning}`
        : sql`delete from ${t} r using taken where ${goes} ${returning}`
    })
    select last.at::text as at, last.key::text as key,
      (select coalesce(array_agg(gone.key::text), '{}') from gone) as keys,
      (select coalesce(array_agg(distinct file) filter (where file is not null), '{}') from gone, unnest(gone.files) file) as files
    from (select 1) one left join (select at, key from taken order by at desc, key desc limit 1) last on true`.execute(
    db,
  );
  const [{ keys, files: fileIds, at: lastAt, key: lastKey } = { keys: [], files: [], at: null, key: null }] = rows;
  if (alsoEmptied && keys.length > 0) {
    await alsoEmptied(sql`${keys}::${type}[]`).execute(db);
  }
  return {
    cleared: keys.length,
    through: keyType === 'uuid' ? 0 : Math.max(0, ...keys.map(Number)),
    next: lastAt !== null && lastKey !== null ? { at: lastAt, key: lastKey } : null,
    storageKeys: fileIds.length > 0 ? await removeFileRows(db, fileIds) : [],
  };
}

async function removeFileRows(db: Db, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ storage_key: string }>`
    delete from file where id = any(${ids}::int[]) and ${await unreferenced(db, 'file', 'file')} returning storage_key`.execute(
    db,
  );
  return rows.map(({ storage_key }) => storage_key);
}

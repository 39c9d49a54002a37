// Stores what an undo needs while an import writes. An undo first checks whether anything depends on the import.
import { sql } from 'kysely';
import { HttpError } from '#platform/api/http-error.ts';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { type Actor, recordAll } from '#platform/history/record-change.server.ts';
import type { Track, Undoing } from '../kinds/import-kind.server.ts';

const tableBefore = (at: number): Sql => sql.table(`import_before_${at}`);
/** `a.id = b.id and …` */
const sameKey = ({ key }: Track, a: string, b: string): Sql =>
  allOf(Object.keys(key).map((name) => sql`${sql.ref(`${a}.${name}`)} = ${sql.ref(`${b}.${name}`)}`));
/** SQL that matches the record `t` to a stored change: `t.id = (c.key->>'id')::int and …` */
const ofChange = ({ key }: Track, t = 't'): Sql =>
  allOf(
    Object.entries(key).map(
      ([name, type]) => sql`${sql.ref(`${t}.${name}`)} = (c.key->>${sql.lit(name)})::${sql.raw(type)}`,
    ),
  );
const allOf = (conditions: readonly Sql[]): Sql => sql.join(conditions, sql` and `);
/** SQL for the first column of the primary key, which is null if an outer join found no record. */
const firstOf = ({ key }: Track, alias: string): Sql => sql.ref(`${alias}.${Object.keys(key)[0] ?? ''}`);

/** Copies the records that the staged rows may affect, before anything is written. */
export async function keepBefore(trx: Db, tracks: readonly Track[]): Promise<void> {
  for (const [at, { table, scope }] of tracks.entries()) {
    await sql`create temp table ${tableBefore(at)} on commit drop as
      select t.* from ${sql.table(table)} t where ${scope}`.execute(trx);
  }
}

/**
 * Records which records changed, for an undo of this import. It deletes the changes of older imports, so that only the last import of a kind can be
 * undone. If held rows are applied later, the undo still restores the state before the first application. Each changed record with a history gets an
 * event.
 */
export async function keepChanges(
  trx: Db,
  tracks: readonly Track[],
  { importId, kind, comment, author }: { importId: number; kind: string; comment: string; author: Actor },
): Promise<void> {
  await sql`delete from data_import_change
    where import_id in (select id from data_import where kind = ${kind} and id <> ${importId})`.execute(trx);
  for (const [at, track] of tracks.entries()) {
    const key = Object.keys(track.key).map(
      (name) => sql`${sql.lit(name)}, coalesce(${sql.ref(`t.${name}`)}, ${sql.ref(`b.${name}`)})`,
    );
    const both = sql`(select t.* from ${sql.table(track.table)} t where ${track.scope}) t
      full join ${tableBefore(at)} b on ${sameKey(track, 'b', 't')}`;
    await sql`with other as materialized (
        select jsonb_build_object(${sql.join(key)}) as key,
          case when ${firstOf(track, 'b')} is not null then to_jsonb(b) end as before,
          case when ${firstOf(track, 't')} is not null then md5(t::text)::uuid end as after
        from ${both} where t::text is distinct from b::text),
      noted as (
        update data_import_change c set after = o.after from other o
        where c.import_id = ${importId} and c.table_name = ${track.table} and c.key = o.key returning c.key)
      insert into data_import_change (import_id, table_name, key, before, after)
      select ${importId}::int, ${track.table}::text, key, before, after from other
      where key not in (select key from noted)`.execute(trx);
    if (track.history) await writeHistory(trx, track, both, comment, author);
  }
}

async function writeHistory(trx: Db, track: Track, both: Sql, comment: string, author: Actor): Promise<void> {
  const { history, name } = track;
  if (!history) return;
  const labels = sql`${JSON.stringify(history.labels)}::jsonb`;
  const events = sql`select ${history.type}, t.id, ${name}, ${author.id}, ${author.fullName},
      case when ${firstOf(track, 'b')} is null then 'Create' else 'Edit' end, t.version, ${comment},
      coalesce((
        select jsonb_agg(jsonb_build_object('field', ${labels} ->> n.key,
            'before', coalesce(o.value, ''), 'after', coalesce(n.value, '')) order by n.key)
          filter (where ${labels} ? n.key)
        from jsonb_each_text(to_jsonb(b)) o join jsonb_each_text(to_jsonb(t)) n on n.key = o.key
        where n.value is distinct from o.value), '[]')
    from ${both} where ${firstOf(track, 't')} is not null and t::text is distinct from b::text`;
  await recordAll(trx, history.type, author, events);
}

/** Returns the number of parts of an undo, which reports the start of each. */
export const partsOfUndo = (tracks: readonly Track[]): number => tracks.length * 3;

/** Restores every record to its state before the import. Throws 409 with a sentence if something depends on the import; nothing is undone then. */
export async function undoTracks(
  trx: Db,
  tracks: readonly Track[],
  importId: number,
  { comment, author, onProgress }: Undoing,
): Promise<void> {
  let done = 0;
  await sql`set local jit = off`.execute(trx);
  for (const { table } of tracks) await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx);
  for (const track of tracks) {
    onProgress({ step: 'looking', rows: done++ });
    await requireUntouched(trx, track, importId);
  }
  // Restores changed records that refer to new ones first, so that the new ones can be removed.
  for (const track of tracks.toReversed()) {
    onProgress({ step: 'restoring', rows: done++ });
    await restoreChanged(trx, track, importId);
  }
  for (const track of tracks.toReversed()) {
    onProgress({ step: 'removing', rows: done++ });
    await removeNew(trx, track, importId);
  }
  for (const track of tracks) {
    await bringBack(trx, track, importId);
    if (track.history) await writeUndoHistory(trx, track, importId, comment, author);
  }
  await sql`delete from data_import_change where import_id = ${importId}`.execute(trx);
}

const EXAMPLES = 3;

async function requireUntouched(trx: Db, track: Track, importId: number): Promise<void> {
  const first = firstOf(track, 't');
  const { rows } = await sql<{ name: string | null; of: number }>`
    select ${track.name} as name, count(*) over () ::int as of
    from data_import_change c left join ${sql.table(track.table)} t on ${ofChange(track)}
    where c.import_id = ${importId} and c.table_name = ${track.table}
      and case when c.after is null then ${first} is not null
        else ${first} is null or md5(t::text)::uuid <> c.after end
    order by 1 limit ${EXAMPLES}`.execute(trx);
  refuseIfAny(rows, track, 'changed since this import');
}

function refuseIfAny(rows: { name: string | null; of: number }[], { many }: Track, what: string): void {
  const [first] = rows;
  if (!first) return;
  const names = rows.flatMap(({ name }) => (name ? [name] : [])).join(', ');
  const count = `${first.of.toLocaleString('en-US')} of its ${many} ${first.of === 1 ? 'was' : 'were'} ${what}`;
  const listed = names ? `: ${names}${first.of > rows.length ? ', …' : ''}` : '';
  throw new HttpError(409, `This import cannot be undone: ${count}${listed}.`);
}

/** Removes the records that the import created. Throws if anything else refers to one. */
async function removeNew(trx: Db, track: Track, importId: number): Promise<void> {
  const isMade = (t: string) => sql`exists (
    select from data_import_change c
     where c.import_id = ${importId} and c.table_name = ${track.table} and c.before is null and ${ofChange(track, t)})`;
  const ours = sql`from ${sql.table(track.table)} t where ${isMade('t')}`;
  const key = sql.join(Object.keys(track.key).map((name) => sql.ref(`t.${name}`)));
  // A transaction that refers to one of these records locks it until it ends. This statement waits for that and then sees the reference.
  await sql`select count(*) from (select ${key} ${ours} for update) locked`.execute(trx);
  for (const { from, column, what } of await referencesTo(trx, track)) {
    const notOurs = from === track.table ? sql`and not ${isMade('x')}` : sql``;
    const refers = sql`exists (
      select from ${sql.table(from)} x where ${sql.ref(`x.${column}`)} = t.id ${notOurs})`;
    await requireNone(trx, track, ours, what, refers);
  }
  for (const { what, when } of track.builtOn ?? []) await requireNone(trx, track, ours, what, when);
  await sql`delete ${ours}`.execute(trx);
}

async function requireNone(trx: Db, track: Track, ours: Sql, what: string, when: Sql): Promise<void> {
  const { rows } = await sql<{ name: string; of: number }>`
    select ${track.name} as name, count(*) over ()::int as of ${ours} and ${when} order by 1 limit ${EXAMPLES}`.execute(
    trx,
  );
  refuseIfAny(rows, track, `used by ${what} since`);
}

/** Names of records that refer to others. Other tables appear under their own name. */
const REFERRING: Readonly<Record<string, string>> = {
  account_price: 'account prices',
  app_user: 'users',
  contact: 'contacts',
  contract_line: 'contract lines',
  contract_line_price: 'contract prices',
  contract_loc: 'letters of commitment',
  contract_roster: 'contract rosters',
  contract_tier: 'tiers',
  facility_alias: 'confirmed matches of rosters',
  facility_identifier: 'numbers of facilities',
  gpo_contract: 'contracts',
  gpo_membership: 'GPO memberships',
  item_price: 'list prices',
  item_unit: 'units',
  quote_item: 'quotes',
  quote_template_item: 'quote templates',
  record_event: 'the history of other records',
  session: 'sign-ins',
  territory_rep: 'territories',
  user_region: 'regions',
};

/** Returns the columns of all tables that refer to the id of a table. */
async function referencesTo(trx: Db, { table, key }: Track): Promise<{ from: string; column: string; what: string }[]> {
  if (!('id' in key)) return [];
  const { rows } = await sql<{ from: string; column: string }>`
    select c.conrelid::regclass::text as "from", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass order by 1, 2`.execute(trx);
  return rows.map((row) => ({ ...row, what: REFERRING[row.from] ?? `${row.from.replaceAll('_', ' ')}s` }));
}

async function tableColumns(trx: Db, track: Track): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${track.table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    trx,
  );
  return rows.map(({ name }) => name);
}

/** SQL for the former records of the table as `b`, with their changes `c`. */
const former = ({ table }: Track, importId: number): Sql => sql`data_import_change c,
    jsonb_populate_record(null::${sql.table(table)}, c.before) b
  where c.import_id = ${importId} and c.table_name = ${table} and c.before is not null`;

/** Restores the former values of changed records. */
async function restoreChanged(trx: Db, track: Track, importId: number): Promise<void> {
  const columns = await tableColumns(trx, track);
  const set = columns
    .filter((name) => !(name in track.key) && !(track.versioned && name === 'version'))
    .map((name) => sql`${sql.ref(name)} = ${sql.ref(`b.${name}`)}`);
  if (track.versioned) set.push(sql`version = t.version + 1`);
  if (set.length > 0) {
    await sql`update ${sql.table(track.table)} t set ${sql.join(set)}
      from ${former(track, importId)} and c.after is not null and ${sameKey(track, 't', 'b')}`.execute(trx);
  }
}

/** Restores removed records. */
async function bringBack(trx: Db, track: Track, importId: number): Promise<void> {
  const columns = await tableColumns(trx, track);
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const values = sql.join(columns.map((name) => sql.ref(`b.${name}`)));
  await sql`insert into ${sql.table(track.table)} (${names})
    select ${values} from ${former(track, importId)} and c.after is null`.execute(trx);
}

async function writeUndoHistory(
  trx: Db,
  track: Track,
  importId: number,
  comment: string,
  author: Actor,
): Promise<void> {
  if (!track.history) return;
  const { type } = track.history;
  const events = sql`select ${type}, t.id, ${track.name}, ${author.id}::int, ${author.fullName}, 'Undo',
      t.version, ${comment}, '[]'::jsonb
    from data_import_change c join ${sql.table(track.table)} t on ${ofChange(track)}
    where c.import_id = ${importId} and c.table_name = ${track.table}`;
  await recordAll(trx, type, author, events);
}

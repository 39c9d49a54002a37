// Stores what an undo needs while an import writes. Before an undo it checks whether anything depends on the import.
import { sql } from 'kysely';
import { HttpError } from '#api/http-error.ts';
import type { Db } from '#db/database.server.ts';
import { type Actor, recordAll } from '#features/operations/history/record-change.server.ts';
import type { Track, Undoing } from '../kinds/import-kind.server.ts';

const keep = (at: number): string => `import_before_${at}`;
const raw = (text: string) => sql.raw(text);
/** `a.id = b.id and …` */
const sameKey = ({ key }: Track, a: string, b: string): string =>
  Object.keys(key)
    .map((name) => `${a}.${name} = ${b}.${name}`)
    .join(' and ');
/** The record of a stored change: `t.id = (c.key->>'id')::int and …` */
const ofChange = ({ key }: Track): string =>
  Object.entries(key)
    .map(([name, type]) => `t.${name} = (c.key->>'${name}')::${type}`)
    .join(' and ');

/** Copies the records that the staged rows may affect, before anything is written. */
export async function keepBefore(trx: Db, tracks: readonly Track[]): Promise<void> {
  for (const [at, { table, scope }] of tracks.entries()) {
    await raw(`create temp table ${keep(at)} on commit drop as select t.* from ${table} t where ${scope}`).execute(trx);
  }
}

/**
 * Records which records changed, for the undo of this import. It deletes the changes of older imports, so that each kind keeps one import's
 * changes. If held rows are applied later, the earlier state of this import stays the one to restore. Each changed record with a history
 * gets an event.
 */
export async function keepChanges(
  trx: Db,
  tracks: readonly Track[],
  { importId, kind, comment, author }: { importId: number; kind: string; comment: string; author: Actor },
): Promise<void> {
  await sql`delete from data_import_change
    where import_id in (select id from data_import where kind = ${kind} and id <> ${importId})`.execute(trx);
  for (const [at, track] of tracks.entries()) {
    const key = Object.keys(track.key).map((name) => `'${name}', coalesce(t.${name}, b.${name})`);
    const [first = ''] = Object.keys(track.key);
    const both = `(select t.* from ${track.table} t where ${track.scope}) t full join ${keep(at)} b on ${sameKey(track, 'b', 't')}`;
    await sql`with other as materialized (
        select jsonb_build_object(${raw(key.join(', '))}) as key,
          case when b.${raw(first)} is not null then to_jsonb(b) end as before,
          case when t.${raw(first)} is not null then md5(t::text)::uuid end as after
        from ${raw(both)} where t::text is distinct from b::text),
      noted as (
        update data_import_change c set after = o.after from other o
        where c.import_id = ${importId} and c.table_name = ${track.table} and c.key = o.key returning c.key)
      insert into data_import_change (import_id, table_name, key, before, after)
      select ${importId}::int, ${track.table}::text, key, before, after from other where key not in (select key from noted)`.execute(
      trx,
    );
    if (track.history) await writeHistory(trx, track, both, first, comment, author);
  }
}

async function writeHistory(
  trx: Db,
  { history, name }: Track,
  both: string,
  first: string,
  comment: string,
  author: Actor,
): Promise<void> {
  if (!history) return;
  const events = sql`select ${history.type}, t.id, ${raw(name)}, ${author.id}, ${author.fullName},
      case when b.${raw(first)} is null then 'Create' else 'Edit' end, t.version, ${comment},
      coalesce((
        select jsonb_agg(jsonb_build_object('field', ${JSON.stringify(history.labels)}::jsonb ->> n.key,
            'before', coalesce(o.value, ''), 'after', coalesce(n.value, '')) order by n.key)
          filter (where ${JSON.stringify(history.labels)}::jsonb ? n.key)
        from jsonb_each_text(to_jsonb(b)) o join jsonb_each_text(to_jsonb(t)) n on n.key = o.key
        where n.value is distinct from o.value), '[]')
    from ${raw(both)} where t.${raw(first)} is not null and t::text is distinct from b::text`;
  await recordAll(trx, history.type, author, events);
}

/** The number of parts of an undo; the undo reports the start of each. */
export const partsOfUndo = (tracks: readonly Track[]): number => tracks.length * 3;

/** Restores every record to its state before the import. Throws 409 with a sentence if something depends on it; then nothing is undone. */
export async function undoTracks(
  trx: Db,
  tracks: readonly Track[],
  importId: number,
  { comment, author, tell }: Undoing,
): Promise<void> {
  let done = 0;
  await raw('set local jit = off').execute(trx);
  for (const { table } of tracks) await raw(`lock table ${table} in share row exclusive mode`).execute(trx);
  for (const track of tracks) {
    tell({ step: 'looking', rows: done++ });
    await requireUntouched(trx, track, importId);
  }
  // First restore changed records that refer to new ones, so that the new ones can be removed.
  for (const track of tracks.toReversed()) {
    tell({ step: 'restoring', rows: done++ });
    await restoreChanged(trx, track, importId);
  }
  for (const track of tracks.toReversed()) {
    tell({ step: 'removing', rows: done++ });
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
  const [first = ''] = Object.keys(track.key);
  const { rows } = await sql<{ name: string | null; of: number }>`
    select ${raw(track.name)} as name, count(*) over () ::int as of
    from data_import_change c left join ${raw(track.table)} t on ${raw(ofChange(track))}
    where c.import_id = ${importId} and c.table_name = ${track.table}
      and case when c.after is null then t.${raw(first)} is not null else t.${raw(first)} is null or md5(t::text)::uuid <> c.after end
    order by 1 limit ${EXAMPLES}`.execute(trx);
  refuse(rows, track, 'changed since this import');
}

function refuse(rows: { name: string | null; of: number }[], { many }: Track, what: string): void {
  const [first] = rows;
  if (!first) return;
  const names = rows.flatMap(({ name }) => (name ? [name] : [])).join(', ');
  const count = `${first.of.toLocaleString('en-US')} of its ${many} ${first.of === 1 ? 'was' : 'were'} ${what}`;
  const listed = names ? `: ${names}${first.of > rows.length ? ', …' : ''}` : '';
  throw new HttpError(409, `This import cannot be undone: ${count}${listed}.`);
}

/** Removes the records that the import created. Refuses if anything else refers to one. */
async function removeNew(trx: Db, track: Track, importId: number): Promise<void> {
  const made = `data_import_change c where c.import_id = ${importId} and c.table_name = '${track.table}' and c.before is null`;
  const ours = `from ${track.table} t where exists (select from ${made} and ${ofChange(track)})`;
  // A transaction that refers to one of them locks it until it ends. This statement waits for that and then sees the reference.
  await raw(`select count(*) from (select ${ofKey(track, 't')} ${ours} for update) locked`).execute(trx);
  for (const { from, column, what } of await referencesTo(trx, track)) {
    const notOurs =
      from === track.table ? `and not exists (select from ${made} and ${ofChange(track).replaceAll('t.', 'x.')})` : '';
    await requireNone(trx, track, ours, what, `exists (select from ${from} x where x.${column} = t.id ${notOurs})`);
  }
  for (const { what, when } of track.builtOn ?? []) await requireNone(trx, track, ours, what, when);
  await raw(`delete ${ours}`).execute(trx);
}

const ofKey = ({ key }: Track, alias: string): string =>
  Object.keys(key)
    .map((name) => `${alias}.${name}`)
    .join(', ');

async function requireNone(trx: Db, track: Track, ours: string, what: string, when: string): Promise<void> {
  const { rows } = await sql<{ name: string; of: number }>`
    select ${raw(track.name)} as name, count(*) over ()::int as of ${raw(ours)} and ${raw(when)} order by 1 limit ${EXAMPLES}`.execute(
    trx,
  );
  refuse(rows, track, `used by ${what} since`);
}

/** Names of records that refer to others; unlisted tables use their own name. */
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

/** The columns of all tables that refer to a table's id. */
async function referencesTo(trx: Db, { table, key }: Track): Promise<{ from: string; column: string; what: string }[]> {
  if (!('id' in key)) return [];
  const { rows } = await sql<{ from: string; column: string }>`
    select c.conrelid::regclass::text as "from", a.attname as "column"
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass order by 1, 2`.execute(trx);
  return rows.map((row) => ({ ...row, what: REFERRING[row.from] ?? `${row.from.replaceAll('_', ' ')}s` }));
}

async function columnsOf(trx: Db, track: Track): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${track.table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    trx,
  );
  return rows.map(({ name }) => name);
}

const former = (
  table: string,
  importId: number,
): string => `data_import_change c, jsonb_populate_record(null::${table}, c.before) b
  where c.import_id = ${importId} and c.table_name = '${table}' and c.before is not null`;

/** Restores the former values of changed records. */
async function restoreChanged(trx: Db, track: Track, importId: number): Promise<void> {
  const columns = await columnsOf(trx, track);
  const set = columns
    .filter((name) => !(name in track.key) && !(track.versioned && name === 'version'))
    .map((name) => `${name} = b.${name}`);
  if (track.versioned) set.push('version = t.version + 1');
  if (set.length > 0) {
    await raw(
      `update ${track.table} t set ${set.join(', ')} from ${former(track.table, importId)} and c.after is not null and ${sameKey(track, 't', 'b')}`,
    ).execute(trx);
  }
}

/** Restores removed records. */
async function bringBack(trx: Db, track: Track, importId: number): Promise<void> {
  const columns = await columnsOf(trx, track);
  const values = columns.map((name) => `b.${name}`).join(', ');
  await raw(
    `insert into ${track.table} (${columns.join(', ')}) select ${values} from ${former(track.table, importId)} and c.after is null`,
  ).execute(trx);
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
  const events = sql`select ${type}, t.id, ${raw(track.name)}, ${author.id}::int, ${author.fullName},
    'Undo', t.version, ${comment}, '[]'::jsonb
    from data_import_change c join ${raw(track.table)} t on ${raw(ofChange(track))}
    where c.import_id = ${importId} and c.table_name = ${track.table}`;
  await recordAll(trx, type, author, events);
}

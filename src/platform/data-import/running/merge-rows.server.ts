// Compares staged rows with the tables. The database decides with set-based statements in one transaction.
import { sql } from 'kysely';
import type { Db, Sql } from '#platform/db/database.server.ts';
import { currencyOf } from '#platform/shared/money.ts';
import type { HeldRow, ImportRun } from '../kinds/import-kind.server.ts';
import type { About, Column, Hold, ImportKind, RowKind, Values } from '../kinds/kind-description.server.ts';
import type { Example, RefusedCell } from './import-report.ts';

export type StagedRow = { row_no: number; line: number } & Values;
export type Outcomes = {
  fresh: number;
  changed: number;
  same: number;
  repeated: number;
  held: number;
  /** How many of the new records replace an older record. */
  renewed: number;
};

const run = async (db: Db, statement: Sql): Promise<void> => {
  await statement.execute(db);
};

function columnsBut(kind: Pick<RowKind, 'columns'>, ...but: NonNullable<Column['only']>[]): [string, Column][] {
  return Object.entries(kind.columns).filter(
    ([, { only }]) => !only || !(but.includes(only) || (only === 'aside' && but.includes('stage'))),
  );
}

/** Columns by name, each with its type: `item_id int, unit text`. */
const typed = (columns: readonly (readonly [string, Pick<Column, 'type'>])[]): Sql =>
  sql.join(columns.map(([name, { type }]) => sql`${sql.ref(name)} ${sql.raw(type)}`));

/** Creates the transaction's temporary tables in which rows are staged. */
export async function openStage(trx: Db, kind: Pick<RowKind, 'columns'>): Promise<void> {
  // The transaction runs a few statements over many rows: JIT compilation costs more than it saves, and sorting in memory is faster than on disk.
  await run(trx, sql`set local jit = off`);
  await run(trx, sql`set local work_mem = '64MB'`);
  // Text search indexes then receive new entries in a few large batches.
  await run(trx, sql`set local gin_pending_list_limit = '64MB'`);
  await run(
    trx,
    sql`create temp table import_row (
      row_no int, line int, outcome text, reason text, bad_column text, bad_value text,
      held_was text, held_now text, held_hint text, held_ways jsonb, chosen text,
      ${typed(columnsBut(kind, 'write'))}) on commit drop`,
  );
  await run(
    trx,
    sql`create temp table import_refusal (line int, column_name text, value text, reason text) on commit drop`,
  );
}

/** Adds a batch of rows in one statement. */
export async function stageRows(trx: Db, kind: Pick<RowKind, 'columns'>, rows: readonly StagedRow[]): Promise<void> {
  const int = { type: 'int' };
  const staged = [['row_no', int] as const, ['line', int] as const, ...columnsBut(kind, 'write')];
  const names = sql.join(staged.map(([name]) => sql.ref(name)));
  await run(
    trx,
    sql`insert into import_row (${names})
      select ${names} from json_to_recordset(${JSON.stringify(rows)}::json) as x(${typed(staged)})`,
  );
}

export async function stageRefusals(trx: Db, refused: readonly RefusedCell[]): Promise<void> {
  await sql`insert into import_refusal select line, "column", value, reason
    from json_to_recordset(${JSON.stringify(refused)}::json) as x(line int, "column" text, value text, reason text)`.execute(
    trx,
  );
}

/** Removes every row from the stage before the file is read again. */
export async function emptyStage(trx: Db): Promise<void> {
  await run(trx, sql`truncate import_row, import_refusal`);
}

/** Removes rows from the stage that were refused after staging. */
export async function unstageRefused(trx: Db): Promise<void> {
  await run(trx, sql`delete from import_row where line in (select line from import_refusal)`);
}

/**
 * Decides the outcome of each row: new, changed, same, repeated or refused. Writes only to the stage. With `willWrite` it locks the table against
 * other writers until the transaction ends, so that the decisions stay valid.
 */
export async function compare(
  trx: Db,
  kind: ImportKind,
  {
    importId,
    willWrite,
    trial,
    headingOf,
    fields,
    today,
    options,
  }: Pick<ImportRun, 'importId' | 'willWrite' | 'trial' | 'headingOf' | 'fields' | 'today' | 'options'>,
): Promise<Outcomes> {
  if (willWrite && !trial) await run(trx, sql`lock table ${sql.table(kind.table)} in share row exclusive mode`);
  await run(trx, sql`analyze import_row`);
  const { resolve, hold } = kind;
  const about = { today, options };
  for (const statement of typeof resolve === 'function' ? resolve(fields, about) : resolve) await run(trx, statement);
  await run(trx, sql`update import_row set outcome = null where reason is not null and outcome = 'held'`);
  if (kind.repeats === 'refuse') await markRepeats(trx, kind);
  const compared = columnsBut(kind, 'write', 'stage');
  const now = sql.join(compared.map(([name, column]) => mergedValue(name, column)));
  const was = sql.join(compared.map(([name]) => sql.ref(`t.${name}`)));
  await run(
    trx,
    sql`update import_row u set outcome = s.outcome from (
       select r.row_no,
              case when t is null then 'new'
                when row(${now}) is distinct from row(${was}) then 'changed'
                ${kind.alsoChanged ? sql`when ${kind.alsoChanged} then 'changed'` : sql``}
                else 'same' end as outcome
         from import_row r
         left join ${kind.from} on ${kind.match}
        where r.reason is null and r.outcome is null) s
     where s.row_no = u.row_no`,
  );
  if (hold) await holdRows(trx, kind, typeof hold === 'function' ? hold(about) : hold, { importId, willWrite });
  if (kind.neededForNew) {
    const { column, label } = kind.neededForNew;
    await run(
      trx,
      sql`update import_row set outcome = null, bad_column = ${sql.lit(column)},
         reason = ${sql.lit(`is empty: a new ${kind.singular} needs a ${label}`)}
       where outcome = 'new' and ${sql.ref(column)} is null`,
    );
  }
  await moveRefusals(trx, headingOf);
  // Without statistics the planner expects at most one row of each outcome, and compares all new rows with each other one by one.
  await run(trx, sql`analyze import_row (outcome)`);
  const { rows } = await sql<{ outcome: string; n: number }>`
    select outcome, count(*)::int as n from import_row where outcome is not null group by outcome`.execute(trx);
  const countIn = (outcome: string): number => rows.find((row) => row.outcome === outcome)?.n ?? 0;
  const renewed = kind.renews
    ? await sql<{
        n: number;
      }>`select count(*)::int as n from import_row r where outcome = 'new' and ${kind.renews}`.execute(trx)
    : null;
  return {
    fresh: countIn('new'),
    changed: countIn('changed'),
    same: countIn('same'),
    repeated: countIn('repeat'),
    held: countIn('held'),
    renewed: renewed?.rows[0]?.n ?? 0,
  };
}

/** Returns the kind's remarks about the rows, once each row has its outcome. */
export const remarksOf = (trx: Db, { remarks = [] }: ImportKind, about: About): Promise<string[]> =>
  sentencesOf(trx, typeof remarks === 'function' ? remarks(about) : remarks);

/** Returns the non-empty sentences of statements that each return one `sentence`. */
export async function sentencesOf(trx: Db, statements: readonly Sql[]): Promise<string[]> {
  const sentences: string[] = [];
  for (const statement of statements) {
    const { rows } = await sql<{ sentence: string | null }>`${statement}`.execute(trx);
    sentences.push(...rows.flatMap(({ sentence }) => (sentence ? [sentence] : [])));
  }
  return sentences;
}

/** SQL for whether this held row (`line`, `was`, `now`) was accepted as shown. */
export const isAccepted = (row: Sql, importId: number): Sql => sql`exists (
  select from data_import_held decided
   where decided.import_id = ${sql.lit(importId)} and decided.line = ${row}.line and decided.confirmed
     and decided.was = ${row}.was and decided.now = ${row}.now)`;

/** SQL for whether a user chose a way for the staged row after reading it. */
export const isChosen = (row: Sql, importId: number): Sql => sql`exists (
  select from data_import_held decided
   where decided.import_id = ${sql.lit(importId)} and decided.line = ${row}.line and decided.confirmed
     and decided.way <> '')`;

/** Keeps only the held rows that are accepted but not applied yet. */
export async function stageOnlyAccepted(trx: Db, importId: number): Promise<void> {
  const accepted = sql`select line from data_import_held
    where import_id = ${sql.lit(importId)} and confirmed and not applied`;
  await run(trx, sql`delete from import_row where line not in (${accepted})`);
  await run(trx, sql`delete from import_refusal`);
}

/** Sets `chosen` on accepted rows: the way or the record that the user chose. */
export async function takeChosen(trx: Db, importId: number): Promise<void> {
  await run(
    trx,
    sql`update import_row r set chosen = decided.way from data_import_held decided
     where decided.import_id = ${importId} and decided.line = r.line and decided.confirmed and decided.way <> ''`,
  );
}

/** Holds rows that no user has accepted. When the file is applied, an acceptance is valid only for the record as it was shown. */
async function holdRows(
  trx: Db,
  kind: ImportKind,
  { when, was, now, hint }: Hold,
  { importId, willWrite }: Pick<ImportRun, 'importId' | 'willWrite'>,
): Promise<void> {
  await run(
    trx,
    sql`create temp table import_doubt on commit drop as
     select r.row_no, r.line, ${identityOf(kind)} as identity, ${was} as was, ${now} as now, ${hint} as hint
       from import_row r
       left join ${kind.from} on ${kind.match}
      where r.outcome in ('new', 'changed') and (${when})`,
  );
  // A row has only one question. If the user chose its record, the row is refused instead of held a second time.
  await run(
    trx,
    sql`update import_row u set outcome = null, bad_column = ${sql.lit(knownColumn(kind))}, bad_value = s.identity,
       reason = 'would change ' || s.was || ' to ' || s.now || ': write the number that is meant, so that it can be looked at'
     from import_doubt s where s.row_no = u.row_no and u.chosen is not null`,
  );
  await run(
    trx,
    sql`update import_row u set outcome = 'held', held_was = s.was, held_now = s.now, held_hint = s.hint
     from import_doubt s
     where s.row_no = u.row_no and u.reason is null
       and not (${sql.lit(willWrite)} and ${isAccepted(sql`s`, importId)})`,
  );
}

/** SQL for the value of a record after the import: the value of the row, or the stored value if the row has none. */
const mergedValue = (name: string, { openEnd, from }: Column): Sql => {
  const value = sql`coalesce(${from ?? sql.ref(`r.${name}`)}, ${sql.ref(`t.${name}`)})`;
  return openEnd ? sql`nullif(${value}, 'infinity')` : value;
};

/** Skips a second row with the same key if it is identical. Otherwise refuses it and names the line of the first row. */
async function markRepeats(trx: Db, kind: ImportKind): Promise<void> {
  const compared = columnsBut(kind, 'write', 'aside').map(([name]) => name);
  const valuesOf = (row: string) => sql`row(${sql.join(compared.map((name) => sql.ref(`${row}.${name}`)))})`;
  const same = sql`${valuesOf('r')} is not distinct from ${valuesOf('f')}`;
  const key = sql.join(kind.key.map((name) => kind.keyForms?.[name] ?? sql.ref(name)));
  await run(
    trx,
    sql`update import_row r set
       outcome = case when ${same} then 'repeat' end,
       bad_column = ${sql.lit(kind.key[0] ?? '')},
       bad_value = ${identityOf(kind)},
       reason = case when not ${same}
         then 'is in line ' || f.line || ${sql.lit(` already with other values (same ${kind.keyLabel})`)} end
     from (select row_no, first_value(row_no) over (partition by ${key} order by row_no) as first_no
             from import_row where reason is null and outcome is null) d
     join import_row f on f.row_no = d.first_no
     where d.row_no = r.row_no and d.first_no <> d.row_no`,
  );
}

/** Returns the column that identifies a staged row to the user. */
const knownColumn = (kind: ImportKind): string =>
  kind.columns['item_number'] ? 'item_number' : (kind.key[0] ?? 'line');

/** SQL for the name of a staged row, such as its item number if the key is an id. */
export function identityOf(kind: ImportKind): Sql {
  return kind.knownBy ?? sql`${sql.ref(`r.${knownColumn(kind)}`)}::text`;
}

/** Converts refused rows (those with a reason) into refused cells. */
export async function moveRefusals(trx: Db, headingOf: (column: string) => string): Promise<void> {
  const { rows } = await sql<{ bad_column: string }>`
    select distinct coalesce(bad_column, '') as bad_column from import_row where reason is not null`.execute(trx);
  for (const { bad_column: column } of rows) {
    await sql`insert into import_refusal select distinct line, ${headingOf(column)}, coalesce(bad_value, ''), reason
      from import_row where reason is not null and coalesce(bad_column, '') = ${column}`.execute(trx);
  }
}

/** Returns the held rows in file order, up to `most`, one per line. `key` is SQL on `r` for the name of a row. */
export async function heldRows(trx: Db, key: Sql, most: number): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select distinct on (line) line, (${key})::text as key, held_was as was, held_now as now, held_hint as hint,
           coalesce(held_ways, '[]') as ways
      from import_row r where outcome = 'held' order by line, row_no limit ${most}`.execute(trx);
  return rows;
}

const EXAMPLES = 5;

/** Returns the first new records, and the first changed ones with their changes. */
export async function examplesOf(
  trx: Db,
  kind: ImportKind,
  called: (column: string) => string = (column) => column,
): Promise<{ fresh: Example[]; changed: Example[] }> {
  const visible = columnsBut(kind, 'write', 'stage').map(([name]) => name);
  const key = kind.key.filter((name) => !kind.keyForms?.[name]);
  type ExampleRow = { line: number; key: string; now: Record<string, unknown>; was: Record<string, unknown> | null };
  const rowsWith = async (outcome: string): Promise<ExampleRow[]> => {
    const { rows } = await sql<ExampleRow>`
      select r.line, ${identityOf(kind)} as key, to_jsonb(r) as now, to_jsonb(t) as was
      from (select * from import_row where outcome = ${outcome} order by row_no limit ${EXAMPLES}) r
      left join ${kind.from} on ${kind.match} order by r.row_no`.execute(trx);
    return rows;
  };
  const text = (name: string, value: unknown): string =>
    name === 'currn_idx' && typeof value === 'number'
      ? currencyOf(value)
      : value === 'infinity'
        ? 'no end'
        : Array.isArray(value)
          ? value.join(' + ')
          : `${(value ?? '') as string | number}`;
  const isId = (name: string): boolean => name.endsWith('_id');
  const shownChanges = visible.filter((name) => !key.includes(name) && !isId(name));
  const shownFresh = [
    ...key
      .filter((name) => visible.includes(name) && name !== 'item_id')
      .slice(kind.columns['item_number'] ? 0 : 1)
      .filter((name) => !isId(name)),
    ...shownChanges,
  ];
  return {
    fresh: (await rowsWith('new')).map(({ line, key, now }) => ({
      line,
      key,
      what: shownFresh
        .filter((name) => now[name] !== null && now[name] !== undefined)
        .map((name) => `${called(name)}: ${text(name, now[name])}`)
        .join(', '),
    })),
    changed: (await rowsWith('changed')).map(({ line, key, now, was }) => ({
      line,
      key,
      what:
        shownChanges
          .filter(
            (name) =>
              now[name] !== null && now[name] !== undefined && text(name, now[name]) !== text(name, was?.[name]),
          )
          .map((name) => `${called(name)}: ${text(name, was?.[name])} → ${text(name, now[name])}`)
          .join(', ') || 'contact',
    })),
  };
}

/** Writes what `compare` decided. */
export async function writeRows(trx: Db, kind: ImportKind, outcomes: Outcomes): Promise<void> {
  const written = columnsBut(kind, 'compare', 'stage');
  const table = sql.table(kind.table);
  for (const statement of kind.before ?? []) await run(trx, statement);
  if (outcomes.fresh > 0) {
    const values = written.map(([name, { fresh, from, openEnd }]) => {
      const staged = from ?? sql.ref(`r.${name}`);
      const value = openEnd ? sql`nullif(${staged}, 'infinity')` : staged;
      return fresh === undefined ? value : sql`coalesce(${value}, ${fresh})`;
    });
    await run(
      trx,
      sql`insert into ${table} (${sql.join(written.map(([name]) => sql.ref(name)))})
       select ${sql.join(values)} from import_row r where r.outcome = 'new' order by r.row_no`,
    );
  }
  if (outcomes.changed > 0) {
    const set = written.map(([name, column]) => sql`${sql.ref(name)} = ${mergedValue(name, column)}`);
    if (kind.versioned) set.push(sql`version = t.version + 1`);
    await run(
      trx,
      sql`update ${table} t set ${sql.join(set)} from import_row r where r.outcome = 'changed' and ${kind.match}`,
    );
  }
  // Refreshes the planner's statistics after many new rows; PostgreSQL's own refresh comes a minute later.
  if (outcomes.fresh + outcomes.changed > 1000) await run(trx, sql`analyze ${table}`);
  for (const statement of kind.after ?? []) await run(trx, statement);
}

// Compares staged rows with the tables. The database decides in set-based statements inside one transaction.
import { sql } from 'kysely';
import type { Db } from '#db/database.server.ts';
import { currencyOf } from '#shared/money.ts';
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
  /** How many of the fresh ones take the place of an older record. */
  renewed: number;
};

const run = async (db: Db, statement: string): Promise<void> => {
  await sql.raw(statement).execute(db);
};

function columnsOf(kind: Pick<RowKind, 'columns'>, ...but: NonNullable<Column['only']>[]): [string, Column][] {
  return Object.entries(kind.columns).filter(([, { only }]) => !only || !but.includes(only));
}

/** Creates the transaction's temporary tables in which rows are staged. */
export async function openStage(trx: Db, kind: Pick<RowKind, 'columns'>): Promise<void> {
  const columns = columnsOf(kind, 'write').map(([name, { type }]) => `${name} ${type}`);
  // The transaction runs a few statements over many rows: JIT compilation costs more than it saves, and sorting in memory beats sorting on disk.
  await run(trx, 'set local jit = off');
  await run(trx, "set local work_mem = '64MB'");
  // Text search indexes then receive new entries in a few large batches.
  await run(trx, "set local gin_pending_list_limit = '64MB'");
  await run(
    trx,
    `create temp table import_row (row_no int, line int, outcome text, reason text, bad_column text, bad_value text, held_was text, held_now text, held_hint text, held_ways jsonb, chosen text, ${columns.join(', ')}) on commit drop`,
  );
  await run(
    trx,
    'create temp table import_refusal (line int, column_name text, value text, reason text) on commit drop',
  );
}

/** Adds a batch of rows in one statement. */
export async function stageRows(trx: Db, kind: Pick<RowKind, 'columns'>, rows: readonly StagedRow[]): Promise<void> {
  const staged = columnsOf(kind, 'write');
  const names = ['row_no', 'line', ...staged.map(([name]) => name)].join(', ');
  const types = ['row_no int', 'line int', ...staged.map(([name, { type }]) => `${name} ${type}`)].join(', ');
  await sql`insert into import_row (${sql.raw(names)}) select ${sql.raw(names)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as x(${sql.raw(types)})`.execute(trx);
}

export async function stageRefusals(trx: Db, refused: readonly RefusedCell[]): Promise<void> {
  await sql`insert into import_refusal select line, "column", value, reason
    from json_to_recordset(${JSON.stringify(refused)}::json) as x(line int, "column" text, value text, reason text)`.execute(
    trx,
  );
}

/** Removes every row from the stage, to read the file again. */
export async function emptyStage(trx: Db): Promise<void> {
  await run(trx, 'truncate import_row, import_refusal');
}

/** Removes rows from the stage that were refused after staging. */
export async function unstageRefused(trx: Db): Promise<void> {
  await run(trx, 'delete from import_row where line in (select line from import_refusal)');
}

/**
 * Decides for each row: new, changed, same, repeated or refused. Writes only to the stage. With `willWrite` it locks the table against
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
  if (willWrite && !trial) await run(trx, `lock table ${kind.table} in share row exclusive mode`);
  await run(trx, 'analyze import_row');
  const { resolve, hold } = kind;
  const about = { today, options };
  for (const statement of typeof resolve === 'function' ? resolve(fields, about) : resolve) await run(trx, statement);
  await run(trx, "update import_row set outcome = null where reason is not null and outcome = 'held'");
  if (kind.repeats === 'refuse') await markRepeats(trx, kind);
  const compared = columnsOf(kind, 'write', 'stage');
  await run(
    trx,
    `update import_row u set outcome = s.outcome from (
       select r.row_no, case when t is null then 'new'
         when row(${compared.map(([name, column]) => kept(name, column)).join(', ')})
           is distinct from row(${compared.map(([name]) => `t.${name}`).join(', ')}) then 'changed'
         ${kind.alsoChanged ? `when ${kind.alsoChanged} then 'changed'` : ''}
         else 'same' end as outcome
       from import_row r left join ${kind.from} on ${kind.match} where r.reason is null and r.outcome is null) s
     where s.row_no = u.row_no`,
  );
  if (hold) await holdRows(trx, kind, typeof hold === 'function' ? hold(about) : hold, { importId, willWrite });
  if (kind.neededForNew) {
    const { column, label } = kind.neededForNew;
    await run(
      trx,
      `update import_row set outcome = null, bad_column = '${column}', reason = 'is empty: a new ${kind.one} needs a ${label}'
       where outcome = 'new' and ${column} is null`,
    );
  }
  await moveRefusals(trx, headingOf);
  // Until now the planner expects one row of each outcome at most, and compares all new rows with each other one by one.
  await run(trx, 'analyze import_row (outcome)');
  const { rows } = await sql<{ outcome: string; n: number }>`
    select outcome, count(*)::int as n from import_row where outcome is not null group by outcome`.execute(trx);
  const of = (outcome: string): number => rows.find((row) => row.outcome === outcome)?.n ?? 0;
  const renewed = kind.renews
    ? await sql<{
        n: number;
      }>`select count(*)::int as n from import_row r where outcome = 'new' and ${sql.raw(kind.renews)}`.execute(trx)
    : null;
  return {
    fresh: of('new'),
    changed: of('changed'),
    same: of('same'),
    repeated: of('repeat'),
    held: of('held'),
    renewed: renewed?.rows[0]?.n ?? 0,
  };
}

/** The kind's remarks about the rows, once each row has its outcome. */
export async function remarksOf(trx: Db, { remarks = [] }: ImportKind, about: About): Promise<string[]> {
  const sentences: string[] = [];
  for (const remark of typeof remarks === 'function' ? remarks(about) : remarks) {
    const { rows } = await sql<{ sentence: string | null }>`${sql.raw(remark)}`.execute(trx);
    sentences.push(...rows.flatMap(({ sentence }) => (sentence ? [sentence] : [])));
  }
  return sentences;
}

/** SQL that tells whether this held row (`line`, `was`, `now`) was accepted as shown. */
export const isAccepted = (row: string, importId: number): string => `exists (
  select from data_import_held decided where decided.import_id = ${importId} and decided.line = ${row}.line and decided.confirmed
    and decided.was = ${row}.was and decided.now = ${row}.now)`;

/** SQL that tells whether a person chose a way for the staged row after reading it. */
export const isChosen = (row: string, importId: number): string => `exists (
  select from data_import_held decided where decided.import_id = ${importId} and decided.line = ${row}.line and decided.confirmed and decided.way <> '')`;

/** Keeps only the held rows that are accepted but not applied yet. */
export async function stageOnlyAccepted(trx: Db, importId: number): Promise<void> {
  const accepted = `select line from data_import_held where import_id = ${importId} and confirmed and not applied`;
  await run(trx, `delete from import_row where line not in (${accepted})`);
  await run(trx, 'delete from import_refusal');
}

/** Sets `chosen` on accepted rows: the way or the record that a person chose. */
export async function takeChosen(trx: Db, importId: number): Promise<void> {
  await run(
    trx,
    `update import_row r set chosen = decided.way from data_import_held decided
     where decided.import_id = ${importId} and decided.line = r.line and decided.confirmed and decided.way <> ''`,
  );
}

/** Holds rows that nobody has accepted. When the file is applied, an acceptance counts only for the record as it was shown. */
async function holdRows(
  trx: Db,
  kind: ImportKind,
  { when, was, now, hint }: Hold,
  { importId, willWrite }: Pick<ImportRun, 'importId' | 'willWrite'>,
): Promise<void> {
  await run(
    trx,
    `create temp table import_doubt on commit drop as
     select r.row_no, r.line, ${was} as was, ${now} as now, ${hint} as hint
     from import_row r left join ${kind.from} on ${kind.match} where r.outcome in ('new', 'changed') and (${when})`,
  );
  // A row has one question. One for which a person chose the record cannot ask another.
  await run(
    trx,
    `update import_row u set outcome = null, bad_column = '${kind.columns['item_number'] ? 'item_number' : (kind.key[0] ?? '')}', bad_value = ${identityOf(kind).replaceAll('r.', 'u.')},
       reason = 'would change ' || s.was || ' to ' || s.now || ': write the number that is meant, so that it can be looked at'
     from import_doubt s where s.row_no = u.row_no and u.chosen is not null`,
  );
  await run(
    trx,
    `update import_row u set outcome = 'held', held_was = s.was, held_now = s.now, held_hint = s.hint
     from import_doubt s where s.row_no = u.row_no and u.reason is null and not (${willWrite} and ${isAccepted('s', importId)})`,
  );
}

/** SQL for a record's value after the import: the row's value if it has one, else the stored value. */
const kept = (name: string, { openEnd, from }: Column): string => {
  const value = `coalesce(${from ?? `r.${name}`}, t.${name})`;
  return openEnd ? `nullif(${value}, 'infinity')` : value;
};

/** Skips a second row with the same key if it is identical; otherwise refuses it and names the first row's line. */
async function markRepeats(trx: Db, kind: ImportKind): Promise<void> {
  const said = columnsOf(kind, 'write').map(([name]) => name);
  const same = `row(${said.map((name) => `r.${name}`).join(', ')}) is not distinct from row(${said.map((name) => `f.${name}`).join(', ')})`;
  await run(
    trx,
    `update import_row r set
       outcome = case when ${same} then 'repeat' end,
       bad_column = '${/\w+(?=\)?$)/.exec(kind.key[0] ?? '')?.[0] ?? ''}',
       bad_value = ${identityOf(kind)},
       reason = case when not ${same} then 'is in line ' || f.line || ' already with other values (same ${kind.keyLabel})' end
     from (select row_no, first_value(row_no) over (partition by ${kind.key.join(', ')} order by row_no) as first_no
           from import_row where reason is null and outcome is null) d
       join import_row f on f.row_no = d.first_no
     where d.row_no = r.row_no and d.first_no <> d.row_no`,
  );
}

/** A staged row's name for people: its item number when the key is an id. */
export function identityOf(kind: ImportKind): string {
  return kind.knownBy ?? (kind.columns['item_number'] ? 'r.item_number' : `r.${kind.key[0] ?? 'line'}::text`);
}

/** Turns refused rows (those with a reason) into refused cells. */
export async function moveRefusals(trx: Db, headingOf: (column: string) => string): Promise<void> {
  const { rows } = await sql<{ bad_column: string }>`
    select distinct coalesce(bad_column, '') as bad_column from import_row where reason is not null`.execute(trx);
  for (const { bad_column: column } of rows) {
    await sql`insert into import_refusal select line, ${headingOf(column)}, coalesce(bad_value, ''), reason
      from import_row where reason is not null and coalesce(bad_column, '') = ${column}`.execute(trx);
  }
}

/** The held rows in file order, up to `most`, one for each line. `key` is SQL on `r` for the name of a row. */
export async function heldRows(trx: Db, key: string, most: number): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select distinct on (line) line, ${sql.raw(`(${key})::text`)} as key, held_was as was, held_now as now,
      held_hint as hint, coalesce(held_ways, '[]') as ways
    from import_row r where outcome = 'held' order by line, row_no limit ${most}`.execute(trx);
  return rows;
}

const EXAMPLES = 5;

/** Lists the first new records, and the first changed ones with their changes. */
export async function examplesOf(
  trx: Db,
  kind: ImportKind,
  called: (column: string) => string = (column) => column,
): Promise<{ fresh: Example[]; changed: Example[] }> {
  const shown = columnsOf(kind, 'write', 'stage').map(([name]) => name);
  const identity = identityOf(kind);
  type Found = { line: number; key: string; now: Record<string, unknown>; was: Record<string, unknown> | null };
  const found = async (outcome: string): Promise<Found[]> => {
    const { rows } = await sql<Found>`
      select r.line, ${sql.raw(identity)} as key, to_jsonb(r) as now, to_jsonb(t) as was
      from (select * from import_row where outcome = ${outcome} order by row_no limit ${EXAMPLES}) r
      left join ${sql.raw(kind.from)} on ${sql.raw(kind.match)} order by r.row_no`.execute(trx);
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
  const told = shown.filter((name) => !kind.key.includes(name) && !isId(name));
  const toldAll = [
    ...kind.key
      .filter((name) => shown.includes(name) && name !== 'item_id')
      .slice(kind.columns['item_number'] ? 0 : 1)
      .filter((name) => !isId(name)),
    ...told,
  ];
  return {
    fresh: (await found('new')).map(({ line, key, now }) => ({
      line,
      key,
      what: toldAll
        .filter((name) => now[name] !== null && now[name] !== undefined)
        .map((name) => `${called(name)}: ${text(name, now[name])}`)
        .join(', '),
    })),
    changed: (await found('changed')).map(({ line, key, now, was }) => ({
      line,
      key,
      what:
        told
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
export async function write(trx: Db, kind: ImportKind, outcomes: Outcomes): Promise<void> {
  const written = columnsOf(kind, 'compare', 'stage');
  for (const statement of kind.before ?? []) await run(trx, statement);
  if (outcomes.fresh > 0) {
    const values = written.map(([name, { fresh, from, openEnd }]) => {
      const value = openEnd ? `nullif(r.${name}, 'infinity')` : (from ?? `r.${name}`);
      return fresh === undefined ? value : `coalesce(${value}, ${fresh})`;
    });
    await run(
      trx,
      `insert into ${kind.table} (${written.map(([name]) => name).join(', ')})
       select ${values.join(', ')} from import_row r where r.outcome = 'new' order by r.row_no`,
    );
  }
  if (outcomes.changed > 0) {
    await run(
      trx,
      `update ${kind.table} t set ${written.map(([name, column]) => `${name} = ${kept(name, column)}`).join(', ')}
         ${kind.versioned ? ', version = t.version + 1' : ''}
       from import_row r where r.outcome = 'changed' and ${kind.match}`,
    );
  }
  // Refreshes the planner's statistics after many new rows; PostgreSQL's own refresh comes a minute later.
  if (outcomes.fresh + outcomes.changed > 1000) await run(trx, `analyze ${kind.table}`);
  for (const statement of kind.after ?? []) await run(trx, statement);
}

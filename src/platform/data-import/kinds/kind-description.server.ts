// Describes one kind of file: its columns, the records of a row, and how rows match the tables.
import type { Sql } from '#platform/db/database.server.ts';
import type { CellParser, NoteCorrection, Value } from '../reading/cell-values.server.ts';
import type { FieldNames } from '../reading/header-match.server.ts';
import type { Refusal } from '../reading/refusal.server.ts';

export type Field = FieldNames & { parse: CellParser };

/** The values of one row by field; missing and blank fields are absent. */
export type Values = Partial<Record<string, Value>>;

/** Refuses a whole row; names the field at fault. */
export type RowRefusal = { field: string; refusal: Refusal };

/** A column of the staged rows. Null keeps the stored value. */
export type Column = {
  /** Its SQL type. */
  type: string;
  /** SQL for a new record's value if the file has none; without it, null. */
  fresh?: Sql;
  /** SQL of the value to write, for a 'write' column, which is not staged. */
  from?: Sql;
  /** A last day: 'infinity' in the stage writes null, which means no end. */
  openEnd?: boolean;
  /**
   * 'compare': compared but not written (a name whose id is written). 'write': the reverse. 'stage': neither. 'aside': neither, and a row that differs
   * from another one only by it repeats that row.
   */
  only?: 'compare' | 'write' | 'stage' | 'aside';
};

/**
 * One kind of import. SQL calls staged rows `r` (table import_row) and existing records `t`. It refuses a row by setting
 * `reason`, `bad_column` and `bad_value`; statements of `resolve` skip rows with a reason where that matters.
 */
export type ImportKind = {
  kind: string;
  /** The singular for sentences: 'item'. */
  singular: string;
  /** Our names for the columns, in the order in which they claim headings. */
  fields: Readonly<Record<string, Field>>;
  /** Sets of fields; the header must have at least one complete set. */
  needs: readonly (readonly string[])[];
  /** The columns that are passed over without a question (`Wanted`). */
  otherColumns?: 'ignored' | readonly string[];
  /** The field that every row must have; left out, the first of `needs`. Null: `toRecords` reports what is missing. */
  everyRow?: null;
  /** The records of a row, if they differ from its values: none, one, or several. */
  toRecords?: (values: Values, noteCorrection: NoteCorrection) => Values[] | RowRefusal;
  columns: Readonly<Record<string, Column>>;
  /** The staged columns that identify a record, SQL for those that are compared in another form, and their name for people. */
  key: readonly string[];
  keyForms?: Readonly<Record<string, Sql>>;
  keyLabel: string;
  /** SQL on `r` for a row's name, if that is neither its item number nor the first column of its key. */
  knownBy?: Sql;
  /** For several rows with one key: 'refuse' keeps the first (identical ones are skipped); 'together': `resolve` combines them. */
  repeats: 'refuse' | 'together';
  /** Looks up what rows refer to and refuses unknown references. Writes only to import_row. It may depend on the fields of the file. */
  resolve: readonly Sql[] | ((fields: ReadonlySet<string>, about: About) => readonly Sql[]);
  /** A column that only new records require. */
  neededForNew?: { column: string; label: string };
  /** The written table, and SQL for its records as `t` with every compared column. */
  table: string;
  from: Sql;
  /** The condition that matches a record to a row. */
  match: Sql;
  /** Further conditions that count as a change. */
  alsoChanged?: Sql;
  /**
   * Changes that are left out until somebody accepts them: a question and the reason, for people, and SQL on `r` and `t`. The SQL says which changes
   * are held, describes the stored and the new record in a few words, and says what may have gone wrong.
   */
  hold?: Hold | ((about: About) => Hold);
  /** `resolve` holds rows that fit several records, and `held_ways` names these: the question above such rows, and the reason. */
  choice?: { title: string; why: string };
  /** SQL, each for one sentence (`sentence`, or null) about rows with an outcome, for a person to check even though they can be written. */
  remarks?: readonly Sql[] | ((about: About) => readonly Sql[]);
  /** SQL on `r` for a new record that takes the place of an older one, so that people see it as a change. */
  renews?: Sql;
  /** A further condition on `r` and `t` for stored records that writing may change. */
  touches?: Sql;
  /** Lists what will be stored in money: SQL on `r`, whose columns are all text, in place of the first new and changed records. */
  money?: Money;
  /** Records that a file with the whole list leaves out: SQL on `t` for those that count, their words, and how they are switched off. */
  absent?: Absent;
  /** Whether its records have a `version` that each change raises. */
  versioned: boolean;
  /** Statements that run before and after writing the records; rows have the outcome 'new', 'changed' or 'same'. */
  before?: readonly Sql[];
  after?: readonly Sql[];
};

/** What `resolve` and others know of the run: the day of the import, and the answers to the kind's questions. */
export type About = { today: string; options: Readonly<Record<string, unknown>> };

/** `tooMany`: the end of the error for a file with too many such rows, after 'More than 5,000 rows'. */
export type Hold = { title: string; why: string; tooMany: string; when: Sql; was: Sql; now: Sql; hint: Sql };

export type Money = {
  headings: readonly string[];
  /** The columns, each as text. */
  columns: readonly Sql[];
  /** The order of changed records: those to look at first come first. */
  order: Sql;
};

export type Absent = {
  /** 'accounts' */
  many: string;
  /** 'are closed' */
  when: Sql;
  /** The label of what a person chooses instead of keeping them: 'Deactivate'. */
  action: string;
  /** The `set` clause. */
  set: Sql;
  headings: readonly string[];
  columns: readonly Sql[];
};

/** How the rows of a file become rows of the transaction's table import_row (`line`, `outcome`, `reason`, … and `columns`). */
export type RowKind = Pick<
  ImportKind,
  'kind' | 'singular' | 'fields' | 'needs' | 'otherColumns' | 'everyRow' | 'neededForNew' | 'toRecords' | 'columns'
>;

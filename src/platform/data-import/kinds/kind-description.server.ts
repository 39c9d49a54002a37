// Describes one kind of file: its columns, the records that a row produces, and how rows match the tables.
import type { Sql } from '#platform/db/database.server.ts';
import type { CellParser, NoteCorrection, Value } from '../reading/cell-values.server.ts';
import type { FieldNames } from '../reading/header-match.server.ts';
import type { Refusal } from '../reading/refusal.server.ts';

export type Field = FieldNames & { parse: CellParser };

/** The values of a row by field. Missing and blank fields are absent. */
export type Values = Partial<Record<string, Value>>;

/** Refuses a whole row and names the field at fault. */
export type RowRefusal = { field: string; refusal: Refusal };

/** A column of the staged rows. A null keeps the stored value. */
export type Column = {
  /** Its SQL type. */
  type: string;
  /** SQL for the value of a new record if the file has none. Without it, the value is null. */
  fresh?: Sql;
  /** SQL for the value to write, for a 'write' column, which is not staged. */
  from?: Sql;
  /** A last day. 'infinity' in the stage is written as null, which means no end. */
  openEnd?: boolean;
  /**
   * 'compare': compared but not written (a name whose id is written). 'write': written but not compared. 'stage': neither. 'aside': neither, and a
   * row that differs from another only in this column is a repetition.
   */
  only?: 'compare' | 'write' | 'stage' | 'aside';
};

/**
 * One kind of import. In its SQL, staged rows are `r` (table import_row) and existing records are `t`. It refuses a row by setting `reason`,
 * `bad_column` and `bad_value`; statements of `resolve` skip rows with a reason where that matters.
 */
export type ImportKind = {
  kind: string;
  /** The singular for sentences: 'item'. */
  singular: string;
  /** Our names for the columns, in the order in which they claim headings. */
  fields: Readonly<Record<string, Field>>;
  /** Sets of fields; the header must have at least one complete set. */
  needs: readonly (readonly string[])[];
  /** The columns that are ignored without a question (`Wanted`). */
  otherColumns?: 'ignored' | readonly string[];
  /** The field that every row must have; by default the first of `needs`. Null if `toRecords` reports missing values. */
  everyRow?: null;
  /** Converts the values of a row into records: none, one, or several. Left out, the values are the record. */
  toRecords?: (values: Values, noteCorrection: NoteCorrection) => Values[] | RowRefusal;
  columns: Readonly<Record<string, Column>>;
  /** The staged columns that identify a record, SQL for those that are compared in another form, and the label of the key. */
  key: readonly string[];
  keyForms?: Readonly<Record<string, Sql>>;
  keyLabel: string;
  /** SQL on `r` for the name of a row, if it is neither its item number nor the first column of its key. */
  knownBy?: Sql;
  /** How several rows with one key are handled. 'refuse' keeps the first and skips identical ones; with 'together', `resolve` combines them. */
  repeats: 'refuse' | 'together';
  /** Looks up references of rows and refuses unknown ones. Writes only to import_row. It may depend on the fields of the file. */
  resolve: readonly Sql[] | ((fields: ReadonlySet<string>, about: About) => readonly Sql[]);
  /** A column that only new records require. */
  neededForNew?: { column: string; label: string };
  /** The table to write, and SQL for its records as `t` with every compared column. */
  table: string;
  from: Sql;
  /** The condition that matches a record to a row. */
  match: Sql;
  /** Conditions that also make a record changed. */
  alsoChanged?: Sql;
  /**
   * Changes that are left out until a user accepts them: a question and the reason, and SQL on `r` and `t`. The SQL selects the held changes,
   * describes the stored and the new record in a few words, and says what may have gone wrong.
   */
  hold?: Hold | ((about: About) => Hold);
  /**
   * The question above rows that match several records, and the reason they are held. `resolve` holds these rows and lists the records in
   * `held_ways`.
   */
  choice?: { title: string; why: string };
  /** SQL, each for one sentence (`sentence`, or null) about rows with an outcome that the user should check although they can be written. */
  remarks?: readonly Sql[] | ((about: About) => readonly Sql[]);
  /** SQL on `r` for a new record that replaces an older one, so that the report lists it as a change. */
  renews?: Sql;
  /** Another condition on `r` and `t` for stored records that writing may change. */
  touches?: Sql;
  /** Lists the prices that will be stored, in place of the first new and changed records: SQL on `r`, whose columns are all text. */
  money?: Money;
  /** Records that are missing in a file with the whole list: SQL on `t` for the relevant records, their labels, and how they are switched off. */
  absent?: Absent;
  /** Whether its records have a `version` that each change increments. */
  versioned: boolean;
  /** Statements that run before and after writing the records; rows have the outcome 'new', 'changed' or 'same'. */
  before?: readonly Sql[];
  after?: readonly Sql[];
};

/** What `resolve` and others need to know about the run: the day of the import, and the answers to the questions of the kind. */
export type About = { today: string; options: Readonly<Record<string, unknown>> };

/** `tooMany` is the end of the error for a file with too many such rows, after 'More than 5,000 rows'. */
export type Hold = { title: string; why: string; tooMany: string; when: Sql; was: Sql; now: Sql; hint: Sql };

export type Money = {
  headings: readonly string[];
  /** The columns, each as text. */
  columns: readonly Sql[];
  /** The order of changed records. The ones to check first come first. */
  order: Sql;
};

export type Absent = {
  /** 'accounts' */
  many: string;
  /** 'are closed' */
  when: Sql;
  /** The label of the choice to switch them off instead of keeping them: 'Deactivate'. */
  action: string;
  /** The `set` clause. */
  set: Sql;
  headings: readonly string[];
  columns: readonly Sql[];
};

/** The part of a kind that converts rows of a file into rows of the transaction's table import_row (`line`, `outcome`, `reason`, … and `columns`). */
export type RowKind = Pick<
  ImportKind,
  'kind' | 'singular' | 'fields' | 'needs' | 'otherColumns' | 'everyRow' | 'neededForNew' | 'toRecords' | 'columns'
>;

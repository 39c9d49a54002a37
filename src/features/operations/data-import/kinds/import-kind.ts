// Describes one kind of file: its columns, what a row becomes, and how rows match the tables.
import type { CellParser, Value } from '../reading/cell-values.ts';
import type { FieldNames } from '../reading/header-match.ts';
import type { Refusal } from '../reading/refusal.ts';

export type Field = FieldNames & { parse: CellParser };

/** The values of one row by field; missing and blank fields are absent. */
export type Values = Partial<Record<string, Value>>;

/** Refuses a whole row; names the field at fault. */
export type RowRefusal = { field: string; refusal: Refusal };

/** A column of the staged rows. Null keeps the stored value. */
export type Column = {
  /** Its SQL type. */
  type: string;
  /** SQL for a new record's default when the file says nothing; otherwise null. */
  fresh?: string;
  /** SQL of the value to write, for a 'write' column: those are not staged. */
  from?: string;
  /** A last day: 'infinity' in the stage writes null, which is no end. */
  openEnd?: boolean;
  /** 'compare': compared but not written (a name whose id is written). 'write': the reverse. 'stage': neither. */
  only?: 'compare' | 'write' | 'stage';
};

/**
 * One kind of import. SQL speaks of staged rows as `r` (table import_row) and of existing records as `t`. It refuses a row by setting
 * `reason`, `bad_column` and `bad_value`; statements of `resolve` pass over rows whose reason is set where that matters.
 */
export type ImportKind = {
  kind: string;
  /** One of them, for sentences: 'item'. */
  one: string;
  /** Our names for the columns, in the order in which they choose headings. */
  fields: Readonly<Record<string, Field>>;
  /** Sets of fields; the header must have at least one complete set. */
  needs: readonly (readonly string[])[];
  /** Which field every row must have: left out, the first of `needs`; null: `toRecords` says what is missing. */
  everyRow?: null;
  /** The records of a row, when they are not simply its values: none, one, or several. */
  toRecords?: (values: Values, mended: (what: string) => void) => Values[] | RowRefusal;
  columns: Readonly<Record<string, Column>>;
  /** The staged columns (or SQL on them) that identify a record, and their name for people. */
  key: readonly string[];
  keyLabel: string;
  /** SQL on `r` for a row's name, when it is neither its item number nor the first column of its key. */
  knownBy?: string;
  /** Several rows with one key: 'refuse' all but the first (identical ones are skipped); 'together': `resolve` combines them. */
  repeats: 'refuse' | 'together';
  /** Looks up what rows refer to and refuses those that refer to nothing. Writes to import_row only. It may depend on the fields that the file has. */
  resolve: readonly string[] | ((fields: ReadonlySet<string>) => readonly string[]);
  /** A column that only new records require. */
  neededForNew?: { column: string; label: string };
  /** The written table, and SQL for its records as `t` with every compared column. */
  table: string;
  from: string;
  /** The condition that matches a record to a row. */
  match: string;
  /** Further conditions that count as a change. */
  alsoChanged?: string;
  /**
   * Changes that are left out until somebody accepts them: a question and why they are held, for people. SQL on `r` and `t`: which ones,
   * the record as it is and as it would be in a few words, and what may have gone wrong.
   */
  hold?: { title: string; why: string; when: string; was: string; now: string; hint: string };
  /** SQL for one sentence (`sentence`, or null) about rows with an outcome: what a person should look at, although it can be written. */
  remark?: string;
  /** Whether its records have a `version` that each change raises. */
  versioned: boolean;
  /** Writes before and after the records themselves; rows have the outcome 'new', 'changed' or 'same'. */
  before?: readonly string[];
  after?: readonly string[];
};

/** How the rows of a file become rows of the table import_row of the transaction (`line`, `outcome`, `reason`, … and `columns`). */
export type RowKind = Pick<ImportKind, 'kind' | 'one' | 'fields' | 'needs' | 'everyRow' | 'toRecords' | 'columns'>;

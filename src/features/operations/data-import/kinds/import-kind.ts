// How one kind of file is described: what its columns are called, what a row becomes, and how rows meet the tables.
import type { CellParser, Value } from '../reading/cell-values.ts';
import type { FieldNames } from '../reading/header-match.ts';
import type { Refusal } from '../reading/refusal.ts';

export type Field = FieldNames & { parse: CellParser };

/** The values of one row by field; a field that the file does not have, or leaves blank, is absent. */
export type Values = Partial<Record<string, Value>>;

/** A refusal of a whole row: which field is to blame, for the report. */
export type RowRefusal = { field: string; refusal: Refusal };

/** A column of the staged rows. Empty (null) says: keep what is there. */
export type Column = {
  /** Its SQL type. */
  type: string;
  /** SQL of what a new record gets when the file says nothing; without it such a record gets null. */
  fresh?: string;
  /** SQL of the value to write, for a 'write' column: those are not staged. */
  from?: string;
  /** A last day: 'infinity' in the stage writes null, which is no end. */
  openEnd?: boolean;
  /** 'compare': looked at to tell changed from same, not written (a name whose id is written). 'write': the reverse. 'stage': neither. */
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
  /** Our names of the columns, in the order in which they choose among the headings. */
  fields: Readonly<Record<string, Field>>;
  /** Sets of fields of which the header must have one whole. */
  needs: readonly (readonly string[])[];
  /** What a row becomes, when that is not simply its values: none, one or several records. */
  toRecords?: (values: Values, mended: (what: string) => void) => Values[] | RowRefusal;
  columns: Readonly<Record<string, Column>>;
  /** The staged columns (or SQL on them) that tell records apart, and how a person calls that. */
  key: readonly string[];
  keyLabel: string;
  /** SQL on `r` for what a person knows a row by, where it is neither its item number nor the first column of its key. */
  knownBy?: string;
  /** Several rows with one key: 'refuse' all but the first (same ones are passed over); 'together': `resolve` makes one of them. */
  repeats: 'refuse' | 'together';
  /** Looks up what rows refer to and refuses those that refer to nothing. Writes to import_row only. It may depend on the fields that the file has. */
  resolve: readonly string[] | ((fields: ReadonlySet<string>) => readonly string[]);
  /** A column that only a new record must have. */
  neededForNew?: { column: string; label: string };
  /** The table that is written, and SQL that gives its records as `t` with every compared column. */
  table: string;
  from: string;
  /** When a record is the one of a row. */
  match: string;
  /** More that counts as a change. */
  alsoChanged?: string;
  /**
   * Changes that are left out until somebody confirms them. SQL on `r` and `t`: which ones, the record as it is and as it would be in a
   * few words, and what may have gone wrong.
   */
  hold?: { when: string; was: string; now: string; hint: string };
  /** Whether its records carry `version`, to be counted up with each change. */
  versioned: boolean;
  /** Written before and after the records themselves; rows have outcome 'new', 'changed', 'same'. */
  before?: readonly string[];
  after?: readonly string[];
};

/** How the rows of a file become rows of the table import_row of the transaction (`line`, `outcome`, `reason`, … and `columns`). */
export type RowKind = Pick<ImportKind, 'kind' | 'one' | 'fields' | 'needs' | 'toRecords' | 'columns'>;

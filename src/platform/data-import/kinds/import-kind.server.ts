// Defines a kind of import: how it stages rows, compares them, writes them and undoes them.
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { Actor } from '#platform/history/record-change.server.ts';
import type { RecordType } from '#platform/history/record-types.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { HeldWay, ImportAsk, KindReport, QuoteEffect } from '../data-import.contract.ts';
import type { RowKind } from './kind-description.server.ts';

/** Receives the progress of an import or its undo: the current part, and the number of finished rows or undo parts. */
export type Progress = (progress: {
  step: 'reading' | 'comparing' | 'writing' | 'looking' | 'removing' | 'restoring';
  rows: number;
}) => void;

/** A row that an import leaves out until a user accepts it: the stored record, and the record that the row would produce. */
export type HeldRow = {
  line: number;
  key: string;
  was: string;
  now: string;
  hint: string;
  /** The choices, one of which is required to accept the row. Without choices, the row applies as it is. */
  ways: HeldWay[];
};

export type ImportRun = {
  importId: number;
  /** Whether `write` follows. The decisions must then stay valid until the end of the transaction. */
  willWrite: boolean;
  /** True if the transaction is rolled back, so that other transactions need not wait for it. */
  trial?: boolean;
  /** The day of the import, in the company's time zone. */
  today: string;
  /** The stage contains only held rows that were accepted after the rest of the file was applied. */
  later: boolean;
  /** The answers to the questions of the kind, besides the columns. */
  options: Readonly<Record<string, unknown>>;
  /** The user, and the name of the import in a history. */
  author: Actor;
  comment: string;
  /** Returns the heading of a field in the file, for refusals. */
  headingOf: (field: string) => string;
  /** The fields that have a column in the file. */
  fields: ReadonlySet<string>;
};

/** A table whose records an import may create, change or remove; the engine records what an undo needs. */
export type Track = {
  table: string;
  /** The columns of its primary key with their SQL types. */
  key: Readonly<Record<string, string>>;
  /** SQL on `t` for the records that the staged rows may affect. It is evaluated before and after writing. */
  scope: Sql;
  /** SQL on `t` for the name of a record, and the plural of the kind: 'facilities'. */
  name: Sql;
  many: string;
  /** True if its records have a `version`, which an undo increments. */
  versioned?: boolean;
  /** Dependencies on a new record besides foreign keys: SQL on `t`, and the name of the dependent. */
  builtOn?: readonly { what: string; when: Sql }[];
  /** Records each change in the record's history, with these words for its columns. */
  history?: { type: RecordType; labels: Readonly<Record<string, string>> };
};

/** The user who undoes an import, the comment for histories, and the callback for progress. */
export type Undoing = {
  comment: string;
  author: Actor;
  onProgress: Progress;
};

export type Held = {
  /** The question above them, and why they are held, in a sentence. */
  title: string;
  why: string;
  /** The maximum number of held rows. More rows indicate a wrong file, and this sentence says what to check. */
  most: number;
  tooMany: string;
  /** The held rows in file order, up to `most`. */
  rows: (trx: Db, most: number) => Promise<HeldRow[]>;
  /**
   * Lets the user pick another record than the suggested one: its label, the name of the record with an id, and the id of the record that a typed
   * number means (null if there is none).
   */
  pick?: {
    label: string;
    nameOf: (db: Db, id: number) => Promise<string | null>;
    idOf: (db: Db, number: string) => Promise<number | null>;
  };
};

export type ImportKindServer = {
  kind: string;
  label: string;
  /** The contents of a file of this kind, in a sentence. */
  hint: string;
  roles: readonly Role[];
  /** The add-on that the kind belongs to. While it is off, nobody can import the kind. */
  addon?: string;
  /** No API key may import it, see it or undo it, because it decides who may do what or who sees which quotes. */
  peopleOnly?: boolean;
  rows: RowKind;
  /** The kind accepts GeoJSON. Without it, the kind accepts rows of cells. */
  files?: 'geojson';
  /** The questions besides the columns. `ImportRun.options` contains an answer to each. */
  asks?: readonly ImportAsk[];
  /** Decides the outcome of the staged rows and returns the report. Writes to import_row and import_refusal only. */
  compare: (trx: Db, run: ImportRun) => Promise<KindReport>;
  /** The rows that `compare` held back (outcome 'held'). */
  held?: Held;
  /** Writes what `compare` decided, in the same transaction. */
  write: (trx: Db, run: ImportRun) => Promise<void>;
  /** Returns the end of the report: what is stored once the file is written, or if there is nothing to write. */
  conclude?: (trx: Db, today: string) => Promise<NonNullable<KindReport['conclusion']>>;
  /** The tables that the kind writes, referenced ones first. */
  tracks: readonly Track[];
  /** Computes the effect of the written records on open quotes. It runs after a check, in a trial that is rolled back. */
  effect?: (trx: Db, today: string) => Promise<QuoteEffect>;
  /** Replaces the default undo of the tracks. Throws 409 with a sentence if something depends on the import. */
  undo?: (trx: Db, importId: number, by: Undoing) => Promise<void>;
};

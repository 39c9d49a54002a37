// Defines a kind of import: how it stages rows, compares them, writes them and undoes them.
import type { Db, Sql } from '#platform/db/database.server.ts';
import type { Actor } from '#platform/history/record-change.server.ts';
import type { RecordType } from '#platform/history/record-types.ts';
import type { Role } from '#platform/shared/roles.ts';
import type { HeldWay, ImportAsk, KindReport, QuoteEffect } from '../data-import.contract.ts';
import type { RowKind } from './kind-description.server.ts';

/** The progress of an import or its undo: the current part, and the number of finished rows or undo parts. */
export type Progress = (progress: {
  step: 'reading' | 'comparing' | 'writing' | 'looking' | 'removing' | 'restoring';
  rows: number;
}) => void;

/** A row that an import leaves out until a person accepts it: the stored record, and the record that the row would make. */
export type HeldRow = {
  line: number;
  key: string;
  was: string;
  now: string;
  hint: string;
  /** Acceptance requires one of these choices; if there are none, the row applies as it is. */
  ways: HeldWay[];
};

export type ImportRun = {
  importId: number;
  /** Whether `write` follows. The decisions must then stay valid until the end of the transaction. */
  willWrite: boolean;
  /** True if the transaction rolls back what it writes, so that nobody needs to wait for it. */
  trial?: boolean;
  /** The day of the import, in the company's time zone. */
  today: string;
  /** The stage holds only held rows that were accepted after the rest of the file was applied. */
  later: boolean;
  /** The answers to the kind's questions besides the columns. */
  options: Readonly<Record<string, unknown>>;
  /** The person, and the import's name in a history. */
  author: Actor;
  comment: string;
  /** The file's heading for a field, for refusals. */
  headingOf: (field: string) => string;
  /** The fields for which the file has a column. */
  fields: ReadonlySet<string>;
};

/** A table whose records an import may create, change or remove; the engine records what an undo needs. */
export type Track = {
  table: string;
  /** The columns of its primary key with their SQL types. */
  key: Readonly<Record<string, string>>;
  /** SQL on `t` for the records that the staged rows may affect; evaluated before and after writing. */
  scope: Sql;
  /** SQL on `t` for a record's name, and the plural of the kind: 'facilities'. */
  name: Sql;
  many: string;
  /** True if its records have a `version`, which an undo raises. */
  versioned?: boolean;
  /** Dependencies on a new record other than foreign keys: SQL on `t`, and the name of the dependent. */
  builtOn?: readonly { what: string; when: Sql }[];
  /** Records each change in the record's history, with these words for its columns. */
  history?: { type: RecordType; labels: Readonly<Record<string, string>> };
};

/** The user who undoes an import, the comment for histories, and the receiver of progress. */
export type Undoing = {
  comment: string;
  author: Actor;
  onProgress: Progress;
};

export type Held = {
  /** The question above them, and why they are held, in a sentence. */
  title: string;
  why: string;
  /** The greatest number of held rows; more mean a wrong file, and this sentence says what to check. */
  most: number;
  tooMany: string;
  /** The held rows in file order, up to `most`. */
  rows: (trx: Db, most: number) => Promise<HeldRow[]>;
  /**
   * Lets a person pick another record than the suggested one: its label, the name of the record with an id, and the id of the record that a written
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
  /** The add-on that reads it. While that is off, nobody can import it. */
  addon?: string;
  /** No API key may import it, see it or undo it, because it decides who may do what or sees which quotes. */
  peopleOnly?: boolean;
  rows: RowKind;
  /** The kind takes GeoJSON; without it, rows of cells. */
  files?: 'geojson';
  /** The questions besides the columns; `ImportRun.options` has an answer to each. */
  asks?: readonly ImportAsk[];
  /** Decides the outcome of the staged rows and reports it. Writes to import_row and import_refusal only. */
  compare: (trx: Db, run: ImportRun) => Promise<KindReport>;
  /** The rows that `compare` held back (outcome 'held'). */
  held?: Held;
  /** Writes what `compare` decided, in the same transaction. */
  write: (trx: Db, run: ImportRun) => Promise<void>;
  /** Says at the end of the report what is stored once the file is written, or when there is nothing to write. */
  conclude?: (trx: Db, today: string) => Promise<NonNullable<KindReport['conclusion']>>;
  /** The tables it writes, referenced ones first. */
  tracks: readonly Track[];
  /** Computes what the records just written do to open quotes. It runs after a check, in a trial that is rolled back. */
  effect?: (trx: Db, today: string) => Promise<QuoteEffect>;
  /** Replaces the default undo of the tracks. Throws an HttpError (409) with a sentence if something depends on the import. */
  undo?: (trx: Db, importId: number, by: Undoing) => Promise<void>;
};

// What a kind of import brings to the screen: how its rows are staged, what they would do, how they are written and undone.
import type { Db } from '#db/database.server.ts';
import type { RecordType } from '#features/operations/history/record-types.ts';
import type { Role } from '#shared/roles.ts';
import type { KindReport } from '../data-import.contract.ts';
import type { HeldRow } from '../running/merge-rows.server.ts';
import type { Progress } from '../running/stage-sheet.server.ts';
import type { RowKind } from './import-kind.ts';

export type ImportRun = {
  importId: number;
  /** Whether `write` follows: then what is decided must stay true until the end of the transaction. */
  willWrite: boolean;
  /** The day on which it is done, in the company's time zone. */
  today: string;
  /** What the screen asked besides the columns. */
  options: Readonly<Record<string, unknown>>;
  /** Who asked for it, and how a history calls it. */
  author: { id: number; fullName: string };
  comment: string;
  /** What the file calls the column of a field, for refusals. */
  headingOf: (field: string) => string;
  /** The fields that the file has a column for. */
  fields: ReadonlySet<string>;
};

/** A table whose records an import may make, change or remove; the machinery keeps what it takes to undo that. */
export type Track = {
  table: string;
  /** The columns of its primary key with their SQL types. */
  key: Readonly<Record<string, string>>;
  /** SQL on `t` for the records that the staged rows may touch; asked before and after writing. */
  scope: string;
  /** SQL on `t` for what people call a record, and how several are called: 'facilities'. */
  name: string;
  many: string;
  /** Its records count a `version`, which an undo counts up. */
  versioned?: boolean;
  /** More ways of building on a new record than foreign keys to it: SQL on `t`, and what it is that does. */
  builtOn?: readonly { what: string; when: string }[];
  /** Each change is written into the history of the record, its columns in these words. */
  history?: { type: RecordType; labels: Readonly<Record<string, string>> };
};

/** Who undoes an import, how a history calls it, and to whom it is told how far that is. */
export type Undoing = {
  comment: string;
  author: { id: number; fullName: string };
  tell: Progress;
};

export type ImportKindServer = {
  kind: string;
  label: string;
  /** What a file of this kind holds, in a sentence. */
  hint: string;
  roles: readonly Role[];
  rows: RowKind;
  /** Decides what would become of the staged rows and tells it. Writes to import_row and import_refusal only. */
  compare: (trx: Db, run: ImportRun) => Promise<KindReport>;
  /** The rows that `compare` held back (outcome 'held'), at most so many. */
  held?: (trx: Db, most: number) => Promise<HeldRow[]>;
  /** Writes what `compare` decided, in the same transaction. */
  write: (trx: Db, run: ImportRun) => Promise<void>;
  /** The tables it writes, those that others refer to first. */
  tracks: readonly Track[];
  /** Instead of the undo of the tracks. Throws an HttpError (409) with a sentence when something was built on the import. */
  undo?: (trx: Db, importId: number, by: Undoing) => Promise<void>;
};

// Our own calls for imports on the screen: upload a file, match its columns, check, apply, and undo the last import of a kind.
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import type { Role } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, Text } from '#platform/shared/wire.ts';

/** The roles that may import at all. Each kind allows some of them. */
export const IMPORT_ROLES: readonly Role[] = ['systemadmin', 'salesadmin', 'contractdept'];

export const IMPORT_STATES = [
  'Uploaded',
  'Checking',
  'Checked',
  'Applying',
  'Applied',
  'Failed',
  'Undoing',
  'Undone',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** In these states work runs in the background, so the screen polls. */
export const RUNNING_STATES: readonly ImportState[] = ['Checking', 'Applying', 'Undoing'];

/** The size of a million price rows, uncompressed. */
export const MAX_IMPORT_BYTES = 200 * 1024 * 1024;

const Figure = z.object({
  label: z.string(),
  count: z.number().int(),
  /** An explanation, if the label alone is not enough. */
  note: z.string().optional(),
  tone: z.enum(['good', 'change', 'bad']).optional(),
});
const RecordList = z.object({
  title: z.string(),
  headings: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  /** The total number of rows; `rows` may contain only the first ones. */
  total: z.number().int(),
});

/** A kind's report on staged rows: the number of records to write, and the counts and lists for the screen. */
export const KindReport = z.object({
  writes: z.number().int(),
  figures: z.array(Figure),
  lists: z.array(RecordList),
  notes: z.array(z.string()),
  /** The stored state once the file is written. Missing for a check that would write something, and for kinds without a conclusion. */
  conclusion: z.object({ notes: z.array(z.string()), lists: z.array(RecordList) }).optional(),
});
export type KindReport = z.infer<typeof KindReport>;

/** A cell that causes the refusal of its row. The column is '' if the whole row is at fault. */
const RefusedCell = z.object({ line: z.number().int(), column: z.string(), value: z.string(), reason: z.string() });

export const ScreenReport = KindReport.extend({
  /** The number of rows below the header. */
  rows: z.number().int(),
  /** How many rows were accepted, refused, held until a user accepts them, or skipped. They add up to `rows`. */
  read: z.number().int(),
  refused: z.number().int(),
  held: z.number().int(),
  skipped: z.number().int(),
  refusedCells: z.array(RefusedCell),
  /** The reasons for refused rows, one sentence each, with the first of their lines and cells. Reports of older versions have none. */
  causes: z
    .array(
      z.object({
        sentence: z.string(),
        rows: z.number().int(),
        lines: z.array(z.number().int()),
        cells: z.array(RefusedCell).optional(),
      }),
    )
    .optional(),
  seconds: z.number(),
});
export type ScreenReport = z.infer<typeof ScreenReport>;

/** A question about a whole file, besides its columns. A checkbox returns true or false, all others return text; '' means no answer. */
const ImportAsk = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  type: z.enum(['tick', 'text', 'number', 'day', 'choice']),
  /** The default answer. */
  standard: z.union([z.boolean(), z.string()]),
  /** The text after a number: '%'. */
  suffix: z.string().optional(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
});
export type ImportAsk = z.infer<typeof ImportAsk>;

/** The texts for held rows: a question above them, the reason they are held, and the record that the user may pick instead ('' if none). */
const HeldWords = z.object({ title: z.string(), why: z.string(), pick: z.string() });

export const ImportField = z.object({ field: z.string(), label: z.string() });
export const ImportKindView = z.object({
  kind: z.string(),
  label: z.string(),
  /** The contents of a file of this kind, in a sentence. */
  hint: z.string(),
  fields: z.array(ImportField),
  /** Sets of fields; the file must have at least one complete set. */
  needs: z.array(z.array(z.string())),
  /** The files that the kind accepts: rows of cells, or GeoJSON. */
  files: z.enum(['table', 'geojson']),
  asks: z.array(ImportAsk),
  heldWords: HeldWords,
});
export type ImportKindView = z.infer<typeof ImportKindView>;

const ImportRow = z.object({
  id: z.number().int(),
  kind: z.string(),
  kindLabel: z.string(),
  fileName: z.string(),
  state: z.enum(IMPORT_STATES),
  createdBy: z.string(),
  createdAt: z.string(),
  appliedBy: z.string(),
  appliedAt: z.string().nullable(),
  undoneBy: z.string(),
  undoneAt: z.string().nullable(),
  /** Why the import failed, or for an applied import, why its undo failed. */
  error: z.string(),
  figures: z.array(Figure),
  /** True if the import is applied, is the last of its kind, and its changes are recorded. */
  mayUndo: z.boolean(),
});
export type ImportRow = z.infer<typeof ImportRow>;

/** The effect of a checked file on open quotes. It includes accepted held rows and excludes the others. */
export const QuoteEffect = z.object({
  /** The number of quotes whose prices change: quotes not sent yet, and sent ones, which keep their prices. */
  open: z.number().int(),
  sent: z.number().int(),
  /** New prices minus quoted prices, by kind of change and currency. 'Settled' covers lines that would return to their quoted price. */
  kinds: z.array(
    z.object({
      kind: z.string(),
      currnIdx: z.number().int(),
      open: z.number().int(),
      sent: z.number().int(),
      openMoney: z.number(),
      sentMoney: z.number(),
    }),
  ),
});
export type QuoteEffect = z.infer<typeof QuoteEffect>;

export const ImportView = ImportRow.omit({ figures: true }).extend({
  size: z.number().int(),
  format: z.string(),
  sheets: z.array(z.string()),
  /** Parts of the file that are not read although the user may expect it, such as similar or hidden sheets. */
  notes: z.array(z.string()),
  sheet: z.string(),
  headerLine: z.number().int(),
  /** The columns of the file in order, with their first values. */
  columns: z.array(
    z.object({
      heading: z.string(),
      samples: z.array(z.string()),
      field: z.string().nullable(),
      /** What the column may contain, in words; '' once a field or 'not used' is chosen, and for a heading without a hint. */
      asks: z.string(),
      /** Whether the user marked the column as not used. */
      unused: z.boolean(),
      /** Whether the choice (read or not used) comes from the last file of the kind. */
      remembered: z.boolean(),
    }),
  ),
  /** Other visible sheets with at least as many rows. The check waits until the user chooses a sheet. */
  others: z.array(z.object({ sheet: z.string(), rows: z.number().int() })),
  /** Texts above the header that may apply to all rows. The check waits until MatchColumns confirms `headerLine`. */
  above: z.array(z.object({ line: z.number().int(), text: z.string() })),
  /** Why the file cannot be checked yet, in a sentence; '' if it can. */
  missing: z.string(),
  /** More options for the screen of this kind. */
  options: z.record(z.string(), z.unknown()),
  step: z.string(),
  done: z.number().int(),
  /** 0 while it is not known yet. */
  total: z.number().int(),
  report: ScreenReport.nullable(),
  /** Null if no user has requested it. `of` is present once the effect is computed. */
  effect: z.object({ state: z.enum(['working', 'done', 'failed']), of: QuoteEffect.nullable() }).nullable(),
  hasRefused: z.boolean(),
  /** The number of held rows that are accepted but not applied yet, and the number of rejected ones. */
  accepted: z.number().int(),
  rejected: z.number().int(),
  /** Whether the user may still decide held rows. */
  mayDecide: z.boolean(),
});
export type ImportView = z.infer<typeof ImportView>;

/** The decision on a held row: none yet, accepted, applied since then, or permanently rejected. */
export const HELD_DECISIONS = ['open', 'accepted', 'applied', 'rejected'] as const;

/** One choice for a held row. */
const HeldWay = z.object({ value: z.string(), label: z.string() });
export type HeldWay = z.infer<typeof HeldWay>;

/** A row that is left out until a user accepts it: the record, how the row would change it, and what may have gone wrong. */
const HeldImportRow = z.object({
  line: z.number().int(),
  key: z.string(),
  was: z.string(),
  now: z.string(),
  hint: z.string(),
  /** The choices, one of which is required to accept the row. Without choices, the row applies as it is. */
  ways: z.array(HeldWay),
  /** The choice made: one of the ways, or the id of the record picked instead of the suggested one. */
  way: z.string(),
  wayLabel: z.string(),
  decision: z.enum(HELD_DECISIONS),
});
export type HeldImportRow = z.infer<typeof HeldImportRow>;

export const ImportCriteria = PageInput.extend({
  kinds: z.array(Text(40)).max(40).nullish(),
  state: z.enum(IMPORT_STATES).nullish(),
  /** Searches the name of the file, and the names of users who uploaded, applied or undid it. */
  keyword: Text(100).nullish(),
});

const access = IMPORT_ROLES;

export const DataImport = {
  ListImportKinds: post('/api/DataImport/ListImportKinds', Nothing, z.array(ImportKindView), {
    access,
    summary: 'Lists the import kinds available to the user.',
  }),
  UploadImport: post('/api/DataImport/UploadImport', z.object({ kind: Text(40) }), ImportView, {
    access,
    in: 'upload',
    bodyLimit: MAX_IMPORT_BYTES,
    toDisk: true,
    summary: 'Uploads a file of a kind and matches its columns as in the last file.',
  }),
  MatchColumns: post(
    '/api/DataImport/MatchColumns',
    z.object({
      id: Id,
      /** Another sheet or header line; the server then matches the columns again. */
      sheet: z.string().max(200).optional(),
      headerLine: z.number().int().min(1).max(1_000_000).optional(),
      /** The field of each column of the file, in order; null ignores the column. */
      fields: z.array(z.string().max(60).nullable()).max(2000).optional(),
      /** The columns (from 0) that the user marks as not used. Left out: unchanged. */
      unused: z.array(z.number().int().min(0)).max(2000).optional(),
    }),
    ImportView,
    { access, writes: true, summary: 'Maps columns to fields. This discards an earlier check.' },
  ),
  StartCheck: post(
    '/api/DataImport/StartCheck',
    z.object({ id: Id, options: z.record(z.string().max(60), z.unknown()).optional() }),
    ImportView,
    { access, writes: true, summary: 'Starts the dry run in the background.' },
  ),
  GetImport: post('/api/DataImport/GetImport', QueryId, ImportView, { access, in: 'query' }),
  ApplyImport: post('/api/DataImport/ApplyImport', z.object({ id: Id }), ImportView, {
    access,
    writes: true,
    summary:
      'Imports every accepted row in one background transaction. A second call imports held rows that were accepted afterwards.',
  }),
  GetHeldRows: post('/api/DataImport/GetHeldRows', PageInput.extend({ id: Id }), pageOf(HeldImportRow), {
    access,
    summary: 'The held rows of a file, which are left out until someone accepts them, in file order.',
  }),
  DecideHeldRows: post(
    '/api/DataImport/DecideHeldRows',
    z.object({
      id: Id,
      /**
       * Left out with 'accepted' or 'rejected': all open rows, except rows with ways when accepting. Left out with 'open': all rows that are decided
       * but not applied.
       */
      lines: z.array(z.number().int()).max(1000).optional(),
      decision: z.enum(['open', 'accepted', 'rejected']),
      /** When accepting lines: one of their ways, or the id of the record picked instead of the suggested one. */
      way: Text(40).optional(),
    }),
    ImportView,
    {
      access,
      writes: true,
      summary: 'Accepts or rejects held rows. Accepted ones are applied with the others, or after them.',
    },
  ),
  GetRefusedRows: post('/api/DataImport/GetRefusedRows', QueryId, Bytes, { access, in: 'query', file: 'text/csv' }),
  ListImports: post('/api/DataImport/ListImports', ImportCriteria, pageOf(ImportRow), {
    access,
    summary: 'Imports of the kinds that the user may import; those with the latest activity come first.',
  }),
  ExportImports: post('/api/DataImport/ExportImports', ImportCriteria, Bytes, { access, file: 'text/csv' }),
  UndoImport: post('/api/DataImport/UndoImport', z.object({ id: Id }), ImportView, {
    access,
    writes: true,
    summary:
      'Starts undoing the last import of a kind in the background: all of it, or nothing when something else depends on it.',
  }),
};

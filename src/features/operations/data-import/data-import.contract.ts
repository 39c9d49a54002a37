// Imports from the screen (our own calls): upload a file, match its columns, check it, apply it, and undo the last import of a kind.
import { z } from 'zod';
import { Bytes, Nothing, post } from '#api/endpoint.ts';
import type { Role } from '#shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, Text } from '#shared/wire.ts';

/** Who may import at all; each kind names its own roles among these. */
export const IMPORTERS: readonly Role[] = ['systemadmin', 'salesadmin', 'contractdept'];

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

/** Work runs in the background, so the screen polls. */
export const BUSY_STATES: readonly ImportState[] = ['Checking', 'Applying', 'Undoing'];

/** A million rows of prices, unpacked. */
export const LARGEST_IMPORT = 200 * 1024 * 1024;

const Figure = z.object({
  label: z.string(),
  count: z.number().int(),
  /** An explanation, where the label alone is not enough. */
  note: z.string().optional(),
  tone: z.enum(['good', 'change', 'bad']).optional(),
});
const RecordList = z.object({
  title: z.string(),
  headings: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  /** The total; `rows` may hold only the first ones. */
  total: z.number().int(),
});

/** A kind's report on staged rows: how many records it would write, with its counts and lists for the screen. */
export const KindReport = z.object({
  writes: z.number().int(),
  figures: z.array(Figure),
  lists: z.array(RecordList),
  notes: z.array(z.string()),
});
export type KindReport = z.infer<typeof KindReport>;

export const ScreenReport = KindReport.extend({
  /** Rows below the header. */
  rows: z.number().int(),
  /** What became of the rows: taken as they are, refused, held back until somebody accepts them, or skipped. They add up to `rows`. */
  read: z.number().int(),
  refused: z.number().int(),
  held: z.number().int(),
  skipped: z.number().int(),
  refusedCells: z.array(
    z.object({ line: z.number().int(), column: z.string(), value: z.string(), reason: z.string() }),
  ),
  seconds: z.number(),
});
export type ScreenReport = z.infer<typeof ScreenReport>;

/** What a kind asks besides the columns. Ticks answer true or false, everything else answers text; '' says nothing. */
const ImportAsk = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  type: z.enum(['tick', 'text', 'number', 'day', 'choice']),
  /** The answer when nothing is said. */
  standard: z.union([z.boolean(), z.string()]),
  /** Behind a number: '%'. */
  suffix: z.string().optional(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
});
export type ImportAsk = z.infer<typeof ImportAsk>;

/** How the screen speaks of held rows: a question above them, why they are held, and what may be picked instead of what is suggested ('' for nothing). */
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
  /** Which files it takes: rows of cells, or GeoJSON. */
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
  /** Why it failed; for an applied import, why its undo failed. */
  error: z.string(),
  figures: z.array(Figure),
  /** It is applied, the last of its kind, and its changes are recorded. */
  mayUndo: z.boolean(),
});
export type ImportRow = z.infer<typeof ImportRow>;

/** What a checked file would do to open quotes, with the held rows that are accepted and without the others. */
export const QuoteEffect = z.object({
  /** Quotes whose prices it would change: those that are not sent, and sent ones, which stay as they are. */
  open: z.number().int(),
  sent: z.number().int(),
  /** By the kind of change and currency, new prices less quoted ones; 'Settled': lines that would have their quoted price again. */
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
  /** What of the file is not read although somebody may expect it: sheets like the one that is read, hidden ones. */
  notes: z.array(z.string()),
  sheet: z.string(),
  headerLine: z.number().int(),
  /** The columns of the file in order, with their first values. */
  columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()), field: z.string().nullable() })),
  /** Why it cannot be checked yet, in a sentence; '' when it can. */
  missing: z.string(),
  /** Further options of this kind's screen. */
  options: z.record(z.string(), z.unknown()),
  step: z.string(),
  done: z.number().int(),
  /** 0: not known yet. */
  total: z.number().int(),
  report: ScreenReport.nullable(),
  /** Null: not asked. `of` is there once it is worked out. */
  effect: z.object({ state: z.enum(['working', 'done', 'failed']), of: QuoteEffect.nullable() }).nullable(),
  hasRefused: z.boolean(),
  /** How many of the held rows are accepted and wait to be applied, and how many are rejected. */
  accepted: z.number().int(),
  rejected: z.number().int(),
  /** Whether held rows may still be decided. */
  mayDecide: z.boolean(),
});
export type ImportView = z.infer<typeof ImportView>;

/** What is decided on a held row: nothing yet, accepted, written since, or rejected for good. */
export const HELD_DECISIONS = ['open', 'accepted', 'applied', 'rejected'] as const;

/** What may become of a held row. */
const HeldWay = z.object({ value: z.string(), label: z.string() });
export type HeldWay = z.infer<typeof HeldWay>;

/** A row that is left out until somebody accepts it: what it would make of which record, and what may have gone wrong. */
const HeldImportRow = z.object({
  line: z.number().int(),
  key: z.string(),
  was: z.string(),
  now: z.string(),
  hint: z.string(),
  /** One of them is chosen with the acceptance; none: the row is taken as it is. */
  ways: z.array(HeldWay),
  /** What was chosen: one of the ways, or the id of the record picked instead of the suggested one. */
  way: z.string(),
  wayLabel: z.string(),
  decision: z.enum(HELD_DECISIONS),
});
export type HeldImportRow = z.infer<typeof HeldImportRow>;

export const ImportCriteria = PageInput.extend({
  kinds: z.array(Text(40)).max(40).nullish(),
  state: z.enum(IMPORT_STATES).nullish(),
  /** Part of the file's name, or of the name of anyone who uploaded, applied or undid it. */
  keyword: Text(100).nullish(),
});

const access = IMPORTERS;

export const DataImport = {
  ListImportKinds: post('/api/DataImport/ListImportKinds', Nothing, z.array(ImportKindView), {
    access,
    summary: 'What this person may import.',
  }),
  UploadImport: post('/api/DataImport/UploadImport', z.object({ kind: Text(40) }), ImportView, {
    access,
    in: 'upload',
    bodyLimit: LARGEST_IMPORT,
    toDisk: true,
    summary: 'Takes a file of a kind and matches its columns as they were matched the last time.',
  }),
  MatchColumns: post(
    '/api/DataImport/MatchColumns',
    z.object({
      id: Id,
      /** Another sheet or header line; the columns are then matched again. */
      sheet: z.string().max(200).optional(),
      headerLine: z.number().int().min(1).max(1_000_000).optional(),
      /** The field of each column of the file, in order; null ignores the column. */
      fields: z.array(z.string().max(60).nullable()).max(2000).optional(),
    }),
    ImportView,
    { access, writes: true, summary: 'Says which column is which. A check made before is void.' },
  ),
  StartCheck: post(
    '/api/DataImport/StartCheck',
    z.object({ id: Id, options: z.record(z.string().max(60), z.unknown()).optional() }),
    ImportView,
    { access, writes: true, summary: 'Begins the dry run in the background.' },
  ),
  GetImport: post('/api/DataImport/GetImport', QueryId, ImportView, { access, in: 'query' }),
  ApplyImport: post('/api/DataImport/ApplyImport', z.object({ id: Id }), ImportView, {
    access,
    writes: true,
    summary:
      'Begins the import in the background: one transaction, all rows that were not refused or none. Once more: held rows that were accepted since.',
  }),
  GetHeldRows: post('/api/DataImport/GetHeldRows', PageInput.extend({ id: Id }), pageOf(HeldImportRow), {
    access,
    summary: 'The rows of a file that are left out until somebody accepts them, in its order.',
  }),
  DecideHeldRows: post(
    '/api/DataImport/DecideHeldRows',
    z.object({
      id: Id,
      /** Left out: all that are open, but those with ways when they are accepted; with 'open', all that were decided and not applied. */
      lines: z.array(z.number().int()).max(1000).optional(),
      decision: z.enum(['open', 'accepted', 'rejected']),
      /** With an acceptance of lines: one of their ways, or the id of the record picked instead of the suggested one. */
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
    summary: 'Imports of the kinds that this person may import; those where something happened last come first.',
  }),
  ExportImports: post('/api/DataImport/ExportImports', ImportCriteria, Bytes, { access, file: 'text/csv' }),
  UndoImport: post('/api/DataImport/UndoImport', z.object({ id: Id }), ImportView, {
    access,
    writes: true,
    summary:
      'Begins to take back the last import of a kind in the background: all of it, or nothing when something was built on it.',
  }),
};

// Imports a file from the command line with the screen's calls in order: upload, match, check, confirm, apply.
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Answers, Context } from '#api/serve.server.ts';
import type { Caller, Services } from '#api/services.server.ts';
import type { Db } from '#db/database.server.ts';
import { inTransaction } from '#db/transaction.server.ts';
import type { DataImport, HeldImportRow, ImportView } from '../data-import.contract.ts';
import { dataImportAnswers } from '../data-import.server.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';
import { mappingOf, normalHeading } from '../reading/header-match.ts';
import { UnusableFile } from '../reading/table-file.ts';
import { FAULTS } from './import-job.server.ts';

export type ImportOptions = {
  /** 'their heading=our field', any number of times. */
  map?: readonly string[];
  /** Only checks the file. The checked file stays on the screen, where a person can still apply it. */
  dryRun?: boolean;
  /** The sheet of a workbook, if it is not the visible one with the best header. */
  sheet?: string;
  /** The header's line, if it is not the best match. */
  headerLine?: number;
  /** Also applies held rows. */
  confirmHeld?: boolean;
  /** 'name=value': answers to the kind's questions besides the columns. */
  answers?: readonly string[];
  /** The path for a CSV of the refused rows; the code removes that file if there are none. */
  refusedFile?: string;
};

export type Imported = { view: ImportView; held: HeldImportRow[]; refusedFile: string | null };

type Setup = {
  services: Services;
  user: Caller;
  kinds: readonly ImportKindServer[];
  /** Waits until the background work of an import has ended. */
  settled: (importId: number) => Promise<void>;
};

/** The context of a call, without an HTTP request. */
type Given = Context<typeof DataImport.UploadImport.access>;

const MOST_HELD_SHOWN = 20;

/**
 * Imports a file as this person. Throws UnusableFile if the file is not such a table, and an Error with the import's own sentence if
 * the database refused it; then nothing was changed. Refused and unconfirmed rows do not stop the others.
 */
export async function importFile(
  { services, user, kinds, settled }: Setup,
  kind: ImportKindServer,
  file: string,
  options: ImportOptions = {},
): Promise<Imported> {
  const answers: Answers<typeof DataImport> = dataImportAnswers(kinds);
  const { db, longDb } = services.database;
  const context = (at: Db) => ({ db: at, user, services, upload: undefined }) as unknown as Given;
  const writing = <T>(call: (given: Given) => Promise<T>) => inTransaction(db, (trx) => call(context(trx)));
  const { map = [], sheet, headerLine, refusedFile } = options;
  const mappings = map.map((text) => mappingOf(text, kind.rows));
  const chosen = answersOf(kind, options.answers ?? []);
  if (refusedFile) await fs.rm(refusedFile, { force: true });

  const upload = {
    name: path.basename(file),
    mediaType: 'application/octet-stream',
    path: file,
    bytes: Buffer.alloc(0),
  };
  let view = await answers.UploadImport({ ...context(longDb), upload }, { kind: kind.kind });
  const { id, sheets } = view;
  if (sheet !== undefined && !sheets.includes(sheet)) {
    throw new UnusableFile(
      `The workbook has no sheet '${sheet}'; it has ${sheets.map((name) => `'${name}'`).join(', ')}.`,
    );
  }
  if (sheet !== undefined || headerLine !== undefined) {
    view = await writing((given) => answers.MatchColumns(given, { id, sheet, headerLine }));
  }
  if (mappings.length > 0) {
    const fields = view.columns.map(({ field }) => field);
    const unused = new Set(view.columns.flatMap((column, at) => (column.unused ? [at] : [])));
    for (const { theirs, ours } of mappings) {
      const at = placeOf(theirs, view);
      if (ours) for (const [other, field] of fields.entries()) if (field === ours) fields[other] = null;
      fields[at] = ours || null;
      if (ours) unused.delete(at);
      else unused.add(at);
    }
    view = await writing((given) => answers.MatchColumns(given, { id, fields, unused: [...unused] }));
  }
  if (view.missing) throw new UnusableFile(howToMap(view, kind));

  const done = async (begin: Promise<ImportView>): Promise<ImportView> => {
    await begin;
    await settled(id);
    const now = await answers.GetImport(context(db), { id });
    if (now.error) throw FAULTS.includes(now.error) ? new Error(now.error) : new UnusableFile(now.error);
    return now;
  };
  view = await done(writing((given) => answers.StartCheck(given, { id, options: chosen })));
  if (options.confirmHeld && view.report?.held) {
    view = await writing((given) => answers.DecideHeldRows(given, { id, decision: 'accepted' }));
  }
  const { records: held } = await answers.GetHeldRows(context(db), { id, page: 1, pageSize: MOST_HELD_SHOWN });
  const hasWork = (view.report?.writes ?? 0) > 0 || view.accepted > 0;
  if (!options.dryRun && hasWork) view = await done(writing((given) => answers.ApplyImport(given, { id })));
  if (refusedFile && view.hasRefused) {
    const { bytes } = await answers.GetRefusedRows(context(db), { id });
    await fs.writeFile(refusedFile, bytes);
  }
  return { view, held, refusedFile: view.hasRefused ? (refusedFile ?? null) : null };
}

/** Throws UnusableFile for a question that the kind does not ask. */
function answersOf({ kind, asks = [] }: ImportKindServer, texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      const name = at < 0 ? text : text.slice(0, at);
      const ask = asks.find((one) => one.name === name);
      if (!ask) {
        const known = asks.map((one) => one.name).join(', ');
        throw new UnusableFile(`${kind} have no option '${name}'${known ? `; they have ${known}` : ''}.`);
      }
      const value = at < 0 ? 'yes' : text.slice(at + 1).trim();
      return [name, ask.type === 'tick' ? /^(?:y|yes|true|1)$/i.test(value) : value];
    }),
  );
}

/** The column with this heading, spelled exactly so or else differently; '#3' is the third column. */
function placeOf(theirs: string, { columns, headerLine }: ImportView): number {
  const exact = columns.findIndex(({ heading }) => heading === theirs);
  const nth = exact < 0 ? Number(/^#([1-9]\d{0,3})$/.exec(theirs)?.[1] ?? 0) : 0;
  if (nth > 0 && nth <= columns.length) return nth - 1;
  const at = exact >= 0 ? exact : columns.findIndex(({ heading }) => normalHeading(heading) === normalHeading(theirs));
  if (at < 0) throw new UnusableFile(`Line ${headerLine} has no heading '${theirs}'; it has ${headingsOf(columns)}.`);
  return at;
}

function howToMap({ missing, headerLine, columns, others }: ImportView, { rows }: ImportKindServer): string {
  const nameAt = (at: number): string => {
    const heading = columns[at]?.heading ?? '';
    return heading !== '' && columns.findIndex((one) => one.heading === heading) === at ? heading : `#${at + 1}`;
  };
  const asked = columns.flatMap(({ asks }, at) => (asks === '' ? [] : [nameAt(at)]));
  return [
    missing,
    ...(others.length > 0 ? ['Choose it with --sheet "its name".'] : []),
    `Line ${headerLine} has: ${headingsOf(columns)}.`,
    ...(asked.length > 0
      ? [`Say that a column is not used like this: ${asked.map((name) => `--map "${name}="`).join(' ')}`]
      : []),
    `Say which heading is which with --map "their heading=our field"; our fields are ${Object.keys(rows.fields).join(', ')}.`,
  ].join('\n');
}

function headingsOf(columns: ImportView['columns']): string {
  const headings = columns.map(({ heading }) => heading).filter((heading) => heading !== '');
  const shown = headings.slice(0, 40).map((heading) => `'${heading.slice(0, 60)}'`);
  return `${shown.join(', ')}${headings.length > shown.length ? ', …' : ''}`;
}

// Imports a file from the command line with the calls of the screen in order: upload, match, check, confirm, apply.
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import type { DataImport, HeldImportRow, ImportView } from '../data-import.contract.ts';
import { dataImportAnswers } from '../data-import.server.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';
import { mappingOf, normalHeading } from '../reading/header-match.server.ts';
import { UnusableFile } from '../reading/table-file.server.ts';
import { choiceOf, type Decision, readDecisions, writeHeldFile } from './held-file.server.ts';
import { UNEXPECTED_ERRORS } from './import-job.server.ts';
import { type ImportResult, optionText } from './import-report.ts';

export type ImportOptions = {
  /** 'their heading=our field', any number of times. */
  map?: readonly string[];
  /** Only checks the file. The checked file stays on the screen, where a user can still apply it. */
  dryRun?: boolean;
  /** The sheet of a workbook, if it is not the visible one with the best header. */
  sheet?: string;
  /** The line of the header, if it is not the best match. */
  headerLine?: number;
  /** Also applies held rows. */
  confirmHeld?: boolean;
  /** 'name=value': answers to the questions of the kind, besides the columns. */
  answers?: readonly string[];
  /** The path of a file with decisions on held rows (`readDecisions`). */
  decisions?: string;
  /** The path for a CSV of the held rows without a decision. An existing file is removed if there are none. */
  heldFile?: string;
  /** The path for a CSV of the refused rows. An existing file is removed if there are none. */
  refusedFile?: string;
};

type Setup = {
  services: Services;
  user: Caller;
  kinds: readonly ImportKindServer[];
  /** Waits until the background work of an import has ended. */
  waitForImport: (importId: number) => Promise<void>;
};

/** The context of a call, without an HTTP request. */
type CallContext = Context<typeof DataImport.UploadImport.access>;

const HELD_PAGE_SIZE = 200;

/**
 * Imports a file as this user. Throws UnusableFile if the file is not a table of this kind. Throws an Error with the import's message if the
 * database rejects it. In both cases nothing changes. Refused and unconfirmed rows do not stop the others.
 */
export async function importFile(
  { services, user, kinds, waitForImport }: Setup,
  kind: ImportKindServer,
  file: string,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const answers: Answers<typeof DataImport> = dataImportAnswers(kinds);
  const { db, longDb } = services.database;
  const createContext = (database: Db) =>
    ({ db: database, user, services, upload: undefined }) as unknown as CallContext;
  const inImportTransaction = <T>(call: (context: CallContext) => Promise<T>) =>
    inTransaction(db, (trx) => call(createContext(trx)));
  const { map = [], sheet, headerLine, refusedFile, heldFile } = options;
  const mappings = map.map((text) => mappingOf(text, kind.rows));
  const chosen = parseAnswers(kind, options.answers ?? []);
  const decisions = options.decisions === undefined ? [] : await readDecisions(options.decisions);
  if (refusedFile) await fs.rm(refusedFile, { force: true });

  const upload = {
    name: path.basename(file),
    mediaType: 'application/octet-stream',
    path: file,
    bytes: Buffer.alloc(0),
  };
  let view = await answers.UploadImport({ ...createContext(longDb), upload }, { kind: kind.kind });
  const { id, sheets } = view;
  if (sheet !== undefined && !sheets.includes(sheet)) {
    throw new UnusableFile(
      `The workbook has no sheet '${sheet}'. Its sheets are ${sheets.map((name) => `'${name}'`).join(', ')}.`,
    );
  }
  if (sheet !== undefined || headerLine !== undefined) {
    view = await inImportTransaction((context) => answers.MatchColumns(context, { id, sheet, headerLine }));
  }
  if (mappings.length > 0) {
    const fields = view.columns.map(({ field }) => field);
    const unused = new Set(view.columns.flatMap((column, at) => (column.unused ? [at] : [])));
    for (const { heading, field } of mappings) {
      const at = columnWithHeading(heading, view);
      if (field) for (const [other, mapped] of fields.entries()) if (mapped === field) fields[other] = null;
      fields[at] = field || null;
      if (field) unused.delete(at);
      else unused.add(at);
    }
    view = await inImportTransaction((context) => answers.MatchColumns(context, { id, fields, unused: [...unused] }));
  }
  if (view.missing) throw new UnusableFile(describeMapping(view, kind));

  const runToCompletion = async (begin: Promise<ImportView>): Promise<ImportView> => {
    await begin;
    await waitForImport(id);
    const now = await answers.GetImport(createContext(db), { id });
    if (now.error) throw UNEXPECTED_ERRORS.includes(now.error) ? new Error(now.error) : new UnusableFile(now.error);
    return now;
  };
  view = await runToCompletion(inImportTransaction((context) => answers.StartCheck(context, { id, options: chosen })));
  const readHeldRows = async (): Promise<HeldImportRow[]> => {
    const rows: HeldImportRow[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { records, pageCount } = await answers.GetHeldRows(createContext(db), {
        id,
        page,
        pageSize: HELD_PAGE_SIZE,
      });
      rows.push(...records);
      pages = pageCount;
    }
    return rows;
  };
  if (decisions.length > 0) {
    const rows = new Map((await readHeldRows()).map((row) => [row.line, row]));
    for (const decision of decisions) {
      const row = rows.get(decision.line);
      // A row that is no longer held was decided in an earlier run.
      if (!row) continue;
      const decided = await toDecision(db, kind, row, decision);
      view = await inImportTransaction((context) =>
        answers.DecideHeldRows(context, { id, lines: [row.line], ...decided }),
      );
    }
  }
  if (options.confirmHeld && view.report?.held) {
    view = await inImportTransaction((context) => answers.DecideHeldRows(context, { id, decision: 'accepted' }));
  }
  const held = await readHeldRows();
  const undecided = held.some(({ decision }) => decision === 'open');
  if (heldFile && undecided)
    await writeHeldFile(heldFile, options.dryRun ? held : held.filter(({ decision }) => decision !== 'accepted'));
  else if (heldFile && !options.dryRun) await fs.rm(heldFile, { force: true });
  const hasWork = (view.report?.writes ?? 0) > 0 || view.accepted > 0;
  if (!options.dryRun && hasWork)
    view = await runToCompletion(inImportTransaction((context) => answers.ApplyImport(context, { id })));
  if (refusedFile && view.hasRefused) {
    const { bytes } = await answers.GetRefusedRows(createContext(db), { id });
    await fs.writeFile(refusedFile, bytes);
  }
  return {
    view,
    held,
    heldFile: undecided ? (heldFile ?? null) : null,
    refusedFile: view.hasRefused ? (refusedFile ?? null) : null,
    asks: kind.asks ?? [],
  };
}

/** Converts a decision from the file. Throws UnusableFile if the held row does not offer the answer, or if the decision is for another row. */
async function toDecision(
  db: Db,
  kind: ImportKindServer,
  { line, key, ways }: HeldImportRow,
  { key: decisionKey, answer }: Decision,
): Promise<{ decision: 'accepted' | 'rejected'; way?: string }> {
  if (key !== decisionKey)
    throw new UnusableFile(
      `The decision for line ${line} is for ${decisionKey}, but that line now contains ${key}. Download the held rows again and update your decisions.`,
    );
  if (NO.test(answer)) return { decision: 'rejected' };
  if (ways.length === 0 && YES.test(answer)) return { decision: 'accepted' };
  const way = choiceOf(ways, answer)?.value ?? (await kind.held?.pick?.idOf(db, answer.split(' ')[0] ?? ''));
  if (way) return { decision: 'accepted', way: String(way) };
  const valid = [
    ...(ways.length > 0 ? ways.map(({ label }) => `'${label}'`) : ['yes']),
    'no',
    ...(kind.held?.pick ? [`the number of ${kind.held.pick.label.toLowerCase()}`] : []),
  ];
  const list = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(valid);
  throw new UnusableFile(`Line ${line} (${key}): '${answer}' is not a valid decision. Enter ${list}.`);
}

const YES = /^(?:y|yes|true|1)$/i;
const NO = /^(?:n|no|false|0)$/i;

/** Throws UnusableFile for a question that the kind does not have, and for an answer that the question does not have. */
function parseAnswers({ kind, asks = [] }: ImportKindServer, texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      const name = at < 0 ? text : text.slice(0, at);
      const ask = asks.find((candidate) => candidate.name === name);
      if (!ask) {
        const known = asks.map(optionText).join('\n');
        throw new UnusableFile(`Unknown option '${name}' for ${kind}.${known ? ` Valid options:\n${known}` : ''}`);
      }
      const value = at < 0 ? 'yes' : text.slice(at + 1).trim();
      const known =
        ask.type === 'tick'
          ? YES.test(value) || NO.test(value)
          : (ask.choices ?? [{ value }]).some((choice) => choice.value === value);
      if (!known) throw new UnusableFile(`'${value}' is not a valid answer:\n${optionText(ask)}`);
      return [name, ask.type === 'tick' ? YES.test(value) : value];
    }),
  );
}

/** Returns the column with this heading, first by exact spelling, then normalized. '#3' is the third column. */
function columnWithHeading(heading: string, { columns, headerLine }: ImportView): number {
  const exact = columns.findIndex((column) => column.heading === heading);
  const nth = exact < 0 ? Number(/^#([1-9]\d{0,3})$/.exec(heading)?.[1] ?? 0) : 0;
  if (nth > 0 && nth <= columns.length) return nth - 1;
  const at =
    exact >= 0 ? exact : columns.findIndex((column) => normalHeading(column.heading) === normalHeading(heading));
  if (at < 0) throw new UnusableFile(`Line ${headerLine} has no heading '${heading}'; it has ${headingsOf(columns)}.`);
  return at;
}

function describeMapping(
  { missing, headerLine, columns, others, above }: ImportView,
  { rows }: ImportKindServer,
): string {
  const nameAt = (at: number): string => {
    const heading = columns[at]?.heading ?? '';
    return heading !== '' && columns.findIndex((column) => column.heading === heading) === at ? heading : `#${at + 1}`;
  };
  const undecided = columns.flatMap(({ asks }, at) => (asks === '' ? [] : [nameAt(at)]));
  return [
    missing,
    ...(others.length > 0 ? ['Choose it with --sheet "its name".'] : []),
    ...(above.length > 0 ? [`Confirm the header with --header-row ${headerLine}.`] : []),
    `Line ${headerLine} has: ${headingsOf(columns)}.`,
    ...(undecided.length > 0
      ? [`Mark a column as not used like this: ${undecided.map((name) => `--map "${name}="`).join(' ')}`]
      : []),
    `Match the headings with --map "their heading=our field"; our fields are ${Object.keys(rows.fields).join(', ')}.`,
  ].join('\n');
}

function headingsOf(columns: ImportView['columns']): string {
  const headings = columns.map(({ heading }) => heading).filter((heading) => heading !== '');
  const visible = headings.slice(0, 40).map((heading) => `'${heading.slice(0, 60)}'`);
  return `${visible.join(', ')}${headings.length > visible.length ? ', …' : ''}`;
}

// Answers the DataImport calls for all kinds of imports. Each call first checks whether this user may import the kind.
import { requireOn, switchedOff } from '#platform/addons/addon.server.ts';
import { sql, type Updateable } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { forbidden, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { openStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { missing } from '#platform/history/cleared.server.ts';
import type { Tables } from '#platform/db/tables.ts';
import { dateProblem, parseDate } from '#platform/shared/dates.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { DataImport, ImportAsk, ImportState, ScreenReport } from './data-import.contract.ts';
import { importPage, importsCsv, whoImported } from './import-list.server.ts';
import { fieldsAt, importView, kindView, missingOf } from './import-view.server.ts';
import type { ImportKindServer } from './kinds/import-kind.server.ts';
import { aboveNotes, questionsAbove } from './reading/column-questions.server.ts';
import { keepHeadingAnswers } from './running/heading-answers.server.ts';
import { decidedOf, decideHeld, heldPage } from './running/held-rows.server.ts';
import { askEffect } from './running/import-effect.server.ts';
import { dataImportJob } from './running/import-job.server.ts';
import { lookAtFile, type Options, readable, takeUpload, withStoredFile } from './running/take-upload.server.ts';
import { partsOfUndo } from './running/undo-import.server.ts';
import type { StoredHeader } from './running/upload-table.server.ts';

export function dataImportAnswers(kinds: readonly ImportKindServer[]): Answers<typeof DataImport> {
  const allowed = (user: Caller) => kinds.filter((kind) => hasRole(user, ...kind.roles) && !isKeptFrom(user, kind));
  const kindOf = (user: Caller, name: string): ImportKindServer => {
    const kind = kinds.find((candidate) => candidate.kind === name);
    if (!kind) throw invalid([{ path: 'kind', message: 'Files of this kind cannot be imported.' }]);
    if (!hasRole(user, ...kind.roles)) throw forbidden();
    if (isKeptFrom(user, kind))
      throw new HttpError(403, `API keys cannot import ${kind.label}. Only signed-in users can.`);
    return kind;
  };
  /** Locks the import for this transaction. Throws 404, 403, or 409 with a sentence if it is not in one of the states. */
  const take = async (db: Db, user: Caller, id: number, states: readonly ImportState[]) => {
    const record = await db.selectFrom('data_import').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!record) throw await missing(db, 'imports', id, 'import');
    const kind = kindOf(user, record.kind);
    if (kind.addon) await requireOn(db, kind.addon);
    const state = record.state as ImportState;
    if (!states.includes(state)) throw new HttpError(409, `This import ${NOW[state]}`);
    const { file_id: fileId, mapping, options } = record;
    return { record, fileId, kind, mapping: mapping as StoredHeader, options: options as Options };
  };
  const view = (db: Db, user: Caller, id: number) => importView(db, (name) => kindOf(user, name), id);

  return {
    ListImportKinds: async ({ db, user }) => {
      const off = await switchedOff(db);
      return allowed(user)
        .filter(({ addon }) => addon === undefined || !off.has(addon))
        .map(kindView);
    },

    UploadImport: async ({ db, user, services, upload }, { kind: name }) => {
      const kind = kindOf(user, name);
      if (kind.addon) await requireOn(db, kind.addon);
      if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
      return takeUpload({ db, user, services }, kind, upload, (trx, id) => view(trx, user, id));
    },

    MatchColumns: async ({ db, user, services }, { id, ...input }) => {
      const taken = await take(db, user, id, ['Uploaded', 'Checked', 'Failed']);
      const next = await matched({ db, services }, taken, input);
      const { format, sheets, samples, notes, others, above, chosen } = next.options;
      await db
        .updateTable('data_import')
        .set({
          mapping: JSON.stringify(next.header),
          options: JSON.stringify({ format, sheets, samples, notes, others, above, chosen }),
          state: 'Uploaded',
          report: null,
          effect: null,
          refused_file_id: null,
          error: '',
          done: 0,
          total: 0,
        })
        .where('id', '=', id)
        .execute();
      return view(db, user, id);
    },

    StartCheck: async ({ db, user, services }, { id, options: input }) => {
      const { kind, mapping, options } = await take(db, user, id, ['Uploaded', 'Checked', 'Failed']);
      const answers = answersTo(kind.asks ?? [], input ?? options.chosen ?? {});
      const missing = missingOf(kind, mapping, options);
      if (missing) throw invalid([{ path: 'fields', message: missing }]);
      await keepHeadingAnswers(db, kind, mapping);
      await db
        .updateTable('data_import')
        .set({
          state: 'Checking',
          tries: 0,
          done: 0,
          total: 0,
          report: null,
          effect: null,
          refused_file_id: null,
          error: '',
          applied_by: null,
          applied_by_key: null,
          options: JSON.stringify({ ...options, chosen: answers }),
        })
        .where('id', '=', id)
        .execute();
      await services.jobs.send(db, dataImportJob, { importId: id });
      return view(db, user, id);
    },

    GetImport: ({ db, user }, { id }) => view(db, user, id),

    ApplyImport: async ({ db, user, services }, { id }) => {
      const { record, kind } = await take(db, user, id, ['Checked', 'Applied']);
      const report = record.report as ScreenReport;
      const { accepted } = await decidedOf(db, id);
      if (record.state === 'Applied') {
        if (accepted === 0) throw new HttpError(409, `This import ${NOW.Applied}`);
        requireLast(record);
      }
      if (report.writes === 0 && accepted === 0)
        throw new HttpError(409, 'Nothing in this file is new or changed, so there is nothing to import.');
      await requireNoOther(db, kind, id);
      const begun = { state: 'Applying', tries: 0, done: 0, total: report.rows, error: '' };
      await startAlone(db, id, { ...begun, applied_by: user.id, applied_by_key: user.keyId ?? null });
      await services.jobs.send(db, dataImportJob, { importId: id });
      return view(db, user, id);
    },

    GetHeldRows: async ({ db, user }, { id, ...input }) => {
      const record = await db.selectFrom('data_import').select('kind').where('id', '=', id).executeTakeFirst();
      if (!record) throw await missing(db, 'imports', id, 'import');
      kindOf(user, record.kind);
      return heldPage(db, id, input);
    },

    DecideHeldRows: async ({ db, user, services }, { id, ...decided }) => {
      const { record, kind } = await take(db, user, id, ['Checked', 'Applied']);
      if (record.state === 'Applied') requireLast(record);
      await decideHeld(db, kind, id, decided);
      if (record.state === 'Checked') await askEffect(db, services, kind, id);
      return view(db, user, id);
    },

    GetRefusedRows: async ({ db, user, services }, { id }) => {
      const record = await db
        .selectFrom('data_import')
        .leftJoin('file', 'file.id', 'data_import.refused_file_id')
        .select(['data_import.kind', 'file.name', 'file.storage_key as key'])
        .where('data_import.id', '=', id)
        .executeTakeFirst();
      if (!record) throw await missing(db, 'imports', id, 'import');
      kindOf(user, record.kind);
      if (record.key === null || record.name === null) throw notFound('file');
      return { name: record.name, bytes: await openStored(services, record.key) };
    },

    ListImports: ({ db, user }, criteria) => importPage(db, { kinds, allowed: allowed(user) }, criteria),

    ExportImports: ({ db, user }, criteria) => importsCsv(db, { kinds, allowed: allowed(user) }, criteria),

    UndoImport: async ({ db, user, services }, { id }) => {
      const { record, kind } = await take(db, user, id, ['Applied']);
      if (!record.undoable)
        throw new HttpError(
          409,
          'Only the last import of a kind can be undone, and a newer one has been applied since.',
        );
      await requireNoOther(db, kind, id);
      const begun = { state: 'Undoing', tries: 0, done: 0, total: partsOfUndo(kind.tracks), error: '' };
      await startAlone(db, id, { ...begun, undone_by: user.id, undone_by_key: user.keyId ?? null });
      await services.jobs.send(db, dataImportJob, { importId: id });
      return view(db, user, id);
    },
  };
}

/** Returns whether the caller is an API key and API keys may not use the kind. */
function isKeptFrom(user: Caller, { peopleOnly = false }: ImportKindServer): boolean {
  return peopleOnly && user.keyId !== undefined;
}

const NOW: Record<ImportState, string> = {
  Uploaded: 'has not been checked. Check it first.',
  Checking: 'is being checked right now. Wait until that is done.',
  Checked: 'was not applied.',
  Applying: 'is being applied right now. Wait until that is done.',
  Applied: 'was already applied.',
  Failed: 'failed: check it again.',
  Undoing: 'is being undone right now. Wait until that is done.',
  Undone: 'was undone: upload the file again.',
};
/**
 * Throws 409 once a newer import of the kind has been applied. Until then, held rows may be decided; the newer import may have changed the records
 * that they were compared with.
 */
function requireLast({ undoable }: { undoable: boolean }): void {
  if (!undoable)
    throw new HttpError(
      409,
      'A newer file of this kind has been applied since. Upload this file again to decide its rows.',
    );
}

const BUSY =
  'Another file of this kind is being applied or undone right now. Wait until it is done, then check this one again.';

/** Moves an import to a state that only one import of its kind may have at a time. Throws 409 if another has it. */
async function startAlone(db: Db, id: number, begun: Updateable<Tables['data_import']>): Promise<void> {
  await db
    .updateTable('data_import')
    .set({ ...begun, step: '' })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      // Two users started at the same moment, and the other one was first.
      if ((error as { code?: string }).code === '23505') throw new HttpError(409, BUSY);
      throw error;
    });
}

type MatchInput = Omit<ParsedInputOf<(typeof DataImport)['MatchColumns']>, 'id'>;
type Taken = { fileId: number; kind: ImportKindServer; mapping: StoredHeader; options: Options };

/** Returns the header and the options after the user chose a sheet, the header line, or the fields of columns. */
async function matched(
  { db, services }: Pick<Context, 'db' | 'services'>,
  { fileId, kind, mapping, options }: Taken,
  { sheet, headerLine, fields, unused }: MatchInput,
): Promise<{ header: StoredHeader; options: Options }> {
  if (sheet !== undefined || (headerLine !== undefined && headerLine !== mapping.line)) {
    const result = await readable(() =>
      withStoredFile(services, db, fileId, (path) =>
        lookAtFile(db, kind, path, { sheet: sheet ?? mapping.sheet, headerLine }),
      ),
    );
    // The question which sheet to read is answered only when the user names a sheet.
    const others = sheet === undefined ? options.others : [];
    return { header: result.header, options: { ...options, ...result, ...(others ? { others } : {}) } };
  }
  const header = fields || unused ? decidedHeader(kind, mapping, fields, unused) : mapping;
  if (headerLine === undefined) return { header, options };
  // A user who chooses the header line has seen the lines above it.
  const questions = questionsAbove(options.above ?? [], mapping.columns, kind.rows);
  return { header, options: { ...options, above: [], notes: [...(options.notes ?? []), ...aboveNotes(questions)] } };
}

function columnsFrom(
  kind: ImportKindServer,
  { headings }: StoredHeader,
  fields: (string | null)[],
): Record<string, number> {
  if (fields.length !== headings.length)
    throw invalid([{ path: 'fields', message: 'The columns do not match this file. Reload the page.' }]);
  const columns: Record<string, number> = {};
  for (const [at, field] of fields.entries()) {
    if (field === null || field === '') continue;
    const known = Object.hasOwn(kind.rows.fields, field) ? kind.rows.fields[field] : undefined;
    if (!known) throw invalid([{ path: `fields.${at}`, message: `${kind.label} have no field ${field}.` }]);
    if (Object.hasOwn(columns, field))
      throw invalid([{ path: `fields.${at}`, message: `Two columns cannot both be the ${known.label}.` }]);
    columns[field] = at;
  }
  return columns;
}

/** Returns the header with the fields and the unused columns that the user chose. They no longer come from the last file. */
function decidedHeader(
  kind: ImportKindServer,
  mapping: StoredHeader,
  fields: (string | null)[] | undefined,
  unused: number[] | undefined,
): StoredHeader {
  const columns = fields ? columnsFrom(kind, mapping, fields) : mapping.columns;
  const used = new Set(Object.values(columns));
  const notUsed = (unused ?? mapping.unused ?? []).filter((at) => at < mapping.headings.length && !used.has(at));
  const before = fieldsAt(mapping);
  const after = fieldsAt({ columns });
  const remembered = (mapping.remembered ?? []).filter(
    (at) => before.get(at) === after.get(at) && (used.has(at) || notUsed.includes(at)),
  );
  return { ...mapping, columns, unused: notUsed, remembered };
}

async function requireNoOther(db: Db, kind: ImportKindServer, id: number): Promise<void> {
  const other = await db
    .selectFrom('data_import')
    .select(['data_import.file_name as file', 'data_import.state'])
    .select(sql<string>`coalesce(nullif(${whoImported('undone_by')}, ''), ${whoImported('applied_by')})`.as('who'))
    .where('data_import.kind', '=', kind.kind)
    .where('data_import.state', 'in', ['Applying', 'Undoing'])
    .where('data_import.id', '!=', id)
    .executeTakeFirst();
  if (other)
    throw new HttpError(
      409,
      `${other.who} is ${other.state === 'Undoing' ? 'undoing the import of' : 'applying'} ${other.file} right now. Wait until it is done, then check this one again.`,
    );
}

/** Returns the answer to each question, from the user or the default. Throws 422 for an invalid answer. */
function answersTo(asks: readonly ImportAsk[], input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    asks.map((ask) => {
      const value = input[ask.name] ?? ask.standard;
      const problem = askProblem(ask, value);
      if (problem) throw invalid([{ path: `options.${ask.name}`, message: `${ask.label}: ${problem}` }]);
      if (typeof value !== 'string') return [ask.name, value];
      return [ask.name, ask.type === 'day' ? (parseDate(value.trim()) ?? '') : value.trim()];
    }),
  );
}

function askProblem({ type, choices = [] }: ImportAsk, value: unknown): string {
  if (type === 'tick') return typeof value === 'boolean' ? '' : 'answer yes or no.';
  if (typeof value !== 'string' || value.length > 200) return 'use a few words.';
  const text = value.trim();
  if (type === 'choice') return choices.some((choice) => choice.value === text) ? '' : 'choose one from the list.';
  if (type === 'number')
    return /^(?:\d{1,9}(?:\.\d{1,4})?)?$/.test(text) ? '' : 'enter a number of 0 or more, such as 5 or 2.50.';
  const dayProblem = type === 'day' && text !== '' ? dateProblem(text) : undefined;
  if (dayProblem) return `${dayProblem}.`;
  return '';
}

// Runs imports in the background. A check is a dry run. Applying and undoing are one transaction each, so a killed process leaves all or nothing.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { z } from 'zod';
import { HttpError } from '#platform/api/http-error.ts';
import type { Services } from '#platform/api/services.server.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { notify } from '#platform/notifications/notify.server.ts';
import { importPlace } from '#platform/notifications/notification-words.server.ts';
import { type Db, isOutdatedPlan, isUnreachable } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { type Actor, recordChange } from '#platform/history/record-change.server.ts';
import { actingName } from '#platform/users/acting-name.server.ts';
import { forgetCallers } from '#platform/auth/sessions/caller.server.ts';
import { GivenUp, type JobKind } from '#platform/jobs/jobs.server.ts';
import { FileMissingError } from '#platform/outside/file-store.server.ts';
import { removeUncommitted } from '#platform/outside/remove-uncommitted.server.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { Id } from '#platform/shared/wire.ts';
import type { ScreenReport } from '../data-import.contract.ts';
import type { HeldRow, ImportKindServer, ImportRun, Progress, Track } from '../kinds/import-kind.server.ts';
import { askEffect } from './import-effect.server.ts';
import { runReport, withLater } from './run-report.server.ts';
import { openTable, spool } from '../reading/read-table.server.ts';
import { UnusableFile } from '../reading/table-file.server.ts';
import { refusedCauses, refusedCells, countRefusedLines, writeRefusedRows } from './refused-rows.server.ts';
import { headingsOf, stageSheet } from './stage-sheet.server.ts';
import { stageOnlyAccepted, takeChosen } from './merge-rows.server.ts';
import { keepBefore, keepChanges, undoTracks } from './undo-import.server.ts';
import { type StoredHeader, storedTable } from './upload-table.server.ts';

/** After this many tries, stopped servers are no longer the likely cause. */
const MAX_ATTEMPTS = 5;
const SHOWN_REFUSALS = 200;
/** After this many written records, the statistics of the tables are refreshed. */
const MANY = 1000;

export const dataImportJob = { name: 'data-import', payload: z.object({ importId: Id }) };

/** The background job for all kinds of imports. */
export function dataImportWork(kinds: readonly ImportKindServer[]) {
  return {
    ...dataImportJob,
    retryLimit: MAX_ATTEMPTS + 1,
    expireInSeconds: 4 * 3600,
    run: (services: Services, { importId }: { importId: number }) => runImport(services, kinds, importId),
  } satisfies JobKind<typeof dataImportJob.payload, Services>;
}

type Begun = {
  id: number;
  kind: string;
  state: 'Checking' | 'Applying' | 'Undoing';
  tries: number;
  /** The report of the first application, if accepted held rows are applied after it. */
  before: ScreenReport | null;
  file_name: string;
  storage_key: string;
  mapping: StoredHeader;
  chosen: Record<string, unknown>;
  notes: string[];
  /** The number of records that the check would write, or that the import to undo wrote. */
  writes: number;
  author: Actor;
};

/** Checks, applies or undoes an import, depending on its state. After a kill it starts over. For a finished import it does nothing. */
async function runImport(services: Services, kinds: readonly ImportKindServer[], id: number): Promise<void> {
  const { db } = services.database;
  const begun = await beginTry(db, id);
  if (!begun) return;
  const fail = (error: string) =>
    inTransaction(db, async (trx) => {
      const failed = await trx
        .updateTable('data_import')
        // An import that cannot be undone or extended stays applied.
        .set(
          begun.state === 'Undoing' || begun.before
            ? { state: 'Applied', error, step: '', undone_by: null, undone_by_key: null }
            : { state: 'Failed', error, step: '' },
        )
        .where('id', '=', id)
        .where('state', '=', begun.state)
        .returning('id')
        .executeTakeFirst();
      if (failed) await notifyEnded(trx, services, begun, error);
    });
  const kind = kinds.find((candidate) => candidate.kind === begun.kind);
  if (!kind) return fail('Files of this kind can no longer be imported.');
  if (begun.tries > MAX_ATTEMPTS) {
    return fail(
      `The server stopped, or could not read the file, ${MAX_ATTEMPTS} times. Nothing was changed. Try again when it is stable.`,
    );
  }
  if (begun.state === 'Undoing') {
    try {
      await undoInOneTransaction(services, kind, begun);
    } catch (error) {
      if (mayPass(error)) throw error;
      const isRefusal = error instanceof HttpError;
      await fail(isRefusal ? error.message : UNEXPECTED_UNDOING);
      if (!isRefusal) throw new GivenUp(messageOf(error), { cause: error });
    }
    return;
  }
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'import-'));
  try {
    const spooled = await spool(await services.files.open(begun.storage_key));
    try {
      await inOneTransaction(services, kind, begun, spooled.path, path.join(folder, 'refused.csv'));
    } finally {
      await spooled.remove();
    }
  } catch (error) {
    if (error instanceof FileMissingError) return await fail(LOST);
    // The queue retries temporary faults.
    if (mayPass(error)) throw error;
    await fail(error instanceof UnusableFile ? error.message : UNEXPECTED);
    // The screen shows a sentence. The log and the list of failed jobs get the cause.
    if (!(error instanceof UnusableFile)) throw new GivenUp(messageOf(error), { cause: error });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

const UNEXPECTED =
  'The database rejected it, so nothing was changed. Check the file again; if it fails again, contact your administrator.';

const LOST = 'The file store has lost the file. Nothing was changed; upload it again.';
const UNEXPECTED_UNDOING =
  'The database rejected it, so nothing was undone. Try again; if it fails again, contact your administrator.';

/** Failures that another file would not fix. */
export const UNEXPECTED_ERRORS: readonly string[] = [UNEXPECTED, LOST];

function mayPass(error: unknown): boolean {
  const { code, $metadata } = error as { code?: string; $metadata?: unknown };
  // An aborted transaction, an unreachable database, or a silent file store.
  return (
    isUnreachable(error) ||
    isOutdatedPlan(error) ||
    /^(?:40001|40P01|55P03|E[A-Z]+)$/.test(code ?? '') ||
    $metadata !== undefined
  );
}

/** The key that requested the last step. */
const authorKey = sql<number | null>`case when i.undone_by is not null then i.undone_by_key
  when i.applied_by is not null then i.applied_by_key else i.created_by_key end`;

/** Counts the try. Returns null if nothing is left to do. */
async function beginTry(db: Db, id: number): Promise<Begun | null> {
  const row = await db
    .updateTable('data_import as i')
    .from('file')
    .from('app_user as u')
    .set((eb) => ({
      tries: eb('i.tries', '+', 1),
      done: 0,
      step: sql<string>`case when i.state = 'Undoing' then 'looking' else 'reading' end`,
    }))
    .where('i.id', '=', id)
    .where('i.state', 'in', ['Checking', 'Applying', 'Undoing'])
    .whereRef('file.id', '=', 'i.file_id')
    .where(sql<boolean>`u.id = coalesce(i.undone_by, i.applied_by, i.created_by)`)
    .returning(['i.id', 'i.kind', 'i.state', 'i.tries', 'i.file_name', 'file.storage_key', 'i.mapping', 'i.options'])
    .returning(sql<number>`coalesce((i.report->>'writes')::int, 0)`.as('writes'))
    .returning(sql<unknown>`case when i.state = 'Applying' and i.applied_at is not null then i.report end`.as('before'))
    .returning(['u.id as authorId', authorKey.as('authorKey'), actingName(sql`u.id`, authorKey).as('authorName')])
    .executeTakeFirst();
  if (!row) return null;
  const { chosen = {}, notes = [] } = row.options as { chosen?: Record<string, unknown>; notes?: string[] };
  return {
    ...row,
    state: row.state as Begun['state'],
    before: row.before as ScreenReport | null,
    mapping: row.mapping as StoredHeader,
    chosen,
    notes,
    author: { id: row.authorId, fullName: row.authorName, ...(row.authorKey === null ? {} : { keyId: row.authorKey }) },
  };
}

/** Undoes everything, or throws and changes nothing. An HttpError says what depends on the import. */
async function undoInOneTransaction(services: Services, kind: ImportKindServer, begun: Begun): Promise<void> {
  const { id, author, file_name: file } = begun;
  const progress = progressOf(services, begun);
  try {
    await services.database.longDb.transaction().execute(async (trx) => {
      await actByKey(trx, author.keyId);
      // A second run of the same undo (if this server seemed dead) waits here and then finds it done.
      await sql`select pg_advisory_xact_lock(hashtext('data-import'), ${id})`.execute(trx);
      const { state } = await trx
        .selectFrom('data_import')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      if (state !== begun.state) return;
      const by = { comment: `Import of ${file} was undone`, author, onProgress: progress.onProgress };
      if (kind.undo) await kind.undo(trx, id, by);
      else await undoTracks(trx, kind.tracks, id, by);
      if (begun.writes > MANY) await analyze(trx, kind.tracks);
      // Otherwise the pending progress write would wait for the row that is updated here.
      await progress.flushed();
      await trx
        .updateTable('data_import')
        .set((eb) => ({
          state: 'Undone',
          undoable: false,
          undone_at: services.clock.now(),
          step: '',
          done: eb.ref('total'),
        }))
        .where('id', '=', id)
        .execute();
      await recordChange(trx, author, { type: 'dataImport', id, name: `${kind.label}: ${file}`, action: 'Undo' });
    });
  } finally {
    await progress.flushed();
  }
  forgetCallers(services);
}

/** Gives the planner statistics about many new rows. Without statistics, opening a quote takes forty times as long. */
async function analyze(trx: Db, tracks: readonly Track[]): Promise<void> {
  const tables = new Set([...tracks.map(({ table }) => table), 'data_import_change', 'record_event']);
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(trx);
}

async function inOneTransaction(
  services: Services,
  kind: ImportKindServer,
  begun: Begun,
  file: string,
  refusedFile: string,
): Promise<void> {
  const started = performance.now();
  const { longDb: db } = services.database;
  const willWrite = begun.state === 'Applying';
  const progress = progressOf(services, begun);
  const table = await openTable(file);
  let storedKey: string | null = null;
  const trx = await db.startTransaction().execute();
  try {
    // A second run of the same import (if this server seemed dead) waits here and then finds it done.
    await sql`select pg_advisory_xact_lock(hashtext('data-import'), ${begun.id})`.execute(trx);
    const { state } = await trx
      .selectFrom('data_import')
      .select('state')
      .where('id', '=', begun.id)
      .executeTakeFirstOrThrow();
    if (state !== begun.state) return await trx.rollback().execute();

    const source = storedTable(table, begun.mapping);
    const run: ImportRun = {
      importId: begun.id,
      willWrite,
      later: begun.before !== null,
      today: today(services, await loadCompany(trx)),
      options: begun.chosen,
      author: begun.author,
      comment: `Import of ${begun.file_name}`,
      headingOf: headingsOf(kind.rows, source.header),
      fields: new Set(source.header.columns.keys()),
    };
    const staged = await stageSheet(trx, kind.rows, source, run.options, progress.onProgress);
    if (run.later) await stageOnlyAccepted(trx, begun.id);
    if (willWrite) await takeChosen(trx, begun.id);
    progress.onProgress({ step: 'comparing', rows: staged.rows });
    const compared = await kind.compare(trx, run);
    const refused = await countRefusedLines(trx);
    const cells = await refusedCells(trx, SHOWN_REFUSALS);
    const causes = refused > 0 ? await refusedCauses(trx) : [];
    const heldBack = kind.held ? await kind.held.rows(trx, kind.held.most + 1) : [];
    if (kind.held && heldBack.length > kind.held.most)
      throw new UnusableFile(`More than ${kind.held.most.toLocaleString('en-US')} rows ${kind.held.tooMany}`);
    const read = await rowsRead(trx);
    const [cell] = cells;
    if (run.later && cell) throw new UnusableFile(notAnyMore(cell));
    if (refused > 0) {
      await writeRefusedRows(trx, source, refusedFile);
      storedKey = await services.files.putFile(refusedFile);
    }
    if (willWrite && compared.writes > 0) {
      await trx
        .updateTable('data_import')
        .set({ undoable: false })
        .where('kind', '=', kind.kind)
        .where('id', '!=', begun.id)
        .where('undoable', '=', true)
        .execute();
      progress.onProgress({ step: 'writing', rows: staged.rows });
      await keepBefore(trx, kind.tracks);
      await actByKey(trx, run.author.keyId);
      await kind.write(trx, run);
      if (compared.writes > MANY) await analyze(trx, kind.tracks);
      await keepChanges(trx, kind.tracks, {
        importId: begun.id,
        kind: kind.kind,
        comment: run.comment,
        author: run.author,
      });
    }
    const isStored = willWrite || compared.writes === 0;
    const conclusion = isStored ? await kind.conclude?.(trx, run.today) : undefined;
    const result = conclusion ? { ...compared, conclusion } : compared;
    const seconds = (performance.now() - started) / 1000;
    const counts = { read, refused, held: heldBack.length };
    const report = begun.before
      ? withLater(begun.before, result, counts, seconds)
      : runReport(begun.notes, result, staged, counts, { cells, causes }, seconds);
    const done = { refused: storedKey === null ? null : { key: storedKey, path: refusedFile }, report, heldBack };
    // Staged rows of a dry run are dropped with its transaction.
    if (!willWrite) await trx.rollback().execute();
    else {
      await finish(trx, services, kind, begun, done);
      await trx.commit().execute();
    }
    await progress.flushed();
    if (!willWrite) await db.transaction().execute((own) => finish(own, services, kind, begun, done));
  } catch (error) {
    if (!trx.isCommitted && !trx.isRolledBack)
      await trx
        .rollback()
        .execute()
        .catch(() => {});
    if (storedKey !== null && !trx.isCommitted) await removeUncommitted(services.files, [storedKey], error);
    throw error;
  } finally {
    await table.close();
  }
}

/** Returns the number of accepted rows. Each row of the file is accepted, refused, held or skipped. */
async function rowsRead(trx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct line)::int as n from import_row r
    where outcome is distinct from 'held' and not exists (select from import_refusal x where x.line = r.line)`.execute(
    trx,
  );
  return rows[0]?.n ?? 0;
}

type Done = { report: ScreenReport; refused: { key: string; path: string } | null; heldBack: HeldRow[] };

async function finish(
  trx: Db,
  services: Services,
  kind: ImportKindServer,
  begun: Begun,
  { report, refused, heldBack }: Done,
): Promise<void> {
  const name = `${begun.file_name.replace(/(?:\.(?:csv|txt|tsv|xlsx|gz)){1,4}$/i, '')} refused.csv`;
  const file =
    refused &&
    (await trx
      .insertInto('file')
      .values({ storage_key: refused.key, name, media_type: 'text/csv', size: (await fs.stat(refused.path)).size })
      .returning('id')
      .executeTakeFirstOrThrow());
  const applied = begun.state === 'Applying';
  const { numUpdatedRows } = await trx
    .updateTable('data_import')
    .set({
      state: applied ? 'Applied' : 'Checked',
      report: JSON.stringify(report),
      refused_file_id: file?.id ?? null,
      done: report.rows,
      total: report.rows,
      step: '',
      error: '',
      ...(applied ? { applied_at: services.clock.now(), undoable: report.writes > 0 } : {}),
      ...(begun.before ? { refused_file_id: sql<number>`refused_file_id` } : {}),
    })
    .where('id', '=', begun.id)
    .where('state', '=', begun.state)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Error('Another server ran this import.');
  await keepHeld(trx, begun, heldBack, applied);
  if (applied) await noteApplied(trx, begun.id);
  if (applied || report.refused > 0) await notifyEnded(trx, services, begun, '');
  if (!applied) return askEffect(trx, services, kind, begun.id);
  await recordChange(trx, begun.author, {
    type: 'dataImport',
    id: begun.id,
    name: `${kind.label}: ${begun.file_name}`,
    action: 'Import',
    changes: report.figures.map(({ label, count }) => ({
      field: label,
      before: '',
      after: count.toLocaleString('en-US'),
    })),
  });
}

/** Notifies the user who started the import. Files of the watched folder are reported by the inbox. */
async function notifyEnded(
  db: Db,
  services: Services,
  { id, kind, author, file_name: file }: Begun,
  error: string,
): Promise<void> {
  const inboxFile = await db
    .selectFrom('import_inbox_file')
    .select('id')
    .where('import_id', '=', id)
    .executeTakeFirst();
  if (inboxFile) return;
  const mail = {
    what: `Import of ${file} ${error ? 'failed' : 'finished'}`,
    paragraphs: () => [error || 'Its report shows what was written and which rows were refused.'],
    path: importPlace(kind, id),
  };
  const by = { id: null, name: '' };
  await notify(db, services, { kind: 'importEnded', by, mail }, [{ userId: author.id, aboutId: id }]);
}

/** Stores the rows that a check held. If the data changed after the check, the application may hold more rows; these are added undecided. */
async function keepHeld(trx: Db, { id }: Begun, held: readonly HeldRow[], applied: boolean): Promise<void> {
  if (!applied) await trx.deleteFrom('data_import_held').where('import_id', '=', id).execute();
  if (held.length === 0) return;
  await sql`insert into data_import_held as h (import_id, line, key, was, now, hint, ways)
    select ${id}, x.line, x.key, x.was, x.now, x.hint, x.ways
    from json_to_recordset(${JSON.stringify(held)}::json) as x(line int, key text, was text, now text, hint text, ways jsonb)
    on conflict (import_id, line) do update set
      was = excluded.was, now = excluded.now, hint = excluded.hint, ways = excluded.ways, way = '', way_label = '', confirmed = false,
      rejected = h.rejected and h.was = excluded.was and h.now = excluded.now`.execute(trx);
}

/** Records accepted rows as applied. */
async function noteApplied(trx: Db, id: number): Promise<void> {
  await sql`update data_import_held h set applied = true
    where h.import_id = ${id} and h.confirmed and exists (
      select from import_row r where r.line = h.line and r.outcome is distinct from 'held' and r.reason is null)`.execute(
    trx,
  );
}

const notAnyMore = ({ line, column, value, reason }: ScreenReport['refusedCells'][number]): string =>
  `Line ${line.toLocaleString('en-US')} can no longer be applied: ${column} ${value === '' ? '' : `'${value}' `}${reason}. Reject it, or upload the file again.`;

/** Writes the progress at most twice a second, outside the transaction so that other users see it. `flushed` waits for the last write. */
function progressOf(
  services: Services,
  { id, state }: Begun,
): { onProgress: Progress; flushed: () => Promise<unknown> } {
  let last = 0;
  let lastStep = '';
  let underWay: Promise<unknown> | null = null;
  return {
    onProgress: ({ step, rows }) => {
      const now = performance.now();
      if (underWay || (step === lastStep && now - last < 500)) return;
      [last, lastStep] = [now, step];
      // The transaction may hold a lock on the row, so it must not wait for this write.
      underWay = services.database.db
        .updateTable('data_import')
        .set({ done: rows, step })
        .where('id', '=', id)
        .where('state', '=', state)
        .execute()
        .catch(() => {})
        .finally(() => (underWay = null));
    },
    flushed: async () => underWay,
  };
}

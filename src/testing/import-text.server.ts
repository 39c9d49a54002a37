// Imports the text of a file into a database as the command line does, and summarizes the report.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Services } from '#platform/api/services.server.ts';
import type { Database } from '#platform/db/database.server.ts';
import { importKinds } from '#app/calls.server.ts';
import type { RowKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { type ImportOptions, importFile } from '#platform/data-import/running/import-file.server.ts';
import { dataImportWork } from '#platform/data-import/running/import-job.server.ts';
import type { ImportResult } from '#platform/data-import/running/import-report.ts';
import { systemClock } from '#platform/outside/clock.server.ts';
import { openFileStore } from '#platform/outside/file-store.server.ts';
import { aUser } from './factories/people.server.ts';

/** The kinds of files that have rows and columns. */
export const tableKinds = importKinds.filter(({ files }) => files !== 'geojson');

/** The columns of a kind of import. */
export function rowsOfKind(kind: string): RowKind {
  const known = importKinds.find((importKind) => importKind.kind === kind);
  if (!known) throw new Error(`no kind ${kind}`);
  return known.rows;
}

export async function importText(
  database: Database,
  kind: string,
  text: string | Buffer,
  options?: ImportOptions,
): Promise<ImportResult> {
  const known = importKinds.find((importKind) => importKind.kind === kind);
  if (!known) throw new Error(`no kind ${kind}`);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'import-text-'));
  try {
    const file = path.join(folder, `${kind}.csv`);
    await fs.writeFile(file, text);
    const work = dataImportWork(importKinds);
    // Needs no queue, because the test does the work itself.
    const services = {
      database,
      clock: systemClock,
      files: await openFileStore(`file:${path.join(folder, 'files')}`),
      jobs: { send: () => Promise.resolve() },
    } as unknown as Services;
    const { id, user_name: userName, full_name: fullName } = await importerIn(database);
    const user = { id, userName, fullName, roles: ['systemadmin' as const], sessionId: '', regionIds: [] };
    return await importFile(
      {
        services,
        user: { ...user, supportedRepIds: [], deputyFor: [], mustChangePassword: false },
        kinds: importKinds,
        waitForImport: (importId) => work.run(services, { importId }),
      },
      known,
      file,
      options,
    );
  } finally {
    await fs.rm(folder, { recursive: true });
  }
}

async function importerIn({ db }: Database) {
  const known = db.selectFrom('app_user').selectAll().where('full_name', '=', 'Ida Importer');
  const row = await known.executeTakeFirst();
  if (row) return row;
  // The importer is not an administrator, so that tests can have a last administrator.
  await aUser(db, { roles: ['salesrep'], fullName: 'Ida Importer' });
  return known.executeTakeFirstOrThrow();
}

/** The number of rows, and all other counts that are not zero. */
export function figures({ view: { report } }: ImportResult): Record<string, number> {
  const names = { New: 'fresh', Changed: 'changed', Same: 'same', Repeated: 'repeated', Ignored: 'silent' };
  const all: Record<string, string> = { ...names, Skipped: 'skipped', Refused: 'refused', Held: 'held' };
  const matches = (report?.figures ?? []).filter(({ count }) => count > 0);
  return {
    rows: report?.rows ?? 0,
    ...Object.fromEntries(matches.map(({ label, count }) => [all[label] ?? label, count])),
  };
}

export const refusals = ({ view: { report } }: ImportResult): string[] =>
  (report?.refusedCells ?? []).map(({ line, column, value, reason }) => `${line} ${column}: '${value}' ${reason}`);

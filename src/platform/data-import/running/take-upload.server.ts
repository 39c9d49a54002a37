// Accepts an uploaded file: reads its columns, stores its bytes, and creates the import.
import { stat } from 'node:fs/promises';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Caller, Services } from '#platform/api/services.server.ts';
import { openStored } from '#platform/api/stored-file.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { removeUncommitted } from '#platform/outside/remove-uncommitted.server.ts';
import type { ImportKindServer } from '../kinds/import-kind.server.ts';
import { cleaned, cut } from '../reading/cell-values.server.ts';
import { spool } from '../reading/read-table.server.ts';
import { UnusableFile } from '../reading/table-file.server.ts';
import { headingAnswers } from './heading-answers.server.ts';
import { type FoundTable, lookAt, type StoredHeader } from './upload-table.server.ts';

export type Options = Pick<FoundTable, 'format' | 'sheets' | 'samples'> & {
  notes?: string[];
  others?: FoundTable['others'];
  above?: FoundTable['above'];
  chosen?: Record<string, unknown>;
};

type Uploaded = { name: string; mediaType: string; path: string };
type By = { db: Db; user: Caller; services: Services };

/** Creates the import of an uploaded file. `also` runs in its transaction; if it throws, nothing of the file is kept. */
export async function takeUpload<T>(
  { db, user, services }: By,
  kind: ImportKindServer,
  upload: Uploaded,
  also: (trx: Db, id: number) => Promise<T>,
): Promise<T> {
  const table = await readable(() => lookAtFile(db, kind, upload.path));
  const key = await services.files.putFile(upload.path).catch((error: unknown) => {
    services.log.warn({ err: error }, 'a file could not be stored');
    throw new HttpError(503, 'The file could not be stored right now. Nothing was saved; try again in a moment.');
  });
  try {
    return await db.transaction().execute(async (trx) => {
      const { id } = await insertImport(trx, services, user, kind, { key, upload, table });
      return also(trx, id);
    });
  } catch (error) {
    await removeUncommitted(services.files, [key], error);
    throw error;
  }
}

/** Throws 422 under `file` for an unreadable file. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnusableFile) throw invalid([{ path: 'file', message: error.message }]);
    throw error;
  }
}

/** Describes the file, and matches its columns as in the last file of the kind. */
export async function lookAtFile(
  db: Db,
  kind: ImportKindServer,
  path: string,
  chosen?: { sheet?: string | undefined; headerLine?: number | undefined },
): Promise<FoundTable> {
  const last = await db
    .selectFrom('data_import')
    .select('mapping')
    .where('kind', '=', kind.kind)
    .where('state', 'in', ['Checked', 'Applying', 'Applied', 'Undoing', 'Undone'])
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const {
    headings = [],
    columns = {},
    unused = [],
  }: Partial<StoredHeader> = (last?.mapping as StoredHeader | undefined) ?? {};
  const answers = await headingAnswers(db, kind.kind);
  return lookAt(path, kind.rows, { headings, columns, unused, answers }, chosen);
}

export async function withStoredFile<T>(
  services: Services,
  db: Db,
  fileId: number,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const { storage_key } = await db
    .selectFrom('file')
    .select('storage_key')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  const spooled = await spool(await openStored(services, storage_key));
  return work(spooled.path).finally(spooled.remove);
}

async function insertImport(
  trx: Db,
  services: Services,
  user: Caller,
  kind: ImportKindServer,
  { key, upload, table }: { key: string; upload: Uploaded; table: FoundTable },
): Promise<{ id: number }> {
  const name = cut(cleaned(upload.name.split(/[/\\]/).at(-1) ?? ''), 200) || 'file';
  const file = await trx
    .insertInto('file')
    .values({ storage_key: key, name, media_type: upload.mediaType, size: await bytesOf(upload.path) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { header, ...options } = table;
  return trx
    .insertInto('data_import')
    .values({
      kind: kind.kind,
      file_id: file.id,
      file_name: name,
      mapping: JSON.stringify(header),
      options: JSON.stringify(options),
      created_by: user.id,
      created_by_key: user.keyId ?? null,
      created_at: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

const bytesOf = async (path: string): Promise<number> => (await stat(path)).size;

// Answers the FolderFileNav and ContractFiles calls.
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { HttpError, invalid, notFound } from '#api/http-error.ts';
import type { Answers } from '#api/serve.server.ts';
import type { Services } from '#api/services.server.ts';
import { readStored } from '#api/stored-file.server.ts';
import { whoDid } from '#features/people/users/acting-name.server.ts';
import { requireContract, requireContracts } from '../sight/contract-sight.server.ts';
import { browse, filesSeen, pathInWords, readContractFile, stepsTo } from './browse-files.server.ts';
import {
  type ContractFiles,
  type FolderFileNav,
  REMOVED_DAYS,
  type Removed,
  ZIP_BYTES,
  ZIP_FILES,
} from './contract-files.contract.ts';
import { goodFileName } from './file-names.server.ts';
import { removeFile, removeFolder, restore, saveFile, saveFolder, uploadFile } from './keep-files.server.ts';
import { type ZipEntry, zipOf } from './zip-file.server.ts';

export const folderFileNavAnswers: Answers<typeof FolderFileNav> = {
  navGPOContractFolder: async (context, input) => {
    const day = await requireContracts(context);
    return browse(context.db, { user: context.user, day }, input);
  },
};

export const contractFileAnswers: Answers<typeof ContractFiles> = {
  SaveContractFolder: saveFolder,
  RemoveContractFolder: removeFolder,
  UploadContractFile: uploadFile,
  SaveContractFile: saveFile,
  RemoveContractFile: removeFile,
  RestoreContractFiles: restore,

  GetContractFolders: async (context, { contractId }) => {
    await requireContract(context, contractId);
    const { rows } = await sql<{ id: number; name: string }>`
      with recursive below as (
        select id, name, array[name_key] as keys from contract_folder
         where contract_id = ${contractId} and removed_at is null and parent_id is null
        union all
        select f.id, b.name || ' › ' || f.name, b.keys || f.name_key
          from below b join contract_folder f on f.parent_id = b.id and f.removed_at is null)
      select id, name from below order by keys`.execute(context.db);
    return rows;
  },

  GetRemovedContractFiles: async (context, { contractId }) => {
    const { db, services } = context;
    await requireContract(context, contractId);
    const now = sql`${services.clock.now().toISOString()}::timestamptz`;
    const columns = (table: 'contract_file' | 'contract_folder', folder: string) => sql`
      ${sql.ref(`${table}.id`)}, ${sql.ref(`${table}.name`)}, ${pathInWords(table, sql.ref(`${table}.${folder}`))} as place,
      ${whoDid(`${table}.removed_by`)} as "removedBy",
      ${sql.ref(`${table}.removed_at`)} as "removedAt",
      greatest(0, ceil(${sql.lit(REMOVED_DAYS)}
        - extract(epoch from ${now} - ${sql.ref(`${table}.removed_at`)}) / 86400))::int as "daysLeft"
      from ${sql.table(table)} where contract_id = ${contractId} and removed_at is not null and removed_with is null`;
    const { rows } = await sql<Removed>`
      select * from (
        select 'folder' as kind, (select count(*)::int from contract_file f where f.removed_with = contract_folder.id) as files,
          ${columns('contract_folder', 'parent_id')}
        union all select 'file', 1, ${columns('contract_file', 'folder_id')}) gone
      order by "removedAt" desc, id desc limit 200`.execute(db);
    return rows;
  },

  GetContractFileVersions: async (context, { id }) => {
    const { db, user } = context;
    const day = await requireContracts(context);
    await readContractFile(db, { user, day }, id);
    return db
      .selectFrom('contract_file_version as v')
      .innerJoin('file', 'file.id', 'v.file_id')
      .select(['v.id', 'v.version_no as versionNo', 'file.name', 'file.size'])
      .select(whoDid('v.uploaded_by').as('uploadedBy'))
      .select(sql<string>`v.uploaded_at`.as('uploadedAt'))
      .where('v.contract_file_id', '=', id)
      .orderBy('v.version_no', 'desc')
      .execute();
  },

  DownloadContractFile: async (context, { id, versionId }) => {
    const { db, user, services } = context;
    const day = await requireContracts(context);
    const { name } = await readContractFile(db, { user, day }, id);
    const stored = await db
      .selectFrom('contract_file_version as v')
      .innerJoin('file', 'file.id', 'v.file_id')
      .select(['file.name', 'file.media_type', 'file.storage_key'])
      .where('v.contract_file_id', '=', id)
      .$if(Boolean(versionId), (query) => query.where('v.id', '=', versionId ?? 0))
      .orderBy('v.version_no', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!stored) throw notFound('file');
    return {
      name: versionId ? stored.name : name,
      mediaType: stored.media_type,
      bytes: await readStored(services, stored.storage_key),
    };
  },

  DownloadContractFiles: async (context, { contractId, folderId }) => {
    const { db, user, services } = context;
    const { number, day } = await requireContract(context, contractId);
    const from = folderId ? await stepsTo(db, folderId) : null;
    if (folderId && from?.contractId !== contractId) throw notFound('folder');
    const { rows: folders } = await sql<{ id: number; names: string[] }>`
      with recursive below as (
        select id, array[name] as names from contract_folder
         where contract_id = ${contractId} and removed_at is null and coalesce(parent_id, 0) = ${folderId ?? 0}
        union all
        select f.id, b.names || f.name from below b join contract_folder f on f.parent_id = b.id and f.removed_at is null)
      select id, names from below`.execute(db);
    const namesOf = new Map<number | null, string[]>(folders.map(({ id, names }) => [id, names]));
    namesOf.set(folderId ?? null, []);
    const files = await filesSeen(db, { user, day }, false)
      .select('newest.storage_key as key')
      .where('contract_file.contract_id', '=', contractId)
      .orderBy('contract_file.folder_id')
      .orderBy('contract_file.name_key')
      .orderBy('contract_file.id')
      .execute();
    const within = files.flatMap((file) => {
      const names = namesOf.get(file.folderId);
      return names ? [{ ...file, folders: names }] : [];
    });
    if (within.length === 0) throw new HttpError(404, 'There is no file here to download.');
    const bytes = within.reduce((sum, { size }) => sum + size, 0);
    if (bytes > ZIP_BYTES || within.length > ZIP_FILES) {
      const size = `${within.length.toLocaleString('en-US')} files of ${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB`;
      throw invalid([
        { path: 'folderId', message: `These are ${size}, more than one ZIP takes. Download folder by folder.` },
      ]);
    }
    const name = [number, from?.steps.at(-1)?.name].filter(Boolean).join(' ');
    return { name: `${goodFileName(name)}.zip`, bytes: Readable.from(zipOf(stored(services, within))) };
  },
};

type Stored = { name: string; folders: string[]; key: string; updatedAt: string };

/** Yields the files one by one. If the store has lost files, a text file at the end names them. */
async function* stored(services: Services, files: Stored[]): AsyncGenerator<ZipEntry> {
  const lost: string[] = [];
  for (const { name, folders, key, updatedAt } of files) {
    const bytes = await readStored(services, key).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 410) return null;
      throw error;
    });
    if (bytes) yield { name, folders, bytes, changedAt: new Date(updatedAt) };
    else lost.push([...folders, name].join('/'));
  }
  if (lost.length === 0) return;
  const text = `The file store has lost these files. Ask your administrator.\r\n\r\n${lost.join('\r\n')}\r\n`;
  yield { name: 'MISSING FILES.txt', folders: [], bytes: Buffer.from(text), changedAt: services.clock.now() };
}

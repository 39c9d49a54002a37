// Implements the FolderFileNav and ContractFiles calls.
import { sql } from 'kysely';
import { notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { readStored } from '#platform/api/stored-file.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { requireContract, requireContracts } from '../sight/contract-sight.server.ts';
import { browse, readContractFile } from './browse-files.server.ts';
import type { ContractFiles, FolderFileNav } from './contract-files.contract.ts';
import { removeFile, removeFolder, saveFile, saveFolder, uploadFile } from './keep-files.server.ts';

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

  GetContractFolders: async (context, { contractId }) => {
    await requireContract(context, contractId);
    const { rows } = await sql<{ id: number; name: string }>`
      with recursive below as (
        select id, name, array[name_key] as keys from contract_folder
         where contract_id = ${contractId} and parent_id is null
        union all
        select f.id, b.name || ' › ' || f.name, b.keys || f.name_key
          from below b join contract_folder f on f.parent_id = b.id)
      select id, name from below order by keys`.execute(context.db);
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
};

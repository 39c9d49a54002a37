// Creates, renames, moves, versions and removes folders and files. Names within one folder are unique.
import { sql } from 'kysely';
import type { ParsedInputOf } from '#platform/api/endpoint.ts';
import { HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Context as CallContext } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { storeRecord } from '#platform/history/record-kit.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import type { CONTRACT_KEEPERS } from '../sight/contract-roles.ts';
import { requireContract } from '../sight/contract-sight.server.ts';
import { fileName, fileType } from '#platform/shared/file-type.server.ts';
import { readContractFile, readFolder, stepsTo } from './browse-files.server.ts';
import type { ContractFile, ContractFiles, Folder } from './contract-files.contract.ts';
import { endingOf, goodFileName, nameKey, wrongFileName } from './file-names.server.ts';

/** The caller has one of the two roles that edit contracts. */
type Context = CallContext<typeof CONTRACT_KEEPERS>;
type FilesInput<K extends keyof typeof ContractFiles> = ParsedInputOf<(typeof ContractFiles)[K]>;
type Place = { contractId: number; folderId: number | null };

/** The maximum depth of folders. */
const MAX_DEPTH = 20;
const TOP = 'the top';

/** Makes simultaneous changes to the folders of one contract run one after the other, so that names stay unique and folders form no cycle. */
async function lockFolders(db: Db, contractId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('contract-files'), ${contractId})`.execute(db);
}

type NamedEntry = { kind: 'folder' | 'file'; id: number; name: string; version: number; updatedBy: string | null };

/** Finds another folder or file in the same place whose name has the same key. */
async function findByName(
  db: Db,
  { contractId, folderId }: Place,
  name: string,
  self: { kind: NamedEntry['kind']; id: number },
): Promise<NamedEntry | undefined> {
  const key = nameKey(name);
  const { rows } = await sql<NamedEntry>`
    select 'folder' as kind, id, name, version, null as "updatedBy" from contract_folder
     where contract_id = ${contractId} and coalesce(parent_id, 0) = ${folderId ?? 0} and name_key = ${key}
    union all
    select 'file', id, name, version, ${whoDid('updated_by')} from contract_file
     where contract_id = ${contractId} and coalesce(folder_id, 0) = ${folderId ?? 0} and name_key = ${key}`.execute(db);
  return rows.find((row) => row.kind !== self.kind || row.id !== self.id);
}

const nameTakenMessage = ({ kind, name }: NamedEntry) =>
  `A ${kind} named “${name}” already exists here. Choose another name.`;

/** A typed name in its stored form. Throws 422 for an invalid name. */
function parseName(input: string): string {
  const name = input.normalize('NFC');
  const problem = wrongFileName(name);
  if (problem) throw invalid([{ path: 'name', message: problem }]);
  return name;
}

/** The path of the destination folder in words. Throws 422 if it does not exist or belongs to another contract. */
async function readDestination(db: Db, { contractId, folderId }: Place, path: string) {
  if (folderId === null) return { steps: [], name: TOP };
  const result = await stepsTo(db, folderId);
  if (result?.contractId !== contractId)
    throw invalid([{ path, message: 'This folder is no longer in the contract. Choose another one.' }]);
  return { steps: result.steps, name: result.steps.map(({ name }) => name).join(' › ') };
}

type FolderRow = { id: number; name: string; version: number; contractId: number; parentId: number | null };

/** Reads an existing folder of a contract that the user can see, and locks the folders of that contract. */
async function lockFolder(context: Context, id: number): Promise<FolderRow> {
  const { db } = context;
  const find = () =>
    db
      .selectFrom('contract_folder')
      .select(['id', 'name', 'version', 'contract_id as contractId', 'parent_id as parentId'])
      .where('id', '=', id)
      .executeTakeFirst();
  const before = await find();
  if (!before) throw notFound('folder');
  await requireContract(context, before.contractId);
  await lockFolders(db, before.contractId);
  const folder = await find();
  if (!folder) throw notFound('folder');
  return folder;
}

export async function saveFolder(context: Context, input: FilesInput<'SaveContractFolder'>): Promise<Folder> {
  const { db, user } = context;
  const { contractId, parentId } = input;
  const name = parseName(input.name);
  const before = input.id === 0 ? null : await lockFolder(context, input.id);
  if (before) {
    await requireFresh(db, 'contractFolder', before, input.version);
    if (before.contractId !== contractId)
      throw invalid([{ path: 'contractId', message: 'A folder stays with its contract.' }]);
  } else {
    await requireContract(context, contractId);
    await lockFolders(db, contractId);
  }
  const target = await readDestination(db, { contractId, folderId: parentId }, 'parentId');
  if (before && target.steps.some(({ id }) => id === before.id))
    throw invalid([{ path: 'parentId', message: `${before.name} cannot be moved into itself or a folder in it.` }]);
  if (target.steps.length >= MAX_DEPTH || (before && target.steps.length + (await depthOf(db, before.id)) > MAX_DEPTH))
    throw invalid([{ path: 'parentId', message: `Folders can be at most ${MAX_DEPTH} deep.` }]);
  const same = await findByName(db, { contractId, folderId: parentId }, name, { kind: 'folder', id: input.id });
  if (same) throw invalid([{ path: 'name', message: nameTakenMessage(same) }]);
  const { id, version } = await storeRecord(db, 'contractFolder', input.id, {
    contract_id: contractId,
    parent_id: parentId,
    name,
    name_key: nameKey(name),
    ...(before ? {} : { created_by: user.id }),
  });
  const previous = before && {
    name: before.name,
    place: (await readDestination(db, { contractId, folderId: before.parentId }, '')).name,
  };
  await recordChange(db, user, {
    type: 'contractFolder',
    id,
    name,
    action: before ? 'Edit' : 'Create',
    version,
    changes: changesBetween(previous ?? {}, { name, place: target.name }, { name: 'Name', place: 'Place' }),
  });
  return readFolder(db, user, id);
}

/** The depth of a folder's subtree, including the folder itself. */
async function depthOf(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ depth: number }>`
    with recursive below as (select ${id}::int as id, 1 as depth
      union all select f.id, b.depth + 1 from below b join contract_folder f on f.parent_id = b.id)
    select max(depth) as depth from below`.execute(db);
  return rows[0]?.depth ?? 1;
}

/** Removes a folder with everything in it. */
export async function removeFolder(context: Context, input: FilesInput<'RemoveContractFolder'>) {
  const { db, user } = context;
  const folder = await lockFolder(context, input.id);
  await requireFresh(db, 'contractFolder', folder, input.version);
  const { rows } = await sql<{ id: number }>`
    with recursive below as (select ${folder.id}::int as id
      union select f.id from below b join contract_folder f on f.parent_id = b.id)
    select id from below`.execute(db);
  const folders = rows.map(({ id }) => id);
  const files = await db
    .selectFrom('contract_file')
    .select('id')
    .where('folder_id', '=', (eb) => eb.fn.any(eb.val(folders)))
    .execute();
  await deleteFiles(
    db,
    files.map(({ id }) => id),
  );
  await db
    .deleteFrom('contract_folder')
    .where('id', '=', (eb) => eb.fn.any(eb.val(folders)))
    .execute();
  await recordChange(db, user, { type: 'contractFolder', id: folder.id, name: folder.name, action: 'Remove' });
  return { id: folder.id, files: files.length };
}

/** Deletes files with all their versions. The job for orphaned files deletes the stored bytes, because no row refers to them anymore. */
async function deleteFiles(db: Db, ids: number[]): Promise<void> {
  const versions = await db
    .selectFrom('contract_file_version')
    .select('file_id')
    .where('contract_file_id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  await db
    .deleteFrom('contract_file')
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute();
  await db
    .deleteFrom('file')
    .where('id', '=', (eb) => eb.fn.any(eb.val(versions.map(({ file_id }) => file_id))))
    .execute();
}

type FileRow = {
  id: number;
  name: string;
  version: number;
  audience: string;
  contractId: number;
  folderId: number | null;
  /** The id of the newest version. */
  fileId: number;
  versionNo: number;
};

/** Reads an existing file of a contract that the user can see, and locks the folders of that contract. */
async function lockFile(context: Context, id: number): Promise<FileRow> {
  const { db } = context;
  const find = () =>
    db
      .selectFrom('contract_file')
      .select(['id', 'name', 'version', 'audience', 'contract_id as contractId', 'folder_id as folderId'])
      .select(['file_id as fileId', 'version_no as versionNo'])
      .where('id', '=', id)
      .executeTakeFirst();
  const before = await find();
  if (!before) throw notFound('file');
  await requireContract(context, before.contractId);
  await lockFolders(db, before.contractId);
  const file = await find();
  if (!file) throw notFound('file');
  return file;
}

/**
 * Adds a file or a new version of one. Throws 422 for invalid input, and 409 if the folder already contains a file of that name. The conflict names
 * that file, so that the caller can add a version of it instead.
 */
export async function uploadFile(context: Context, input: FilesInput<'UploadContractFile'>): Promise<ContractFile> {
  const { db, user, services, upload, request } = context;
  if (!upload) throw invalid([{ path: 'file', message: 'Choose a file.' }]);
  const { day } = await requireContract(context, input.contractId);
  const uploadName = goodFileName(fileName(upload.name));
  const type = fileType(uploadName, upload.bytes);
  if ('refused' in type) throw invalid([{ path: 'file', message: type.refused }]);
  const key = await services.files.put(upload.bytes).catch((error: unknown) => {
    request.log.error({ err: error }, 'failed to store a contract file');
    throw new HttpError(503, `${uploadName} could not be stored. Nothing was saved. Try again in a moment.`);
  });
  try {
    const before = input.fileId === undefined ? null : await lockFile(context, input.fileId);
    if (before) {
      if (before.contractId !== input.contractId) throw notFound('file');
      await requireFresh(db, 'contractFile', before, input.version);
    } else {
      await lockFolders(db, input.contractId);
    }
    const place = { contractId: input.contractId, folderId: before ? before.folderId : (input.folderId ?? null) };
    const target = await readDestination(db, place, 'folderId');
    const name = before ? withEnding(before.name, uploadName) : uploadName;
    const same = await findByName(db, place, name, { kind: 'file', id: before?.id ?? 0 });
    if (same) throw sameNameHere(same, services.clock.now());
    const now = services.clock.now();
    const file = await db
      .insertInto('file')
      .values({ storage_key: key, name: uploadName, media_type: type.mediaType, size: upload.bytes.length })
      .returning('id')
      .executeTakeFirstOrThrow();
    const versionNo = (before?.versionNo ?? 0) + 1;
    const { id, version } = await storeRecord(db, 'contractFile', before?.id ?? 0, {
      contract_id: place.contractId,
      folder_id: place.folderId,
      name,
      name_key: nameKey(name),
      file_id: file.id,
      version_no: versionNo,
      updated_by: user.id,
      updated_at: now,
      ...(before ? {} : { audience: input.audience ?? 'all', created_by: user.id, created_at: now }),
    });
    await db
      .insertInto('contract_file_version')
      .values({
        contract_file_id: id,
        version_no: versionNo,
        file_id: file.id,
        uploaded_by: user.id,
        uploaded_at: now,
      })
      .execute();
    await recordChange(db, user, {
      type: 'contractFile',
      id,
      name,
      action: before ? 'New revision' : 'Create',
      version,
      changes: [
        { field: 'File', before: before?.name ?? '', after: uploadName },
        ...(before ? [] : [{ field: 'Place', before: '', after: target.name }]),
      ],
    });
    return await readContractFile(db, { user, day }, id);
  } catch (error) {
    // Removes the stored bytes, because without a row nothing would ever refer to them.
    await services.files.remove(key).catch(() => {});
    throw error;
  }
}

function sameNameHere(same: NamedEntry, now: Date): HttpError {
  if (same.kind === 'folder') return invalid([{ path: 'file', message: nameTakenMessage(same) }]);
  const conflict = {
    changedBy: same.updatedBy,
    changedAt: now.toISOString(),
    changes: [],
    current: { fileId: same.id, version: same.version },
  };
  return new HttpError(
    409,
    `A file named “${same.name}” already exists here. Add this as its next version, or rename one of them.`,
    {
      conflict,
    },
  );
}

/** Replaces the extension of the name with that of the new version, which may have another format. */
function withEnding(name: string, input: string): string {
  const [previous, next] = [endingOf(name), endingOf(input)];
  return previous.toLowerCase() === next.toLowerCase()
    ? name
    : `${name.slice(0, name.length - previous.length)}${next}`;
}

export async function saveFile(context: Context, input: FilesInput<'SaveContractFile'>): Promise<ContractFile> {
  const { db, user } = context;
  const name = parseName(input.name);
  const before = await lockFile(context, input.id);
  await requireFresh(db, 'contractFile', before, input.version);
  const { contractId } = before;
  const target = await readDestination(db, { contractId, folderId: input.folderId }, 'folderId');
  const ending = endingOf(before.name);
  if (endingOf(name).toLowerCase() !== ending.toLowerCase())
    throw invalid([
      {
        path: 'name',
        message: ending ? `Keep the file extension ${ending}.` : 'This file has no extension, so it cannot get one.',
      },
    ]);
  const same = await findByName(db, { contractId, folderId: input.folderId }, name, { kind: 'file', id: before.id });
  if (same) throw invalid([{ path: 'name', message: nameTakenMessage(same) }]);
  const { version } = await storeRecord(db, 'contractFile', before.id, {
    contract_id: contractId,
    folder_id: input.folderId,
    name,
    name_key: nameKey(name),
    audience: input.audience,
    file_id: before.fileId,
  });
  const previous = {
    name: before.name,
    audience: before.audience,
    place: (await readDestination(db, before, '')).name,
  };
  const after = { name, audience: input.audience, place: target.name };
  const labels = { name: 'Name', place: 'Place', audience: 'Audience' };
  const changes = changesBetween(previous, after, labels);
  await recordChange(db, user, { type: 'contractFile', id: before.id, name, action: 'Edit', version, changes });
  const { day } = await requireContract(context, contractId);
  return readContractFile(db, { user, day }, before.id);
}

/** Removes a file with all its versions. */
export async function removeFile(context: Context, input: FilesInput<'RemoveContractFile'>) {
  const { db, user } = context;
  const file = await lockFile(context, input.id);
  await requireFresh(db, 'contractFile', file, input.version);
  await deleteFiles(db, [file.id]);
  await recordChange(db, user, { type: 'contractFile', id: file.id, name: file.name, action: 'Remove' });
  return { id: file.id };
}

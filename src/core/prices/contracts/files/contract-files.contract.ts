// Defines the API calls for folders and files of contracts: browsing (specification section 7, folderFileNav), and our own calls that change them.
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { CONTRACT_KEEPERS } from '../sight/contract-roles.ts';
import { LAST_PAGE } from '#platform/shared/page-number.ts';
import {
  changesOverVersion,
  Id,
  pageOf,
  QueryId,
  RequiredText,
  SEND_VERSION,
  Sort,
  Text,
  Version,
} from '#platform/shared/wire.ts';

/**
 * all: everyone who can see the contract. internal: users who can see every contract. contractdept: the contract department and system
 * administrators.
 */
export const FILE_AUDIENCES = ['all', 'internal', 'contractdept'] as const;
export type FileAudience = (typeof FILE_AUDIENCES)[number];
/** The maximum length of a folder or file name. */
export const NAME_LENGTH = 150;

/** One step from the top to the open folder. A GPO with `id` 0 means local agreements, which have no GPO. */
const Step = z.object({ kind: z.enum(['gpo', 'contract', 'folder']), id: z.number().int(), name: z.string() });
export type Step = z.infer<typeof Step>;

/** Something that can be opened: a GPO, a contract or a folder. */
export const Folder = Step.extend({
  /** The title of a contract, shown beside its number. */
  title: z.string(),
  /** The number of files in it and below it that the user may see. */
  files: z.number().int(),
  contractId: z.number().int().nullable(),
  parentId: z.number().int().nullable(),
  /** The place where the search found it. Empty without a keyword. */
  place: z.string(),
  version: z.number().int(),
});
export type Folder = z.infer<typeof Folder>;

export const ContractFile = z.object({
  id: z.number().int(),
  contractId: z.number().int(),
  folderId: z.number().int().nullable(),
  name: z.string(),
  mediaType: z.string(),
  size: z.number().int(),
  audience: z.enum(FILE_AUDIENCES),
  /** The number of versions. */
  versions: z.number().int(),
  updatedAt: z.string(),
  updatedBy: z.string(),
  /** The place where the search found it. Empty without a keyword. */
  place: z.string(),
  version: z.number().int(),
});
export type ContractFile = z.infer<typeof ContractFile>;

const FileVersion = z.object({
  id: z.number().int(),
  versionNo: z.number().int(),
  name: z.string(),
  size: z.number().int(),
  uploadedBy: z.string(),
  uploadedAt: z.string(),
});
export type FileVersion = z.infer<typeof FileVersion>;

export const FolderEdit = z
  .object({
    id: Id.or(z.literal(0)),
    contractId: Id,
    /** Null means the top of the contract. */
    parentId: Id.nullable(),
    name: RequiredText(1000),
    version: Version.optional(),
  })
  .check(changesOverVersion);

export const FileEdit = z.object({
  id: Id,
  folderId: Id.nullable(),
  name: RequiredText(1000),
  audience: z.enum(FILE_AUDIENCES),
  version: Version,
});

const optionalId = z.coerce.number().int().min(1).max(2_147_483_647).optional();

const keeps = { access: CONTRACT_KEEPERS, writes: true } as const;
const Gone = z.object({ id: Id, version: Version });

export const FolderFileNav = {
  navGPOContractFolder: post(
    '/api/folderFileNav/navGPOContractFolder',
    z.object({
      /** 0 means contracts without a GPO. */
      gpoId: z.number().int().min(0).max(2_147_483_647).nullish(),
      contractId: Id.nullish(),
      folderId: Id.nullish(),
      keyword: Text(100).default(''),
      page: z.number().int().min(1).max(LAST_PAGE).default(1),
      pageSize: z.number().int().min(1).max(200).default(50),
      sort: Sort.nullish(),
    }),
    z.object({ path: z.array(Step), folders: z.array(Folder), files: pageOf(ContractFile) }),
    {
      access: 'user',
      summary:
        'Without an id the GPOs; of a GPO its contracts; of a contract or a folder what is in it. A keyword searches names below.',
    },
  ),
};

export const ContractFiles = {
  SaveContractFolder: post('/api/Contract/SaveContractFolder', FolderEdit, Folder, {
    ...keeps,
    summary: 'Creates, renames or moves a folder within its contract.',
  }),
  RemoveContractFolder: post(
    '/api/Contract/RemoveContractFolder',
    Gone,
    z.object({ id: z.number().int(), files: z.number().int() }),
    { ...keeps, summary: 'Permanently removes a folder and everything in it.' },
  ),
  UploadContractFile: post(
    '/api/Contract/UploadContractFile',
    z
      .object({
        contractId: QueryId.shape.id,
        folderId: optionalId,
        /** Who may read a new file. The default is all. A new version keeps the audience of its file, which SaveContractFile can change. */
        audience: z.enum(FILE_AUDIENCES).optional(),
        /** The file that gets a new version. */
        fileId: optionalId,
        /** The version number of the file that gets a new version. */
        version: z.coerce.number({ error: SEND_VERSION }).int().max(2_147_483_647).optional(),
      })
      .refine(({ fileId, version }) => fileId === undefined || version !== undefined, {
        path: ['version'],
        message: SEND_VERSION,
        // Lets this message appear together with any other problems.
        when: ({ value }) => typeof value === 'object' && value !== null && 'fileId' in value,
      }),
    ContractFile,
    { ...keeps, in: 'upload', bodyLimit: 25 * 1024 * 1024, summary: 'Adds a file, or a version of one.' },
  ),
  SaveContractFile: post('/api/Contract/SaveContractFile', FileEdit, ContractFile, {
    ...keeps,
    summary: 'Renames or moves a file within its contract, or changes who can read it.',
  }),
  RemoveContractFile: post('/api/Contract/RemoveContractFile', Gone, z.object({ id: z.number().int() }), keeps),
  GetContractFolders: post(
    '/api/Contract/GetContractFolders',
    z.object({ contractId: Id }),
    z.array(z.object({ id: z.number().int(), /** 'Amendments › 2026' */ name: z.string() })),
    { access: CONTRACT_KEEPERS, summary: 'All folders of a contract, as targets for a move.' },
  ),
  GetContractFileVersions: post('/api/Contract/GetContractFileVersions', z.object({ id: Id }), z.array(FileVersion), {
    access: 'user',
    summary: 'All versions of a file, the newest first.',
  }),
  DownloadContractFile: post(
    '/api/Contract/DownloadContractFile',
    z.object({ id: Id, /** If omitted, the newest. */ versionId: Id.nullish() }),
    Bytes,
    { access: 'user', file: 'application/octet-stream' },
  ),
};

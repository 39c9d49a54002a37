// Finds the folders and files that a user can see: the tree of GPOs, contracts and folders, and the search by name.
import { type RawBuilder, sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#platform/api/endpoint.ts';
import { notFound } from '#platform/api/http-error.ts';
import type { Caller } from '#platform/api/services.server.ts';
import { folded, foldedHolds, wordsOf } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { whoDid } from '#platform/users/acting-name.server.ts';
import { keepsContracts, readsAllContracts } from '../sight/contract-roles.ts';
import { contractInSight } from '../sight/contract-sight.server.ts';
import type { IsoDate } from '#platform/shared/dates.ts';
import type { ContractFile, FileAudience, Folder, FolderFileNav, Step } from './contract-files.contract.ts';

type Asked = ParsedInputOf<typeof FolderFileNav.navGPOContractFolder>;
type Answer = OutputOf<typeof FolderFileNav.navGPOContractFolder>;
export type Reader = { user: Caller; day: IsoDate };

const MAX_RESULTS = 100;
const LOCAL = { kind: 'gpo', id: 0, name: 'Local agreements' } as const;

/** The audiences whose files the user may read. */
export function audiencesOf(user: Caller): FileAudience[] {
  if (keepsContracts(user)) return ['all', 'internal', 'contractdept'];
  return readsAllContracts(user) ? ['all', 'internal'] : ['all'];
}

/** The condition on `contract_file` for files that the user may read, in any contract. */
function readable(user: Caller): RawBuilder<boolean> {
  return sql<boolean>`(contract_file.audience = any(${audiencesOf(user)}))`;
}

const SORTS: Record<string, RawBuilder<unknown>> = {
  name: sql`contract_file.name_key`,
  size: sql`newest.size`,
  updatedAt: sql`contract_file.updated_at`,
  audience: sql`contract_file.audience`,
};

/**
 * Reads one page of files. Does not use `pageFrom`, which reads the keys first. Until the database has statistics for a folder that was just filled,
 * `pageFrom` makes the database repeat that work for each row.
 */
async function filePage(
  query: ReturnType<typeof filesSeen>,
  { page, pageSize, sort }: Asked,
): Promise<Answer['files']> {
  const count = query.clearSelect().select(sql`count(*)`.as('total')).$castTo<{ total: number }>();
  const { total } = await count.executeTakeFirstOrThrow();
  const offset = (page - 1) * pageSize;
  const { field, dir } = sort && Object.hasOwn(SORTS, sort.field) ? sort : { field: 'name', dir: 'asc' as const };
  const rows = query
    .orderBy(SORTS[field] ?? sql`contract_file.name_key`, dir)
    .orderBy('contract_file.id', dir)
    .offset(offset)
    .limit(pageSize);
  return { records: offset < total ? await rows.execute() : [], pageCount: Math.ceil(total / pageSize), total };
}

/** Throws 404 for a place that does not exist or that the user may not see. */
export async function browse(db: Db, reader: Reader, request: Asked): Promise<Answer> {
  const place = await openedPlace(db, reader, request);
  const words = wordsOf(request.keyword);
  if (words.length > 0) {
    const within = withinOf(place);
    const files = filesSeen(db, reader, true)
      .where(within('contract_file', sql`contract_file.folder_id`))
      .where((eb) => eb.and(words.map((word) => foldedHolds(folded(sql.ref('contract_file.name')), word))));
    return {
      path: place.path,
      folders: await foundFolders(db, reader, within, words),
      files: await filePage(files, request),
    };
  }
  if (place.contractId === null) {
    const folders = place.gpoId === null ? await gposSeen(db, reader) : await contractsSeen(db, reader, place.gpoId);
    return { path: place.path, folders, files: { records: [], pageCount: 0, total: 0 } };
  }
  const here = filesSeen(db, reader, false)
    .where('contract_file.contract_id', '=', place.contractId)
    .where(sql<boolean>`coalesce(contract_file.folder_id, 0) = ${place.folderId ?? 0}`);
  return {
    path: place.path,
    folders: await foldersIn(db, reader, place.contractId, place.folderId),
    files: await filePage(here, request),
  };
}

type Place = { gpoId: number | null; contractId: number | null; folderId: number | null; path: Step[] };

async function openedPlace(db: Db, { user, day }: Reader, request: Asked): Promise<Place> {
  const folder = request.folderId ? await stepsTo(db, request.folderId) : null;
  if (request.folderId && !folder) throw notFound('folder');
  const contractId = folder?.contractId ?? request.contractId ?? null;
  if (folder && request.contractId && request.contractId !== folder.contractId) throw notFound('folder');
  if (contractId === null) {
    const { gpoId = null } = request;
    if (gpoId === null) return { gpoId, contractId, folderId: null, path: [] };
    const gpo =
      gpoId === 0
        ? LOCAL
        : await db.selectFrom('gpo').select(['id', 'name']).where('id', '=', gpoId).executeTakeFirst();
    if (!gpo) throw notFound('GPO');
    return { gpoId, contractId, folderId: null, path: [{ ...gpo, kind: 'gpo' }] };
  }
  const contract = await db
    .selectFrom('gpo_contract')
    .leftJoin('gpo', 'gpo.id', 'gpo_contract.gpo_id')
    .select(['gpo_contract.id', 'gpo_contract.number', 'gpo.id as gpoId', 'gpo.name as gpoName'])
    .where('gpo_contract.id', '=', contractId)
    .where(contractInSight(user, day, [contractId]))
    .executeTakeFirst();
  if (!contract) throw notFound(folder ? 'folder' : 'contract');
  const gpo: Step = contract.gpoId === null ? LOCAL : { kind: 'gpo', id: contract.gpoId, name: contract.gpoName ?? '' };
  return {
    gpoId: gpo.id,
    contractId,
    folderId: request.folderId ?? null,
    path: [gpo, { kind: 'contract', id: contract.id, name: contract.number }, ...(folder?.steps ?? [])],
  };
}

/** The folder and its ancestors, from the top. Undefined when the folder does not exist. */
export async function stepsTo(db: Db, folderId: number): Promise<{ contractId: number; steps: Step[] } | undefined> {
  const { rows } = await sql<{ contractId: number; id: number; name: string }>`
    with recursive up as (
      select id, contract_id, parent_id, name, 0 as steps from contract_folder where id = ${folderId}
      union all
      select f.id, f.contract_id, f.parent_id, f.name, up.steps + 1 from up join contract_folder f on f.id = up.parent_id)
    select contract_id as "contractId", id, name from up order by steps desc`.execute(db);
  const [first] = rows;
  return first && { contractId: first.contractId, steps: rows.map(({ id, name }) => ({ kind: 'folder', id, name })) };
}

/** The condition for rows in a place or below it, on a table with `contract_id`. Rows are matched by their folder. */
function withinOf({ gpoId, contractId, folderId }: Place) {
  return (table: 'contract_file' | 'contract_folder', folder: RawBuilder<unknown>): RawBuilder<boolean> => {
    const contract = sql.ref(`${table}.contract_id`);
    if (folderId !== null) {
      return sql<boolean>`(${contract} = ${contractId} and ${folder} in (
        with recursive below as (select ${folderId}::int as id
          union select f.id from below join contract_folder f on f.parent_id = below.id) select id from below))`;
    }
    if (contractId !== null) return sql<boolean>`${contract} = ${contractId}`;
    if (gpoId === null) return sql<boolean>`true`;
    return sql<boolean>`${contract} in (select id from gpo_contract where coalesce(gpo_id, 0) = ${gpoId})`;
  };
}

/** The files that the user may read, each with its newest version. */
export function filesSeen(db: Db, { user, day }: Reader, withPlace: boolean) {
  return db
    .selectFrom('contract_file')
    .innerJoin('file as newest', 'newest.id', 'contract_file.file_id')
    .select(['contract_file.id', 'contract_file.contract_id as contractId', 'contract_file.folder_id as folderId'])
    .select(['contract_file.name', 'contract_file.version', 'newest.size', 'newest.media_type as mediaType'])
    .select(['contract_file.version_no as versions', sql<string>`contract_file.updated_at`.as('updatedAt')])
    .select([
      sql<FileAudience>`contract_file.audience`.as('audience'),
      whoDid('contract_file.updated_by').as('updatedBy'),
      (withPlace ? pathInWords('contract_file', sql`contract_file.folder_id`) : sql<string>`''`).as('place'),
    ])
    .where(readable(user))
    .where(
      sql<boolean>`contract_file.contract_id in (select id from gpo_contract where ${contractInSight(user, day)})`,
    );
}

/** Returns one file as it appears in lists. Throws 404 if the user may not read it. */
export async function readContractFile(db: Db, reader: Reader, id: number): Promise<ContractFile> {
  const file = await filesSeen(db, reader, false).where('contract_file.id', '=', id).executeTakeFirst();
  if (!file) throw notFound('file');
  return file;
}

/** 'V-2231 › Amendments › 2026' */
export function pathInWords(
  table: 'contract_file' | 'contract_folder',
  folder: RawBuilder<unknown>,
): RawBuilder<string> {
  return sql<string>`(
    with recursive up as (
      select f.parent_id, f.name, 1 as steps from contract_folder f where f.id = ${folder}
      union all
      select f.parent_id, f.name, up.steps + 1 from up join contract_folder f on f.id = up.parent_id)
    select string_agg(name, ' › ' order by steps desc) from (
      select name, steps from up union all select number, 1000 from gpo_contract where id = ${sql.ref(`${table}.contract_id`)}) named)`;
}

type Row = Pick<Folder, 'id' | 'name' | 'files'> & Partial<Folder>;
const folderOf = (kind: Folder['kind'], row: Row): Folder => ({
  title: '',
  contractId: null,
  parentId: null,
  place: '',
  version: 0,
  ...row,
  kind,
});

const COUNTED = (user: Caller) =>
  sql<number>`(select count(*)::int from contract_file where contract_file.contract_id = gpo_contract.id and ${readable(user)})`;

async function gposSeen(db: Db, { user, day }: Reader): Promise<Folder[]> {
  const rows = await db
    .selectFrom('gpo_contract')
    .leftJoin('gpo', 'gpo.id', 'gpo_contract.gpo_id')
    .select([
      sql<number>`coalesce(gpo.id, 0)`.as('id'),
      sql<string>`coalesce(gpo.name, ${LOCAL.name})`.as('name'),
      sql<number>`sum(${COUNTED(user)})::int`.as('files'),
    ])
    .where(contractInSight(user, day))
    .groupBy(['gpo.id', 'gpo.name'])
    .orderBy(sql`gpo.id is null`)
    .orderBy(sql`lower(gpo.name)`)
    .execute();
  return rows.map((row) => folderOf('gpo', row));
}

async function contractsSeen(db: Db, { user, day }: Reader, gpoId: number): Promise<Folder[]> {
  const rows = await db
    .selectFrom('gpo_contract')
    .select(['id', 'number as name', 'title', 'id as contractId', COUNTED(user).as('files')])
    .where(sql<boolean>`coalesce(gpo_id, 0) = ${gpoId}`)
    .where(contractInSight(user, day))
    .orderBy('number')
    .execute();
  return rows.map((row) => folderOf('contract', row));
}

const FOLDER_COLUMNS = sql`contract_folder.id, contract_folder.name, contract_folder.contract_id as "contractId",
  contract_folder.parent_id as "parentId", contract_folder.version`;
const FILES_BELOW = (user: Caller) => sql`(
  with recursive below as (select contract_folder.id
    union select f.id from below join contract_folder f on f.parent_id = below.id)
  select count(*)::int from contract_file where folder_id in (select id from below) and ${readable(user)})`;

async function foldersIn(db: Db, { user }: Reader, contractId: number, folderId: number | null): Promise<Folder[]> {
  const { rows } = await sql<Row>`select ${FOLDER_COLUMNS}, ${FILES_BELOW(user)} as files from contract_folder
    where contract_id = ${contractId} and coalesce(parent_id, 0) = ${folderId ?? 0}
    order by name_key`.execute(db);
  return rows.map((row) => folderOf('folder', row));
}

/** Returns one folder as it appears in lists. Throws 404 if it does not exist. The caller has already checked that the user can see the contract. */
export async function readFolder(db: Db, user: Caller, id: number): Promise<Folder> {
  const { rows } = await sql<Row>`select ${FOLDER_COLUMNS}, ${FILES_BELOW(user)} as files from contract_folder
    where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound('folder');
  return folderOf('folder', row);
}

/** Finds contracts and folders by name, up to a hundred. */
async function foundFolders(
  db: Db,
  { user, day }: Reader,
  within: ReturnType<typeof withinOf>,
  words: string[],
): Promise<Folder[]> {
  const seen = sql`select id from gpo_contract where ${contractInSight(user, day)}`;
  const hasAllWords = (text: RawBuilder<unknown>) =>
    sql.join(
      words.map((word) => foldedHolds(folded(text), word)),
      sql` and `,
    );
  const { rows } = await sql<Row>`select ${FOLDER_COLUMNS}, ${FILES_BELOW(user)} as files,
      ${pathInWords('contract_folder', sql`contract_folder.parent_id`)} as place
    from contract_folder where contract_id in (${seen})
      and ${within('contract_folder', sql`contract_folder.parent_id`)} and ${hasAllWords(sql`contract_folder.name`)}
    order by name_key, id limit ${MAX_RESULTS}`.execute(db);
  return rows.map((row) => folderOf('folder', row));
}

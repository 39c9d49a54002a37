// Shows folders and files: the path, the contents or the search results, and the actions that the user may perform.
import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBuilding,
  IconDots,
  IconFile,
  IconFileText,
  IconFolder,
  IconPencil,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { keepsContracts, readsAllContracts } from '../sight/contract-roles.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { useAddress } from '#platform/ui/address.web.ts';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import listClasses from '#platform/ui/list-page.module.css';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { FileDrawer } from './FileDrawer.tsx';
import { FolderDialog } from './FolderDialog.tsx';
import { UploadDrawer } from './UploadDrawer.tsx';
import { type ContractFile, ContractFiles, type Folder, FolderFileNav, type Step } from './contract-files.contract.ts';
import classes from './file-browser.module.css';
import { AUDIENCE_LABELS, filesInWords } from './file-words.ts';

const PAGE_SIZE = 50;

type Row = { key: string; name: string } & ({ folder: Folder; file?: never } | { file: ContractFile; folder?: never });
type Doing =
  | { what: 'folder'; folder: Folder | null }
  | { what: 'removeFolder'; folder: Folder }
  | { what: 'file'; file: ContractFile }
  | { what: 'upload' };

/** With a contract, shows the folders of that contract. Otherwise shows all GPOs and their contracts. */
export function FileBrowser({ contractId }: { contractId: number | null }) {
  const user = useSession();
  const place = useFilePlace(contractId);
  const { list, asked } = place;
  const [doing, setDoing] = useState<Doing | null>(null);
  const query = useQuery({
    ...api(FolderFileNav).navGPOContractFolder.query({
      ...asked,
      page: list.page,
      pageSize: PAGE_SIZE,
      sort: list.sort,
    }),
    placeholderData: keepPreviousData,
  });
  const download = useMutation({ ...api(ContractFiles).DownloadContractFile.mutation(), onSuccess: saveFile });
  const keeps = user !== null && keepsContracts(user);
  const { data } = query;
  const path = data?.path ?? [];
  const contract = path.find(({ kind }) => kind === 'contract');
  const folderId = path.at(-1)?.kind === 'folder' ? (path.at(-1)?.id ?? null) : null;
  const rows = data && pageRows(data.folders, data.files.records, list.page);
  const searching = asked.keyword !== '';
  const close = () => setDoing(null);
  const shared = {
    place,
    searching,
    internal: user !== null && readsAllContracts(user),
    onDownload: ({ id }: ContractFile) => download.mutate({ id }),
    onOpen: (file: ContractFile) => setDoing({ what: 'file', file }),
    folderActions: (folder: Folder) =>
      keeps && folder.kind === 'folder' ? (
        <FolderMenu
          folder={folder}
          onEdit={() => setDoing({ what: 'folder', folder })}
          onRemove={() => setDoing({ what: 'removeFolder', folder })}
        />
      ) : null,
  };
  return (
    <section className="card" aria-label="Folders and files">
      <Group px="md" py="xs" justify="space-between" gap="sm" align="end">
        <Stack gap={6} flex={1} miw={240}>
          <Path path={path} whole={contractId === null} place={place} />
          <Group gap="sm" align="end" className={listClasses['filters']}>
            <KeywordField
              label="Name of a file or folder"
              value={asked.keyword}
              onChange={(keyword) => list.filter({ keyword })}
            />
            <Text size="sm" className="muted" role="status" pb={8}>
              {data ? countInWords(data.folders, data.files.total, searching) : ''}
            </Text>
          </Group>
        </Stack>
        {contract && keeps && !searching ? (
          <Group gap="xs" className="no-print">
            <Button variant="default" onClick={() => setDoing({ what: 'folder', folder: null })}>
              New folder
            </Button>
            <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setDoing({ what: 'upload' })}>
              Upload
            </Button>
          </Group>
        ) : null}
      </Group>
      <ErrorAlert error={download.error} title="The file could not be downloaded" onClose={download.reset} />
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <DataList
          label="Folders and files"
          columns={columnsOf(shared)}
          error={query.error}
          onRetry={() => void query.refetch()}
          refreshing={query.isPlaceholderData}
          sort={list.sort}
          onSort={list.sortBy}
          page={list.page}
          pageSize={PAGE_SIZE}
          {...(data?.files.total ? { pageCount: data.files.pageCount, total: data.files.total } : {})}
          onPage={list.goTo}
          rows={rows}
          rowKey={({ key }) => key}
          empty={
            searching
              ? 'No name matches.'
              : contract
                ? keeps
                  ? 'Nothing here yet. Upload files, or create a folder.'
                  : 'Nothing here.'
                : 'There are no contracts that you can see.'
          }
          card={(row) => <RowCard row={row} {...shared} />}
        />
      </div>
      {contract && doing?.what === 'folder' ? (
        <FolderDialog folder={doing.folder} contractId={contract.id} parentId={folderId} onClose={close} />
      ) : null}
      {doing?.what === 'removeFolder' ? <RemoveFolder folder={doing.folder} onClose={close} /> : null}
      {contract && doing?.what === 'upload' ? (
        <UploadDrawer contractId={contract.id} folderId={folderId} onClose={close} />
      ) : null}
      {doing?.what === 'file' ? (
        <FileDrawer
          key={doing.file.id}
          file={data?.files.records.find(({ id }) => id === doing.file.id) ?? doing.file}
          keeps={keeps}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

function pageRows(folders: Folder[], files: ContractFile[], page: number): Row[] {
  const first = page === 1 ? folders : [];
  return [
    ...first.map((folder) => ({ key: `${folder.kind} ${folder.id}`, name: folder.name, folder })),
    ...files.map((file) => ({ key: `file ${file.id}`, name: file.name, file })),
  ];
}

function countInWords(folders: Folder[], files: number, searching: boolean): string {
  const kind = folders[0]?.kind;
  const noun = searching || kind === 'folder' ? 'folder' : kind === 'gpo' ? 'GPO' : 'contract';
  const parts = [folders.length > 0 ? countOf(folders.length, noun) : '', files > 0 ? countOf(files, 'file') : ''];
  return parts.filter(Boolean).join(', ');
}

/** Shows the path from the top to the open folder. On a contract's own page, the path starts below the contract. */
function Path({ path, whole, place }: { path: Step[]; whole: boolean; place: FilePlace }) {
  const steps = whole ? path : path.slice(1);
  if (steps.length === 0 || (!whole && steps.length === 1)) return null;
  return (
    <nav aria-label="Path">
      <ol className={classes['path']}>
        {whole ? (
          <li>
            <Anchor renderRoot={(props) => <Link {...props} {...place.linkTo(null)} />} size="sm">
              All GPOs
            </Anchor>
          </li>
        ) : null}
        {steps.map((step, index) => (
          <li key={`${step.kind} ${step.id}`}>
            {whole || index > 0 ? <span aria-hidden>›</span> : null}
            {index === steps.length - 1 ? (
              <b aria-current="page">{step.name}</b>
            ) : (
              <Anchor renderRoot={(props) => <Link {...props} {...place.linkTo(step)} />} size="sm">
                {step.name}
              </Anchor>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

type Shared = {
  place: FilePlace;
  searching: boolean;
  /** Whether the user may read internal files. These users also see the audience of each file. */
  internal: boolean;
  onDownload: (file: ContractFile) => void;
  onOpen: (file: ContractFile) => void;
  folderActions: (folder: Folder) => ReactNode;
};

function columnsOf(shared: Shared): Column<Row>[] {
  return [
    { field: 'name', title: 'Name', width: 460, render: (row) => <Name row={row} {...shared} /> },
    ...(shared.searching ? [{ title: 'In', width: 260, render: placeText }] : []),
    { field: 'size', title: 'Size', figure: true, render: sizeInWords },
    ...(shared.internal ? [{ field: 'audience', title: 'For', render: audienceOf }] : []),
    { field: 'updatedAt', title: 'Updated', render: ({ file }) => (file ? updateInWords(file) : '') },
    { title: 'Actions', render: (row) => <Actions row={row} {...shared} /> },
  ];
}

function placeText({ folder, file }: Row) {
  const text = folder?.place ?? file?.place ?? '';
  return <span title={text}>{text}</span>;
}

function sizeInWords({ folder, file }: Row): string {
  return folder ? filesInWords(folder) : sizeText(file?.size ?? 0);
}

function audienceOf({ file }: Row) {
  if (!file) return '';
  if (file.audience === 'all') return <span className="muted">All</span>;
  return <Chip tone={file.audience === 'internal' ? 'blue' : 'orange'}>{AUDIENCE_LABELS[file.audience]}</Chip>;
}

function updateInWords({ updatedAt, updatedBy, versions }: ContractFile) {
  return (
    <span className="tabular">
      {formatDate(updatedAt)}
      <span className="muted">
        {updatedBy ? ` ${updatedBy}` : ''}
        {versions > 1 ? ` · version ${versions}` : ''}
      </span>
    </span>
  );
}

function Name({ row, place, onDownload }: { row: Row } & Shared) {
  const { folder, file } = row;
  if (folder) {
    const Icon = { gpo: IconBuilding, contract: IconFileText, folder: IconFolder }[folder.kind];
    return (
      <span className={classes['name']}>
        <Icon size={18} aria-hidden />
        <Anchor
          renderRoot={(props) => <Link {...props} {...place.linkTo(folder)} />}
          fw={600}
          truncate
          title={folder.name}
        >
          {folder.name}
        </Anchor>
        {folder.title ? (
          <Text span fz="inherit" className="muted" truncate>
            {folder.title}
          </Text>
        ) : null}
      </span>
    );
  }
  return (
    <span className={classes['name']}>
      <IconFile size={18} aria-hidden />
      <Anchor
        component="button"
        type="button"
        ta="left"
        truncate
        title={`Download ${file.name}`}
        onClick={() => onDownload(file)}
      >
        {file.name}
      </Anchor>
    </span>
  );
}

function Actions({ row, onOpen, folderActions }: { row: Row } & Shared) {
  const { folder, file } = row;
  if (folder) return folderActions(folder);
  return (
    <Button size="compact-xs" variant="default" aria-label={`Details of ${file.name}`} onClick={() => onOpen(file)}>
      Details
    </Button>
  );
}

function RowCard({ row, ...shared }: { row: Row } & Shared) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <Name row={row} {...shared} />
        <Actions row={row} {...shared} />
      </Group>
      <Text size="sm" className="muted" pl={26}>
        {[row.folder?.place ?? row.file?.place, sizeInWords(row)].filter(Boolean).join(' · ')}
        {row.file ? <> · {updateInWords(row.file)}</> : null}
      </Text>
      {row.file && shared.internal && row.file.audience !== 'all' ? (
        <div style={{ paddingLeft: 26 }}>{audienceOf(row)}</div>
      ) : null}
    </Stack>
  );
}

function FolderMenu({ folder, onEdit, onRemove }: { folder: Folder; onEdit: () => void; onRemove: () => void }) {
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions on ${folder.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          Rename or move
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={onRemove}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function RemoveFolder({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const remove = useMutation({
    ...api(ContractFiles).RemoveContractFolder.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${folder.name} is removed.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${folder.name}?`}
      action="Remove"
      harmful
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: folder.id, version: folder.version })}
      onClose={onClose}
    >
      {`Including everything in it (${filesInWords(folder)}). This cannot be undone.`}
    </ConfirmDialog>
  );
}

const NOWHERE = { tab: '', gpo: '', contract: '', folder: '', keyword: '' };
const idIn = (text: string, least = 1) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : null);

type FilePlace = ReturnType<typeof useFilePlace>;

/** `contractId` is the contract whose page this is. */
function useFilePlace(contractId: number | null) {
  const { pathname } = useLocation();
  const { tab } = useAddress();
  const list = useListAddress(null, NOWHERE, { field: 'name', dir: 'asc' });
  const { gpo, contract, folder } = list.filters;
  /** The link to a step of the path. Null means the top. */
  const linkTo = (step: Pick<Step, 'kind' | 'id'> | null) => {
    const isHere = step?.kind === 'contract' && step.id === contractId;
    const search: Record<string, string> = tab === undefined ? {} : { tab };
    if (step && !isHere) search[step.kind] = String(step.id);
    return { to: pathname, search };
  };
  return {
    list,
    linkTo,
    asked: {
      gpoId: idIn(gpo, 0),
      contractId: contractId ?? idIn(contract),
      folderId: idIn(folder),
      keyword: list.filters.keyword,
    },
  };
}

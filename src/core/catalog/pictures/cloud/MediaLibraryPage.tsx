// The media library: pictures in the cloud, pictures stored only here that can be uploaded, and where pictures are used.
import { Alert, Anchor, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import itemClasses from '#core/catalog/items/items.module.css';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import { useInboxActions } from '../inbox/screen/inbox-actions.web.ts';
import { NotDoneAlert } from '../NotDoneAlert.tsx';
import { ItemImageCloud, LIBRARY_KINDS, type LibraryKind, type LibraryRow } from './cloud.contract.ts';

const KIND_LABELS: Record<LibraryKind, string> = { cloud: 'In the cloud', here: 'Only here' };
const KIND_TONES: Record<LibraryKind, Tone> = { cloud: 'green', here: 'orange' };

/** A sentence that explains each kind. */
const KIND_HINTS: Record<LibraryKind, string> = {
  cloud: 'Their originals are in the cloud as well.',
  here: 'They were filed before a cloud was connected. Upload them.',
};

const EMPTY: Record<LibraryKind, string> = {
  cloud: 'None of our pictures is in the cloud yet.',
  here: 'No picture is only here.',
};

const PAGE_SIZE = 50;
const ASK_EVERY = 1500;

type Library = OutputOf<typeof ItemImageCloud.GetCloudLibrary>;
/** Uploads a picture. Null if there is nothing to upload. */
type Upload = ((row: LibraryRow) => void) | null;

export default function MediaLibraryPage() {
  const list = useListAddress('media-library', { keyword: '', where: '' }, { field: '', dir: 'asc' });
  const { keyword, where } = list.filters;
  const chosenKind = LIBRARY_KINDS.find((libraryKind) => libraryKind === where) ?? 'cloud';
  const result = useQuery({
    ...api(ItemImageCloud).GetCloudLibrary.query({
      kind: chosenKind,
      keyword,
      page: list.page,
      pageSize: PAGE_SIZE,
      sort: list.sort.field ? list.sort : null,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data && data.counts.working > 0 ? ASK_EVERY : false),
  });
  const library = result.data;
  const connected = library ? library.cloud !== '' : true;
  const kind: LibraryKind = connected ? chosenKind : 'here';
  const { run, notDone, clear } = useInboxActions(() => {});
  const readAll = useMutation({
    mutationFn: allOnlyHere,
    onSuccess: (pictures) => run.mutate({ action: 'upload', pictures }),
  });
  const busy = readAll.isPending || run.isPending;
  const upload: Upload =
    connected && kind === 'here' ? (row) => run.mutate({ action: 'upload', pictures: [row] }) : null;
  const count = library?.counts.here ?? 0;

  return (
    <ListPage
      title="Media Library"
      hint={connected ? KIND_HINTS[kind] : 'The pictures of products in the file store of this server.'}
      noun={['picture', 'pictures']}
      total={result.data?.total}
      actions={
        upload && count > 0 ? (
          <Button loading={busy} onClick={() => readAll.mutate()}>
            Upload all {count.toLocaleString('en-US')}
          </Button>
        ) : null
      }
      alert={
        <>
          {connected ? null : <HowToConnect />}
          {library && connected ? (
            <Kinds
              library={library}
              kind={kind}
              onShow={(next) => list.filter({ where: next === 'cloud' ? '' : next })}
            />
          ) : null}
          <ErrorAlert
            error={readAll.error ?? run.error}
            title="Something went wrong"
            onClose={() => {
              readAll.reset();
              clear();
            }}
          />
          <NotDoneAlert pictures={notDone} onClose={clear} />
        </>
      }
      filters={
        <KeywordField label="Part of a name" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
      }
    >
      <DataList
        label={KIND_LABELS[kind]}
        columns={columnsOf(kind, upload, busy)}
        {...pageShown(result, list, PAGE_SIZE)}
        rowKey={({ id }) => id}
        empty={keyword ? 'No Record Found' : EMPTY[kind]}
        card={(row) => <PictureCard row={row} action={<UploadButton row={row} upload={upload} busy={busy} />} />}
      />
    </ListPage>
  );
}

/** Reads all pages before the first upload begins, because an uploaded picture leaves the list. */
async function allOnlyHere(): Promise<LibraryRow[]> {
  const rows: LibraryRow[] = [];
  for (let page = 1, pageCount = 1; page <= pageCount; page++) {
    const answer = await api(ItemImageCloud).GetCloudLibrary({ kind: 'here', page, pageSize: 200 });
    rows.push(...answer.records.filter(({ working }) => !working));
    pageCount = answer.pageCount;
  }
  return rows;
}

function UploadButton({ row, upload, busy }: { row: LibraryRow; upload: Upload; busy: boolean }) {
  if (!upload || row.working) return null;
  const label = row.problem ? 'Try Again' : 'Upload';
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={busy}
      aria-label={`${label}: ${row.name}`}
      onClick={() => upload(row)}
    >
      {label}
    </Button>
  );
}

/** A picture on a phone. */
function PictureCard({ row, action }: { row: LibraryRow; action: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="start">
      <Thumb row={row} />
      <Stack gap={2} flex={1} miw={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {row.name}
        </Text>
        <Text size="sm" className="muted">
          {[sizeText(row.size), row.cloudAt ? formatInstant(row.cloudAt) : ''].filter(Boolean).join(' · ')}
        </Text>
        <Uses row={row} />
        <Note row={row} />
      </Stack>
      {action}
    </Group>
  );
}

/** The kinds of storage with their counts; the page shows one of them below. */
function Kinds({
  library,
  kind,
  onShow,
}: {
  library: Library;
  kind: LibraryKind;
  onShow: (kind: LibraryKind) => void;
}) {
  const { counts, cloud } = library;
  return (
    <Stack gap="xs" px={{ base: 'md', sm: 0 }}>
      <Group gap="xs" role="group" aria-label="Where they are">
        {LIBRARY_KINDS.map((libraryKind) => (
          <Button
            key={libraryKind}
            size="compact-md"
            variant={libraryKind === kind ? 'light' : 'default'}
            aria-pressed={libraryKind === kind}
            onClick={() => onShow(libraryKind)}
            rightSection={<Chip tone={KIND_TONES[libraryKind]}>{counts[libraryKind].toLocaleString('en-US')}</Chip>}
          >
            {KIND_LABELS[libraryKind]}
          </Button>
        ))}
      </Group>
      <Text size="sm" className="muted" role="status">
        Cloudinary account {cloud}.{counts.working > 0 ? ` ${counts.working.toLocaleString('en-US')} on the way.` : ''}
      </Text>
    </Stack>
  );
}

function HowToConnect() {
  return (
    <Alert color="blue" variant="light" title="Cloudinary is not connected" mx={{ base: 'md', sm: 0 }}>
      <Text size="sm">
        Pictures are kept in the file store of this server, and nothing else is needed. To keep the originals in
        Cloudinary as well, start the server with <Code>CLOUDINARY_URL=cloudinary://KEY:SECRET@NAME</Code>; your account
        shows it under API Keys. Then this screen uploads the pictures that are only here.
      </Text>
    </Alert>
  );
}

function columnsOf(kind: LibraryKind, upload: Upload, busy: boolean): Column<LibraryRow>[] {
  return [
    { title: 'Picture', render: (row) => <Thumb row={row} /> },
    { field: 'name', title: 'Name', width: 320, render: (row) => <span title={row.name}>{row.name}</span> },
    { title: 'Used on', width: 320, render: (row) => <Uses row={row} /> },
    { field: 'size', title: 'Size', figure: true, render: (row) => sizeText(row.size) },
    ...(kind === 'cloud'
      ? [
          {
            field: 'cloudAt',
            title: 'Stored in the cloud',
            figure: true,
            render: (row: LibraryRow) => (row.cloudAt ? formatInstant(row.cloudAt) : ''),
          },
        ]
      : []),
    { title: 'Note', render: (row) => <Note row={row} /> },
    ...(upload
      ? [
          {
            title: 'Actions',
            render: (row: LibraryRow) => <UploadButton row={row} upload={upload} busy={busy} />,
          },
        ]
      : []),
  ];
}

function Thumb({ row }: { row: LibraryRow }) {
  return (
    <span className={itemClasses['thumbnail']} style={{ width: 40, height: 40 }}>
      {row.url ? (
        <img src={row.url} alt="" width={40} height={40} loading="lazy" />
      ) : (
        <IconPhoto size={18} aria-hidden />
      )}
    </span>
  );
}

function Uses({ row: { products, productCount, state } }: { row: LibraryRow }) {
  if (productCount === 0)
    return (
      <Text size="sm" className="muted">
        {state === 'Filed' ? 'No product' : state}
      </Text>
    );
  return (
    <Text size="sm" truncate title={products.map(({ name }) => name).join(', ')}>
      {products.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 ? ', ' : ''}
          <Anchor component={Link} to={paths.product(id)} size="sm">
            {name}
          </Anchor>
        </span>
      ))}
      {productCount > products.length ? ` and ${(productCount - products.length).toLocaleString('en-US')} more` : ''}
    </Text>
  );
}

function Note({ row: { working, problem } }: { row: LibraryRow }) {
  return (
    <>
      {working ? (
        <Group gap={6} wrap="nowrap">
          <Loader size={12} aria-hidden />
          <Text size="sm" className="muted">
            On its way…
          </Text>
        </Group>
      ) : null}
      {problem ? (
        <Text size="sm" className="warning" style={{ overflowWrap: 'anywhere' }}>
          {problem}
        </Text>
      ) : null}
    </>
  );
}

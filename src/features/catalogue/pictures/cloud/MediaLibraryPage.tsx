// The media library: the files in the cloud, the differences from our records, where pictures are used, and how to fix differences.
import { Alert, Anchor, Button, Checkbox, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { IconPhoto, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import itemClasses from '#features/catalogue/items/items.module.css';
import { countOf } from '#shared/count-of.ts';
import { formatInstant } from '#shared/dates.ts';
import { paths } from '#shared/paths.ts';
import { sizeText } from '#shared/size-text.ts';
import { Chip } from '#ui/Chip.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { useKeys } from '#ui/keys.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import type { Tone } from '#ui/tones.ts';
import { NotDoneAlert } from '../NotDoneAlert.tsx';
import { CLOUD_KINDS, type CloudKind, type CloudMend, type CloudRow, ItemImageCloud } from './cloud.contract.ts';
import { useMend } from './media-library.web.ts';

const KIND_LABELS: Record<CloudKind, string> = {
  both: 'In the cloud',
  unknown: 'Unknown here',
  missing: 'Missing in the cloud',
  here: 'Only here',
};
const KIND_TONES: Record<CloudKind, Tone> = { both: 'green', unknown: 'violet', missing: 'red', here: 'orange' };

/** What each kind means, in a sentence. */
const KIND_HINTS: Record<CloudKind, string> = {
  both: 'The cloud has them, and we know them.',
  unknown:
    'The cloud has these files, but no picture here refers to them. Take them into the inbox, or remove them from the cloud.',
  missing: 'We stored them in the cloud, but it no longer has them. Upload them again.',
  here: 'They were filed before a cloud was connected. Upload them.',
};

const MENDS: Record<CloudKind, CloudMend[]> = {
  both: [],
  unknown: ['takeIn', 'remove'],
  missing: ['upload'],
  here: ['upload'],
};
const MEND_LABELS: Record<CloudMend, string> = {
  upload: 'Upload',
  takeIn: 'Take into the inbox',
  remove: 'Remove from the cloud…',
};

const PAGE_SIZE = 50;
const ASK_EVERY = 1500;

type Library = OutputOf<typeof ItemImageCloud.GetCloudLibrary>;

export default function MediaLibraryPage() {
  const list = useListAddress('media-library', { keyword: '', where: '' }, { field: '', dir: 'asc' });
  const { keyword, where } = list.filters;
  const asked = CLOUD_KINDS.find((one) => one === where) ?? 'both';
  const found = useQuery({
    ...api(ItemImageCloud).GetCloudLibrary.query({
      kind: asked,
      keyword,
      page: list.page,
      pageSize: PAGE_SIZE,
      sort: list.sort.field ? list.sort : null,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data && (data.comparison.running || data.counts.working > 0) ? ASK_EVERY : false,
  });
  const library = found.data;
  const connected = library ? library.cloud !== '' : true;
  const kind: CloudKind = connected ? asked : 'here';
  const [ticked, setTicked] = useState<ReadonlyMap<string, CloudRow>>(new Map());
  const [removing, setRemoving] = useState<CloudRow[] | null>(null);
  const { mend, problems, clear } = useMend(() => {
    setTicked(new Map());
    setRemoving(null);
  });
  const compare = useMutation(api(ItemImageCloud).CompareWithCloud.mutation());
  const start = (how: CloudMend, of: CloudRow[] | CloudKind) => {
    if (how === 'remove' && typeof of !== 'string') setRemoving(of);
    else mend.mutate({ mend: how, of });
  };
  const comparing = compare.isPending || (library?.comparison.running ?? false);
  const mends = connected ? MENDS[kind] : [];
  const comparison = {
    key: 'c',
    label: 'Compare with the cloud now',
    run: () => compare.mutate({}),
    disabled: comparing,
  };
  useKeys(connected ? [comparison] : []);
  const tick = (rows: CloudRow[], on: boolean) =>
    setTicked((now) => {
      const next = new Map(now);
      for (const row of rows) {
        if (on) next.set(rowKey(row), row);
        else next.delete(rowKey(row));
      }
      return next;
    });
  const show = (next: CloudKind) => {
    setTicked(new Map());
    list.filter({ where: next === 'both' ? '' : next });
  };
  const count = library?.counts[kind] ?? 0;

  return (
    <ListPage
      title="Media Library"
      hint={connected ? KIND_HINTS[kind] : 'The pictures of products in the file store of this server.'}
      noun={['picture', 'pictures']}
      total={found.data?.total}
      actions={
        connected ? (
          <>
            {mends.includes('upload') && count > 0 ? (
              <Button variant="default" loading={mend.isPending} onClick={() => start('upload', kind)}>
                Upload all {count.toLocaleString('en-US')}
              </Button>
            ) : null}
            <Button
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={comparing}
              onClick={() => compare.mutate({})}
            >
              Compare now
            </Button>
          </>
        ) : null
      }
      alert={
        <>
          {connected ? null : <HowToConnect />}
          {library && connected ? <Kinds library={library} kind={kind} onShow={show} /> : null}
          <ErrorAlert
            error={compare.error ?? (removing ? null : mend.error)}
            title="That did not work"
            onClose={clear}
          />
          <NotDoneAlert pictures={problems} onClose={clear} />
          {ticked.size > 0 ? (
            <TickedBar
              count={ticked.size}
              mends={mends}
              busy={mend.isPending}
              onMend={(how) => start(how, [...ticked.values()])}
              onUntick={() => setTicked(new Map())}
            />
          ) : null}
        </>
      }
      filters={
        <>
          {mends.length > 0 ? (
            <Checkbox
              label="All shown"
              aria-label="Select all shown"
              checked={ticked.size > 0 && (library?.records ?? []).every((row) => ticked.has(rowKey(row)))}
              onChange={(event) => tick(library?.records ?? [], event.currentTarget.checked)}
            />
          ) : null}
          <KeywordField label="Part of a name" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
        </>
      }
    >
      <DataList
        label={KIND_LABELS[kind]}
        columns={columnsOf(kind, mends.length > 0 ? { ticked, tick } : null)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={rowKey}
        empty={keyword ? 'No Record Found' : EMPTY[kind]}
        card={(row) => (
          <FileCard row={row} tick={mends.length > 0 ? <RowTick row={row} ticked={ticked} tick={tick} /> : null} />
        )}
      />
      {removing ? (
        <ConfirmDialog
          title={`Remove ${countOf(removing.length, 'file')} from the cloud?`}
          action="Remove"
          harmful
          busy={mend.isPending}
          error={mend.error}
          onConfirm={() => mend.mutate({ mend: 'remove', of: removing })}
          onClose={() => setRemoving(null)}
        >
          {`No picture here refers to ${removing.length === 1 ? 'it' : 'them'}, but another program or page may use ${removing.length === 1 ? 'it' : 'them'}. This cannot be undone.`}
        </ConfirmDialog>
      ) : null}
    </ListPage>
  );
}

type TickedProps = {
  count: number;
  mends: readonly CloudMend[];
  busy: boolean;
  onMend: (how: CloudMend) => void;
  onUntick: () => void;
};

function TickedBar({ count, mends, busy, onMend, onUntick }: TickedProps) {
  return (
    <section className="card" aria-label="Selected pictures">
      <Group px="md" py="xs" gap="xs" justify="space-between">
        <Text size="sm" role="status">
          {countOf(count, 'picture')} ticked
        </Text>
        <Group gap="xs">
          {mends.map((how) => (
            <Button key={how} size="compact-sm" variant="default" disabled={busy} onClick={() => onMend(how)}>
              {MEND_LABELS[how]}
            </Button>
          ))}
          <Button size="compact-sm" variant="subtle" onClick={onUntick}>
            Untick
          </Button>
        </Group>
      </Group>
    </section>
  );
}

/** A file on a phone. */
function FileCard({ row, tick }: { row: CloudRow; tick: ReactNode }) {
  return (
    <Group gap="sm" wrap="nowrap" align="start">
      {tick}
      <Thumb row={row} />
      <Stack gap={2} flex={1} miw={0}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {row.name}
        </Text>
        <Text size="sm" className="muted">
          {[sizeText(row.size), row.cloudAt ? formatInstant(row.cloudAt) : ''].filter(Boolean).join(' · ')}
        </Text>
        <Uses row={row} />
        <Said row={row} />
      </Stack>
    </Group>
  );
}

const EMPTY: Record<CloudKind, string> = {
  both: 'None of our pictures is in the cloud yet.',
  unknown: 'We know every file in the cloud.',
  missing: 'Nothing is missing from the cloud.',
  here: 'No picture is only here.',
};

function rowKey({ pictureId, cloudId }: CloudRow): string {
  return pictureId === null ? `cloud ${cloudId}` : `picture ${pictureId}`;
}

/** The kinds of storage with their counts; the page shows one of them below. */
function Kinds({ library, kind, onShow }: { library: Library; kind: CloudKind; onShow: (kind: CloudKind) => void }) {
  const { counts, cloud, comparison } = library;
  const { running, problem, comparedAt } = comparison;
  return (
    <Stack gap="xs" px={{ base: 'md', sm: 0 }}>
      <Group gap="xs" role="group" aria-label="Where they are">
        {CLOUD_KINDS.map((one) => (
          <Button
            key={one}
            size="compact-md"
            variant={one === kind ? 'light' : 'default'}
            aria-pressed={one === kind}
            onClick={() => onShow(one)}
            rightSection={<Chip tone={KIND_TONES[one]}>{counts[one].toLocaleString('en-US')}</Chip>}
          >
            {KIND_LABELS[one]}
          </Button>
        ))}
      </Group>
      <Text size="sm" className={problem ? 'warning' : 'muted'} role="status">
        Cloudinary account {cloud}.{' '}
        {running ? 'Comparing…' : comparedAt ? `Compared ${formatInstant(comparedAt)}.` : 'Not compared yet.'}
        {problem ? ` The last comparison failed: ${problem}` : ''}
        {counts.working > 0 ? ` ${counts.working.toLocaleString('en-US')} on the way.` : ''}
      </Text>
    </Stack>
  );
}

function HowToConnect() {
  return (
    <Alert color="blue" variant="light" title="No Cloudinary is connected" mx={{ base: 'md', sm: 0 }}>
      <Text size="sm">
        Pictures are kept in the file store of this server, and nothing else is needed. To keep the originals in
        Cloudinary as well, start the server with <Code>CLOUDINARY_URL=cloudinary://KEY:SECRET@NAME</Code>; your account
        shows it under API Keys. Then this screen uploads the pictures that are only here.
      </Text>
    </Alert>
  );
}

type Ticking = { ticked: ReadonlyMap<string, CloudRow>; tick: (rows: CloudRow[], on: boolean) => void };

function columnsOf(kind: CloudKind, ticking: Ticking | null): Column<CloudRow>[] {
  return [
    ...(ticking ? [{ title: 'Select', render: (row: CloudRow) => <RowTick row={row} {...ticking} /> }] : []),
    ...(kind === 'unknown' ? [] : [{ title: 'Picture', render: (row: CloudRow) => <Thumb row={row} /> }]),
    { field: 'name', title: 'Name', width: 320, render: (row) => <span title={row.name}>{row.name}</span> },
    ...(kind === 'unknown' ? [] : [{ title: 'Used on', width: 320, render: (row: CloudRow) => <Uses row={row} /> }]),
    { field: 'size', title: 'Size', figure: true, render: (row) => sizeText(row.size) },
    ...(kind === 'both' || kind === 'missing'
      ? [
          {
            field: 'cloudAt',
            title: 'Stored in the cloud',
            figure: true,
            render: (row: CloudRow) => (row.cloudAt ? formatInstant(row.cloudAt) : ''),
          },
        ]
      : []),
    { title: 'Note', render: (row) => <Said row={row} /> },
  ];
}

function RowTick({ row, ticked, tick }: Ticking & { row: CloudRow }) {
  return (
    <Checkbox
      aria-label={`Select ${row.name}`}
      checked={ticked.has(rowKey(row))}
      onChange={(event) => tick([row], event.currentTarget.checked)}
    />
  );
}

function Thumb({ row }: { row: CloudRow }) {
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

function Uses({ row: { products, productCount, state } }: { row: CloudRow }) {
  if (productCount === 0)
    return (
      <Text size="sm" className="muted">
        {state === null ? '' : state === 'Filed' ? 'No product' : state}
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

function Said({ row: { working, problem } }: { row: CloudRow }) {
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

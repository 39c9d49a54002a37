// Shows the watched import folder: its address, the waiting files, the results, and a button to check it now.
import { Anchor, Button, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import type { Tone } from '#platform/ui/tones.ts';
import {
  ImportInbox,
  type InboxFile,
  type InboxFileState,
  type InboxKind,
  type InboxView,
} from './import-inbox.contract.ts';

type Props = { onOpen: (importId: number) => void };

const ASK_EVERY = 5_000;
const PAGE_SIZE = 5;
const TONES: Record<InboxFileState, Tone> = { Importing: 'blue', Done: 'green', Refused: 'red' };

export function ImportInboxPanel({ onOpen }: Props) {
  const inbox = useQuery({
    ...api(ImportInbox).GetImportInbox.query({}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.address === null ? false : ASK_EVERY),
  });
  const look = useMutation({
    ...api(ImportInbox).LookIntoInbox.mutation(),
    onSuccess: () => void notifications.show({ message: 'The folder will be read within seconds.' }),
  });
  const { data } = inbox;
  return (
    <section className="card" aria-label="Watched folder">
      <Stack p="md" gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            Watched folder
          </Title>
          {data && data.address !== null && !data.held ? (
            <Button variant="default" loading={look.isPending} onClick={() => look.mutate({})}>
              Check now
            </Button>
          ) : null}
        </Group>
        <ErrorAlert error={inbox.error} title="The watched folder could not be loaded" onRetry={inbox.refetch} />
        <ErrorAlert error={look.error} title="The folder could not be checked" onClose={look.reset} />
        {data ? <Folder view={data} /> : inbox.error ? null : <Skeleton height={80} aria-label="Loading" />}
      </Stack>
      {data && data.address !== null ? (
        <>
          <Kinds kinds={data.kinds} />
          <Files onOpen={onOpen} />
        </>
      ) : null}
    </section>
  );
}

function Folder({ view: { address, lookedAt, problem, held } }: { view: InboxView }) {
  if (address === null)
    return (
      <Text size="sm" className="muted">
        No folder is watched. When <Code>IMPORT_INBOX</Code> names one on the server, files that an ERP puts there are
        imported automatically.
      </Text>
    );
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <span className="muted">Files are imported from </span>
        <Code>{address}</Code>
        <span className="muted">
          {lookedAt ? `, last checked ${formatInstant(lookedAt)}.` : ', which has not been checked yet.'}
        </span>
      </Text>
      <ErrorAlert
        error={
          held ? 'This database was restored from a backup: no files are imported until its mail is released.' : ''
        }
        title="Files wait"
      />
      <ErrorAlert error={problem} title="The last check failed" />
    </>
  );
}

function Kinds({ kinds }: Pick<InboxView, 'kinds'>) {
  return (
    <DataList
      label="Waiting files"
      columns={KIND_COLUMNS}
      rows={kinds}
      rowKey={({ kind }) => kind}
      card={(row) => (
        <Stack gap={2}>
          <Text fw={600}>{row.label}</Text>
          <Text size="sm" className="muted" style={{ overflowWrap: 'anywhere' }}>
            {row.address}
          </Text>
          <Waiting row={row} />
        </Stack>
      )}
      empty="It has no data that you may import."
    />
  );
}

const KIND_COLUMNS: Column<InboxKind>[] = [
  { title: 'Kind', render: (row) => row.label },
  { title: 'Folder', width: 420, render: (row) => <span title={row.address}>{row.address}</span> },
  { title: 'Waiting', render: (row) => <Waiting row={row} /> },
];

function Waiting({ row: { waiting, waitingTotal, problem } }: { row: InboxKind }) {
  if (problem) return <Words text={`Cannot be read: ${problem}`} warns />;
  const more = waitingTotal - waiting.length;
  return (
    <Words text={`${waiting.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}` || 'None'} />
  );
}

function Words({ text, warns = false }: { text: string; warns?: boolean }) {
  return (
    <Text
      size="sm"
      {...(warns ? { className: 'warning' } : {})}
      style={{ overflowWrap: 'anywhere', whiteSpace: 'normal', minWidth: 160 }}
    >
      {text}
    </Text>
  );
}

function Files({ onOpen }: Props) {
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...api(ImportInbox).ListInboxFiles.query({ page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ASK_EVERY,
  });
  const run = (row: InboxFile) => <Run row={row} onOpen={onOpen} />;
  return (
    <DataList
      label="Files of the watched folder"
      columns={fileColumns(run)}
      rows={query.data?.records}
      error={query.error}
      onRetry={() => void query.refetch()}
      refreshing={query.isPlaceholderData}
      rowKey={({ id }) => id}
      page={page}
      pageSize={PAGE_SIZE}
      pageCount={query.data?.pageCount}
      total={query.data?.total}
      onPage={setPage}
      card={(row) => (
        <Stack gap={2}>
          <Group justify="space-between" wrap="nowrap" align="start">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {row.name}
            </Text>
            <Chip tone={TONES[row.state]}>{row.state}</Chip>
          </Group>
          <Text size="sm" className="muted">
            {row.kindLabel} · {formatInstant(row.endedAt ?? row.takenAt)}
          </Text>
          <Words text={notImported(row)} />
          <div>{run(row)}</div>
        </Stack>
      )}
      empty="No files yet."
    />
  );
}

const fileColumns = (run: (row: InboxFile) => React.ReactNode): Column<InboxFile>[] => [
  { title: 'File', width: 280, render: (row) => <span title={row.name}>{row.name}</span> },
  { title: 'Kind', render: (row) => row.kindLabel },
  { title: 'State', render: (row) => <Chip tone={TONES[row.state]}>{row.state}</Chip> },
  {
    title: 'When',
    render: (row) => (
      <span className="tabular" style={{ whiteSpace: 'nowrap' }}>
        {formatInstant(row.endedAt ?? row.takenAt)}
      </span>
    ),
  },
  { title: 'Not imported', render: (row) => <Words text={notImported(row)} /> },
  { title: 'Run', render: run },
];

const notImported = ({ said, againAt }: InboxFile): string =>
  [said, againAt ? `The same content arrived again ${formatInstant(againAt)} and changed nothing.` : '']
    .filter(Boolean)
    .join(' ');

function Run({ row, onOpen }: { row: InboxFile; onOpen: Props['onOpen'] }) {
  const { importId } = row;
  if (importId === null) return null;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      aria-label={`Open the import of ${row.name}`}
      onClick={() => onOpen(importId)}
    >
      Open
    </Anchor>
  );
}

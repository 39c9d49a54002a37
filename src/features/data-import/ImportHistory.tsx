// Imports so far, newest first: what each did, who started it, and 'Undo' for the last one of a kind.
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { Chip } from '#ui/Chip.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import type { Tone } from '#ui/tones.ts';
import { DataImport, type ImportRow, type ImportState } from './data-import.contract.ts';
import { UndoButton } from './UndoImport.tsx';

type Props = {
  kinds?: readonly string[];
  page: number;
  onPage: (page: number) => void;
  onOpen: (id: number) => void;
};

const PAGE_SIZE = 10;
const TONES: Record<ImportState, Tone> = {
  Uploaded: 'violet',
  Checking: 'blue',
  Checked: 'violet',
  Applying: 'blue',
  Applied: 'green',
  Failed: 'red',
  Undone: 'orange',
};

export function ImportHistory({ kinds, page, onPage, onOpen }: Props) {
  const cache = useQueryClient();
  const found = useQuery({
    ...api(DataImport).ListImports.query({ kinds: kinds ? [...kinds] : null, page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.records.some((row) => row.state === 'Checking' || row.state === 'Applying') ? 2000 : false,
  });
  const undone = (row: ImportRow) => {
    notifications.show({ message: `The import of ${row.fileName} is undone.` });
    void cache.invalidateQueries({ queryKey: api(DataImport).ListImports.key });
    void cache.invalidateQueries({ queryKey: api(DataImport).GetImport.key });
  };
  const undo = (row: ImportRow) =>
    row.mayUndo ? <UndoButton compact record={row} onUndone={() => undone(row)} /> : null;
  const open = (row: ImportRow) => (
    <Anchor
      component="button"
      type="button"
      fw={600}
      ta="left"
      maw="100%"
      className="ellipsis"
      title={row.fileName}
      onClick={() => onOpen(row.id)}
    >
      {row.fileName}
    </Anchor>
  );
  return (
    <section className="card" aria-label="Imports so far">
      <Title order={2} size="h5" px="md" py="xs">
        Imports so far
      </Title>
      <DataList
        label="Imports so far"
        columns={columnsOf(open, undo)}
        rows={found.data?.records}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <div style={{ minWidth: 0 }}>{open(row)}</div>
              <State row={row} />
            </Group>
            <Text size="sm" className="muted">
              {row.kindLabel} · {at(row)} · {who(row)}
            </Text>
            <Text size="sm">{outcome(row)}</Text>
            <Group>{undo(row)}</Group>
          </Stack>
        )}
        error={found.error}
        onRetry={() => void found.refetch()}
        refreshing={found.isPlaceholderData}
        page={page}
        pageSize={PAGE_SIZE}
        pageCount={found.data?.pageCount ?? 1}
        {...(found.data ? { total: found.data.total } : {})}
        onPage={onPage}
        empty="Nothing has been imported yet."
      />
    </section>
  );
}

const columnsOf = (
  open: (row: ImportRow) => React.ReactNode,
  undo: (row: ImportRow) => React.ReactNode,
): Column<ImportRow>[] => [
  { title: 'File', width: 280, render: open },
  { title: 'Kind', render: (row) => row.kindLabel },
  { title: 'State', render: (row) => <State row={row} /> },
  { title: 'Outcome', width: 360, render: (row) => <span title={outcome(row)}>{outcome(row)}</span> },
  { title: 'When', render: (row) => <span className="tabular">{at(row)}</span> },
  { title: 'By', render: who },
  { title: 'Undo', render: undo },
];

function State({ row }: { row: ImportRow }) {
  return <Chip tone={TONES[row.state]}>{row.state}</Chip>;
}

const who = (row: ImportRow): string => row.undoneBy || row.appliedBy || row.createdBy;
const at = (row: ImportRow): string =>
  new Date(row.undoneAt ?? row.appliedAt ?? row.createdAt).toLocaleString('en-US', {
    dateStyle: 'short',
    timeStyle: 'short',
  });
const outcome = (row: ImportRow): string =>
  row.error ||
  row.figures
    .flatMap(({ label, count }) => (count > 0 ? [`${label} ${count.toLocaleString('en-US')}`] : []))
    .join(', ') ||
  '–';

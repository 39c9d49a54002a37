// The history of imports, newest first: results and users; filter by kind, state, file or user; export; 'Undo' for the last one of a kind.
import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ClearedNote } from '#platform/history/ClearedNote.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ExportButton, ExportError } from '#platform/ui/Export.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { pageShown } from '#platform/ui/list-address.web.ts';
import lists from '#platform/ui/list-page.module.css';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import {
  RUNNING_STATES,
  DataImport,
  IMPORT_STATES,
  type ImportRow,
  type ImportState,
} from '../data-import.contract.ts';
import type { ImportAddress } from './import-address.web.ts';
import { lastAt, lastBy, importOutcome } from './import-words.ts';
import { UndoButton, useUndoEnds } from './UndoImport.tsx';

type Props = {
  kinds?: readonly string[];
  list: ImportAddress['list'];
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
  Undoing: 'blue',
  Undone: 'orange',
};

export function ImportHistory({ kinds, list, onOpen }: Props) {
  const cache = useQueryClient();
  const { keyword, of, state } = list.filters;
  const known = useQuery({ ...api(DataImport).ListImportKinds.query({}), staleTime: 300_000 });
  const offered = (known.data ?? []).filter(({ kind }) => !kinds || kinds.includes(kind));
  const criteria = {
    keyword,
    kinds: of ? [of] : kinds ? [...kinds] : null,
    state: IMPORT_STATES.find((importState) => importState === state) ?? null,
    sort: list.sort,
  };
  const result = useQuery({
    ...api(DataImport).ListImports.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: query }) =>
      query.data?.records.some((row) => RUNNING_STATES.includes(row.state)) ? 2000 : false,
  });
  const exported = useMutation({ ...api(DataImport).ExportImports.mutation(), onSuccess: saveFile });
  const filtered = keyword !== '' || of !== '' || state !== '';
  useUndoEnds(result.data?.records);
  const begun = () => {
    void cache.invalidateQueries({ queryKey: api(DataImport).ListImports.key });
    void cache.invalidateQueries({ queryKey: api(DataImport).GetImport.key });
  };
  const undo = (row: ImportRow) => (row.mayUndo ? <UndoButton compact record={row} onBegun={begun} /> : null);
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
    <section className="card" aria-label="Import history">
      <Group px="md" py="xs" justify="space-between" gap="sm">
        <Title order={2} size="h5">
          Import history
        </Title>
        <Group gap="sm" className={lists['filters']}>
          <KeywordField
            label="File or person"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
            w={200}
          />
          {offered.length > 1 ? (
            <FilterSelect
              label="Kind"
              w={170}
              all="All kinds"
              choices={offered.map(({ kind, label }) => ({ value: kind, label }))}
              value={of}
              onChange={(next) => list.filter({ of: next })}
            />
          ) : null}
          <FilterSelect
            label="State"
            w={140}
            all="All states"
            choices={IMPORT_STATES}
            value={criteria.state ?? ''}
            onChange={(next) => list.filter({ state: next })}
          />
          <ExportButton exported={exported} onExport={() => exported.mutate(criteria)} total={result.data?.total} />
        </Group>
      </Group>
      <ExportError exported={exported} />
      <ClearedNote kind="imports" what="Imports that finished" but="The imported data is kept." px="md" />
      <DataList
        label="Import history"
        columns={columnsOf(open, undo)}
        {...pageShown(result, list, PAGE_SIZE)}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onOpen(id)}
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <div style={{ minWidth: 0 }}>{open(row)}</div>
              <ImportChip row={row} />
            </Group>
            <Text size="sm" className="muted">
              {row.kindLabel} · {at(row)} · {lastBy(row)}
            </Text>
            <Text size="sm">{importOutcome(row) || '–'}</Text>
            <Group>{undo(row)}</Group>
          </Stack>
        )}
        empty={filtered ? 'No Record Found' : 'Nothing has been imported yet.'}
      />
    </section>
  );
}

const columnsOf = (
  open: (row: ImportRow) => React.ReactNode,
  undo: (row: ImportRow) => React.ReactNode,
): Column<ImportRow>[] => [
  { field: 'fileName', title: 'File', width: 280, render: open },
  { field: 'kind', title: 'Kind', render: (row) => row.kindLabel },
  { field: 'state', title: 'State', render: (row) => <ImportChip row={row} /> },
  {
    title: 'Outcome',
    width: 360,
    render: (row) => <span title={importOutcome(row)}>{importOutcome(row) || '–'}</span>,
  },
  { field: 'at', title: 'When', render: (row) => <span className="tabular">{at(row)}</span> },
  { field: 'by', title: 'By', render: lastBy },
  { title: 'Undo', render: undo },
];

function ImportChip({ row }: { row: ImportRow }) {
  return <Chip tone={TONES[row.state]}>{row.state}</Chip>;
}

const at = (row: ImportRow): string => formatInstant(lastAt(row));

// Rows that are left out until somebody confirms them: what each would make of which record, confirmed one by one or together.
import { Button, Checkbox, Group, Pagination, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { DataImport, type HeldImportRow, type ImportView, type ScreenReport } from '../data-import.contract.ts';

type Props = { view: ImportView; report: ScreenReport; onChange: (view: ImportView) => void };

const PAGE_SIZE = 20;

export function HeldRowsPanel({ view, report, onChange }: Props) {
  const [page, setPage] = useState(1);
  const cache = useQueryClient();
  const { id, confirmed } = view;
  const open = view.state === 'Checked';
  const found = useQuery({
    ...api(DataImport).GetHeldRows.query({ id, page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const confirm = useMutation({
    ...api(DataImport).ConfirmHeldRows.mutation(),
    onSuccess: (changed) => {
      onChange(changed);
      void cache.invalidateQueries({ queryKey: api(DataImport).GetHeldRows.key });
    },
  });
  const tick = (row: HeldImportRow) => (
    <Checkbox
      aria-label={`Confirm line ${row.line}: ${row.key} becomes ${row.now}`}
      checked={row.confirmed}
      disabled={!open || confirm.isPending}
      onChange={(event) => confirm.mutate({ id, lines: [row.line], confirmed: event.currentTarget.checked })}
    />
  );
  const total = found.data?.total ?? report.held;
  const all = total > 0 && confirmed === total;
  return (
    <section aria-label="Held">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h6">
          Another facility? {total.toLocaleString('en-US')} {total === 1 ? 'row is' : 'rows are'} held
        </Title>
        {open ? (
          <Button
            variant="default"
            size="xs"
            loading={confirm.isPending}
            onClick={() => confirm.mutate({ id, confirmed: !all })}
          >
            {all ? 'Confirm none' : 'Confirm all'}
          </Button>
        ) : null}
      </Group>
      <Text size="sm" className="muted" mb="xs" role="status">
        Name, city and state would all change. These rows are left out until you confirm them:{' '}
        {confirmed.toLocaleString('en-US')} of {total.toLocaleString('en-US')} are.
      </Text>
      <ErrorAlert error={found.error ?? confirm.error} onClose={() => confirm.reset()} />
      <DataList
        label="Held"
        columns={columnsOf(tick)}
        rows={found.data?.records ?? []}
        rowKey={({ line }) => line}
        card={(row) => (
          <Group align="start" wrap="nowrap">
            {tick(row)}
            <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={600}>
                Line {row.line}: {row.key}
              </Text>
              <Text size="sm">
                {row.was} → {row.now}
              </Text>
              {row.hint ? (
                <Text size="sm" className="warning">
                  {row.hint}
                </Text>
              ) : null}
            </Stack>
          </Group>
        )}
      />
      {(found.data?.pageCount ?? 1) > 1 ? (
        <Pagination
          mt="xs"
          size="sm"
          total={found.data?.pageCount ?? 1}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': `${control} page of held rows` })}
        />
      ) : null}
    </section>
  );
}

const columnsOf = (tick: (row: HeldImportRow) => React.ReactNode): Column<HeldImportRow>[] => [
  { title: 'Confirm', render: tick },
  { title: 'Line', render: ({ line }) => <span className="tabular">{line.toLocaleString('en-US')}</span> },
  { title: 'Number', render: ({ key }) => key },
  { title: 'Stored', width: 300, render: ({ was }) => <span title={was}>{was}</span> },
  { title: 'In the file', width: 300, render: ({ now }) => <span title={now}>{now}</span> },
  {
    title: 'Note',
    width: 360,
    render: ({ hint }) => (
      <span className="warning" title={hint}>
        {hint}
      </span>
    ),
  },
];

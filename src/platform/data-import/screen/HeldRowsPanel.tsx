// Shows rows that are left out until a user accepts them, with the record that each would change. The user decides one row or many at once.
import { Button, Group, Pagination, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import type { Tone } from '#platform/ui/tones.ts';
import {
  DataImport,
  type HeldImportRow,
  type ImportKindView,
  type ImportView,
  type ScreenReport,
} from '../data-import.contract.ts';

type Props = {
  view: ImportView;
  report: ScreenReport;
  words: ImportKindView['heldWords'] | undefined;
  onChange: (view: ImportView) => void;
  picker?: HeldPicker | undefined;
};

/** Renders a search for a record to use instead of the suggested one. `onPick` gets its id. */
export type HeldPicker = (onPick: (id: number) => void) => ReactNode;
type Decision = 'open' | 'accepted' | 'rejected';

const PAGE_SIZE = 20;

export function HeldRowsPanel({ view, report, words, onChange, picker }: Props) {
  const [page, setPage] = useState(1);
  const cache = useQueryClient();
  const { id, accepted, rejected } = view;
  const query = useQuery({
    ...api(DataImport).GetHeldRows.query({ id, page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const decide = useMutation({
    ...api(DataImport).DecideHeldRows.mutation(),
    onSuccess: (changed) => {
      onChange(changed);
      void cache.invalidateQueries({ queryKey: api(DataImport).GetHeldRows.key });
    },
  });
  const total = query.data?.total ?? report.held;
  // Rows that are still held or are waiting to be applied; the other rows are written.
  const open = report.held - accepted - rejected;
  const all = (decision: Decision) => decide.mutate({ id, decision });
  const chosenSingly = query.data?.records.some(({ ways }) => ways.length > 0) ?? false;
  const decided = (row: HeldImportRow) => (
    <Decide
      row={row}
      may={view.mayDecide && !decide.isPending}
      pick={words?.pick ?? ''}
      picker={picker}
      onDecide={(decision, way) => decide.mutate({ id, lines: [row.line], decision, ...(way ? { way } : {}) })}
    />
  );
  return (
    <section aria-label="Held">
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h6">
          {words?.title} {countOf(total, 'row is', 'rows are')} held
        </Title>
        {view.mayDecide ? (
          <Group gap="xs">
            {open > 0 ? (
              <>
                <Button variant="default" size="xs" loading={decide.isPending} onClick={() => all('accepted')}>
                  {total === open
                    ? 'Accept all'
                    : `Accept the other ${open === 1 ? 'row' : open.toLocaleString('en-US')}`}
                </Button>
                <Button variant="default" size="xs" loading={decide.isPending} onClick={() => all('rejected')}>
                  {total === open ? 'Reject all' : open === 1 ? 'Reject the other row' : 'Reject the others'}
                </Button>
              </>
            ) : null}
            {accepted + rejected > 0 ? (
              <Button variant="default" size="xs" loading={decide.isPending} onClick={() => all('open')}>
                Clear decisions
              </Button>
            ) : null}
          </Group>
        ) : null}
      </Group>
      <Text size="sm" className="muted" mb="xs" role="status">
        {words?.why}{' '}
        {total === 1 ? 'This row is left out until you accept it' : 'These rows are left out until you accept them'}:{' '}
        {accepted.toLocaleString('en-US')} accepted, {rejected.toLocaleString('en-US')} rejected,{' '}
        {open.toLocaleString('en-US')} undecided.
        {chosenSingly ? ' Rows with several choices must be decided one by one.' : ''}
      </Text>
      <ErrorAlert error={query.error ?? decide.error} onClose={() => decide.reset()} />
      <DataList
        label="Held"
        columns={columnsOf(decided)}
        rows={query.data?.records ?? []}
        rowKey={({ line }) => line}
        card={(row) => (
          <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
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
            <Group>{decided(row)}</Group>
          </Stack>
        )}
      />
      {(query.data?.pageCount ?? 1) > 1 ? (
        <Pagination
          mt="xs"
          size="sm"
          total={query.data?.pageCount ?? 1}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': `${control} page of held rows` })}
        />
      ) : null}
    </section>
  );
}

const TONES: Record<HeldImportRow['decision'], { label: string; tone: Tone }> = {
  open: { label: 'Open', tone: 'orange' },
  accepted: { label: 'Accepted', tone: 'violet' },
  applied: { label: 'Applied', tone: 'green' },
  rejected: { label: 'Rejected', tone: 'red' },
};

type DecideProps = {
  row: HeldImportRow;
  may: boolean;
  /** The record that the user may pick instead of the suggestion; '' if none. */
  pick: string;
  picker: HeldPicker | undefined;
  onDecide: (decision: Decision, way?: string) => void;
};

/** Toggle buttons: pressing one again releases it. A row with ways has a button for each way. */
function Decide({ row, may, pick, picker, onDecide }: DecideProps) {
  const [picking, setPicking] = useState(false);
  const { decision, line, key, now, ways, way, wayLabel } = row;
  if (decision === 'applied' || !may) {
    const { label, tone } = TONES[decision];
    return <Chip tone={tone}>{wayLabel ? `${label}: ${wayLabel}` : label}</Chip>;
  }
  const button = (word: string, to: 'accepted' | 'rejected', chosen = '') => {
    const pressed = decision === to && (to === 'rejected' || way === chosen);
    return (
      <Button
        key={word}
        size="compact-sm"
        // The name of a record may be longer than the column.
        styles={{
          root: { height: 'auto', minHeight: 'var(--button-height)', maxWidth: '100%' },
          label: { whiteSpace: 'normal', textAlign: 'start' },
        }}
        {...(to === 'rejected' ? { color: 'red' } : {})}
        variant={pressed ? 'filled' : 'default'}
        aria-pressed={pressed}
        aria-label={`${word} line ${line}: ${key} becomes ${now}`}
        onClick={() => (pressed ? onDecide('open') : onDecide(to, chosen))}
      >
        {word}
      </Button>
    );
  };
  return (
    <Stack gap={4} align="start">
      <Group gap={4}>
        {ways.length > 0
          ? ways.map(({ value, label }) => button(label, 'accepted', value))
          : button('Accept', 'accepted')}
        {button('Reject', 'rejected')}
        {pick && picker ? (
          <Button
            size="compact-sm"
            variant={ways.length === 0 && way ? 'filled' : 'default'}
            aria-expanded={picking}
            aria-label={`${pick} for line ${line}: ${key}`}
            onClick={() => setPicking(!picking)}
          >
            {pick}…
          </Button>
        ) : null}
      </Group>
      {ways.length === 0 && wayLabel ? (
        <Text size="sm" fw={600}>
          Accepted as {wayLabel}
        </Text>
      ) : null}
      {picking && picker
        ? picker((id) => {
            setPicking(false);
            onDecide('accepted', String(id));
          })
        : null}
    </Stack>
  );
}

const columnsOf = (decided: (row: HeldImportRow) => ReactNode): Column<HeldImportRow>[] => [
  { title: 'Decide', width: 260, render: decided },
  { title: 'Line', render: ({ line }) => <span className="tabular">{line.toLocaleString('en-US')}</span> },
  { title: 'Record', width: 220, render: ({ key }) => <span title={key}>{key}</span> },
  // Shows both compared values in full.
  { title: 'Current value', render: ({ was }) => was },
  { title: 'In the file', render: ({ now }) => now },
  {
    title: 'Note',
    render: ({ hint }) => <span className="warning">{hint}</span>,
  },
];

// The quote lists in the dialog: before the step, what prevents it; after the step, each outcome, also as a file for a spreadsheet.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import type { QuoteRow } from '#core/quoting/quotes/quotes.contract.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { csvLine, tsvCell } from '#platform/shared/csv.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import type { Fate, State } from './run-piecewise.ts';
import { type Kind, resultCells, stateWord } from './step-words.ts';

type Props = {
  kind: Kind;
  rows: QuoteRow[];
  fateFor: (row: QuoteRow) => Fate;
  onUndo?: ((row: QuoteRow) => void) | undefined;
};

const TONES: Record<State, Tone> = { done: 'green', back: 'blue', refused: 'red', unknown: 'orange', left: 'orange' };

export function OutcomeList({ kind, rows, fateFor, onUndo }: Props) {
  const outcome = (row: QuoteRow) => {
    const { state } = fateFor(row);
    return <Chip tone={TONES[state]}>{stateWord(kind, state)}</Chip>;
  };
  const undo = (row: QuoteRow) => {
    const { state, was } = fateFor(row);
    if (!onUndo || state !== 'done' || was === null) return null;
    const label = `Undo ${quoteNumber(row.num, row.revision)}`;
    return (
      <Button size="compact-xs" variant="default" aria-label={label} onClick={() => onUndo(row)}>
        Undo
      </Button>
    );
  };
  return (
    <DataList
      label="Outcome of each quote"
      columns={[
        NUMBER,
        FACILITY,
        { title: 'Outcome', render: outcome },
        whyOf((row) => fateFor(row).message),
        ...(onUndo ? [{ title: 'Undo', render: undo }] : []),
      ]}
      rows={rows}
      rowKey={({ id }) => id}
      card={(row) => (
        <QuoteCard row={row} why={fateFor(row).message} end={undo(row)}>
          {outcome(row)}
        </QuoteCard>
      )}
    />
  );
}

/** The quotes with a remark before the step: why it is not possible, or what it would leave out. */
export function RemarkList({ rows, remarkOn }: { rows: QuoteRow[]; remarkOn: (row: QuoteRow) => string }) {
  if (rows.length === 0) return null;
  return (
    <DataList
      label="Remarks"
      columns={[NUMBER, FACILITY, { title: 'Status', render: statusOf }, whyOf(remarkOn)]}
      rows={rows}
      rowKey={({ id }) => id}
      card={(row) => (
        <QuoteCard row={row} why={remarkOn(row)}>
          {statusOf(row)}
        </QuoteCard>
      )}
    />
  );
}

/** Opens the quote in a new tab, so that the outcomes stay visible. */
function NumberLink({ row }: { row: QuoteRow }) {
  const user = useSession();
  const href = user ? boardPath(user, row.id) : '';
  return (
    <Anchor
      href={href}
      target="_blank"
      rel="noopener"
      fw={600}
      size="sm"
      className="tabular"
      style={{ whiteSpace: 'nowrap' }}
    >
      {quoteNumber(row.num, row.revision)}
    </Anchor>
  );
}

const NUMBER: Column<QuoteRow> = { title: '#', render: (row) => <NumberLink row={row} /> };
const FACILITY: Column<QuoteRow> = {
  title: 'Facility',
  width: 200,
  render: (row) => <span title={row.facilityName}>{row.facilityName}</span>,
};
const statusOf = (row: QuoteRow) => <StatusChip statusId={row.statusId} expired={row.expired} />;
const whyOf = (words: (row: QuoteRow) => string): Column<QuoteRow> => ({
  title: 'Why',
  render: (row) => <Text size="sm">{words(row)}</Text>,
});

function QuoteCard(props: { row: QuoteRow; why: string; end?: ReactNode; children: ReactNode }) {
  const { row, why, end, children } = props;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <NumberLink row={row} />
          {children}
        </Group>
        {end}
      </Group>
      <Text size="sm" mt={2}>
        {row.facilityName}
      </Text>
      <Text size="sm" className="muted">
        {why}
      </Text>
    </>
  );
}

export function ResultFiles({ kind, rows, fates }: { kind: Kind; rows: QuoteRow[]; fates: ReadonlyMap<number, Fate> }) {
  const cells = () => resultCells(kind, rows, fates);
  const copy = async () => {
    try {
      // Browsers offer the clipboard only over an encrypted connection.
      await navigator.clipboard.writeText(
        cells()
          .map((line) => line.map(tsvCell).join('\t'))
          .join('\n'),
      );
      notifications.show({ message: 'Outcomes copied.' });
    } catch {
      notifications.show({ message: 'Copying is not available in this browser. Save the CSV instead.' });
    }
  };
  const save = () => {
    // The byte order mark lets spreadsheets recognize UTF-8.
    const blob = new Blob(['\uFEFF', ...cells().map(csvLine)], { type: 'text/csv' });
    saveFile({ name: `${kind}-quotes.csv`, blob });
  };
  return (
    <Group gap="xs">
      <Button variant="subtle" onClick={() => void copy()}>
        Copy
      </Button>
      <Button variant="subtle" onClick={save}>
        CSV
      </Button>
    </Group>
  );
}

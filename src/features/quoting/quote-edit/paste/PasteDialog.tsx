// Pasted rows before they become lines: each found, ambiguous or not found; nothing is dropped silently.
import {
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  Textarea,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { Chip } from '#ui/Chip.tsx';
import { NARROW } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { type FoundRow, QuoteEdit } from '../quote-edit.contract.ts';
import { type PastedLine, parsePaste } from './paste.ts';

type Choice = { itemId: number | null; qty: number; unit: string; take: boolean };

type Candidate = FoundRow['candidates'][number];
/** A pasted row that was found, with its item. */
export type ReadyRow = { item: Candidate; qty: number; unit: string };

type Props = {
  text: string;
  /** The quote that the lines are for; none for a template. */
  quoteId?: number;
  /** Takes the lines in; what it throws is told, and the rows stay. */
  onAdd: (rows: ReadyRow[]) => Promise<unknown>;
  onClose: () => void;
};

export function PasteDialog({ text, onClose, ...rest }: Props) {
  const [pasted, setPasted] = useState(text);
  const rows = parsePaste(pasted);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return (
    <Modal opened onClose={onClose} size={900} fullScreen={narrow} title="Paste lines">
      {rows.length === 0 ? (
        <Stack>
          <Textarea
            data-autofocus
            autosize
            minRows={8}
            maxRows={16}
            label="Rows from a spreadsheet: item number, quantity, unit"
            placeholder={'551000\t40\tBX\n881003\t4\tEA'}
            defaultValue={pasted}
            onBlur={(event) => setPasted(event.currentTarget.value)}
            onPaste={(event) => {
              const clip = event.clipboardData.getData('text/plain');
              if (event.currentTarget.value === '') setPasted(clip);
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button>Look them up</Button>
          </Group>
        </Stack>
      ) : (
        <Found rows={rows.slice(0, 2000)} narrow={narrow} onClose={onClose} {...rest} />
      )}
    </Modal>
  );
}

type FoundProps = Omit<Props, 'text'> & { rows: PastedLine[]; narrow: boolean };

function Found({ rows, narrow, quoteId, onAdd, onClose }: FoundProps) {
  const found = useQuery({
    ...api(QuoteEdit).ResolvePastedItems.query({ quoteId: quoteId ?? null, rows }),
    staleTime: Infinity,
  });
  const [changed, setChanged] = useState<Record<number, Partial<Choice>>>({});
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  if (!found.data) {
    return found.error ? (
      <ErrorAlert error={found.error} title="The rows could not be looked up" />
    ) : (
      <Skeleton height={240} />
    );
  }
  const choiceOf = (row: FoundRow, index: number): Choice => ({
    itemId: row.state === 'found' ? (row.candidates[0]?.itemId ?? null) : null,
    qty: row.qty ?? 1,
    unit: row.candidates[0]?.unit ?? row.unit,
    take: row.state === 'ambiguous' || (row.state === 'found' && !isGone(row) && hasUnit(row)),
    ...changed[index],
  });
  const change = (index: number, patch: Partial<Choice>) =>
    setChanged((all) => ({ ...all, [index]: { ...all[index], ...patch } }));
  const choices = found.data.map(choiceOf);
  const ready = choices.flatMap((choice, index): ReadyRow[] => {
    const item = found.data[index]?.candidates.find(({ itemId }) => itemId === choice.itemId);
    return choice.take && item ? [{ item, qty: choice.qty, unit: choice.unit }] : [];
  });
  const left = choices.length - ready.length;
  const counts = Object.groupBy(found.data, (row) => row.state);

  const add = async () => {
    setSaving(true);
    setError(null);
    try {
      await onAdd(ready);
      onClose();
    } catch (problem) {
      setError(problem as Error);
      setSaving(false);
    }
  };
  return (
    <Stack>
      <Text size="sm" role="status">
        {rows.length} rows: {counts.found?.length ?? 0} found, {counts.ambiguous?.length ?? 0} ambiguous,{' '}
        {counts.notFound?.length ?? 0} not found
      </Text>
      <div style={{ maxHeight: '55vh', overflow: 'auto' }}>
        <Table fz="sm" verticalSpacing={4} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Td w={36} />
              <Table.Th>Pasted</Table.Th>
              {narrow ? null : <Table.Th>Item</Table.Th>}
              <Table.Th w={90}>Qty.</Table.Th>
              <Table.Th w={90}>Unit</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.data.map((row, index) => {
              const choice = choices[index];
              if (!choice) return null;
              const item = row.candidates.find((one) => one.itemId === choice.itemId);
              const which =
                row.state === 'ambiguous' ? (
                  <Select
                    size="xs"
                    searchable
                    aria-label={`Item of row ${index + 1}`}
                    placeholder="Choose"
                    data={row.candidates.map((one) => ({
                      value: String(one.itemId),
                      label: `${one.itemNumber} ${one.description}`,
                      disabled: one.gone,
                    }))}
                    value={choice.itemId === null ? null : String(choice.itemId)}
                    onChange={(id) =>
                      change(index, {
                        itemId: id === null ? null : Number(id),
                        unit: row.candidates.find((one) => String(one.itemId) === id)?.unit ?? choice.unit,
                      })
                    }
                  />
                ) : item ? (
                  `${item.itemNumber} ${item.description}`
                ) : (
                  ''
                );
              return (
                <Table.Tr key={`${row.itemNumber} ${index}`}>
                  <Table.Td>
                    <Checkbox
                      size="xs"
                      aria-label={`Take row ${index + 1}`}
                      checked={choice.take}
                      disabled={row.state === 'notFound' || isGone(row)}
                      onChange={(event) => change(index, { take: event.currentTarget.checked })}
                    />
                  </Table.Td>
                  <Table.Td>
                    {row.itemNumber} <State state={row.state} />
                    {row.problem ? (
                      <Text size="xs" c="red">
                        {row.problem}
                      </Text>
                    ) : null}
                    {narrow ? <div>{which}</div> : null}
                  </Table.Td>
                  {narrow ? null : <Table.Td>{which}</Table.Td>}
                  <Table.Td>
                    <NumberInput
                      size="xs"
                      aria-label={`Quantity of row ${index + 1}`}
                      min={0.0001}
                      value={choice.qty}
                      onChange={(qty) => change(index, { qty: Number(qty) || 1 })}
                    />
                  </Table.Td>
                  <Table.Td>
                    {item && !item.gone ? (
                      <Select
                        size="xs"
                        aria-label={`Unit of row ${index + 1}`}
                        data={item.units}
                        value={choice.unit}
                        onChange={(unit) => change(index, { unit: unit ?? choice.unit, take: true })}
                      />
                    ) : (
                      choice.unit
                    )}
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </div>
      <ErrorAlert error={error} title="The lines were not added" />
      <Group justify="space-between">
        <Text size="sm" className="muted">
          {left > 0 ? `${left} of ${rows.length} rows are left out.` : ''}
        </Text>
        <Group>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button data-autofocus loading={saving} disabled={ready.length === 0} onClick={() => void add()}>
            Add {ready.length} lines
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

/** Found, but no longer sold: the server would refuse the whole set for it. */
function isGone(row: FoundRow): boolean {
  return row.state === 'found' && row.candidates[0]?.gone === true;
}

/** Sold by the unit that was pasted; another unit is another quantity, so it is for the person to say. */
function hasUnit(row: FoundRow): boolean {
  return (
    row.unit === '' ||
    row.candidates.some(({ units }) => units.some((unit) => unit.toLowerCase() === row.unit.toLowerCase()))
  );
}

function State({ state }: { state: FoundRow['state'] }) {
  if (state === 'found') return <Chip tone="green">found</Chip>;
  return state === 'ambiguous' ? <Chip tone="orange">ambiguous</Chip> : <Chip tone="red">not found</Chip>;
}

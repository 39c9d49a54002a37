// Two people changed one thing: both values side by side, the person chooses; nothing is overwritten silently.
import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { editConflictOf } from '#features/quote-edit/edit-conflict.web.ts';
import { useBoard } from './board.web.ts';

const LABELS: Record<string, string> = {
  qty: 'Qty.',
  unit: 'Unit',
  unitPrice: 'Price',
  discountPct: 'Disc. %',
  description: 'Desc.',
  notes: 'Internal Notes',
  priceReason: 'Reason',
  active: 'Active',
  optional: 'Optional',
};

export function ConflictDialog() {
  const board = useBoard();
  const [busy, setBusy] = useState(false);
  const entry = board.pending.find((one) => one.state === 'conflict');
  if (!entry) return null;
  const conflict = editConflictOf(entry.error);
  const current: Record<string, unknown> = (entry.target === 'quote' ? conflict?.quote : conflict?.item) ?? {};
  const line = entry.target === 'quote' ? null : board.data.items.find((item) => item.id === entry.target);
  const fields = Object.keys(entry.patch);
  const keepMine = async () => {
    setBusy(true);
    await board.reload();
    board.queue.insist(entry.target);
    setBusy(false);
  };
  const takeTheirs = async () => {
    setBusy(true);
    board.queue.drop(entry.target);
    await board.reload();
    setBusy(false);
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Changed by someone else meanwhile"
    >
      <Stack>
        <Text size="sm">
          {conflict?.changedBy ?? 'Someone else'} changed{' '}
          {line ? `line ${line.lineNo} (${line.itemNumber || line.description})` : 'this quote'}
          {conflict?.changedAt ? ` at ${new Date(conflict.changedAt).toLocaleTimeString('en-US')}` : ''} while you were
          editing it. Both values are kept until you choose.
        </Text>
        <Table fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Theirs, saved</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Td>{LABELS[field] ?? field}</Table.Td>
                <Table.Td>{inWords(current[field])}</Table.Td>
                <Table.Td fw={600}>{inWords(entry.patch[field])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button variant="default" loading={busy} onClick={() => void takeTheirs()}>
            Take theirs
          </Button>
          <Button data-autofocus loading={busy} onClick={() => void keepMine()}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

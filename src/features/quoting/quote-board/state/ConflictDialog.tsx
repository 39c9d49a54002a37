// Two people changed one field: shows both values side by side, and the person chooses; nothing is overwritten silently.
import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { editConflictOf } from '#features/quoting/quote-edit/settle/edit-conflict.web.ts';
import { formatInstant } from '#shared/dates.ts';
import { useBoard } from './board.web.ts';
import { FIELD_WORDS, valueWords } from './field-words.ts';
import { clashes, type Stored } from './merge.ts';
import { storedIn } from './save-queue.ts';

export function ConflictDialog() {
  const board = useBoard();
  const [busy, setBusy] = useState(false);
  const entry = board.pending.find((one) => one.state === 'conflict');
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: board.quote.facilityId }),
    enabled: entry?.target === 'quote',
  });
  const stored = entry ? storedIn(entry.error, entry.target) : null;
  if (!entry || !stored) return null;
  const conflict = editConflictOf(entry.error);
  const line = entry.target === 'quote' ? null : board.data.items.find((item) => item.id === entry.target);
  const fields = clashes(entry, stored);
  const names = namesIn(lookups.data, stored);
  const choose = async (keep: readonly string[]) => {
    setBusy(true);
    // Puts the values shown here on the board, too.
    await board.store.reload();
    board.store.queue.resolve(entry.target, keep, stored);
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
          {conflict?.changedAt ? ` at ${formatInstant(conflict.changedAt)}` : ''} while you were editing it. Both values
          are kept until you choose.
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
                <Table.Td>{FIELD_WORDS[field] ?? field}</Table.Td>
                <Table.Td style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                  {valueWords(field, stored[field], names)}
                </Table.Td>
                <Table.Td fw={600} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
                  {valueWords(field, entry.patch[field], names)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={busy}
            onClick={() => void choose(Object.keys(entry.patch).filter((field) => !fields.includes(field)))}
          >
            Take theirs
          </Button>
          <Button data-autofocus loading={busy} onClick={() => void choose(Object.keys(entry.patch))}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Known names of the people and the facility that either side may have chosen. */
function namesIn(
  lookups: OutputOf<typeof QuoteEdit.PopulateQuoteEditLookups> | undefined,
  stored: Stored,
): ReadonlyMap<unknown, string> {
  const { salesReps = [], csReps = [], isReps = [] } = lookups ?? {};
  const held = ['salesRep', 'csRep', 'isRep'].map((rep) => (stored[rep] ?? {}) as { id?: number; name?: string });
  return new Map<unknown, string>([
    [stored['facilityId'], String(stored['facilityName'])],
    ...[...held, ...salesReps, ...csReps, ...isReps].map(({ id, name = '' }) => [id, name] as const),
  ]);
}

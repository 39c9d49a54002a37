// Shows both values when two users changed one field, and lets the user choose. Nothing is overwritten unnoticed.
import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import type { Conflict } from '#platform/shared/conflict.ts';
import { formatInstant } from '#platform/shared/dates.ts';

type Props = {
  conflict: Pick<Conflict, 'changedBy' | 'changedAt'>;
  /** The changed thing: 'line 3 (901048)'. */
  what?: string;
  /** The fields that both changed, with their values in words. */
  rows: { label: string; theirs: string; mine: string }[];
  busy: boolean;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
};

export function ConflictDialog({ conflict, what = 'this', rows, busy, onTakeTheirs, onKeepMine }: Props) {
  const when = conflict.changedAt ? ` at ${formatInstant(conflict.changedAt)}` : '';
  const text = { whiteSpace: 'pre-line', overflowWrap: 'anywhere' } as const;
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Changed by someone else"
    >
      <Stack>
        <Text size="sm">
          {conflict.changedBy ?? 'Someone else'} changed {what}
          {when} while you were editing it. Both values are kept until you choose one.
        </Text>
        {rows.length > 0 ? (
          <Table fz="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Their saved value</Table.Th>
                <Table.Th>Yours</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ label, theirs, mine }) => (
                <Table.Tr key={label}>
                  <Table.Td>{label}</Table.Td>
                  <Table.Td style={text}>{theirs}</Table.Td>
                  <Table.Td style={text} fw={600}>
                    {mine}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" loading={busy} onClick={onTakeTheirs}>
            Use theirs
          </Button>
          <Button data-autofocus loading={busy} onClick={onKeepMine}>
            Keep mine
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

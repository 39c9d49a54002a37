// Two people changed one line: shows both values side by side to choose from.
import { Alert, Button, Group, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { QuoteItem } from '../quote-edit.contract.ts';

const FIELDS = [
  ['itemNumber', 'Item #'],
  ['description', 'Desc.'],
  ['qty', 'Qty.'],
  ['unit', 'Unit'],
  ['notes', 'Internal Notes'],
] as const;
type Compared = Pick<QuoteItem, (typeof FIELDS)[number][0]>;

type Props = {
  message: string;
  mine: Compared;
  /** The line as it is stored now; null when it is gone. */
  stored: QuoteItem | null;
  /** Saves the typed values over the stored ones. */
  onKeepMine: (stored: QuoteItem) => void;
  onTakeTheirs: (stored: QuoteItem) => void;
};

export function LineConflict({ message, mine, stored, onKeepMine, onTakeTheirs }: Props) {
  const differing = stored ? FIELDS.filter(([field]) => stored[field] !== mine[field]) : [];
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
      <Text size="sm">{message}</Text>
      {stored ? (
        <>
          <Table fz="sm" mt="xs" verticalSpacing={2}>
            <Table.Thead>
              <Table.Tr>
                <Table.Td />
                <Table.Th>Yours</Table.Th>
                <Table.Th>Stored</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differing.map(([field, label]) => (
                <Table.Tr key={field}>
                  <Table.Th>{label}</Table.Th>
                  <Table.Td>{mine[field]}</Table.Td>
                  <Table.Td>{stored[field]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Group gap="xs" mt="xs">
            <Button size="xs" variant="default" onClick={() => onKeepMine(stored)}>
              Save mine
            </Button>
            <Button size="xs" variant="default" onClick={() => onTakeTheirs(stored)}>
              Use the stored values
            </Button>
          </Group>
        </>
      ) : null}
    </Alert>
  );
}

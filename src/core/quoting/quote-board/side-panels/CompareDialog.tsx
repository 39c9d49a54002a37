// The differences between two revisions by line, each with its cause.
import { Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';

type Props = { quoteId: number; from: number; to: number | null; onClose: () => void };

const WORDS = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

export function CompareDialog({ quoteId, from, to, onClose }: Props) {
  const { data, error } = useQuery(api(QuoteWorkflow).CompareRevisions.query({ quoteId, from, to }));
  const money = (value: number | null) => (value === null ? '' : formatAmount(value, data?.currnIdx));
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Revision ${from} → ${to === null ? 'current quote' : `revision ${to}`}`}
    >
      {data ? (
        <Stack>
          <Text size="sm" fw={600} className="tabular">
            Total {money(data.totalBefore)} → {money(data.totalAfter)}
          </Text>
          {data.header.length + data.lines.length === 0 ? <Text className="muted">No differences.</Text> : null}
          {data.header.length > 0 ? (
            <Table fz="sm">
              <Table.Tbody>
                {data.header.map((change) => (
                  <Table.Tr key={change.field}>
                    <Table.Td w={180}>{change.field}</Table.Td>
                    <Table.Td>
                      {change.before || '–'} → {change.after || '–'}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : null}
          {data.lines.length > 0 ? (
            <Table fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Line</Table.Th>
                  <Table.Th>Change</Table.Th>
                  <Table.Th className="figure">Before</Table.Th>
                  <Table.Th className="figure">After</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {data.lines.map((line, index) => (
                  <Table.Tr key={`${line.itemNumber} ${index}`}>
                    <Table.Td>
                      <b className="tabular">{line.itemNumber}</b> {line.description}
                    </Table.Td>
                    <Table.Td>{[WORDS[line.change], ...line.causes].join(' · ')}</Table.Td>
                    <Table.Td className="figure">{money(line.before)}</Table.Td>
                    <Table.Td className="figure">{money(line.after)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : null}
        </Stack>
      ) : error ? (
        <ErrorAlert error={error} title="The revisions could not be compared" />
      ) : (
        <Skeleton height={200} />
      )}
    </Modal>
  );
}

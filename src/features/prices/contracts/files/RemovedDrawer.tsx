// Lists what was removed from a contract's folders and can still be restored.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { formatDate } from '#shared/dates.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { ContractFiles, REMOVED_DAYS, type Removed } from './contract-files.contract.ts';
import { filesInWords } from './file-words.ts';

export function RemovedDrawer({ contractId, onClose }: { contractId: number; onClose: () => void }) {
  const found = useQuery({ ...api(ContractFiles).GetRemovedContractFiles.query({ contractId }), staleTime: 0 });
  const back = useMutation({
    ...api(ContractFiles).RestoreContractFiles.mutation(),
    onSuccess: ({ name }) => notifications.show({ message: `${name} is back.` }),
  });
  return (
    <RecordDrawer title="Removed" onClose={onClose}>
      <Stack>
        <Text size="sm" className="muted">
          Removed folders and files are kept for {REMOVED_DAYS} days.
        </Text>
        <ErrorAlert error={found.error ?? back.error} title={found.error ? 'Not loaded' : 'Not brought back'} />
        {found.data ? (
          <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Removed">
            {found.data.length === 0 ? (
              <Text component="li" size="sm" className="muted">
                Nothing was removed.
              </Text>
            ) : null}
            {found.data.map((one) => (
              <Group component="li" key={`${one.kind} ${one.id}`} justify="space-between" wrap="nowrap" align="start">
                <div>
                  <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {one.name}
                  </Text>
                  <Text size="xs" className="muted">
                    {removedFacts(one)}
                  </Text>
                </div>
                <Button
                  size="compact-xs"
                  variant="default"
                  flex="none"
                  aria-label={`Bring ${one.name} back`}
                  loading={back.isPending && back.variables.id === one.id}
                  onClick={() => back.mutate({ kind: one.kind, id: one.id })}
                >
                  Bring back
                </Button>
              </Group>
            ))}
          </Stack>
        ) : found.error ? null : (
          <Skeleton height={120} aria-label="Loading" />
        )}
      </Stack>
    </RecordDrawer>
  );
}

function removedFacts(one: Removed): string {
  const left = `${one.daysLeft} ${one.daysLeft === 1 ? 'day' : 'days'} left`;
  const what = one.kind === 'folder' ? `Folder, ${filesInWords(one)}` : '';
  return [what, one.place, `${formatDate(one.removedAt)} ${one.removedBy}`.trim(), left].filter(Boolean).join(' · ');
}

// Changes the state of a contract: activates a draft, terminates an active contract on a day, or undoes a termination.
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { Contract, type ContractHead } from '../contracts.contract.ts';

type Props = { contract: ContractHead; onClose: () => void };

export function ActivateDialog({ contract, onClose }: Props) {
  const isBack = contract.state === 'Terminated';
  const change = useMutation({
    mutationFn: () =>
      api(Contract).Save({ id: contract.id, version: contract.version, state: 'Active', terminatedOn: null }),
    onSuccess: () => {
      notifications.show({ message: `Contract ${contract.number} is active.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={isBack ? `Take the termination of ${contract.number} back?` : `Activate ${contract.number}?`}
      action={isBack ? 'Take back' : 'Activate'}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      {`Its prices then hold from ${formatDate(contract.from)} to ${formatDate(contract.extendedTo ?? contract.to)} for the facilities that may buy under it. Quotes get them when they are priced.`}
    </ConfirmDialog>
  );
}

export function TerminateDialog({ contract, today, onClose }: Props & { today: string }) {
  const [lastDay, setLastDay] = useState(contract.lastDay < today ? contract.lastDay : today);
  const change = useMutation({
    mutationFn: () =>
      api(Contract).Save({ id: contract.id, version: contract.version, state: 'Terminated', terminatedOn: lastDay }),
    onSuccess: () => {
      notifications.show({ message: `Contract ${contract.number} is terminated.` });
      onClose();
    },
  });
  const refused = change.error instanceof HttpError ? change.error.errors?.[0]?.message : undefined;
  return (
    <ConfirmDialog
      title={`Terminate ${contract.number}?`}
      action="Terminate"
      harmful
      busy={change.isPending}
      error={refused ? null : change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        After its last day it gives no price. Quotes keep the prices they have until they are repriced; quotes already
        sent stay as they are.
      </Text>
      <DateField label="Last day" required value={lastDay} error={refused} onChange={setLastDay} />
    </ConfirmDialog>
  );
}

// The actions on a contract: edit its head, activate it, terminate it on a day, revoke the termination.
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { Contract, type ContractHead } from '#core/prices/contracts/contracts.contract.ts';
import { ContractDrawer } from '#core/prices/contracts/record/ContractForm.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import type { ContractAction, ContractDetail } from './contract-page.contract.ts';

export function ContractActions({ data }: { data: ContractDetail }) {
  const { contract, today } = data;
  const [open, setOpen] = useState<'edit' | 'activate' | 'terminate' | null>(null);
  const close = () => setOpen(null);
  const may = (action: ContractAction) => data.allowedActions.includes(action);
  useKeys([{ key: 'e', label: 'Edit the contract', disabled: !may('Edit'), run: () => setOpen('edit') }]);
  return (
    <>
      <Group gap="xs">
        {may('PrintHotSheet') ? (
          <Button component={Link} to={paths.contractHotSheet(contract.id)} variant="default">
            Hot sheet
          </Button>
        ) : null}
        {may('Activate') ? <Button onClick={() => setOpen('activate')}>Activate</Button> : null}
        {may('TakeTerminationBack') ? (
          <Button variant="default" onClick={() => setOpen('activate')}>
            Undo termination
          </Button>
        ) : null}
        {may('Terminate') ? (
          <Button variant="default" onClick={() => setOpen('terminate')}>
            Terminate
          </Button>
        ) : null}
        {may('Edit') ? (
          <Button variant="default" aria-keyshortcuts="e" onClick={() => setOpen('edit')}>
            Edit
          </Button>
        ) : null}
      </Group>
      {open === 'edit' ? <ContractDrawer id={contract.id} onSaved={close} onClose={close} /> : null}
      {open === 'activate' ? <ActivateDialog contract={contract} onClose={close} /> : null}
      {open === 'terminate' ? <TerminateDialog contract={contract} today={today} onClose={close} /> : null}
    </>
  );
}

type DialogProps = { contract: ContractHead; onClose: () => void };

/** Activates a draft, or revokes a termination. */
function ActivateDialog({ contract, onClose }: DialogProps) {
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
      title={isBack ? `Undo the termination of ${contract.number}?` : `Activate ${contract.number}?`}
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

function TerminateDialog({ contract, today, onClose }: DialogProps & { today: string }) {
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
        After its last day, it provides no prices. Quotes keep their prices until they are repriced. Quotes already sent
        do not change.
      </Text>
      <DateField label="Last day" required value={lastDay} error={refused} onChange={setLastDay} />
    </ConfirmDialog>
  );
}

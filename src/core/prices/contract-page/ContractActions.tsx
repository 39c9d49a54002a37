// The actions on a contract: edit its head, activate it, terminate it.
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ContractDrawer } from '#core/prices/contracts/record/ContractForm.tsx';
import { ActivateDialog, TerminateDialog } from '#core/prices/contracts/record/StateDialogs.tsx';
import { paths } from '#platform/shared/paths.ts';
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
            Take termination back
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

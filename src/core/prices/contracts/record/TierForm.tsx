// Edits a tier of a contract in a drawer, or removes it.
import { Button, Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { WholeTier } from '../contract-edit.ts';
import { Contract, type ContractTier } from '../contracts.contract.ts';

type Props = {
  contractId: number;
  /** Null means a new tier. */
  tier: ContractTier | null;
  tiers: readonly ContractTier[];
  onClose: () => void;
};

const LABELS = {
  tierNo: 'Rank',
  name: 'Name',
  requirement: 'Requirement',
  needsLoc: 'Needs a letter of commitment',
  fallbackTierId: 'Falls back to',
  provisionalAllowed: 'Provisional prices allowed',
};

export function TierDrawer(props: Props) {
  return (
    <RecordDrawer onClose={props.onClose} title={props.tier ? 'Edit Tier' : 'Add Tier'}>
      <TierForm {...props} />
    </RecordDrawer>
  );
}

function TierForm({ contractId, tier, tiers, onClose }: Props) {
  const [removing, setRemoving] = useState(false);
  const next = Math.max(0, ...tiers.map(({ tierNo }) => tierNo)) + 1;
  const form = useRecordForm({
    record: {
      id: tier?.id ?? 0,
      contractId,
      tierNo: tier?.tierNo ?? next,
      name: tier?.name ?? '',
      requirement: tier?.requirement ?? '',
      needsLoc: tier?.needsLoc ?? false,
      fallbackTierId: tier?.fallbackTierId ?? null,
      provisionalAllowed: tier?.provisionalAllowed ?? false,
      version: tier?.version ?? 0,
    },
    schema: WholeTier,
    save: api(Contract).SaveTier,
    onSaved: (saved) => {
      notifications.show({ message: `Tier ${saved.tier?.tierNo ?? ''} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, WholeTier, LABELS);
  const lower = tiers.filter((candidate) => candidate.id !== values.id && candidate.tierNo < values.tierNo);
  const nameOf = (id: unknown) => {
    const match = tiers.find((candidate) => candidate.id === id);
    return match ? `${match.tierNo}. ${match.name}` : 'none';
  };
  return (
    <>
      <RecordForm
        form={form}
        label="Tier"
        labels={LABELS}
        inWords={(field, value) => (field === 'fallbackTierId' ? nameOf(value) : undefined)}
        onCancel={onClose}
        more={
          tier ? (
            <Button variant="default" color="red" disabled={form.dirty} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          ) : null
        }
      >
        <TextInput {...field.text('name')} data-autofocus />
        <NumberField
          {...field.number('tierNo')}
          required
          description="The lowest is the base tier."
          min={1}
          max={99}
          decimals={0}
        />
        <Textarea
          {...field.text('requirement')}
          placeholder="Signed letter of commitment, 85% of purchases"
          autosize
          minRows={2}
        />
        <Checkbox
          {...field.check('needsLoc')}
          description="Its prices apply only to facilities with an approved letter."
        />
        <Select
          label={LABELS.fallbackTierId}
          description="Its prices apply until the letter is approved."
          clearable
          clearButtonProps={{ 'aria-label': 'Clear' }}
          placeholder={lower.length === 0 ? 'There is no lower tier' : 'No price until then'}
          disabled={lower.length === 0 && values.fallbackTierId === null}
          data={lower.map(({ id }) => ({ value: String(id), label: nameOf(id) }))}
          value={values.fallbackTierId === null ? null : String(values.fallbackTierId)}
          error={errors['fallbackTierId']}
          onChange={(id) => set({ fallbackTierId: id === null ? null : Number(id) })}
        />
        <Checkbox
          {...field.check('provisionalAllowed')}
          description="A quote may show its prices while a request for the tier is open."
        />
      </RecordForm>
      {removing && tier ? (
        <RemoveTier contractId={contractId} tier={tier} onRemoved={onClose} onClose={() => setRemoving(false)} />
      ) : null}
    </>
  );
}

type RemoveProps = { contractId: number; tier: ContractTier; onRemoved: () => void; onClose: () => void };

function RemoveTier({ contractId, tier, onRemoved, onClose }: RemoveProps) {
  const removal = useMutation({
    mutationFn: () => api(Contract).SaveTier({ id: tier.id, contractId, version: tier.version, remove: true }),
    onSuccess: () => {
      notifications.show({ message: `Tier ${tier.tierNo} is removed.` });
      onRemoved();
    },
  });
  return (
    <ConfirmDialog
      title={`Remove tier ${tier.tierNo}?`}
      action="Remove"
      harmful
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">A tier with prices, facilities or letters of commitment cannot be removed.</Stack>
    </ConfirmDialog>
  );
}

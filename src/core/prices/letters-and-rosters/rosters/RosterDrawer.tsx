// Adds a facility to a roster, corrects its row, or changes the row from a day on.
import { Button, Checkbox, Select, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Roster, RosterEdit, type RosterRow } from './rosters.contract.ts';

const LABELS = {
  tierId: 'Tier',
  memberId: 'Member id',
  from: 'From',
  to: 'To',
  coversChildren: 'Covers children',
  excluded: 'Excluded',
};

/** The contract and its tiers, as the page provides them. */
export type ContractProps = {
  contractId: number;
  tiers: { id: number; tierNo: number; name: string; requirement: string; needsLoc: boolean }[];
  today: string;
};

type Props = ContractProps & { row: RosterRow | null; onClose: () => void };

export function RosterDrawer({ row, contractId, tiers, today, onClose }: Props) {
  const [facilityName, setFacilityName] = useState(row?.facility.name ?? '');
  const begun = row !== null && row.from <= today;
  const changes = (values: { tierId: number | null; excluded: boolean; coversChildren: boolean }) =>
    begun &&
    (values.tierId !== row.tierId || values.excluded !== row.excluded || values.coversChildren !== row.coversChildren);
  const form = useRecordForm({
    record: {
      id: row?.id ?? 0,
      contractId,
      facilityId: row?.facility.id ?? 0,
      tierId: row ? row.tierId : (tiers[0]?.id ?? null),
      memberId: row?.memberId ?? '',
      from: row?.from ?? today,
      to: row?.to ?? '',
      coversChildren: row?.coversChildren ?? false,
      excluded: row?.excluded ?? false,
      changeFrom: '',
      ...(row ? { version: row.version } : {}),
    },
    schema: RosterEdit,
    save: (values) => api(Roster).SaveRosterRow({ ...values, changeFrom: changes(values) ? values.changeFrom : '' }),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.facility.name} is saved.` });
      onClose();
    },
  });
  const remove = useMutation({ ...api(Roster).RemoveRosterRow.mutation(), onSuccess: onClose });
  const { values, errors, set } = form;
  const tierName = (id: unknown) => tiers.find((tier) => tier.id === id)?.name ?? '–';
  return (
    <RecordDrawer title={row ? row.facility.name : 'Add facility'} onClose={onClose}>
      <RecordForm
        form={form}
        label="Roster row"
        labels={LABELS}
        inWords={(field, value) =>
          field === 'tierId'
            ? tierName(value)
            : field === 'from' || field === 'to'
              ? formatDate(String(value)) || 'no end'
              : undefined
        }
        more={
          row && !begun ? (
            <Button
              variant="default"
              c="red"
              mr="auto"
              loading={remove.isPending}
              onClick={() => remove.mutate({ id: row.id, version: row.version })}
            >
              Remove
            </Button>
          ) : null
        }
        onCancel={onClose}
      >
        {row ? null : (
          <FacilityField
            chosen={values.facilityId ? facilityName : null}
            error={errors['facilityId']}
            onChange={(facility) => {
              setFacilityName(facility?.name ?? '');
              set({ facilityId: facility?.id ?? 0 });
            }}
          />
        )}
        <Select
          label="Tier"
          allowDeselect={false}
          disabled={values.excluded}
          data={tiers.map((tier) => ({ value: String(tier.id), label: `${tier.tierNo}. ${tier.name}` }))}
          value={values.tierId === null ? null : String(values.tierId)}
          error={errors['tierId']}
          onChange={(id) => set({ tierId: Number(id) })}
        />
        <Checkbox
          label="Excluded"
          description="No price of this contract, although a parent's row or the membership would give one"
          checked={values.excluded}
          onChange={({ currentTarget: { checked } }) =>
            set({ excluded: checked, tierId: checked ? null : (row?.tierId ?? tiers[0]?.id ?? null) })
          }
        />
        <Checkbox
          label={values.excluded ? 'With its children' : 'Covers its children'}
          description={
            row
              ? `${row.children.toLocaleString('en-US')} below it; their own rows take precedence`
              : 'Their own rows take precedence'
          }
          checked={values.coversChildren}
          onChange={(event) => set({ coversChildren: event.currentTarget.checked })}
        />
        {changes(values) ? (
          <DateField
            label="Change from"
            required
            description="The row does not change until the day before"
            value={values.changeFrom}
            error={errors['changeFrom']}
            onChange={(changeFrom) => set({ changeFrom })}
          />
        ) : null}
        <TextInput
          label="Member id"
          maxLength={60}
          autoComplete="off"
          value={values.memberId}
          error={errors['memberId']}
          onChange={(event) => set({ memberId: event.currentTarget.value })}
        />
        <FromTo values={values} errors={errors} begun={begun} onChange={set} />
        {begun ? (
          <Text size="sm" className="muted">
            Quotes keep their prices until they are repriced.
          </Text>
        ) : null}
        <ErrorAlert error={remove.error} title="The facility could not be removed" />
      </RecordForm>
    </RecordDrawer>
  );
}

// Adds or changes an account override: facility, territory, days, and reason. The caller may preset the facility or the territory.
import { Select, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityField } from '#core/customers/facilities/FacilityField.tsx';
import { Territory } from '#core/territories/territories/territories.contract.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { FromTo } from '#platform/ui/FromTo.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { type Override, OverrideInput, TerritoryAdmin } from '../territory-admin.contract.ts';

type Props = {
  /** Null for a new override. */
  override: Pick<Override, 'id' | 'reason' | 'from' | 'to' | 'version'> | null;
  /** If null, the user chooses it here. */
  territory: Named | null;
  facility: { id: number; name: string; acctNo: string } | null;
  today: string;
  onSaved?: () => void;
  onClose: () => void;
};

const LABELS = { reason: 'Reason', from: 'From', to: 'To', facilityId: 'Facility', territoryId: 'Territory' };

export function OverrideDrawer({ override, territory, facility: fields, today, onSaved, onClose }: Props) {
  const [facility, setFacility] = useState<{ name: string; acctNo: string } | null>(fields);
  const form = useRecordForm({
    record: {
      id: override?.id ?? 0,
      territoryId: territory?.id ?? 0,
      facilityId: fields?.id ?? 0,
      reason: override?.reason ?? '',
      from: override?.from ?? today,
      to: override?.to ?? '',
      version: override?.version ?? 0,
    },
    schema: OverrideInput,
    save: (input) => api(TerritoryAdmin).SaveTerritoryOverride(input),
    onSaved: (saved) => {
      notifications.show({ message: `The override of ${saved.facility.name} is saved.` });
      onClose();
      onSaved?.();
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, OverrideInput, LABELS);
  const begun = override !== null && override.from <= today;
  return (
    <RecordDrawer title={override ? 'Edit Override' : 'Add Override'} onClose={onClose}>
      <RecordForm form={form} label="Account override" labels={LABELS} onCancel={onClose}>
        <FacilityField
          chosen={facility ? `${facility.name} (${facility.acctNo})` : null}
          fixed={fields !== null}
          error={errors['facilityId']}
          onChange={(next) => {
            setFacility(next);
            set({ facilityId: next?.id ?? 0 });
          }}
        />
        {fields === null ? (
          <ErrorAlert error={errors['territoryId']} title="The override could not be saved" />
        ) : territory ? (
          <TextInput label="Territory" readOnly value={territory.name} error={errors['territoryId']} />
        ) : (
          <TerritorySelect
            value={values.territoryId}
            error={errors['territoryId']}
            onChange={(territoryId) => set({ territoryId })}
          />
        )}
        <Textarea {...field.text('reason')} autosize minRows={2} />
        <FromTo values={values} errors={errors} begun={begun} onChange={set} />
      </RecordForm>
    </RecordDrawer>
  );
}

type SelectProps = { value: number; error: string | undefined; onChange: (id: number) => void };

function TerritorySelect({ value, error, onChange }: SelectProps) {
  const territories = useQuery(api(Territory).GetActiveTerritoriesSimpleData.query({}));
  return (
    <Select
      label="Territory"
      required
      searchable
      data-autofocus
      allowDeselect={false}
      placeholder="Choose the territory"
      nothingFoundMessage="No Record Found"
      data={(territories.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value ? String(value) : null}
      error={error ?? territories.error?.message}
      onChange={(id) => onChange(Number(id))}
    />
  );
}

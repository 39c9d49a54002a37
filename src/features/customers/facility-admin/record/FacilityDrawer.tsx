// A drawer that adds or edits a facility.
import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '#api/client.web.ts';
import { FacilityPicker } from '#features/customers/facilities/FacilityPicker.tsx';
import { currencyOf, DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { US_STATES } from '#shared/us-states.ts';
import type { Address } from '#shared/wire.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { FacilityAdmin, type FacilityEdit, type FacilityEditData, FacilityInput } from '../facility-admin.contract.ts';
import classes from '../facility-admin.module.css';
import { FACILITY_LABELS, fieldInWords } from '../facility-words.ts';

type Props = {
  /** 0 for a new facility. */
  id: number;
  onSaved: (saved: FacilityEdit) => void;
  onClose: () => void;
};

export function FacilityDrawer({ id, onSaved, onClose }: Props) {
  const edit = useQuery({
    ...api(FacilityAdmin).PopulateFacilityEditModel.query(id ? { id } : {}),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <RecordDrawer title={id ? 'Edit Facility' : 'Add Facility'} size="lg" onClose={onClose}>
      {edit.data ? (
        <FacilityForm edit={edit.data} onSaved={onSaved} onClose={onClose} />
      ) : edit.error ? (
        <ErrorAlert error={edit.error} title="This facility could not be loaded" />
      ) : (
        <Skeleton height={480} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

type FormProps = { edit: FacilityEditData } & Omit<Props, 'id'>;

function FacilityForm({ edit, onSaved, onClose }: FormProps) {
  const form = useRecordForm({
    record: edit.facility,
    schema: FacilityInput,
    save: (facility) => api(FacilityAdmin).SaveFacility(facility),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onSaved(saved);
    },
  });
  const { values, errors, set } = form;
  const text = (field: 'acctNo' | 'name' | 'phone' | 'taxCertificate') => ({
    label: FACILITY_LABELS[field],
    autoComplete: 'off',
    value: values[field],
    error: errors[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set({ [field]: currentTarget.value }),
  });
  const choice = (field: 'classOfTrade' | 'priceLevel' | 'paymentTerms' | 'freightTerms', data: string[]) => ({
    label: FACILITY_LABELS[field],
    autoComplete: 'off',
    data,
    value: values[field],
    error: errors[field],
    onChange: (next: string) => set({ [field]: next }),
  });
  const address = (field: 'shipTo' | 'billTo') => ({
    label: FACILITY_LABELS[field],
    address: values[field],
    errorOf: (part: keyof Address) => errors[`${field}.${part}`],
    onChange: (patch: Partial<Address>) => set({ [field]: { ...values[field], ...patch } }),
  });
  return (
    <RecordForm
      form={form}
      label="Facility"
      labels={FACILITY_LABELS}
      inWords={(field, value) =>
        field === 'id' || field === 'version' ? String(value) : fieldInWords(field, value) || '–'
      }
      onCancel={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...text('acctNo')} required maxLength={60} data-autofocus />
        <TextInput {...text('phone')} maxLength={40} />
      </SimpleGrid>
      <TextInput {...text('name')} required maxLength={200} />
      <AddressFields {...address('shipTo')} hint="Its ZIP decides who serves the facility, unless an override does." />
      <AddressFields
        {...address('billTo')}
        action={
          <Button size="compact-sm" variant="subtle" onClick={() => set({ billTo: values.shipTo })}>
            Same as ship to
          </Button>
        }
      />
      <ParentField parent={values.parent} error={errors['parent']} onChange={(parent) => set({ parent })} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Autocomplete {...choice('classOfTrade', edit.choices.classesOfTrade)} maxLength={100} />
        <Autocomplete {...choice('priceLevel', edit.choices.priceLevels)} maxLength={40} />
        <Autocomplete {...choice('paymentTerms', edit.choices.paymentTerms)} maxLength={100} />
        <Autocomplete {...choice('freightTerms', edit.choices.freightTerms)} maxLength={100} />
        <Select
          label={FACILITY_LABELS.currnIdx}
          allowDeselect={false}
          data={currenciesWith(edit.facility.currnIdx)}
          value={String(values.currnIdx)}
          error={errors['currnIdx']}
          onChange={(next) => next && set({ currnIdx: Number(next) })}
        />
        <NumberField
          label={FACILITY_LABELS.taxRate}
          suffix="%"
          min={0}
          max={100}
          value={values.taxRate}
          error={errors['taxRate']}
          onChange={(taxRate) => set({ taxRate })}
        />
        <TextInput {...text('taxCertificate')} maxLength={100} />
        <Checkbox
          mt={{ base: 0, xs: 30 }}
          label="Tax exempt"
          checked={values.taxExempt}
          error={errors['taxExempt']}
          onChange={(event) => set({ taxExempt: event.currentTarget.checked })}
        />
      </SimpleGrid>
      {edit.facts.openQuotes > 0 ? (
        <Text size="sm" className="muted">
          Existing quotes keep their name, addresses, terms, tax and currency.
        </Text>
      ) : null}
    </RecordForm>
  );
}

/** Lists the facility's currency with its own index, because the ERP has several for the dollar. */
function currenciesWith(own: number): { value: string; label: string }[] {
  const usual = [
    { value: String(DOLLAR_INDEX), label: 'US dollar' },
    { value: String(EURO_INDEX), label: 'Euro' },
  ];
  if (own === DOLLAR_INDEX || own === EURO_INDEX) return usual;
  return [...usual, { value: String(own), label: `${currencyOf(own)} (index ${own})` }];
}

type AddressProps = {
  label: string;
  hint?: string;
  action?: ReactNode;
  address: Address;
  errorOf: (part: keyof Address) => string | undefined;
  onChange: (patch: Partial<Address>) => void;
};

function AddressFields({ label, hint, action, address, errorOf, onChange }: AddressProps) {
  const text = (part: 'line1' | 'line2' | 'city' | 'zip', says: string) => ({
    'aria-label': `${label}: ${says}`,
    placeholder: says,
    autoComplete: 'off',
    value: address[part],
    error: errorOf(part),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange({ [part]: currentTarget.value }),
  });
  return (
    <fieldset className={classes['address']} aria-label={label}>
      <Group justify="space-between" mih={28} mb={2}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        {action}
      </Group>
      <Stack gap={8}>
        <TextInput {...text('line1', 'Street')} maxLength={200} />
        <TextInput {...text('line2', 'Second line')} maxLength={200} />
        <div className={classes['place']}>
          <TextInput {...text('city', 'City')} maxLength={100} />
          <Select
            aria-label={`${label}: State`}
            placeholder="State"
            searchable
            data={US_STATES.map(({ name, abbreviation }) => ({
              value: abbreviation,
              label: `${abbreviation} – ${name}`,
            }))}
            value={address.state || null}
            error={errorOf('state')}
            onChange={(state) => onChange({ state: state ?? '' })}
          />
          <TextInput {...text('zip', 'ZIP')} maxLength={10} />
        </div>
        {hint ? (
          <Text size="xs" className="muted">
            {hint}
          </Text>
        ) : null}
      </Stack>
    </fieldset>
  );
}

type ParentProps = {
  parent: FacilityEdit['parent'];
  error: string | undefined;
  onChange: (parent: FacilityEdit['parent']) => void;
};

function ParentField({ parent, error, onChange }: ParentProps) {
  if (!parent) {
    return (
      <FacilityPicker label={FACILITY_LABELS.parent} error={error} onPick={({ id, name }) => onChange({ id, name })} />
    );
  }
  return (
    <TextInput
      label={FACILITY_LABELS.parent}
      readOnly
      value={parent.name}
      error={error}
      rightSectionWidth={80}
      rightSection={
        <Button size="compact-xs" variant="subtle" aria-label="Clear the parent" onClick={() => onChange(null)}>
          Clear
        </Button>
      }
    />
  );
}

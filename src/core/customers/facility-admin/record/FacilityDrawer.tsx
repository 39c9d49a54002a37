// A drawer that adds or edits a facility.
import { Autocomplete, Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { FacilityPicker } from '#core/customers/facilities/FacilityPicker.tsx';
import { currencyOf, DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { US_STATES } from '#platform/shared/us-states.ts';
import type { Address } from '#platform/shared/wire.ts';
import { EditDrawer } from '#platform/ui/EditDrawer.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import {
  FACILITY,
  FacilityAdmin,
  type FacilityEdit,
  type FacilityEditData,
  FacilityInput,
} from '../facility-admin.contract.ts';
import classes from '../facility-admin.module.css';
import { fieldInWords } from '../facility-words.ts';

type Props = {
  /** 0 for a new facility. */
  id: number;
  onSaved: (saved: FacilityEdit) => void;
  onClose: () => void;
};

export function FacilityDrawer({ id, onSaved, onClose }: Props) {
  const edit = useQuery({
    ...api(FacilityAdmin).PopulateFacilityEditModel.query(id ? { id } : {}),
    ...READ_ANEW,
  });
  return (
    <EditDrawer
      title={id ? 'Edit Facility' : 'Add Facility'}
      size="lg"
      edit={edit}
      failed="This facility could not be loaded"
      onClose={onClose}
    >
      {(read) => <FacilityForm edit={read} onSaved={onSaved} onClose={onClose} />}
    </EditDrawer>
  );
}

type FormProps = { edit: FacilityEditData } & Omit<Props, 'id'>;

function FacilityForm({ edit, onSaved, onClose }: FormProps) {
  const form = useRecordForm({
    record: edit.facility,
    schema: FacilityInput,
    save: api(FacilityAdmin).SaveFacility,
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onSaved(saved);
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, FacilityInput, FACILITY.labels);
  const address = (name: 'shipTo' | 'billTo') => ({
    label: FACILITY.labels[name],
    address: values[name],
    errorOf: (part: keyof Address) => errors[`${name}.${part}`],
    onChange: (patch: Partial<Address>) => set({ [name]: { ...values[name], ...patch } }),
  });
  return (
    <RecordForm
      form={form}
      label="Facility"
      labels={FACILITY.labels}
      inWords={(name, value) =>
        name === 'id' || name === 'version' ? String(value) : fieldInWords(name, value) || '–'
      }
      onCancel={onClose}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...field.text('acctNo')} autoComplete="off" data-autofocus />
        <TextInput {...field.text('phone')} autoComplete="off" />
      </SimpleGrid>
      <TextInput {...field.text('name')} autoComplete="off" />
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
        <Autocomplete {...field.words('classOfTrade', edit.choices.classesOfTrade)} autoComplete="off" />
        <Autocomplete {...field.words('priceLevel', edit.choices.priceLevels)} autoComplete="off" />
        <Autocomplete {...field.words('paymentTerms', edit.choices.paymentTerms)} autoComplete="off" />
        <Autocomplete {...field.words('freightTerms', edit.choices.freightTerms)} autoComplete="off" />
        <Select
          label={FACILITY.labels.currnIdx}
          allowDeselect={false}
          data={currenciesWith(edit.facility.currnIdx)}
          value={String(values.currnIdx)}
          error={errors['currnIdx']}
          onChange={(next) => next && set({ currnIdx: Number(next) })}
        />
        <NumberField {...field.number('taxRate')} suffix="%" max={100} />
        <TextInput {...field.text('taxCertificate')} autoComplete="off" />
        <Checkbox {...field.check('taxExempt')} mt={{ base: 0, xs: 30 }} />
      </SimpleGrid>
      {edit.facts.openQuotes > 0 ? (
        <Text size="sm" className="muted">
          Existing quotes keep their name, addresses, terms, tax and currency.
        </Text>
      ) : null}
    </RecordForm>
  );
}

/** The usual currencies, with the facility's own index, because the ERP has several for the dollar. */
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
      <FacilityPicker label={FACILITY.labels.parent} error={error} onPick={({ id, name }) => onChange({ id, name })} />
    );
  }
  return (
    <TextInput
      label={FACILITY.labels.parent}
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

// Edits the head of a contract in a drawer.
import {
  Autocomplete,
  Button,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#features/customers/facilities/terms.ts';
import { PersonSelect } from '#features/people/users/PersonSelect.tsx';
import { formatDate } from '#shared/dates.ts';
import { currencyOf, DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { SEES_ALL_ROLES } from '#shared/roles.ts';
import { DateField } from '#ui/DateField.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { type ContractEdit, WholeContract } from '../contract-edit.ts';
import { AWARD_TYPES, awardInWords, gpoInWords } from '../contract-words.ts';
import { Contract } from '../contracts.contract.ts';
import { ContractSelect } from '../list/ContractSelect.tsx';

type Props = { id: number; onSaved: (saved: ContractEdit) => void; onClose: () => void };

/** `id` 0 means a new contract. */
export function ContractDrawer({ id, onSaved, onClose }: Props) {
  const edit = useQuery({
    ...api(Contract).PopulateContractEdit.query(id ? { id } : {}),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <RecordDrawer onClose={onClose} size="xl" title={id ? 'Edit Contract' : 'Add Contract'}>
      {edit.error ? <ErrorAlert error={edit.error} title="This contract could not be loaded" /> : null}
      {edit.data ? (
        <ContractForm edit={edit.data} onSaved={onSaved} onClose={onClose} />
      ) : edit.error ? null : (
        <Skeleton height={520} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

const LABELS = {
  number: 'Number',
  gpo: 'GPO',
  newGpo: 'New GPO',
  title: 'Title',
  category: 'Category',
  awardType: 'Award',
  currnIdx: 'Currency',
  from: 'From',
  to: 'To',
  extendedTo: 'Extended to',
  predecessor: 'Follows',
  state: 'State',
  terminatedOn: 'Terminated, last day',
  openTo: 'Open to',
  adminFeePct: 'Administrative fee',
  priceFirmUntil: 'Prices firm until',
  freightTerms: 'Freight',
  paymentTerms: 'Payment',
  minimumOrder: 'Minimum order',
  returnsTerms: 'Returns',
  eligibility: 'Who may buy',
  contact: 'Contact here',
  gpoContact: 'Contact at the GPO',
  notes: 'Notes',
};
const DAYS = ['from', 'to', 'extendedTo', 'terminatedOn', 'priceFirmUntil'];

function inWords(field: keyof ContractEdit, value: unknown): string {
  if (field === 'gpo') return gpoInWords((value as ContractEdit['gpo'])?.name ?? null);
  if (field === 'awardType') return awardInWords(String(value));
  if (field === 'currnIdx') return currencyOf(Number(value));
  if (field === 'openTo') return value === 'members' ? 'All members of the GPO' : 'Facilities on the roster';
  if (DAYS.includes(field)) return typeof value === 'string' ? formatDate(value) || value : '–';
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name);
  return typeof value === 'number' ? String(value) : typeof value === 'string' && value ? value : '–';
}

type EditData = OutputOf<typeof Contract.PopulateContractEdit>;

function ContractForm({ edit, onSaved, onClose }: Omit<Props, 'id'> & { edit: EditData }) {
  const form = useRecordForm({
    record: edit.contract,
    schema: WholeContract,
    save: (contract) => api(Contract).Save(contract),
    onSaved: (saved) => {
      notifications.show({ message: `Contract ${saved.number} is saved.` });
      onSaved(saved);
    },
  });
  const { values, errors, set } = form;
  const text = (field: 'number' | 'title' | 'gpoContact') => ({
    label: LABELS[field],
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  const area = (field: 'returnsTerms' | 'eligibility' | 'notes') => ({
    label: LABELS[field],
    autosize: true,
    minRows: 2,
    value: values[field],
    error: errors[field],
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  const choice = (field: 'category' | 'freightTerms' | 'paymentTerms', data: readonly string[]) => ({
    label: LABELS[field],
    data: [...new Set(data)],
    value: values[field],
    error: errors[field],
    onChange: (value: string) => set({ [field]: value }),
  });
  const lastDay = (field: 'extendedTo' | 'priceFirmUntil' | 'terminatedOn') => ({
    label: LABELS[field],
    value: values[field] ?? '',
    error: errors[field],
    onChange: (day: string) => set({ [field]: day || null }),
  });
  const awards = new Set([...AWARD_TYPES.map(({ value }) => value), values.awardType]);
  return (
    <RecordForm form={form} label="Contract" labels={LABELS} inWords={inWords} onCancel={onClose}>
      <Part title="Contract">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput {...text('number')} required maxLength={60} autoComplete="off" data-autofocus />
          <GpoField edit={edit} values={values} errors={errors} set={set} />
        </SimpleGrid>
        <TextInput {...text('title')} required maxLength={200} />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <Autocomplete {...choice('category', edit.categories)} maxLength={100} />
          <Select
            label={LABELS.awardType}
            allowDeselect={false}
            data={[...awards].map((value) => ({ value, label: awardInWords(value) || '–' }))}
            value={values.awardType}
            error={errors['awardType']}
            onChange={(awardType) => set({ awardType: awardType ?? '' })}
          />
          <Select
            label={LABELS.currnIdx}
            allowDeselect={false}
            data={['USD', 'EUR']}
            value={currencyOf(values.currnIdx)}
            error={errors['currnIdx']}
            onChange={(next) => set({ currnIdx: next === 'EUR' ? EURO_INDEX : DOLLAR_INDEX })}
          />
        </SimpleGrid>
      </Part>
      <Part title="Days">
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <DateField
            label={LABELS.from}
            required
            value={values.from}
            error={errors['from']}
            onChange={(from) => set({ from })}
          />
          <DateField label={LABELS.to} required value={values.to} error={errors['to']} onChange={(to) => set({ to })} />
          <DateField {...lastDay('extendedTo')} />
          <DateField {...lastDay('priceFirmUntil')} />
          <ContractSelect
            label={LABELS.predecessor}
            value={values.predecessor}
            error={errors['predecessor']}
            exceptIds={[values.id]}
            onChange={(predecessor) => set({ predecessor })}
          />
          {values.state === 'Terminated' ? <DateField {...lastDay('terminatedOn')} required /> : null}
        </SimpleGrid>
      </Part>
      <Part title="Who may buy">
        <Select
          label={LABELS.openTo}
          allowDeselect={false}
          data={[
            { value: 'roster', label: 'Facilities on the roster' },
            { value: 'members', label: 'All members of the GPO, at the base tier' },
          ]}
          value={values.openTo}
          error={errors['openTo']}
          onChange={(openTo) => set({ openTo: openTo === 'members' ? 'members' : 'roster' })}
        />
        <Textarea {...area('eligibility')} label="In words" maxLength={2000} />
      </Part>
      <Part title="Terms">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Autocomplete {...choice('paymentTerms', PAYMENT_TERMS)} maxLength={200} />
          <Autocomplete {...choice('freightTerms', FREIGHT_TERMS)} maxLength={200} />
          <NumberField
            label={LABELS.minimumOrder}
            min={0}
            max={9_999_999_999}
            decimals={2}
            suffix={currencyOf(values.currnIdx)}
            value={values.minimumOrder ?? Number.NaN}
            error={errors['minimumOrder']}
            onChange={(minimumOrder) => set({ minimumOrder })}
            onClear={() => set({ minimumOrder: null })}
          />
          <NumberField
            label={LABELS.adminFeePct}
            min={0}
            max={100}
            suffix="%"
            value={values.adminFeePct ?? Number.NaN}
            error={errors['adminFeePct']}
            onChange={(adminFeePct) => set({ adminFeePct })}
            onClear={() => set({ adminFeePct: null })}
          />
        </SimpleGrid>
        <Textarea {...area('returnsTerms')} maxLength={2000} />
      </Part>
      <Part title="Whom to call">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <PersonSelect
            label={LABELS.contact}
            roles={SEES_ALL_ROLES}
            clearable
            value={values.contact}
            error={errors['contact']}
            onChange={(contact) => set({ contact })}
          />
          <TextInput {...text('gpoContact')} maxLength={300} placeholder="Name, phone, email" />
        </SimpleGrid>
        <Textarea {...area('notes')} maxLength={4000} description="Sales roles cannot read these." />
      </Part>
    </RecordForm>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

type GpoProps = {
  edit: EditData;
  values: ContractEdit;
  errors: Record<string, string>;
  set: (patch: Partial<ContractEdit>) => void;
};
const LOCAL = 'local';

/** Picks a GPO from the list, names a new one, or picks none for a local agreement. */
function GpoField({ edit, values, errors, set }: GpoProps) {
  const [typing, setTyping] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [typing]);
  if (typing) {
    return (
      <TextInput
        ref={input}
        label={LABELS.newGpo}
        required
        maxLength={100}
        autoComplete="off"
        value={values.newGpo}
        error={errors['newGpo'] ?? errors['gpo']}
        rightSectionWidth={122}
        rightSection={
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => {
              setTyping(false);
              set({ newGpo: '' });
            }}
          >
            Choose from list
          </Button>
        }
        onChange={(event) => set({ newGpo: event.currentTarget.value })}
      />
    );
  }
  const { gpo } = values;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Select
        label={LABELS.gpo}
        required
        searchable
        flex={1}
        allowDeselect={false}
        placeholder="Choose the GPO"
        nothingFoundMessage="No Record Found"
        data={[
          { value: LOCAL, label: 'Local agreement (no GPO)' },
          ...edit.gpos.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={gpo === null ? LOCAL : gpo.id ? String(gpo.id) : null}
        error={errors['gpo']}
        onChange={(next) =>
          set({ gpo: next === LOCAL ? null : (edit.gpos.find(({ id }) => String(id) === next) ?? gpo) })
        }
      />
      <Button
        variant="default"
        mt={LABEL}
        px="sm"
        onClick={() => {
          setTyping(true);
          set({ gpo: { id: 0, name: '' } });
        }}
      >
        New
      </Button>
    </Group>
  );
}

/** The height of a field's label, so that a button beside the field lines up. */
const LABEL = 22;

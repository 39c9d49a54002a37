// Edits the head of a contract in a drawer.
import { Autocomplete, Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { FREIGHT_TERMS, PAYMENT_TERMS } from '#core/customers/facilities/terms.ts';
import { PersonSelect } from '#platform/users/PersonSelect.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { currencyOf, DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { SEES_ALL_ROLES } from '#platform/shared/roles.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { EditDrawer } from '#platform/ui/EditDrawer.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { CONTRACT, type ContractEdit, WholeContract } from '../contract-edit.ts';
import { AWARD_TYPES, awardInWords, gpoInWords } from '../contract-words.ts';
import { Contract } from '../contracts.contract.ts';
import { ContractSelect } from '../list/ContractSelect.tsx';

type Props = { id: number; onSaved: (saved: ContractEdit) => void; onClose: () => void };

/** `id` 0 means a new contract. */
export function ContractDrawer({ id, onSaved, onClose }: Props) {
  const edit = useQuery({
    ...api(Contract).PopulateContractEdit.query(id ? { id } : {}),
    ...READ_ANEW,
  });
  return (
    <EditDrawer
      title={id ? 'Edit Contract' : 'Add Contract'}
      size="xl"
      edit={edit}
      failed="This contract could not be loaded"
      onClose={onClose}
    >
      {(read) => <ContractForm edit={read} onSaved={onSaved} onClose={onClose} />}
    </EditDrawer>
  );
}

const LABELS = CONTRACT.labels;
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
    save: api(Contract).Save,
    onSaved: (saved) => {
      notifications.show({ message: `Contract ${saved.number} is saved.` });
      onSaved(saved);
    },
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, WholeContract, LABELS);
  const area = { autosize: true, minRows: 2 };
  const awards = new Set([...AWARD_TYPES.map(({ value }) => value), values.awardType]);
  return (
    <RecordForm form={form} label="Contract" labels={LABELS} inWords={inWords} onCancel={onClose}>
      <Part title="Contract">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput {...field.text('number')} autoComplete="off" data-autofocus />
          <GpoField edit={edit} values={values} errors={errors} set={set} />
        </SimpleGrid>
        <TextInput {...field.text('title')} />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
          <Autocomplete {...field.words('category', edit.categories)} />
          <Select
            {...field.choice('awardType')}
            data={[...awards].map((value) => ({ value, label: awardInWords(value) || '–' }))}
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
          <DateField {...field.day('from')} required />
          <DateField {...field.day('to')} required />
          <DateField {...field.day('extendedTo')} />
          <DateField {...field.day('priceFirmUntil')} />
          <ContractSelect
            label={LABELS.predecessor}
            value={values.predecessor}
            error={errors['predecessor']}
            exceptIds={[values.id]}
            onChange={(predecessor) => set({ predecessor })}
          />
          {values.state === 'Terminated' ? <DateField {...field.day('terminatedOn')} required /> : null}
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
        <Textarea {...field.text('eligibility')} {...area} label="In words" />
      </Part>
      <Part title="Terms">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <Autocomplete {...field.words('paymentTerms', PAYMENT_TERMS)} />
          <Autocomplete {...field.words('freightTerms', FREIGHT_TERMS)} />
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
        <Textarea {...field.text('returnsTerms')} {...area} />
      </Part>
      <Part title="Contacts">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <PersonSelect
            label={LABELS.contact}
            roles={SEES_ALL_ROLES}
            clearable
            value={values.contact}
            error={errors['contact']}
            onChange={(contact) => set({ contact })}
          />
          <TextInput {...field.text('gpoContact')} placeholder="Name, phone, email" />
        </SimpleGrid>
        <Textarea {...field.text('notes')} {...area} description="Sales roles cannot read these." />
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

/** Picks a GPO from the list, enters a new one, or picks none for a local agreement. */
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

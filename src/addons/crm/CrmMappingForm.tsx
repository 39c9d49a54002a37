// Edits the mapping to Salesforce: which value of a quote each field gets, and which stage each status has.
import { ActionIcon, Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { api } from '#platform/api/client.web.ts';
import { STATUS_LABELS } from '#core/quoting/quotes/status.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { Crm, type CrmSettings, MappingInput } from './crm.contract.ts';
import { CRM_OBJECTS, type CrmObject, SOURCES, sourceOf } from './mapping.ts';

type Mapping = CrmSettings['mapping'];
type Row = Mapping['rows'][number];

const OBJECTS: Record<CrmObject, { label: string; hint: string }> = {
  Account: { label: 'Account', hint: 'Accounts are matched by this field and never created.' },
  PricebookEntry: {
    label: 'Price book entry',
    hint: 'The product of a line is matched by this field. Use Product2.… for a field of the product.',
  },
  Opportunity: {
    label: 'Opportunity',
    hint: 'One opportunity per quote. Salesforce calculates Amount from the lines. If you map Amount to Total, freight and tax are added as lines of the product for custom items.',
  },
  OpportunityLineItem: {
    label: 'Opportunity product',
    hint: 'One per line of the quote. Map either TotalPrice or UnitPrice, not both.',
  },
  Contact: { label: 'Contact', hint: 'Contacts are matched by email within the account.' },
};
const CONSTANT = 'constant';

export function CrmMappingForm({ mapping }: { mapping: Mapping }) {
  const form = useRecordForm({
    record: mapping,
    schema: MappingInput,
    save: (values) => api(Crm).SaveCrmMapping(values),
    onSaved: () => {
      notifications.show({ message: 'The fields are saved. They apply to each quote from its next push.' });
    },
  });
  const { values, set, errors } = form;
  const change = (index: number, patch: Partial<Row>) =>
    set({ rows: values.rows.map((row, at) => (at === index ? { ...row, ...patch } : row)) });
  const remove = (index: number) => set({ rows: values.rows.filter((_, at) => at !== index) });
  const add = (object: CrmObject) => set({ rows: [...values.rows, { object, field: '', source: '', constant: '' }] });
  return (
    <RecordForm form={form} label="Fields" labels={{ rows: 'Fields', stages: 'Stages' }} inWords={inWords}>
      {CRM_OBJECTS.map((object) => (
        <section key={object} aria-label={OBJECTS[object].label}>
          <Title order={3} size="h5">
            {OBJECTS[object].label}
          </Title>
          <Text size="sm" className="muted" mb={6}>
            {OBJECTS[object].hint}
          </Text>
          <Stack gap={6}>
            {values.rows.map((row, index) =>
              row.object === object ? (
                <FieldRow
                  key={index}
                  row={row}
                  errors={{ field: errors[`rows.${index}.field`], source: errors[`rows.${index}.source`] }}
                  onChange={(patch) => change(index, patch)}
                  onRemove={() => remove(index)}
                />
              ) : null,
            )}
            {object === 'Account' ? null : (
              <Group gap={0}>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  onClick={() => add(object)}
                >
                  Add {OBJECTS[object].label.toLowerCase()} field
                </Button>
              </Group>
            )}
          </Stack>
        </section>
      ))}
      {errors['rows'] ? (
        <Text size="sm" c="red" role="alert">
          {errors['rows']}
        </Text>
      ) : null}
      <section aria-label="Stages">
        <Title order={3} size="h5">
          Stages
        </Title>
        <Text size="sm" className="muted" mb={6}>
          The opportunity stage for each status of the quote.
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {values.stages.map(({ statusId, stage }, index) => (
            <TextInput
              key={statusId}
              label={STATUS_LABELS[statusId]}
              required
              maxLength={255}
              value={stage}
              error={errors[`stages.${index}.stage`]}
              onChange={(event) => {
                const typed = event.currentTarget.value;
                set({ stages: values.stages.map((entry, at) => (at === index ? { ...entry, stage: typed } : entry)) });
              }}
            />
          ))}
        </SimpleGrid>
      </section>
    </RecordForm>
  );
}

type RowProps = {
  row: Row;
  errors: { field: string | undefined; source: string | undefined };
  onChange: (patch: Partial<Row>) => void;
  onRemove: () => void;
};

function FieldRow({ row, errors, onChange, onRemove }: RowProps) {
  const sources = Object.entries<{ label: string; key?: true }>(SOURCES[row.object]);
  const isKey = sourceOf(row.object, row.source)?.key === true;
  const name = row.field || 'the new field';
  return (
    <Group gap="xs" align="start" wrap="nowrap" pb={{ base: 10, xs: 0 }}>
      <SimpleGrid cols={{ base: 1, xs: row.source === '' ? 3 : 2 }} spacing={6} flex={1}>
        <TextInput
          aria-label="Field API name"
          placeholder="Next_Step__c"
          maxLength={100}
          spellCheck={false}
          value={row.field}
          error={errors.field}
          onChange={(event) => onChange({ field: event.currentTarget.value.trim() })}
        />
        {isKey ? (
          <TextInput
            aria-label={`Value for ${name}`}
            readOnly
            variant="filled"
            value={`${sourceOf(row.object, row.source)?.label ?? ''} (matches the record)`}
            error={errors.source}
          />
        ) : (
          <Select
            aria-label={`Value for ${name}`}
            allowDeselect={false}
            data={[
              { value: CONSTANT, label: 'Fixed text' },
              ...sources.filter(([, { key }]) => !key).map(([value, { label }]) => ({ value, label })),
            ]}
            value={row.source || CONSTANT}
            error={errors.source}
            onChange={(next) => next && onChange({ source: next === CONSTANT ? '' : next })}
          />
        )}
        {row.source === '' ? (
          <TextInput
            aria-label={`Text for ${name}`}
            placeholder="Text"
            maxLength={1000}
            value={row.constant}
            onChange={(event) => onChange({ constant: event.currentTarget.value })}
          />
        ) : null}
      </SimpleGrid>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove ${name}`}
        disabled={isKey}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

function inWords(_field: string, value: unknown): string {
  if (!Array.isArray(value)) return '–';
  return value
    .map((entry: Partial<Row> & { statusId?: string; stage?: string }) =>
      entry.statusId ? `${entry.statusId}: ${entry.stage ?? ''}` : `${entry.object ?? ''}.${entry.field ?? ''}`,
    )
    .join(', ');
}

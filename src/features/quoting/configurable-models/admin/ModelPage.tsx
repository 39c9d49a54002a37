// One configurable model: its name, base item, groups, options, rules, and history.
import {
  Anchor,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { paths } from '#shared/paths.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { ConfigurableModels, ModelInput, type ModelRecord } from '../configurable-models.contract.ts';
import { labelsOf, type Rule, ruleInWords } from '../rules/model.ts';
import { ItemNumberField } from './ItemNumberField.tsx';
import { ModelParts } from './ModelParts.tsx';

export default function ModelPage() {
  const { id } = useParams({ from: '/signed-in/admin/settings/configurable-models/$id' });
  return <OneModel key={id} id={id === 'new' ? 0 : Number(id)} />;
}

function OneModel({ id }: { id: number }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = api(ConfigurableModels).GetConfigurableModel.query({ id });
  const edit = useQuery({ ...query, staleTime: 0, gcTime: 0 });
  // Typed input survives a reload of the model; only the person's own save resets the form.
  const [saves, setSaves] = useState(0);
  const copy = useMutation({
    ...api(ConfigurableModels).CopyConfigurableModel.mutation(),
    onSuccess: (made) => {
      notifications.show({ message: `${made.name} was created. It is inactive until you activate it.` });
      void navigate({ to: paths.configurableModel(made.id) });
    },
  });
  const title = id ? (edit.data?.model.name ?? 'Configurable Model') : 'Add Model';
  const count = edit.data?.configurations ?? 0;
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor
        component={Link}
        to={paths.configurableModels}
        size="sm"
        px={{ base: 'md', sm: 0 }}
        pt={{ base: 'sm', sm: 0 }}
      >
        ‹ Configurable Models
      </Anchor>
      <PageTitle>{title}</PageTitle>
      <Group justify="space-between" px={{ base: 'md', sm: 0 }}>
        <div>
          <Title order={1}>{title}</Title>
          {id && edit.data ? (
            <Text size="sm" className="muted">
              Chosen {count.toLocaleString('en-US')} {count === 1 ? 'time' : 'times'} for quotes
            </Text>
          ) : null}
        </div>
        {id && edit.data ? (
          <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate({ id })}>
            Copy
          </Button>
        ) : null}
      </Group>
      <ErrorAlert error={copy.error} title="The model was not copied" />
      {edit.data ? (
        <section className="card" style={{ padding: 'var(--mantine-spacing-md)' }} aria-label="Model">
          <ModelForm
            key={saves}
            edit={edit.data}
            onCancel={() => void navigate({ to: paths.configurableModels })}
            onSaved={(model) => {
              notifications.show({ message: `${model.name} is saved.` });
              if (id) {
                queries.setQueryData(query.queryKey, { ...edit.data, model });
                setSaves((before) => before + 1);
              } else void navigate({ to: paths.configurableModel(model.id), replace: true });
            }}
          />
        </section>
      ) : edit.error ? (
        <ErrorAlert error={edit.error} title="This model could not be loaded" />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
      {id && edit.data ? (
        <section className="card" style={{ padding: 'var(--mantine-spacing-md)' }} aria-label="History of the model">
          <Title order={2} size="h6" mb="xs">
            History
          </Title>
          <HistoryPanel type="configurableModel" id={id} />
        </section>
      ) : null}
    </Stack>
  );
}

const LABELS = {
  name: 'Name',
  description: 'Description',
  classId: 'Item class',
  baseItemNumber: 'Base item',
  baseUnit: 'Unit',
  active: 'Active',
  groups: 'Groups and options',
  rules: 'Rules',
};

type EditData = OutputOf<typeof ConfigurableModels.GetConfigurableModel>;
type FormProps = { edit: EditData; onSaved: (saved: ModelRecord) => void; onCancel: () => void };

function ModelForm({ edit, onSaved, onCancel }: FormProps) {
  const form = useRecordForm({
    record: edit.model,
    schema: ModelInput,
    save: (model) => api(ConfigurableModels).SaveConfigurableModel(model),
    onSaved,
  });
  const { values, errors, set } = form;
  const inWords = (field: keyof ModelRecord, value: unknown): string => {
    if (field === 'classId') return edit.classes.find(({ id }) => id === value)?.name ?? '–';
    if (field === 'groups') {
      const names = (value as ModelRecord['groups']).map(({ name, options }) => `${name} (${options.length})`);
      return names.join(', ') || '–';
    }
    if (field === 'rules') {
      const groups = value === values.rules ? values.groups : (form.conflict?.current.groups ?? []);
      return (value as Rule[]).map((rule) => ruleInWords(rule, labelsOf({ groups }))).join('; ') || '–';
    }
    if (typeof value === 'boolean') return value ? 'Yes' : 'No';
    return String(value) || '–';
  };
  const base = {
    itemNumber: values.baseItemNumber,
    itemDescription: values.baseItemDescription,
    units: values.baseUnits,
  };
  return (
    <RecordForm form={form} label="Model" labels={LABELS} inWords={inWords} onCancel={onCancel}>
      <Group align="start" grow preventGrowOverflow={false}>
        <TextInput
          miw={240}
          label="Name"
          required
          data-autofocus={edit.model.id === 0 ? true : undefined}
          maxLength={100}
          value={values.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextInput
          miw={240}
          label="Description"
          maxLength={500}
          value={values.description}
          error={errors['description']}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
      </Group>
      <Group align="start" grow preventGrowOverflow={false}>
        <div style={{ minWidth: 240 }}>
          <ItemNumberField
            label="Base item"
            description="What every configuration holds once. Empty: only its options."
            value={base}
            error={errors['baseItemNumber'] || values.baseProblem || undefined}
            onChange={({ itemNumber, itemDescription, units }) =>
              set({
                baseItemNumber: itemNumber,
                baseItemDescription: itemDescription,
                baseUnits: units,
                baseUnit: units.includes(values.baseUnit) ? values.baseUnit : (units[0] ?? ''),
                baseProblem: '',
              })
            }
          />
        </div>
        {values.baseUnits.length > 0 ? (
          <NativeSelect
            maw={120}
            label="Unit"
            description="Of the base item"
            data={
              values.baseUnits.includes(values.baseUnit) ? values.baseUnits : [values.baseUnit, ...values.baseUnits]
            }
            value={values.baseUnit}
            error={errors['baseUnit']}
            onChange={(event) => set({ baseUnit: event.currentTarget.value })}
          />
        ) : null}
        <Select
          miw={200}
          label="Item class"
          description="Hidden with the class"
          placeholder="None"
          clearable
          searchable
          data={edit.classes.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.classId === null ? null : String(values.classId)}
          error={errors['classId']}
          onChange={(id) => set({ classId: id === null ? null : Number(id) })}
        />
      </Group>
      <Checkbox
        label="Active"
        description="Inactive models cannot be chosen; what was configured stays."
        checked={values.active}
        onChange={(event) => set({ active: event.currentTarget.checked })}
      />
      <ModelParts groups={values.groups} rules={values.rules} errors={errors} onChange={set} />
    </RecordForm>
  );
}

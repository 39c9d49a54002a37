// The page of one configurable model: its name, base item, groups, options, rules, and history.
import { Checkbox, Group, NativeSelect, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { RecordPage } from '#platform/ui/RecordPage.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
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
  const edit = useQuery({ ...query, ...READ_ANEW });
  // Typed input survives a reload of the model. Only the user's own save resets the form.
  const [saves, setSaves] = useState(0);
  const copy = useMutation({
    ...api(ConfigurableModels).CopyConfigurableModel.mutation(),
    onSuccess: (created) => {
      notifications.show({ message: `${created.name} was created. It is inactive until you activate it.` });
      void navigate({ to: paths.configurableModel(created.id) });
    },
  });
  const title = id ? (edit.data?.model.name ?? 'Configurable Model') : 'Add model';
  const count = edit.data?.configurations ?? 0;
  return (
    <RecordPage
      back={{ to: paths.configurableModels, label: 'Configurable Models' }}
      title={title}
      about={id && edit.data ? `Configured ${countOf(count, 'time')} on quotes` : ''}
      copy={
        id && edit.data
          ? { label: 'Copy', failed: 'The model was not copied', ...copy, run: () => copy.mutate({ id }) }
          : null
      }
      missing={{ error: edit.error, title: 'This model could not be loaded' }}
      label="Model"
      history={id ? <HistoryPanel type="configurableModel" id={id} /> : null}
    >
      {edit.data ? (
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
      ) : null}
    </RecordPage>
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
    save: api(ConfigurableModels).SaveConfigurableModel,
    onSaved,
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, ModelInput, LABELS);
  const inWords = (name: keyof ModelRecord, value: unknown): string => {
    if (name === 'classId') return edit.classes.find(({ id }) => id === value)?.name ?? '–';
    if (name === 'groups') {
      const names = (value as ModelRecord['groups']).map((group) => `${group.name} (${group.options.length})`);
      return names.join(', ') || '–';
    }
    if (name === 'rules') {
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
        <TextInput {...field.text('name')} miw={240} data-autofocus={edit.model.id === 0 ? true : undefined} />
        <TextInput {...field.text('description')} miw={240} />
      </Group>
      <Group align="start" grow preventGrowOverflow={false}>
        <div style={{ minWidth: 240 }}>
          <ItemNumberField
            label="Base item"
            description="Included once in every configuration. Leave empty to include only the options."
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
            description="For the base item"
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
          description="Hidden when the class is hidden"
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
        {...field.check('active')}
        description="Inactive models cannot be configured. Existing configurations do not change."
      />
      <ModelParts groups={values.groups} rules={values.rules} errors={errors} onChange={set} />
    </RecordForm>
  );
}

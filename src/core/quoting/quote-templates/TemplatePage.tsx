// The page of one quote template: its name, who may use it, its message, lines, and history.
import { Checkbox, Group, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { QUOTING_ROLES, ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { RecordPage } from '#platform/ui/RecordPage.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import {
  QuoteTemplates,
  type TemplateEdit,
  type TemplateEditData,
  TemplateInput,
  type TemplateLine,
} from './quote-templates.contract.ts';
import { TemplateLines } from './TemplateLines.tsx';
import { linesApart } from './template-words.ts';

export default function TemplatePage() {
  const { id } = useParams({ from: '/signed-in/admin/admin-quote-template/$id' });
  return <OneTemplate key={id} id={id === 'new' ? 0 : Number(id)} />;
}

function OneTemplate({ id }: { id: number }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = api(QuoteTemplates).GetQuoteTemplateForEdit.query({ id });
  const edit = useQuery({ ...query, ...READ_ANEW });
  // Typed input survives a reload of the template. Only the user's own save resets the form.
  const [saves, setSaves] = useState(0);
  const duplicate = useMutation({
    ...api(QuoteTemplates).DuplicateQuoteTemplate.mutation(),
    onSuccess: (created) => {
      notifications.show({ message: `${created.name} was created. It is inactive until you activate it.` });
      void navigate({ to: paths.quoteTemplate(created.id) });
    },
  });
  const title = id ? (edit.data?.template.name ?? 'Quote Template') : 'Add Template';
  const quotes = edit.data?.quotes ?? 0;
  const usage = `${countOf(quotes, 'quote')} made from it`;
  const by = edit.data?.createdBy ? ` · made by ${edit.data.createdBy}` : '';
  return (
    <RecordPage
      back={{ to: paths.quoteTemplates, label: 'Quote Templates' }}
      title={title}
      about={id && edit.data ? usage + by : ''}
      copy={
        id && edit.data
          ? {
              label: 'Duplicate',
              failed: 'The template was not duplicated',
              ...duplicate,
              run: () => duplicate.mutate({ id }),
            }
          : null
      }
      missing={{ error: edit.error, title: 'This template could not be loaded' }}
      label="Template"
      history={id ? <HistoryPanel type="quoteTemplate" id={id} /> : null}
    >
      {edit.data ? (
        <TemplateForm
          key={saves}
          edit={edit.data}
          onCancel={() => void navigate({ to: paths.quoteTemplates })}
          onSaved={(template) => {
            notifications.show({ message: `${template.name} is saved.` });
            if (id) {
              queries.setQueryData(query.queryKey, { ...edit.data, template });
              setSaves((count) => count + 1);
            } else void navigate({ to: paths.quoteTemplate(template.id), replace: true });
          }}
        />
      ) : null}
    </RecordPage>
  );
}

const LABELS = {
  name: 'Name',
  description: 'Description',
  active: 'Active',
  ownerOnly: 'Only its creator',
  allowedRoles: 'Who may use it',
  customerMessage: 'Message to the customer',
  items: 'Lines',
};

type FormProps = { edit: TemplateEditData; onSaved: (saved: TemplateEdit) => void; onCancel: () => void };

function TemplateForm({ edit, onSaved, onCancel }: FormProps) {
  const isNew = edit.template.id === 0;
  const form = useRecordForm({
    record: edit.template,
    schema: TemplateInput,
    save: api(QuoteTemplates).SaveQuoteTemplate,
    onSaved,
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, TemplateInput, LABELS);
  const inWords = (name: keyof TemplateEdit, value: unknown): string | undefined => {
    if (name === 'items') {
      const theirs = form.conflict?.current.items ?? [];
      return linesApart(value as TemplateLine[], value === values.items ? theirs : values.items) || '–';
    }
    if (name === 'allowedRoles') return (value as Role[]).map((role) => ROLE_LABELS[role]).join(', ') || 'Everyone';
    return undefined;
  };
  return (
    <RecordForm form={form} label="Template" labels={LABELS} inWords={inWords} onCancel={onCancel}>
      <Group align="start" grow preventGrowOverflow={false}>
        <TextInput {...field.text('name')} miw={240} data-autofocus={isNew ? true : undefined} />
        <TextInput {...field.text('description')} miw={240} />
      </Group>
      <MultiSelect
        label="Who may use it"
        description={
          values.ownerOnly ? `Only ${edit.createdBy || 'you'}.` : 'No role selected: everyone who writes quotes.'
        }
        placeholder={values.allowedRoles.length === 0 && !values.ownerOnly ? 'Everyone' : ''}
        disabled={values.ownerOnly}
        data={QUOTING_ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
        value={values.ownerOnly ? [] : values.allowedRoles}
        error={errors['allowedRoles']}
        onChange={(roles) => set({ allowedRoles: roles })}
      />
      <Group gap="lg">
        {isNew || edit.createdBy ? (
          <Checkbox
            {...field.check('ownerOnly')}
            label={edit.createdBy ? `Only ${edit.createdBy} may use it` : 'Only I may use it'}
          />
        ) : null}
        <Checkbox
          {...field.check('active')}
          description="Inactive templates cannot be chosen. Existing quotes are not affected."
        />
      </Group>
      <Textarea
        {...field.text('customerMessage')}
        description="Used on a quote that has no message."
        autosize
        minRows={2}
        maxRows={8}
      />
      <TemplateLines lines={values.items} looks={edit.looks} errors={errors} onChange={(items) => set({ items })} />
    </RecordForm>
  );
}

// Lets users rename or end their own templates in the dialog where they use them.
import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { QuoteEdit, type QuoteTemplate } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';

type Props = { template: QuoteTemplate; onRenamed: (template: QuoteTemplate) => void; onEnded: () => void };

/** Focuses the name field and selects its text. */
const takeFocus = (field: HTMLInputElement | null) => field?.select();

export function OwnTemplate({ template, onRenamed, onEnded }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState<string | null>(null);
  const [ending, setEnding] = useState(false);
  const { id, version } = template;
  const change = useMutation({
    ...api(QuoteTemplates).ChangeOwnQuoteTemplate.mutation(),
    onSuccess: (saved) => {
      void queries.invalidateQueries({ queryKey: api(QuoteEdit).GetQuoteTemplateForQuote.key });
      notifications.show({ message: saved.active ? `Renamed to ${saved.name}.` : `Template ${saved.name} retired.` });
      setName(null);
      if (saved.active) onRenamed({ ...template, name: saved.name, version: saved.version });
      else onEnded();
    },
  });
  const refused = change.error instanceof HttpError ? (change.error.errors ?? []) : [];
  const nameError =
    name?.trim() === '' ? 'This field is required' : refused.find(({ path }) => path === 'name')?.message;
  if (name === null) {
    return (
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => setName(template.name)}>
          Rename
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setEnding(true)}>
          Retire template
        </Button>
        {ending ? (
          <ConfirmDialog
            title="Retire this template?"
            action="Retire template"
            harmful
            busy={change.isPending}
            error={change.error}
            onConfirm={() => change.mutate({ id, version, name: template.name, active: false })}
            onClose={() => {
              setEnding(false);
              change.reset();
            }}
          >
            {`${template.name} will no longer be available for quotes. Existing quotes are not affected. An administrator can restore the template.`}
          </ConfirmDialog>
        ) : null}
      </Group>
    );
  }
  return (
    <Form
      label="Rename template"
      onSubmit={() => {
        if (name.trim() !== '' && !change.isPending) change.mutate({ id, version, name });
      }}
    >
      <Group align="start" gap="xs">
        <TextInput
          flex={1}
          miw={200}
          aria-label="Name"
          ref={takeFocus}
          maxLength={100}
          value={name}
          error={nameError}
          onChange={(event) => {
            setName(event.currentTarget.value);
            change.reset();
          }}
        />
        <Button type="submit" loading={change.isPending}>
          Save
        </Button>
        <Button
          variant="default"
          onClick={() => {
            setName(null);
            change.reset();
          }}
        >
          Cancel
        </Button>
      </Group>
      {nameError ? null : <ErrorAlert error={change.error} title="The template was not renamed" />}
    </Form>
  );
}

// Saves this quote as a template: items, quantities, sections and notes, never prices.
import { Checkbox, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { InputOf } from '#platform/api/endpoint.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { allSaved, useBoard } from '../state/board.web.ts';

type Input = Omit<InputOf<typeof QuoteTemplates.SaveQuoteAsTemplate>, 'quoteId'>;

export default function SaveAsTemplateDialog({ onClose }: { onClose: () => void }) {
  const board = useBoard();
  const user = useSession();
  const [values, setValues] = useState<Input>({ name: '', description: '', forEverybody: false });
  const [empty, setEmpty] = useState(false);
  const save = useMutation({
    mutationFn: async (input: Input) => {
      // Waits for pending changes, which belong in the template.
      await allSaved(board.store);
      return api(QuoteTemplates).SaveQuoteAsTemplate({ quoteId: board.data.quote.id, ...input });
    },
    onSuccess: ({ name, lines, leftOut }) => {
      const left =
        leftOut === 0
          ? ''
          : leftOut === 1
            ? ' 1 line was left out because it is free, inactive or has no item.'
            : ` ${leftOut} lines were left out because they are free, inactive or have no item.`;
      notifications.show({ message: `Template ${name} saved with ${countOf(lines, 'line')}.${left}` });
      onClose();
    },
  });
  const refused = (save.error as { errors?: { path: string; message: string }[] } | null)?.errors;
  const nameError = empty ? 'This field is required' : refused?.find(({ path }) => path === 'name')?.message;
  const set = (patch: Partial<Input>) => {
    setValues((now) => ({ ...now, ...patch }));
    setEmpty(false);
    save.reset();
  };
  return (
    <AskDialog
      title="Save this quote as a template"
      action="Save Template"
      busy={save.isPending}
      error={nameError ? null : save.error}
      onSubmit={() => (values.name.trim() === '' ? setEmpty(true) : save.mutate(values))}
      onClose={onClose}
    >
      <Text size="sm" className="muted">
        The template keeps items, quantities, sections and notes, but not prices. Quotes created from it get current
        prices.
      </Text>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={values.name}
        error={nameError}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Description"
        maxLength={500}
        value={values.description ?? ''}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {user && hasRole(user, 'systemadmin', 'salesadmin') ? (
        <Checkbox
          label="Share with everyone who creates quotes"
          checked={values.forEverybody ?? false}
          onChange={(event) => set({ forEverybody: event.currentTarget.checked })}
        />
      ) : (
        <Text size="sm">Only you will see it. A sales administrator can share it with others.</Text>
      )}
    </AskDialog>
  );
}

// The form of a saved view: its name, and with whom it is shared. A new view stores what the list shows now.
import { Checkbox, MultiSelect, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { SavedView, type View } from './saved-views.contract.ts';

type Props = { screen: string /** Null: a new one. */; view: View | null; onClose: () => void };

export default function ViewDialog({ screen, view, onClose }: Props) {
  const { searchStr } = useLocation();
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState<string[]>(view?.shared ?? []);
  const [isStart, setStart] = useState(view?.isStart ?? false);
  const [replaces, setReplaces] = useState(false);
  const [empty, setEmpty] = useState(false);
  const save = useMutation({
    mutationFn: async () => {
      const input = { name, shared: ROLES.filter((role) => shared.includes(role)) };
      const address = view && !replaces ? {} : { address: searchStr };
      const saved = await api(SavedView).SaveView(
        view ? { id: view.id, version: view.version, ...input, ...address } : { screen, ...input, ...address },
      );
      if (isStart !== saved.isStart) await api(SavedView).SetStartView({ screen, id: isStart ? saved.id : null });
      return saved;
    },
    onSuccess: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const refused = (save.error as { errors?: { path: string; message: string }[] } | null)?.errors;
  const nameError = empty ? 'This field is required' : refused?.find(({ path }) => path === 'name')?.message;
  const change = () => {
    setEmpty(false);
    save.reset();
  };
  return (
    <AskDialog
      title={view ? 'Edit view' : 'Save this list as a view'}
      action="Save view"
      busy={save.isPending}
      error={nameError ? null : save.error}
      onSubmit={() => (name.trim() === '' ? setEmpty(true) : save.mutate())}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={100}
        value={name}
        error={nameError}
        onChange={(event) => {
          setName(event.currentTarget.value);
          change();
        }}
      />
      <MultiSelect
        label="Share with"
        description="People with these roles can use the view. It shows them only the rows they can already see."
        placeholder={shared.length === 0 ? 'Nobody' : ''}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear' }}
        data={ROLES.map((role: Role) => ({ value: role, label: ROLE_LABELS[role] }))}
        value={shared}
        onChange={(roles) => {
          setShared(roles);
          change();
        }}
      />
      {view ? (
        <Checkbox
          label="Replace its filters and sort order with the current ones"
          checked={replaces}
          onChange={(event) => setReplaces(event.currentTarget.checked)}
        />
      ) : null}
      <Checkbox
        label="Use as start view"
        checked={isStart}
        onChange={(event) => setStart(event.currentTarget.checked)}
      />
      {view && !view.isMine ? <Text size="sm">Created by {view.ownerName}.</Text> : null}
    </AskDialog>
  );
}

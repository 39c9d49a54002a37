// The dialogs that copy, archive or roll back a plan.
import { Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { copiedWords, isWorking, rollBackWords } from '../plan-words.ts';
import { usePlan } from './plan.web.ts';
import { type PlanChanges, TerritoryPlans } from '../territory-plans.contract.ts';

const NAME_LENGTH = 100;

export function CopyDialog({
  plan,
  onCopied,
  onClose,
}: {
  plan: { id: number; name: string };
  onCopied: (loaded: PlanChanges) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(`Copy of ${plan.name}`.slice(0, NAME_LENGTH));
  const copy = useMutation({
    ...api(TerritoryPlans).copySavedMap.mutation(),
    onSuccess: (loaded) => {
      notifications.show({ message: copiedWords(loaded) });
      onClose();
      onCopied(loaded);
    },
  });
  return (
    <AskDialog
      title={`Copy ${plan.name}?`}
      action="Copy"
      busy={copy.isPending}
      error={copy.error}
      disabled={name.trim() === ''}
      onSubmit={() => copy.mutate({ id: plan.id, name })}
      onClose={onClose}
    >
      <Text size="sm">The copy is your own draft with the same moves, based on today's assignments.</Text>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </AskDialog>
  );
}

/** Applies the server's answer to the opened plan, then closes the dialog. */
function useAnswer(onClose: () => void, messageOf: (loaded: PlanChanges) => string | null) {
  const { store } = usePlan();
  return (loaded: PlanChanges) => {
    store.receive(loaded);
    const message = messageOf(loaded);
    if (message) notifications.show({ message });
    onClose();
  };
}

export function RollBackDialog({ onClose }: { onClose: () => void }) {
  const { loaded } = usePlan();
  const { map, today } = loaded;
  const answered = useAnswer(onClose, ({ map: now }) => (isWorking(now) ? null : `${map.name} is rolled back.`));
  const rollBack = useMutation({
    mutationFn: () => api(TerritoryPlans).rollbackSavedMap({ id: map.id, version: map.version }),
    onSuccess: answered,
  });
  return (
    <ConfirmDialog
      title={`Roll back ${map.name}?`}
      action="Roll back"
      harmful
      busy={rollBack.isPending}
      error={rollBack.error}
      onConfirm={() => rollBack.mutate()}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">{rollBackWords(map.effectiveDay, today)}</Text>
        <Text size="sm">Quotes that were moved are not moved back.</Text>
      </Stack>
    </ConfirmDialog>
  );
}

export function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const { loaded, store } = usePlan();
  const { map } = loaded;
  const archived = map.state !== 'Archived';
  const archive = useMutation({
    mutationFn: async () => {
      const { map: saved } = archived && loaded.allowed.edit ? await store.saved() : loaded;
      return api(TerritoryPlans).archiveSavedMap({ id: saved.id, version: saved.version, archived });
    },
    onSuccess: () => {
      notifications.show({ message: archived ? `${map.name} is archived.` : `${map.name} is restored.` });
      onClose();
      void store.catchUp();
    },
  });
  return (
    <ConfirmDialog
      title={archived ? `Archive ${map.name}?` : `Restore ${map.name}?`}
      action={archived ? 'Archive' : 'Restore'}
      busy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate()}
      onClose={onClose}
    >
      {archived
        ? 'The plan no longer appears in the list. You can restore it later. Published changes stay in effect.'
        : 'The plan appears in the list again, in its previous state.'}
    </ConfirmDialog>
  );
}

// Prompts for the reason why an item is left out of the products.
import { Autocomplete, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import type { NotMappedItem } from './mapping.contract.ts';

const USUAL = ['Service or freight', 'Spare part', 'No longer sold', 'Sample or display', 'Number used twice'];

type Props = { item: NotMappedItem; onIgnore: (reason: string) => Promise<void>; onClose: () => void };

export function IgnoreDialog({ item, onIgnore, onClose }: Props) {
  const [reason, setReason] = useState('');
  const ignore = useMutation({ mutationFn: () => onIgnore(reason.trim()), onSuccess: onClose });
  return (
    <AskDialog
      title={`Leave out ${item.itemNumber}`}
      size="sm"
      action="Leave out"
      disabled={!reason.trim()}
      busy={ignore.isPending}
      error={ignore.error}
      onSubmit={() => ignore.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{item.description}</Text>
      <Autocomplete
        label="Why"
        data-autofocus
        required
        data={USUAL}
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
    </AskDialog>
  );
}

// Asks why an item is left out of the products.
import { Autocomplete, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import type { NotMappedItem } from './mapping.contract.ts';

const USUAL = ['Service or freight', 'Spare part', 'No longer sold', 'Sample or display', 'Number used twice'];

type Props = { item: NotMappedItem; onIgnore: (reason: string) => Promise<void>; onClose: () => void };

export function IgnoreDialog({ item, onIgnore, onClose }: Props) {
  const [reason, setReason] = useState('');
  const ignore = useMutation({ mutationFn: () => onIgnore(reason.trim()), onSuccess: onClose });
  return (
    <Modal opened onClose={onClose} title={`Leave out ${item.itemNumber}`} size="sm">
      <Form onSubmit={() => reason.trim() && ignore.mutate()}>
        <Stack>
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
          <ErrorAlert error={ignore.error} title="Not done" />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={ignore.isPending} disabled={!reason.trim()}>
              Leave out
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

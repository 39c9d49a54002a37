// Edits the list of product types: adds a type, renames it on all products, or removes an unused one.
import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { Products } from './products.contract.ts';

export function TypesDialog({ onClose }: { onClose: () => void }) {
  const choices = useQuery(api(Products).GetProductChoices.query({}));
  /** The type to rename; null means a new one. */
  const [before, setBefore] = useState<string | null>(null);
  const [name, setName] = useState('');
  const keep = useMutation({
    ...api(Products).saveItemProdType.mutation(),
    onSuccess: () => {
      setBefore(null);
      setName('');
    },
  });
  const types = keep.data?.types ?? choices.data?.types ?? [];
  const submit = () => {
    if (name.trim()) keep.mutate({ type: { name: name.trim(), ...(before ? { before } : {}) } });
  };
  return (
    <Modal opened onClose={onClose} title="Product types">
      <Stack>
        <Form onSubmit={submit}>
          <Group align="end" wrap="nowrap">
            <TextInput
              data-autofocus
              flex={1}
              label={before ? `New name of ${before}` : 'New type'}
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" loading={keep.isPending} disabled={!name.trim()}>
              {before ? 'Rename' : 'Add'}
            </Button>
          </Group>
        </Form>
        <ErrorAlert
          error={keep.error ?? choices.error}
          title={keep.error ? 'The type could not be saved' : 'The types could not be loaded'}
          onClose={() => keep.reset()}
        />
        {keep.data && keep.data.changed > 0 ? (
          <Text size="sm" role="status">
            {countOf(keep.data.changed, 'product')} renamed with it.
          </Text>
        ) : null}
        <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Types">
          {types.map((type) => (
            <Group component="li" key={type} justify="space-between" wrap="nowrap" mih={36}>
              <Text size="sm">{type}</Text>
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Rename ${type}`}
                  onClick={() => {
                    setBefore(type);
                    setName(type);
                  }}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${type}`}
                  onClick={() => keep.mutate({ type: { name: type, remove: true } })}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Group>
            </Group>
          ))}
        </Stack>
      </Stack>
    </Modal>
  );
}

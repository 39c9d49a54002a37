// Links documents to a product, or to items by their numbers.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ItemDocuments } from './documents.contract.ts';

type Target = { kind: 'product' | 'item'; id: number; name: string };
type Props = { docIds: number[]; exceptProductIds?: number[] };

export function LinkForm({ docIds, exceptProductIds = [] }: Props) {
  const [target, setTarget] = useState<Target | null>(null);
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed === target?.name ? '' : typed.trim(), 250);
  const query = useQuery({
    ...api(ItemDocuments).FindLinkTargets.query({ keyword }),
    enabled: keyword.length > 1,
    placeholderData: keepPreviousData,
  });
  const link = useMutation({
    mutationFn: async ({ kind, id }: Target) => {
      for (const docId of docIds)
        await api(ItemDocuments).saveItemXDoc({
          docId,
          ...(kind === 'product' ? { productIds: [id] } : { itemIds: [id] }),
        });
    },
    onSuccess: () => {
      setTarget(null);
      setTyped('');
    },
  });
  const targets = [...(target ? [target] : []), ...(query.data ?? [])].filter(
    ({ kind, id }) => kind === 'item' || !exceptProductIds.includes(id),
  );
  const known = new Map(targets.map((entry) => [`${entry.kind} ${entry.id}`, entry]));
  return (
    <Stack gap="xs">
      <Group align="end" gap="xs">
        <Select
          flex={1}
          label="Add a product or an item"
          placeholder="Part of the name or number"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear' }}
          // The server has already searched.
          filter={({ options }) => options}
          nothingFoundMessage={
            keyword.length > 1 && !query.isFetching ? 'No Record Found' : 'Enter at least 2 characters'
          }
          data={[...known].map(([value, { kind, name }]) => ({
            value,
            label: kind === 'item' ? `Item ${name}` : name,
          }))}
          value={target ? `${target.kind} ${target.id}` : null}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(value) => setTarget(known.get(value ?? '') ?? null)}
        />
        <Button
          variant="default"
          disabled={!target}
          loading={link.isPending}
          onClick={() => target && link.mutate(target)}
        >
          Link
        </Button>
      </Group>
      {link.isSuccess && !target ? (
        <Text size="xs" className="muted" role="status">
          Linked.
        </Text>
      ) : null}
      <ErrorAlert
        error={link.error ?? query.error}
        title={link.error ? 'The link could not be added' : 'The search failed'}
      />
    </Stack>
  );
}

// Creates a first product database from the items of a class.
import { Button, Group, Select, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemClass } from '#core/catalog/item-classes/item-classes.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ItemProdDb } from './populate-products.contract.ts';

export function FillProductsPanel() {
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed, 250);
  const [chosen, setChosen] = useState<string | null>(null);
  const classes = useQuery({
    ...api(ItemClass).GetItemClasses.query({ keyword, page: 1, pageSize: 50 }),
    placeholderData: keepPreviousData,
  });
  const fill = useMutation(api(ItemProdDb).PopulateInitData.mutation());
  return (
    <section className="card" aria-label="Products for items">
      <Group p="md" gap="sm" align="end">
        <div style={{ flex: '1 1 320px' }}>
          <Title order={2} size="h5">
            Products for items
          </Title>
          <Text size="sm" className="muted">
            Creates a product, named after the item, for each item of a class that has none. Items that already have a
            product do not change.
          </Text>
        </div>
        <Select
          label="Item class"
          placeholder="Choose a class"
          w={260}
          searchable
          data={(classes.data?.records ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          // The server has already filtered them.
          filter={({ options }) => options}
          nothingFoundMessage={classes.isFetching ? 'Searching…' : 'No such class'}
          value={chosen}
          searchValue={typed}
          onSearchChange={setTyped}
          onChange={(next) => {
            setChosen(next);
            fill.reset();
          }}
          error={classes.error ? classes.error.message : undefined}
        />
        <Button
          variant="default"
          disabled={!chosen}
          loading={fill.isPending}
          onClick={() => fill.mutate({ classId: Number(chosen) })}
        >
          Create products
        </Button>
      </Group>
      <Text size="sm" role="status" px="md" pb={fill.data ? 'md' : 0}>
        {fill.data ? resultSentence(fill.data) : ''}
      </Text>
      <ErrorAlert error={fill.error} title="No product was created" onClose={() => fill.reset()} />
    </section>
  );
}

function resultSentence({ made, items, className }: { made: number; items: number; className: string }): string {
  const all = countOf(items, 'item');
  if (items === 0) return `${className} has no items.`;
  if (made === 0) return `Every item of ${className} has a product (${all}).`;
  return `${countOf(made, 'product was', 'products were')} created for ${className}, which has ${all}.`;
}

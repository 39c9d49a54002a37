// Chooses a product by part of its name, brand or number; the server searches.
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { Named } from '#shared/wire.ts';
import { Products } from './products.contract.ts';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'> & {
  value: Named | null;
  onChange: (product: Named | null) => void;
  /** Not these. */
  exceptIds?: readonly number[];
};

export function ProductSelect({ value, onChange, exceptIds = [], ...field }: Props) {
  const [typed, setTyped] = useState('');
  // The chosen name in the field is not a search.
  const [keyword] = useDebouncedValue(typed === value?.name ? '' : typed.trim(), 250);
  const found = useQuery({
    ...api(Products).searchProdDbItems.query({ keyword, page: 1, pageSize: 20 }),
    placeholderData: keepPreviousData,
  });
  const offered = (found.data?.records ?? []).filter(({ id }) => !exceptIds.includes(id));
  const known = new Map<number, Named>([...(value ? [value] : []), ...offered].map((one) => [one.id, one]));
  return (
    <Select
      placeholder="Part of the name, brand or number"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No Record Found'}
      // The server has already searched.
      filter={({ options }) => options}
      {...field}
      data={[...known.values()].map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value ? String(value.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(known.get(Number(id)) ?? null)}
      error={field.error ?? found.error?.message}
    />
  );
}

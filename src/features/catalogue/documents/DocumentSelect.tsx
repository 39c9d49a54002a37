// Chooses a document by part of its title; the server searches.
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { Named } from '#shared/wire.ts';
import { ItemDocuments } from './documents.contract.ts';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'> & {
  value: Named | null;
  onChange: (document: Named | null) => void;
  exceptIds?: readonly number[];
};

export function DocumentSelect({ value, onChange, exceptIds = [], ...field }: Props) {
  const [typed, setTyped] = useState('');
  // The chosen title in the field is not a search.
  const [keyword] = useDebouncedValue(typed === value?.name ? '' : typed.trim(), 250);
  const found = useQuery({
    ...api(ItemDocuments).getItmDocs.query({ keyword, page: 1, pageSize: 20 }),
    placeholderData: keepPreviousData,
  });
  const offered = (found.data?.records ?? []).flatMap(({ id, title, category }) =>
    exceptIds.includes(id) ? [] : [{ id, name: title, category }],
  );
  const known = new Map<number, Named & { category?: string }>(
    [...(value ? [value] : []), ...offered].map((one) => [one.id, one]),
  );
  return (
    <Select
      placeholder="Part of the title"
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
      onChange={(id) => {
        const chosen = known.get(Number(id));
        onChange(chosen ? { id: chosen.id, name: chosen.name } : null);
      }}
      error={field.error ?? found.error?.message}
    />
  );
}

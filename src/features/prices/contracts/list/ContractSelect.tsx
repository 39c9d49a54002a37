// Chooses a contract by part of its number or title; the server searches.
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { Named } from '#shared/wire.ts';
import { Contract } from '../contracts.contract.ts';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'> & {
  value: Named | null;
  onChange: (contract: Named | null) => void;
  /** Not this one. */
  exceptId?: number;
};

export function ContractSelect({ value, onChange, exceptId, ...field }: Props) {
  const [typed, setTyped] = useState('');
  // The chosen number in the field is not a search.
  const [keyword] = useDebouncedValue(typed === value?.name ? '' : typed.trim(), 250);
  const found = useQuery({
    ...api(Contract).Search.query({ keyword, page: 1, pageSize: 20 }),
    placeholderData: keepPreviousData,
  });
  const offered = (found.data?.records ?? []).flatMap(({ id, number, title }) =>
    id === exceptId ? [] : [{ id, name: number, title }],
  );
  const known = new Map<number, Named & { title?: string }>(
    [...(value ? [value] : []), ...offered].map((one) => [one.id, one]),
  );
  return (
    <Select
      placeholder="Number or title"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No Record Found'}
      // The server has already searched.
      filter={({ options }) => options}
      renderOption={({ option }) => `${option.label}  ${known.get(Number(option.value))?.title ?? ''}`}
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

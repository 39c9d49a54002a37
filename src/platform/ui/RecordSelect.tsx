// Selects a record by part of its name. The server searches, because there may be thousands.
import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import type { Named } from '#platform/shared/wire.ts';

type Field = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange' | 'filter'>;

/** The props that a select for one kind of record passes on to RecordSelect. */
export type RecordSelectProps = Field & {
  value: Named | null;
  onChange: (chosen: Named | null) => void;
  /** Records to leave out. */
  exceptIds?: readonly number[];
};

type Props<Found, Key extends QueryKey> = RecordSelectProps & {
  /** The query that finds records by the typed text. */
  search: (keyword: string) => UseQueryOptions<Found, Error, Found, Key>;
  /** The choices from the found records. The list shows `more` after the name. */
  choicesOf: (result: Found) => readonly (Named & { more?: string })[];
};

export function RecordSelect<Found, Key extends QueryKey>(props: Props<Found, Key>) {
  const { value, onChange, exceptIds = [], search, choicesOf, ...field } = props;
  const [typed, setTyped] = useState('');
  // The chosen name in the field is not a search.
  const [keyword] = useDebouncedValue(typed === value?.name ? '' : typed.trim(), 250);
  const query = useQuery({ ...search(keyword), placeholderData: keepPreviousData });
  const offered = query.data ? choicesOf(query.data).filter(({ id }) => !exceptIds.includes(id)) : [];
  const known = new Map<number, Named & { more?: string }>(
    [...(value ? [value] : []), ...offered].map((entry) => [entry.id, entry]),
  );
  const withMore: Pick<SelectProps, 'renderOption'> = {
    renderOption: ({ option }) => `${option.label}  ${known.get(Number(option.value))?.more ?? ''}`,
  };
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear' }}
      nothingFoundMessage={query.isFetching ? 'Searching…' : 'No Record Found'}
      // The server has already searched.
      filter={({ options }) => options}
      {...(offered.some(({ more }) => more) ? withMore : {})}
      {...field}
      data={[...known.values()].map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value ? String(value.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const chosen = known.get(Number(id));
        onChange(chosen ? { id: chosen.id, name: chosen.name } : null);
      }}
      error={field.error ?? query.error?.message}
    />
  );
}

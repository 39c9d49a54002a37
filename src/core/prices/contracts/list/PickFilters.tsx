// Filters the list of contracts by a facility that buys under them or an item on them.
import { CloseButton, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemSearch, MIN_KEYWORD } from '#core/catalog/items/items.contract.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';

type Props = { value: string; onChange: (value: string) => void };

/** `value` is the facility's id, or '' for none. */
export function FacilityFilter({ value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed.trim(), 250);
  const chosen = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: Number(value) }),
    enabled: value !== '',
  });
  const query = useQuery({
    ...api(FacilitySearch).GetFacilitiesByKeyWord.query({ keyword }),
    enabled: value === '' && keyword !== '',
    placeholderData: keepPreviousData,
  });
  if (value !== '') {
    const name = chosen.data ? `${chosen.data.name} (${chosen.data.acctNo})` : (chosen.error?.message ?? 'Loading…');
    return (
      <TextInput
        aria-label="Member facility"
        w={190}
        readOnly
        value={name}
        title={name}
        error={Boolean(chosen.error)}
        rightSection={<CloseButton size="sm" aria-label="Any facility" onClick={() => onChange('')} />}
      />
    );
  }
  return (
    <Select
      aria-label="Member facility"
      placeholder="Member facility"
      w={190}
      searchable
      nothingFoundMessage={
        keyword === ''
          ? 'Enter a name, an account number or a ZIP'
          : query.isFetching
            ? 'Searching…'
            : 'No Record Found'
      }
      // The server has already searched.
      filter={({ options }) => options}
      data={(keyword === '' ? [] : (query.data ?? [])).map((facility) => ({
        value: String(facility.id),
        label: `${facility.name} (${facility.acctNo})`,
      }))}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        setTyped('');
        if (id) onChange(id);
      }}
      error={query.error?.message}
    />
  );
}

/** `value` is the item's number, or '' for none. */
export function ItemFilter({ value, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed.trim(), 250);
  const asks = value === '' && keyword.length >= MIN_KEYWORD;
  const query = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: keyword, hasRecentSaleOnly: false }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  if (value !== '') {
    return (
      <TextInput
        aria-label="Item"
        w={140}
        readOnly
        value={value}
        rightSection={<CloseButton size="sm" aria-label="Any item" onClick={() => onChange('')} />}
      />
    );
  }
  return (
    <Select
      aria-label="Item"
      placeholder="Item"
      w={140}
      comboboxProps={{ width: 360, position: 'bottom-start' }}
      searchable
      nothingFoundMessage={
        asks ? (query.isFetching ? 'Searching…' : 'No Record Found') : `Enter at least ${MIN_KEYWORD} characters`
      }
      filter={({ options }) => options}
      data={(asks ? (query.data ?? []) : []).slice(0, 20).map((item) => ({
        value: item.itemNumber,
        label: `${item.itemNumber} ${item.description}`,
      }))}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(number) => {
        setTyped('');
        if (number) onChange(number);
      }}
      error={query.error?.message}
    />
  );
}

/** The id of the item with this number: undefined during the lookup, null if there is no such item. */
export function useItemId(number: string): number | null | undefined {
  const query = useQuery({ ...api(ItemSearch).SearchItemByNumber.query(request(number)), enabled: number !== '' });
  if (number === '' || query.error) return null;
  return query.data ? idAmong(query.data, number) : undefined;
}

/** The same as `useItemId`, for a number that no screen shows yet. */
export async function itemIdOf(number: string): Promise<number | null> {
  return number === '' ? null : idAmong(await api(ItemSearch).SearchItemByNumber(request(number)), number);
}

const request = (number: string) => ({ number, hasRecentSaleOnly: false });
const idAmong = (items: { id: number; itemNumber: string }[], number: string) =>
  items.find((item) => item.itemNumber === number)?.id ?? null;

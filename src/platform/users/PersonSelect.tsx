// Selects one or several users, usually active ones, by part of their name. The server searches, because there may be thousands.
import {
  type ComboboxItem,
  MultiSelect,
  type MultiSelectProps,
  Select,
  type SelectProps,
  Stack,
  Text,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { Role } from '#platform/shared/roles.ts';
import { type Person, Users } from './users.contract.ts';

type Whom = {
  /** Users need at least one of these roles. */
  roles: readonly Role[];
  /** A user to leave out. */
  exceptId?: number | undefined;
  /** Includes inactive users. */
  inactive?: boolean | undefined;
};
type Field<P> = Omit<P, 'data' | 'value' | 'onChange' | 'onSearchChange' | 'searchValue' | 'filter' | 'searchable'>;

export function PersonSelect(
  props: Field<SelectProps> & Whom & { value: Person | null; onChange: (person: Person | null) => void },
) {
  const { roles, exceptId, inactive, value, onChange, ...field } = props;
  const [typed, setTyped] = useState('');
  // The chosen name in the field is not a search.
  const people = usePeople({ roles, exceptId, inactive }, typed === value?.name ? '' : typed, value ? [value] : []);
  return (
    <Select
      placeholder="Part of the name"
      {...field}
      {...people}
      value={value ? String(value.id) : null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(people.known.get(Number(id)) ?? null)}
    />
  );
}

export function PeopleSelect(
  props: Field<MultiSelectProps> & Whom & { value: Person[]; onChange: (people: Person[]) => void },
) {
  const { roles, exceptId, inactive, value, onChange, ...field } = props;
  const [typed, setTyped] = useState('');
  const people = usePeople({ roles, exceptId, inactive }, typed, value);
  return (
    <MultiSelect
      {...field}
      {...people}
      placeholder={value.length === 0 ? 'Part of the name' : ''}
      value={value.map(({ id }) => String(id))}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(ids) => onChange(ids.flatMap((id) => people.known.get(Number(id)) ?? []))}
    />
  );
}

/** The common part of both fields: search results and selected users. */
function usePeople({ roles, exceptId, inactive = false }: Whom, typed: string, chosen: readonly Person[]) {
  const [keyword] = useDebouncedValue(typed.trim(), 200);
  const query = useQuery({
    ...api(Users).FindUsers.query({ keyword, roles: [...roles], exceptId: exceptId ?? null, inactive }),
    placeholderData: keepPreviousData,
  });
  const personById = new Map([...chosen, ...(query.data ?? [])].map((person) => [person.id, person]));
  const listedIds = new Set(query.data?.map(({ id }) => id));
  return {
    known: personById,
    searchable: true,
    data: [...personById.values()].map(({ id, name }) => ({ value: String(id), label: name })),
    // The server has already searched. Selected users outside the results are included only for their names.
    filter: ({ options }: { options: unknown[] }) =>
      (options as ComboboxItem[]).filter(({ value }) => listedIds.has(Number(value))),
    nothingFoundMessage: query.error ? query.error.message : query.isPending ? 'Searching …' : 'No Record Found',
    renderOption: ({ option }: { option: ComboboxItem }) => (
      <Stack gap={0}>
        <span>{option.label}</span>
        <Text size="xs" className="muted">
          {personById.get(Number(option.value))?.userName}
        </Text>
      </Stack>
    ),
  };
}

// The Select of `LazySelect`. It opens at once if it was used before it was loaded.
import { Select, type SelectProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** `search` is the text typed so far. */
export type Used = { search: string };

export default function LazySelectOpened({ used, ...props }: SelectProps & { used: Used | null }) {
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // Runs after the Select has filled in the name of its value.
  useEffect(() => {
    if (!used) return;
    field.current?.focus({ preventScroll: true });
    if (used.search) setSearch(used.search);
  }, [used]);
  return (
    <Select
      {...props}
      ref={field}
      defaultDropdownOpened={used !== null}
      searchValue={search}
      onSearchChange={setSearch}
    />
  );
}

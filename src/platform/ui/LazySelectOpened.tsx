// The Select of `LazySelect`, opened if it was used before it was there.
import { Select, type SelectProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

/** `search`: what was typed. */
export type Used = { search: string };

export default function LazySelectOpened({ used, ...props }: SelectProps & { used: Used | null }) {
  const [search, setSearch] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // After the Select has put the name of its value there.
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

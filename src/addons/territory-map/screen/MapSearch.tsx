// Searches the map by ZIP, city, county, state, territory, region, representative, or facility.
import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { type Hit, TerritoryMapCalls } from '../territory-map.contract.ts';

const KINDS: Record<Hit['kind'], string> = {
  zip: 'ZIP',
  city: 'City',
  county: 'County',
  state: 'State',
  territory: 'Territory',
  region: 'Region',
  rep: 'Person',
  facility: 'Facility',
};

type Props = {
  date: string;
  onFound: (hit: Hit) => void;
  /** The key that focuses the search. */
  shortcut?: string;
};

export function MapSearch({ date, onFound, shortcut = '/' }: Props) {
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed.trim(), 250);
  const input = useRef<HTMLInputElement>(null);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  const query = useQuery({
    ...api(TerritoryMapCalls).searchMap.query({ keyword, date }),
    enabled: keyword.length >= 2,
    placeholderData: keepPreviousData,
  });
  useKeys([{ key: shortcut, label: 'Search the map', run: () => input.current?.focus() }]);
  const hits = keyword.length >= 2 ? (query.data ?? []) : [];
  return (
    <Combobox
      store={box}
      onOptionSubmit={(place) => {
        const hit = hits[Number(place)];
        if (!hit) return;
        setTyped(hit.label);
        box.closeDropdown();
        onFound(hit);
      }}
    >
      <Combobox.Target>
        <TextInput
          ref={input}
          aria-label="Search the map"
          placeholder="ZIP, city, facility, territory, person"
          w={{ base: '100%', sm: 300 }}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={query.isFetching ? <Loader size={16} /> : null}
          value={typed}
          error={query.error?.message}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            box.openDropdown();
          }}
          onClick={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={keyword.length < 2}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {hits.length === 0 && !query.isFetching ? <Combobox.Empty>No Record Found</Combobox.Empty> : null}
          {hits.map((hit, index) => (
            <Combobox.Option key={`${hit.kind} ${hit.label} ${hit.zips}`} value={String(index)}>
              <Text size="sm">{hit.label}</Text>
              <Text size="xs" className="muted">
                {[KINDS[hit.kind], hit.hint].filter(Boolean).join(' · ')}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

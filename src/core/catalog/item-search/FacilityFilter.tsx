// Chooses the facility whose prices the search shows, by name, account number or ZIP.
import { CloseButton, Combobox, InputBase, Loader, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';

type Props = {
  label: string;
  description?: string;
  required?: boolean;
  facilityId: number | null;
  onChange: (facilityId: number | null) => void;
};

export function FacilityFilter({ label, description, required, facilityId, onChange }: Props) {
  const store = useCombobox({ onDropdownClose: () => store.resetSelectedOption() });
  const [typed, setTyped] = useState<string | null>(null);
  const [keyword] = useDebouncedValue((typed ?? '').trim(), 250);
  const query = useQuery({
    ...api(FacilitySearch).GetFacilitiesByKeyWord.query({ keyword }),
    enabled: keyword !== '',
    placeholderData: (before) => before,
  });
  const chosen = useQuery({
    ...api(FacilitySearch).GetFacilityDataById.query({ id: facilityId ?? 0 }),
    enabled: facilityId !== null,
  });
  const name = facilityId !== null && chosen.data?.id === facilityId ? chosen.data.name : '';
  const hits = keyword === '' ? [] : (query.data ?? []);
  const leave = () => {
    setTyped(null);
    store.closeDropdown();
  };
  return (
    <Combobox
      store={store}
      onOptionSubmit={(id) => {
        onChange(Number(id));
        leave();
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          label={label}
          description={description}
          withAsterisk={required ?? false}
          placeholder="Name, account # or ZIP"
          autoComplete="off"
          // A request for customer data by id fails silently (specification section 8). The price request for the facility reports the error.
          error={query.error?.message}
          value={typed ?? name}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            store.openDropdown();
            store.selectFirstOption();
          }}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={leave}
          rightSectionPointerEvents="all"
          rightSection={
            query.isFetching || chosen.isLoading ? (
              <Loader size={14} />
            ) : facilityId === null ? null : (
              <CloseButton
                size="sm"
                aria-label="No facility"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChange(null)}
              />
            )
          }
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={keyword === '' || !query.data}>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }} aria-label="Facilities found">
          {hits.map((hit) => (
            <Combobox.Option key={hit.id} value={String(hit.id)}>
              <Text size="sm">{hit.name}</Text>
              <Text size="xs" className="muted tabular">
                {hit.acctNo} · {hit.city}, {hit.state} {hit.zip}
              </Text>
            </Combobox.Option>
          ))}
          {query.data && hits.length === 0 ? <Combobox.Empty>No Record Found</Combobox.Empty> : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

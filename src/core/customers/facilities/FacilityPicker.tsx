// Finds a facility as the user types part of its name, account number or ZIP. Arrow keys and Enter choose one.
import { Combobox, Group, Loader, Stack, Text, TextInput, type TextInputProps, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { type FacilityHit, FacilitySearch } from './facilities.contract.ts';
import classes from './facilities.module.css';

type Props = {
  onPick: (facility: FacilityHit) => void;
  label?: string;
  error?: TextInputProps['error'];
  required?: boolean;
  /** Focuses the field when it appears. */
  takesFocus?: boolean;
};

export function FacilityPicker({ onPick, label = 'Facility', error, required, takesFocus }: Props) {
  const [keyword, setKeyword] = useState('');
  const [request] = useDebouncedValue(keyword.trim(), 200);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { selectFirstOption, resetSelectedOption } = combobox;
  const input = useRef<HTMLInputElement>(null);
  const hits = useQuery({
    ...api(FacilitySearch).GetFacilitiesByKeyWord.query({ keyword: request }),
    enabled: request !== '',
    placeholderData: keepPreviousData,
  });
  const results = request === '' ? [] : (hits.data ?? []);
  const settled = request === keyword.trim() && !hits.isFetching;
  const visible = settled ? hits.data : undefined;
  // Enter chooses the first result, but never one for an older keyword.
  useEffect(() => {
    if (visible && visible.length > 0) selectFirstOption();
    else resetSelectedOption();
  }, [visible, selectFirstOption, resetSelectedOption]);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(value) => {
        const facility = results.find((hit) => String(hit.id) === value);
        if (!facility) return;
        setKeyword('');
        combobox.closeDropdown();
        onPick(facility);
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label={label}
          placeholder="Name, account number or ZIP"
          autoComplete="off"
          required={required ?? false}
          ref={input}
          // A drawer moves the focus again when it opens, to the element with this attribute.
          data-autofocus={takesFocus ? true : undefined}
          error={error ?? (hits.error ? hits.error.message : undefined)}
          value={keyword}
          rightSection={hits.isFetching ? <Loader size={16} role="img" aria-label="Searching" /> : null}
          onChange={(event) => {
            setKeyword(event.currentTarget.value);
            combobox.openDropdown();
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={request === '' || (results.length === 0 && !settled) || hits.isError}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Facilities found">
          {results.map((hit) => (
            <Combobox.Option key={hit.id} value={String(hit.id)} className={classes['option']}>
              <FacilityLine facility={hit} />
            </Combobox.Option>
          ))}
          {results.length === 0 ? <Combobox.Empty>No Record Found</Combobox.Empty> : null}
          {results.length === 20 ? (
            <Combobox.Footer>The best 20 are shown. Type more to narrow the list.</Combobox.Footer>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function FacilityLine({ facility }: { facility: FacilityHit }) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Text size="sm" fw={500}>
          {facility.name}
        </Text>
        <Text size="xs" className="muted">
          {cityAndState(facility)} {facility.zip}
        </Text>
      </Stack>
      <Text size="xs" className="muted tabular">
        {facility.acctNo}
      </Text>
    </Group>
  );
}

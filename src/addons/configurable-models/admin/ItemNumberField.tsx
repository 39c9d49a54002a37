// A field for an item number, with suggestions. It reports the chosen item, and also accepts a number typed in full.
import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ItemName } from '#core/catalog/items/ItemMarks.tsx';
import { type ItemHit, ItemSearch, MIN_KEYWORD } from '#core/catalog/items/items.contract.ts';

/** The details of a chosen item. For a typed number, only the number is known. */
export type ItemChoice = { itemNumber: string; itemDescription: string; units: string[] };

type Props = {
  label: string;
  description?: string;
  value: ItemChoice;
  error?: string | undefined;
  onChange: (choice: ItemChoice) => void;
};

export function ItemNumberField({ label, description, value, error, onChange }: Props) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [keyword] = useDebouncedValue(value.itemNumber.trim(), 200);
  const isKnown = value.units.length > 0;
  const asks = !isKnown && keyword.length >= MIN_KEYWORD;
  const query = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: keyword, hasRecentSaleOnly: false }),
    enabled: asks,
    placeholderData: (previous) => previous,
  });
  const hits = asks ? (query.data ?? []).slice(0, 8) : [];
  const choose = (hit: ItemHit) => {
    onChange({
      itemNumber: hit.itemNumber,
      itemDescription: hit.description,
      units: hit.units.map(({ unit }) => unit),
    });
    combobox.closeDropdown();
  };
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const hit = hits.find((candidate) => String(candidate.id) === id);
        if (hit) choose(hit);
      }}
    >
      <Combobox.Target>
        <TextInput
          label={label}
          description={isKnown ? value.itemDescription : description}
          placeholder="Item number or name"
          autoComplete="off"
          maxLength={100}
          value={value.itemNumber}
          error={error ?? (asks ? query.error?.message : undefined)}
          onChange={(event) => {
            onChange({ itemNumber: event.currentTarget.value, itemDescription: '', units: [] });
            combobox.openDropdown();
          }}
          onBlur={() => {
            combobox.closeDropdown();
            const meant =
              value.itemNumber.trim() === keyword && !query.isPlaceholderData ? hits.find((hit) => hit.isMeant) : null;
            if (meant) choose(meant);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={hits.length === 0}>
        <Combobox.Options mah={280} style={{ overflowY: 'auto' }}>
          {hits.map((hit) => (
            <Combobox.Option key={hit.id} value={String(hit.id)}>
              <Text span fw={600} size="sm" className="tabular">
                {hit.itemNumber}
              </Text>{' '}
              <Text span size="sm">
                <ItemName item={hit} />
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

// The add line: Enter adds the typed item number or name, and a pasted table opens the paste dialog.
import { Combobox, Group, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { firstUnit, ItemName, otherNumber, Thumbnail } from '#core/catalog/items/ItemMarks.tsx';
import { type ItemHit, ItemSearch } from '#core/catalog/items/items.contract.ts';
import { useOnce } from '#platform/ui/once.web.ts';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { isTable } from '../paste/parse-paste.ts';
import { useTypedAhead } from './typed-ahead.web.ts';

const SHORTEST = 3;

type Props = {
  inputRef: Ref<HTMLInputElement>;
  /** The customer whose item numbers are recognized. */
  facilityId?: number | null;
  /** Adds the item. An error appears below the field, and the typed text stays. */
  onAdd: (hit: ItemHit) => Promise<void>;
  onPasteTable: (text: string) => void;
};

export function AddLine({ inputRef, facilityId = null, onAdd, onPasteTable }: Props) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useUnsaved(text.trim() !== '', () => {
    const refusal = `‘${text.trim()}’ is not added yet. Press Enter to add it, or clear the field.`;
    setProblem(refusal);
    return refusal;
  });
  const [keyword] = useDebouncedValue(text.trim(), 200);
  const query = useQuery({
    ...api(ItemSearch).SearchItemByNumber.query({ number: keyword, hasRecentSaleOnly: false, facilityId }),
    enabled: keyword.length >= SHORTEST,
    placeholderData: (previous) => previous,
  });
  const hits = keyword.length >= SHORTEST ? (query.data ?? []).slice(0, 12) : [];

  const ahead = useTypedAhead((typed) => setText((now) => now + typed));
  /** Returns whether it became a line. */
  const add = async (hit: ItemHit): Promise<boolean> => {
    if (firstUnit(hit) === '') {
      const problem =
        hit.saidUnit === '?' ? 'Its references use different units' : `Its reference uses ${hit.saidUnit}`;
      setProblem(
        `${problem}. ${hit.itemNumber} is sold by ${hit.units.map(({ unit }) => unit).join(', ')}: add it by that number.`,
      );
      return false;
    }
    setProblem(null);
    try {
      await onAdd(hit);
      setText('');
      combobox.closeDropdown();
      return true;
    } catch (error) {
      setProblem((error as Error).message);
      return false;
    }
  };
  const whileBusy = async (work: () => Promise<boolean>) => {
    setBusy(true);
    ahead.begin();
    const isAdded = await work();
    ahead.end(isAdded);
    setBusy(false);
  };
  const addChosen = useOnce((hit: ItemHit) => whileBusy(() => add(hit)));
  /** When the user presses Enter without a choice, adds the item with exactly the typed number, or else the only result. */
  const findAndAdd = async (number: string): Promise<boolean> => {
    const answer = await api(ItemSearch)
      .SearchItemByNumber({ number, hasRecentSaleOnly: false, facilityId })
      .catch((error: unknown) => {
        setProblem((error as Error).message);
        return null;
      });
    if (!answer) return false;
    const [only] = answer.length === 1 ? answer : [];
    const exact = answer.find(({ isMeant }) => isMeant) ?? (only?.mustChoose ? undefined : only);
    if (exact) return add(exact);
    if (answer.length === 0) setProblem(`No item matches '${number}'.`);
    else {
      // An equivalent or a substitute becomes a line only when the user chooses it.
      if (only) setProblem(`${otherNumber(only.foundBy)}. Choose it from the list if it is the right one.`);
      combobox.openDropdown();
    }
    return false;
  };
  const addTyped = useOnce(async () => {
    const number = text.trim();
    if (number.length >= SHORTEST) await whileBusy(() => findAndAdd(number));
    else setProblem(number === '' ? null : 'Need at least 3 characters to start search');
  });

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const hit = hits.find((candidate) => String(candidate.id) === id);
        if (hit) addChosen(hit);
      }}
    >
      <Combobox.Target>
        <TextInput
          ref={inputRef}
          aria-label="Add an item by number or name"
          data-adds
          placeholder="Type an item number or name and press Enter"
          variant="unstyled"
          value={text}
          error={problem ?? (keyword.length >= SHORTEST ? query.error?.message : null)}
          readOnly={busy}
          rightSection={busy || query.isFetching ? <Loader size={14} /> : null}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(null);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onBlur={(event) => {
            combobox.closeDropdown();
            ahead.onBlur(event);
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData('text/plain');
            if (!isTable(pasted)) return;
            event.preventDefault();
            onPasteTable(pasted);
          }}
          onKeyDown={(event) => {
            if (ahead.take(event)) return;
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) {
              event.preventDefault();
              addTyped();
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={hits.length === 0}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {hits.map((hit) => (
            <Combobox.Option key={hit.id} value={String(hit.id)}>
              <Group gap="xs" wrap="nowrap">
                <Thumbnail url={hit.imgThumbnailUrl} size={32} />
                <div>
                  <Text span fw={600} size="sm" className="tabular">
                    {hit.itemNumber}
                  </Text>{' '}
                  <Text span size="sm">
                    <ItemName item={hit} />
                  </Text>{' '}
                  <Text span size="xs" className="muted">
                    {hit.units.map((unit) => unit.unit).join(', ')}
                  </Text>
                </div>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

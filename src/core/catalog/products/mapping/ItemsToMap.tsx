// The items of the mapping screen with their known facts, and the filters above them.
import { Group, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import type { Tone } from '#platform/ui/tones.ts';
import { Products } from '../products.contract.ts';
import { MappingState, type NotMappedItem } from './mapping.contract.ts';
import classes from './mapping.module.css';

const TONES: Record<MappingState, Tone> = { Unmapped: 'orange', Suggested: 'blue', Ignored: 'violet', Conflict: 'red' };

type Filters = { keyword: string; class: string; state: string };
type FiltersProps = {
  filters: Filters;
  /** The number of items in each state. Undefined while it is unknown. */
  counts: Record<MappingState, number> | undefined;
  onChange: (patch: Partial<Filters>) => void;
};

export function ItemFilters({ filters, counts, onChange }: FiltersProps) {
  const choices = useQuery({
    ...api(Products).GetProductChoices.query({}),
    meta: { global: 'The filters could not be loaded.' },
  });
  const counted = (count: number | undefined) => (count === undefined ? '' : ` (${count.toLocaleString('en-US')})`);
  return (
    <Group px="md" py="xs" gap="sm" className={classes['filters']}>
      <KeywordField
        label="Item # or description"
        w={220}
        value={filters.keyword}
        onChange={(keyword) => onChange({ keyword })}
      />
      <FilterSelect
        label="Item class"
        w={180}
        all="All classes"
        choices={choices.data?.classes ?? []}
        value={filters.class}
        onChange={(next) => onChange({ class: next })}
      />
      <FilterSelect
        label="State"
        w={200}
        all={`To do${counted(counts && counts.Unmapped + counts.Suggested + counts.Conflict)}`}
        choices={MappingState.options.map((value) => ({ value, label: `${value}${counted(counts?.[value])}` }))}
        value={MappingState.options.find((option) => option === filters.state) ?? ''}
        onChange={(next) => onChange({ state: next })}
      />
    </Group>
  );
}

type ItemsProps = {
  ref: Ref<HTMLUListElement>;
  items: readonly NotMappedItem[];
  active: NotMappedItem | undefined;
  busy: boolean;
  onActive: (id: number) => void;
  /** The actions of keys while an item has the focus. */
  onKey: Record<string, () => void>;
  /** The content below the active item. */
  children: ReactNode;
};

export function Items({ ref, items, active, busy, onActive, onKey, children }: ItemsProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const run = onKey[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <ul ref={ref} className={classes['items']} aria-label="Items" aria-busy={busy}>
      {items.map((item) => (
        <li key={item.id} data-active={item === active || undefined}>
          <UnstyledButton
            data-item={item.id}
            tabIndex={item === active ? 0 : -1}
            aria-current={item === active ? 'true' : undefined}
            className={classes['item']}
            onKeyDown={onKeyDown}
            onClick={() => onActive(item.id)}
          >
            <ItemWords item={item} />
          </UnstyledButton>
          {item === active ? children : null}
        </li>
      ))}
    </ul>
  );
}

function ItemWords({ item }: { item: NotMappedItem }) {
  const facts = [
    item.className,
    [item.manufacturer, item.manufacturerNo].filter(Boolean).join(' '),
    item.lastSold ? `sold ${formatDate(item.lastSold)}` : '',
    item.status === 'Active' ? '' : item.status,
  ];
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} className="tabular" style={{ overflowWrap: 'anywhere' }}>
          {item.itemNumber}
          {item.sellingRank === 'NEW' ? ' · NEW' : item.sellingRankNum > 0 ? ` · ${item.sellingRankNum} ★` : ''}
        </Text>
        <Chip tone={TONES[item.state]}>{item.state}</Chip>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {item.description}
      </Text>
      <Text size="xs" className="muted">
        {facts.filter(Boolean).join(' · ')}
      </Text>
      {item.note ? (
        <Text size="xs" className="muted" style={{ overflowWrap: 'anywhere' }}>
          {item.state === 'Ignored' ? `Left out: ${item.note}` : item.note}
        </Text>
      ) : null}
    </>
  );
}

// Item classes: how many items each has, and whether they are offered in quotes.
import { Button, Group, Modal, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { countOf } from '#shared/count-of.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { FilterSelect } from '#ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { ItemClass, type ItemClassRow } from './item-classes.contract.ts';

const PAGE_SIZE = 50;

export default function ItemClassesPage() {
  const list = useListAddress('item-classes', { keyword: '', visible: '' }, { field: 'name', dir: 'asc' });
  const { keyword, visible } = list.filters;
  const asked = (given: typeof list.filters) => ({
    keyword: given.keyword,
    visibleInWebQuote: given.visible === '' ? null : given.visible === 'true',
  });
  const criteria = { ...asked(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(ItemClass).GetItemClasses.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(ItemClass).ExportItemClasses.mutation(), onSuccess: saveFile });
  const [toggling, setToggling] = useState<ItemClassRow | null>(null);
  const [historyOf, setHistoryOf] = useState<ItemClassRow | null>(null);

  return (
    <ListPage
      title="Item Classes"
      hint="A hidden class disappears from search and the picker at once. Lines already on quotes stay."
      noun={['class', 'classes']}
      total={found.data?.total}
      countOf={(view) => api(ItemClass).GetItemClasses({ ...asked(list.filtersOf(view)), page: 1, pageSize: 1 })}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      filters={
        <>
          <KeywordField label="Class name" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
          <FilterSelect
            label="Shown in quotes or hidden"
            w={160}
            all="All"
            choices={[
              { value: 'true', label: 'Shown in quotes' },
              { value: 'false', label: 'Hidden' },
            ]}
            value={visible}
            onChange={(next) => list.filter({ visible: next })}
          />
        </>
      }
    >
      <DataList
        label="Item classes"
        columns={columnsOf(setToggling, setHistoryOf)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        card={(row) => (
          <Stack gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{row.name}</Text>
              <VisibleSwitch row={row} onToggle={setToggling} />
            </Group>
            <Group justify="space-between">
              <Text size="sm" className="muted">
                {countOf(row.activeItems, 'active item')}
              </Text>
              <HistoryButton row={row} onOpen={setHistoryOf} />
            </Group>
          </Stack>
        )}
      />
      {toggling ? <ToggleDialog row={toggling} onClose={() => setToggling(null)} /> : null}
      {historyOf ? (
        <Modal opened onClose={() => setHistoryOf(null)} title={`History of ${historyOf.name}`}>
          <HistoryPanel type="itemClass" id={historyOf.id} />
        </Modal>
      ) : null}
    </ListPage>
  );
}

type Pick = (row: ItemClassRow) => void;

const columnsOf = (onToggle: Pick, onHistory: Pick): Column<ItemClassRow>[] => [
  { field: 'name', title: 'Item class', render: (row) => row.name },
  {
    field: 'visibleInWebQuote',
    title: 'Shown in quotes',
    render: (row) => <VisibleSwitch row={row} onToggle={onToggle} />,
  },
  {
    field: 'activeItems',
    title: 'Active items',
    figure: true,
    render: (row) => row.activeItems.toLocaleString('en-US'),
  },
  {
    field: 'discontinuedItems',
    title: 'Discontinued',
    figure: true,
    render: (row) => row.discontinuedItems.toLocaleString('en-US'),
  },
  { field: 'products', title: 'Products', figure: true, render: (row) => row.products.toLocaleString('en-US') },
  { title: 'History', render: (row) => <HistoryButton row={row} onOpen={onHistory} /> },
];

function VisibleSwitch({ row, onToggle }: { row: ItemClassRow; onToggle: Pick }) {
  return (
    <Switch aria-label={`${row.name} shown in quotes`} checked={row.visibleInWebQuote} onChange={() => onToggle(row)} />
  );
}

function HistoryButton({ row, onOpen }: { row: ItemClassRow; onOpen: Pick }) {
  return (
    <Button variant="subtle" size="compact-sm" aria-label={`History of ${row.name}`} onClick={() => onOpen(row)}>
      History
    </Button>
  );
}

function ToggleDialog({ row, onClose }: { row: ItemClassRow; onClose: () => void }) {
  const hiding = row.visibleInWebQuote;
  const use = useQuery({ ...api(ItemClass).GetItemClassUse.query({ id: row.id }), staleTime: 0 });
  const toggle = useMutation({
    ...api(ItemClass).ShowHideItemClassInWebQuote.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${row.name} is ${hiding ? 'hidden from' : 'shown in'} quotes.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={hiding ? `Hide ${row.name}?` : `Show ${row.name} again?`}
      action={hiding ? 'Hide' : 'Show'}
      harmful={hiding}
      busy={toggle.isPending}
      error={toggle.error}
      onConfirm={() => toggle.mutate({ id: row.id, visible: hiding ? 'false' : 'true' })}
      onClose={onClose}
    >
      {use.error ? <ErrorAlert error={use.error} title="The effects could not be loaded" /> : null}
      {use.data ? (
        <Text size="sm">
          {hiding
            ? `Search and the picker no longer find its ${countOf(use.data.activeItems, 'active item')}. Its lines stay on ${countOf(use.data.openQuotes, 'open quote')} and in ${countOf(use.data.templates, 'template')}, but no more can be added.`
            : `Search and the picker find its ${countOf(use.data.activeItems, 'active item')} again.`}
        </Text>
      ) : use.error ? null : (
        <Skeleton height={40} aria-label="Loading" />
      )}
    </ConfirmDialog>
  );
}

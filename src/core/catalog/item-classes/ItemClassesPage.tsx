// Item classes: how many items each has, and whether they are offered in quotes.
import { Button, Group, Modal, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { activeOrNot } from '#platform/ui/Active.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { ItemClass, type ItemClassRow } from './item-classes.contract.ts';

export default function ItemClassesPage() {
  const [toggling, setToggling] = useState<ItemClassRow | null>(null);
  const [historyOf, setHistoryOf] = useState<ItemClassRow | null>(null);
  const list = useRecordList({
    name: 'item-classes',
    filters: { keyword: '', visible: '' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, visible }) => ({ keyword, visibleInWebQuote: activeOrNot(visible) }),
    find: api(ItemClass).GetItemClasses,
    exported: api(ItemClass).ExportItemClasses,
  });
  const switchOf = (row: ItemClassRow) => (
    <Switch
      aria-label={`${row.name} shown in quotes`}
      checked={row.visibleInWebQuote}
      onChange={() => setToggling(row)}
    />
  );
  const historyButton = (row: ItemClassRow) => (
    <Button variant="subtle" size="compact-sm" aria-label={`History of ${row.name}`} onClick={() => setHistoryOf(row)}>
      History
    </Button>
  );
  const columns: Column<ItemClassRow>[] = [
    { field: 'name', title: 'Item class' },
    { field: 'visibleInWebQuote', title: 'Shown in quotes', render: switchOf },
    { field: 'activeItems', title: 'Active items', figure: true },
    { field: 'discontinuedItems', title: 'Discontinued', figure: true },
    { field: 'products', title: 'Products', figure: true },
    { title: 'History', render: historyButton },
  ];

  return (
    <ListPage
      title="Item Classes"
      hint="A hidden class disappears from search and the picker immediately. Lines already on quotes stay."
      noun={['class', 'classes']}
      {...list.page}
      filters={
        <>
          <KeywordField label="Class name" {...list.field('keyword')} />
          <FilterSelect
            label="Shown in quotes or hidden"
            w={160}
            all="All"
            choices={[
              { value: 'true', label: 'Shown in quotes' },
              { value: 'false', label: 'Hidden' },
            ]}
            {...list.field('visible')}
          />
        </>
      }
    >
      <DataList
        label="Item classes"
        columns={columns}
        {...list.rows}
        card={(row) => (
          <Stack gap={4}>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={600}>{row.name}</Text>
              {switchOf(row)}
            </Group>
            <Group justify="space-between">
              <Text size="sm" className="muted">
                {countOf(row.activeItems, 'active item')}
              </Text>
              {historyButton(row)}
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
      {use.error ? (
        <ErrorAlert error={use.error} title="The effects could not be loaded" onRetry={use.refetch} />
      ) : null}
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

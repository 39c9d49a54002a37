// The list of regions, with their managers and state.
import { Anchor, Checkbox, Group, MultiSelect, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { paths } from '#shared/paths.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#ui/Active.tsx';
import { AddButton } from '#ui/AddButton.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { pageShown, useListAddress } from '#ui/list-address.web.ts';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { Region, RegionInput, type RegionRow } from './regions.contract.ts';

const PAGE_SIZE = 50;

export default function RegionsPage() {
  const list = useListAddress('regions', { keyword: '', active: 'true' }, { field: 'name', dir: 'asc' });
  const { keyword, active } = list.filters;
  const asked = (given: typeof list.filters) => ({ ...given, active: activeOrNot(given.active) });
  const criteria = { ...asked(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(Region).GetAllRegions.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const exported = useMutation({ ...api(Region).ExportRegions.mutation(), onSuccess: saveFile });
  const [editing, setEditing] = useState<number | null>(null);

  return (
    <ListPage
      title="Regions"
      noun={['region', 'regions']}
      total={found.data?.total}
      countOf={(view) => api(Region).GetAllRegions({ ...asked(list.filtersOf(view)), page: 1, pageSize: 1 })}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      actions={<AddButton label="Add Region" onAdd={() => setEditing(0)} />}
      filters={
        <>
          <KeywordField label="Region name" value={keyword} onChange={(next) => list.filter({ keyword: next })} />
          <ActiveFilter value={active} onChange={(next) => list.filter({ active: next })} />
        </>
      }
    >
      <DataList
        label="Regions"
        columns={columnsOf(setEditing)}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => <RegionCard row={row} onOpen={setEditing} />}
      />
      {editing === null ? null : <RegionDrawer id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<RegionRow>[] => [
  { field: 'name', title: 'Region', render: (row) => <OpenLink row={row} onOpen={onOpen} /> },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
  { title: 'Managers', width: 320, render: (row) => row.managers.map(({ name }) => name).join(', ') || '–' },
  {
    field: 'activeTerritories',
    title: 'Active territories',
    figure: true,
    render: (row) =>
      row.activeTerritories === 0 ? (
        0
      ) : (
        <Anchor
          aria-label={`${row.activeTerritories} active territories of ${row.name}`}
          renderRoot={(props) => <Link {...props} to={paths.territories} search={{ region: String(row.id) }} />}
        >
          {row.activeTerritories}
        </Anchor>
      ),
  },
];

function OpenLink({ row, onOpen }: { row: RegionRow; onOpen: (id: number) => void }) {
  return (
    <Anchor component="button" type="button" fw={600} onClick={() => onOpen(row.id)}>
      {row.name}
    </Anchor>
  );
}

function RegionCard({ row, onOpen }: { row: RegionRow; onOpen: (id: number) => void }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between">
        <OpenLink row={row} onOpen={onOpen} />
        <ActiveChip active={row.active} />
      </Group>
      <Text size="sm" className="muted">
        {row.managers.map(({ name }) => name).join(', ') || 'No manager'} · {row.activeTerritories}{' '}
        {row.activeTerritories === 1 ? 'active territory' : 'active territories'}
      </Text>
    </Stack>
  );
}

function RegionDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const edit = useQuery({ ...api(Region).PopulateRegionEditModel.query(id ? { id } : {}), staleTime: 0, gcTime: 0 });
  return (
    <RecordDrawer onClose={onClose} title={id ? 'Edit Region' : 'Add Region'}>
      {edit.error ? <ErrorAlert error={edit.error} title="This region could not be loaded" /> : null}
      {edit.data ? <RegionForm edit={edit.data} onClose={onClose} /> : edit.error ? null : <Skeleton height={240} />}
    </RecordDrawer>
  );
}

type EditData = OutputOf<typeof Region.PopulateRegionEditModel>;

function RegionForm({ edit, onClose }: { edit: EditData; onClose: () => void }) {
  const form = useRecordForm({
    record: edit.region,
    schema: RegionInput,
    save: (region) => api(Region).SaveRegion(region),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  return (
    <Stack>
      <RecordForm
        form={form}
        label="Region"
        labels={{ name: 'Name', active: 'Active', managerIds: 'Managers' }}
        inWords={(field, value) =>
          field === 'managerIds'
            ? edit.managers
                .filter((one) => (value as number[]).includes(one.id))
                .map((one) => one.name)
                .join(', ') || '–'
            : undefined
        }
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={100}
          value={values.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <MultiSelect
          label="Managers"
          description="Sales quote managers, who see the region's quotes and approve up to their limit."
          searchable
          data={edit.managers.map((one) => ({ value: String(one.id), label: one.name }))}
          value={values.managerIds.map(String)}
          error={errors['managerIds']}
          onChange={(ids) => set({ managerIds: ids.map(Number) })}
        />
        <Checkbox
          label="Active"
          checked={values.active}
          error={errors['active']}
          onChange={(event) => set({ active: event.currentTarget.checked })}
        />
      </RecordForm>
      {edit.territories.length > 0 ? (
        <Text size="sm" className="muted">
          Active territories:{' '}
          {edit.territories.map((one, index) => (
            <span key={one.id}>
              {index > 0 ? ', ' : ''}
              <Anchor component={Link} to={paths.territory(one.id)} inherit>
                {one.name}
              </Anchor>
            </span>
          ))}
        </Text>
      ) : null}
      {edit.region.id ? (
        <section>
          <Title order={2} size="h6" mb="xs">
            History
          </Title>
          <HistoryPanel type="region" id={edit.region.id} />
        </section>
      ) : null}
    </Stack>
  );
}

// The list of regions, with their managers and state.
import { Anchor, Checkbox, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistorySection } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#platform/ui/Active.tsx';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { EditDrawer } from '#platform/ui/EditDrawer.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { RowCard } from '#platform/ui/RowCard.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { REGION, Region, RegionInput, type RegionRow } from './regions.contract.ts';

export default function RegionsPage() {
  const [editing, setEditing] = useState<number | null>(null);
  const list = useRecordList({
    name: 'regions',
    filters: { keyword: '', active: 'true' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, active }) => ({ keyword, active: activeOrNot(active) }),
    find: api(Region).GetAllRegions,
    exported: api(Region).ExportRegions,
  });
  const nameOf = (row: RegionRow) => <RowLink name={row.name} onOpen={() => setEditing(row.id)} />;
  const columns: Column<RegionRow>[] = [
    { field: 'name', title: 'Region', render: nameOf },
    { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
    { title: 'Managers', width: 320, render: (row) => namesOf(row.managers) || '–' },
    { field: 'activeTerritories', title: 'Active territories', figure: true, render: territoriesOf },
  ];
  return (
    <ListPage
      title="Regions"
      noun={['region', 'regions']}
      {...list.page}
      actions={<AddButton label="Add Region" onAdd={() => setEditing(0)} />}
      filters={
        <>
          <KeywordField label="Region name" {...list.field('keyword')} />
          <ActiveFilter {...list.field('active')} />
        </>
      }
    >
      <DataList
        label="Regions"
        columns={columns}
        {...list.rows}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => (
          <RowCard name={nameOf(row)} state={<ActiveChip active={row.active} />}>
            {namesOf(row.managers) || 'No manager'} ·{' '}
            {countOf(row.activeTerritories, 'active territory', 'active territories')}
          </RowCard>
        )}
      />
      {editing === null ? null : <RegionDrawer id={editing} onClose={() => setEditing(null)} />}
    </ListPage>
  );
}

const namesOf = (people: readonly Named[]) => people.map(({ name }) => name).join(', ');

function territoriesOf({ id, name, activeTerritories }: RegionRow) {
  if (activeTerritories === 0) return 0;
  return (
    <Anchor
      aria-label={`${activeTerritories} active territories of ${name}`}
      renderRoot={(props) => <Link {...props} to={paths.territories} search={{ region: String(id) }} />}
    >
      {activeTerritories}
    </Anchor>
  );
}

function RegionDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const edit = useQuery({ ...api(Region).PopulateRegionEditModel.query(id ? { id } : {}), ...READ_ANEW });
  return (
    <EditDrawer
      title={id ? 'Edit Region' : 'Add Region'}
      edit={edit}
      failed="This region could not be loaded"
      onClose={onClose}
    >
      {(read) => <RegionForm edit={read} onClose={onClose} />}
    </EditDrawer>
  );
}

type Edit = OutputOf<typeof Region.PopulateRegionEditModel>;

function RegionForm({ edit: { region, managers, territories }, onClose }: { edit: Edit; onClose: () => void }) {
  const form = useRecordForm({
    record: region,
    schema: RegionInput,
    save: api(Region).SaveRegion,
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const field = fieldsOf(form, RegionInput, REGION.labels);
  const managersIn = (ids: unknown) => namesOf(managers.filter(({ id }) => (ids as number[]).includes(id)));
  return (
    <Stack>
      <RecordForm
        form={form}
        label="Region"
        labels={REGION.labels}
        inWords={(name, value) => (name === 'managerIds' ? managersIn(value) : undefined)}
        onCancel={onClose}
      >
        <TextInput {...field.text('name')} data-autofocus />
        <MultiSelect
          {...field.ids('managerIds', managers)}
          description="Sales quote managers, who see the region's quotes and approve up to their limit."
          searchable
        />
        <Checkbox {...field.check('active')} />
      </RecordForm>
      {territories.length > 0 ? (
        <Text size="sm" className="muted">
          Active territories:{' '}
          {territories.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 ? ', ' : ''}
              <Anchor component={Link} to={paths.territory(id)} inherit>
                {name}
              </Anchor>
            </span>
          ))}
        </Text>
      ) : null}
      <HistorySection type="region" id={region.id} />
    </Stack>
  );
}

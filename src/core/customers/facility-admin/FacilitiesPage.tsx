// Lists all facilities, so that the user can find and open one.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityList, type FacilityRow } from '#core/customers/facilities/facility-list.contract.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#platform/ui/Active.tsx';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { FACILITY_KEEPERS } from './facility-admin.contract.ts';
import { FacilityDrawer } from './record/FacilityDrawer.tsx';

export default function FacilitiesPage() {
  const navigate = useNavigate();
  const user = useSession();
  const mayImport = user !== null && hasRole(user, 'systemadmin');
  const list = useRecordList({
    name: 'facilities',
    filters: { keyword: '', active: 'true' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, active }) => ({ keyword, active: activeOrNot(active) }),
    find: api(FacilityList).GetAllFacilities,
    exported: api(FacilityList).ExportFacilities,
  });
  const mayEdit = user !== null && hasRole(user, ...FACILITY_KEEPERS);
  const [adding, setAdding] = useState(false);

  return (
    <ListPage
      title="Facilities"
      noun={['facility', 'facilities']}
      {...list.page}
      actions={
        <>
          {mayImport ? (
            <Button
              variant="default"
              renderRoot={(props) => <Link {...props} to={paths.dataImport} search={{ kind: 'facilities' }} />}
            >
              Import from a file
            </Button>
          ) : null}
          {mayEdit ? <AddButton label="Add Facility" onAdd={() => setAdding(true)} /> : null}
        </>
      }
      filters={
        <>
          <KeywordField label="Name, account, city or ZIP" {...list.field('keyword')} />
          <ActiveFilter {...list.field('active')} />
        </>
      }
    >
      <DataList
        label="Facilities"
        columns={COLUMNS}
        {...list.rows}
        rowHref={(row) => paths.facility(row.id)}
        onOpen={(row) => void navigate({ to: paths.facility(row.id) })}
        card={(row) => <FacilityCard row={row} />}
      />
      {adding ? (
        <FacilityDrawer
          id={0}
          onSaved={({ id }) => void navigate({ to: paths.facility(id) })}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </ListPage>
  );
}

const COLUMNS: Column<FacilityRow>[] = [
  { field: 'acctNo', title: 'Account' },
  { field: 'name', title: 'Facility', width: 320, render: (row) => <NameLink row={row} /> },
  { field: 'city', title: 'City' },
  { field: 'state', title: 'State' },
  { field: 'zip', title: 'ZIP' },
  { field: 'classOfTrade', title: 'Class of trade' },
  { field: 'priceLevel', title: 'Price level' },
  { field: 'active', title: 'Active', render: (row) => <ActiveChip active={row.active} /> },
];

function NameLink({ row }: { row: FacilityRow }) {
  return (
    <Anchor component={Link} to={paths.facility(row.id)} fw={600}>
      {row.name}
    </Anchor>
  );
}

function FacilityCard({ row }: { row: FacilityRow }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap">
        <NameLink row={row} />
        <ActiveChip active={row.active} />
      </Group>
      <Text size="sm" className="muted">
        {row.acctNo} · {row.city}, {row.state} {row.zip}
      </Text>
    </Stack>
  );
}

// Lists all facilities, so that a person can find and open one.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { FacilityList, type FacilityRow } from '#features/customers/facilities/facility-list.contract.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import { paths } from '#shared/paths.ts';
import { hasRole } from '#shared/roles.ts';
import { ActiveChip, ActiveFilter, activeOrNot } from '#ui/Active.tsx';
import { AddButton } from '#ui/AddButton.tsx';
import { type Column, DataList } from '#ui/DataList.tsx';
import { KeywordField, ListPage } from '#ui/ListPage.tsx';
import { filtersIn, pageShown, useListAddress } from '#ui/list-address.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { FACILITY_KEEPERS } from './facility-admin.contract.ts';
import { FacilityDrawer } from './record/FacilityDrawer.tsx';

const PAGE_SIZE = 50;

const NO_FILTERS = { keyword: '', active: 'true' };
const criteriaOf = ({ keyword, active }: typeof NO_FILTERS) => ({ keyword, active: activeOrNot(active) });

export default function FacilitiesPage() {
  const navigate = useNavigate();
  const user = useSession();
  const mayImport = user !== null && hasRole(user, 'systemadmin');
  const list = useListAddress('facilities', NO_FILTERS, { field: 'name', dir: 'asc' });
  const { keyword, active } = list.filters;
  const criteria = { ...criteriaOf(list.filters), sort: list.sort };
  const found = useQuery({
    ...api(FacilityList).GetAllFacilities.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });
  const mayEdit = user !== null && hasRole(user, ...FACILITY_KEEPERS);
  const [adding, setAdding] = useState(false);
  const exported = useMutation({ ...api(FacilityList).ExportFacilities.mutation(), onSuccess: saveFile });

  return (
    <ListPage
      title="Facilities"
      noun={['facility', 'facilities']}
      total={found.data?.total}
      countOf={(view) =>
        api(FacilityList).GetAllFacilities({ ...criteriaOf(filtersIn(view, NO_FILTERS)), page: 1, pageSize: 1 })
      }
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
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
          <KeywordField
            label="Name, account, city or ZIP"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <ActiveFilter value={active} onChange={(next) => list.filter({ active: next })} />
        </>
      }
    >
      <DataList
        label="Facilities"
        columns={COLUMNS}
        {...pageShown(found, list, PAGE_SIZE)}
        rowKey={(row) => row.id}
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
  { field: 'acctNo', title: 'Account', render: (row) => row.acctNo },
  { field: 'name', title: 'Facility', width: 320, render: (row) => <NameLink row={row} /> },
  { field: 'city', title: 'City', render: (row) => row.city },
  { field: 'state', title: 'State', render: (row) => row.state },
  { field: 'zip', title: 'ZIP', render: (row) => row.zip },
  { field: 'classOfTrade', title: 'Class of trade', render: (row) => row.classOfTrade },
  { field: 'priceLevel', title: 'Price level', render: (row) => row.priceLevel },
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

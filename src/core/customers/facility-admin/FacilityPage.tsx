// One facility: its details, quotes and prices. Each is a tab that the address names.
import { Anchor, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useRecentPlace } from '#platform/recent-records/recent-records.web.ts';
import { type FacilityData, FacilitySearch } from '#core/customers/facilities/facilities.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ActiveChip } from '#platform/ui/Active.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { FacilityQuotesPanel } from './FacilityQuotesPanel.tsx';
import { useFacilityTab } from './facility-tab.web.ts';
import { FacilityPricesPanel } from './prices/FacilityPricesPanel.tsx';
import { FacilityDetailsPanel } from './record/FacilityDetailsPanel.tsx';

export default function FacilityPage() {
  const { id } = useParams({ from: '/signed-in/facilities/$id' });
  const navigate = useNavigate();
  const query = useQuery(api(FacilitySearch).GetFacilityDataById.query({ id: Number(id) }));
  useRecentPlace('facility', query.data?.name, query.data && `Acct. ${query.data.acctNo}`);
  // The address of a merged facility redirects to the facility that it was merged into.
  const other = query.data && query.data.id !== Number(id) ? query.data.id : null;
  useEffect(() => {
    if (other !== null) void navigate({ to: paths.facility(other), replace: true });
  }, [other, navigate]);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.facilities} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Facilities
      </Anchor>
      <PageTitle>{query.data?.name ?? 'Facility'}</PageTitle>
      {query.data ? (
        <OneFacility key={query.data.id} facility={query.data} />
      ) : query.error ? (
        <ErrorAlert error={query.error} title="The facility could not be loaded" onRetry={query.refetch} />
      ) : (
        <Skeleton height={320} radius="sm" aria-label="Loading" />
      )}
    </Stack>
  );
}

/** `order` is the tab's initial sort order. */
type Tab = { tab: string; label: string; order: Sort };
const DETAILS: Tab = { tab: 'details', label: 'Details', order: { field: '', dir: 'asc' } };
const TABS: Tab[] = [
  DETAILS,
  { tab: 'quotes', label: 'Quotes', order: { field: 'quoteDate', dir: 'desc' } },
  { tab: 'prices', label: 'Price list', order: { field: 'itemNumber', dir: 'asc' } },
];

function OneFacility({ facility }: { facility: FacilityData }) {
  const navigate = useNavigate();
  const { tab: request } = useAddress();
  const { tab: current, order } = TABS.find(({ tab }) => tab === request) ?? DETAILS;
  const list = useFacilityTab(order);
  const open = (tab: string | null) =>
    void navigate({ to: paths.facility(facility.id), search: tab === 'details' ? {} : { tab }, resetScroll: false });
  useKeys(TABS.map(({ tab, label }, index) => ({ key: String(index + 1), label, run: () => open(tab) })));
  return (
    <>
      <Group gap="sm" px={{ base: 'md', sm: 0 }}>
        <Title order={1}>{facility.name}</Title>
        <ActiveChip active={facility.active} />
        <Text className="muted tabular">Acct. {facility.acctNo}</Text>
      </Group>
      <Tabs value={current} keepMounted={false} onChange={open}>
        <Tabs.List mb="md" aria-label="Facility sections">
          {TABS.map(({ tab, label }) => (
            <Tabs.Tab key={tab} value={tab}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="details" px={{ base: 'md', sm: 0 }} pb={{ base: 'md', sm: 0 }}>
          <FacilityDetailsPanel facility={facility} />
        </Tabs.Panel>
        <Tabs.Panel value="quotes">
          <FacilityQuotesPanel facility={facility} list={list} />
        </Tabs.Panel>
        <Tabs.Panel value="prices">
          <FacilityPricesPanel facility={facility} list={list} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

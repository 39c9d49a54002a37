// One facility, in its parts.
import { Anchor, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '#api/client.web.ts';
import { FacilitySearch } from '#features/facilities/facilities.contract.ts';
import { paths } from '#shared/paths.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import { ActiveChip } from './FacilitiesPage.tsx';
import { FacilityDetailsPanel } from './FacilityDetailsPanel.tsx';

export default function FacilityPage() {
  const { id = '' } = useParams({ strict: false });
  const found = useQuery(api(FacilitySearch).GetFacilityDataById.query({ id: Number(id) }));
  return (
    <Stack p="md" gap="md">
      <Anchor component={Link} to={paths.facilities} size="sm">
        ‹ Facilities
      </Anchor>
      <PageTitle>{found.data?.name ?? 'Facility'}</PageTitle>
      {found.error ? <ErrorAlert error={found.error} title="The facility could not be loaded" /> : null}
      {found.isPending ? <Skeleton height={240} radius="sm" aria-label="Loading" /> : null}
      {found.data ? (
        <>
          <Group gap="sm">
            <Title order={1}>{found.data.name}</Title>
            <ActiveChip active={found.data.active} />
          </Group>
          <FacilityDetailsPanel facility={found.data} />
        </>
      ) : null}
    </Stack>
  );
}

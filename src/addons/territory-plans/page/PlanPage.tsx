// One territory plan: its moves, their effects, their conflicts, and the steps to publish it.
import { Anchor, Group, Skeleton, Stack, Switch, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { ConflictDialog } from '#platform/ui/ConflictDialog.tsx';
import { NARROW } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { ConflictsPanel } from './ConflictsPanel.tsx';
import { EffectsPanel } from './EffectsPanel.tsx';
import { MovesPanel } from './MovesPanel.tsx';
import { PlanHead } from './PlanHead.tsx';
import { planStore } from './plan-store.ts';
import { PlanContext, usePlan } from './plan.web.ts';
import { listSome } from '../plan-words.ts';
import { type LoadedMap, TerritoryPlans } from '../territory-plans.contract.ts';
import classes from '../territory-plans.module.css';

export default function PlanPage() {
  const { id } = useParams({ from: '/signed-in/tools/zipsAssignMapSaved/$id' });
  return <OnePlan key={id} id={Number(id)} />;
}

function OnePlan({ id }: { id: number }) {
  // Loads once. After that the store keeps the plan.
  const plan = useQuery({
    ...api(TerritoryPlans).loadSavedMap.query({ id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.savedMaps} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Territory Plans
      </Anchor>
      <PageTitle>{plan.data?.map.name ?? 'Territory Plan'}</PageTitle>
      {plan.data ? (
        <OpenedPlan start={plan.data} />
      ) : plan.error ? (
        <ErrorAlert error={plan.error} title="This plan could not be loaded" onRetry={plan.refetch} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
    </Stack>
  );
}

function OpenedPlan({ start }: { start: LoadedMap }) {
  const { id } = start.map;
  const [store] = useState(() =>
    planStore({
      start,
      changes: (version) => api(TerritoryPlans).changesOfSavedMap({ id, version }),
      save: (moves, version) => api(TerritoryPlans).saveSavedMap({ map: { id }, moves, version }),
      weigh: () => api(TerritoryPlans).weighSavedMap({ id }),
      onStayed: (zips) =>
        notifications.show({
          message: `${countOf(zips.length, 'ZIP')} ${zips.length === 1 ? 'is' : 'are'} already in the planned territory: ${listSome(zips)}`,
          autoClose: 10_000,
        }),
    }),
  );
  useEffect(() => {
    // After a failure, the next check tries again. The user's own actions report their errors.
    const look = () => void store.catchUp().catch(() => {});
    window.addEventListener('focus', look);
    return () => {
      window.removeEventListener('focus', look);
      store.dispose();
    };
  }, [store]);
  return (
    <PlanContext value={store}>
      <Parts />
    </PlanContext>
  );
}

/** Shows the map once its code has loaded. The tables work without it. */
function MapPart({ isPhone }: { isPhone: boolean }) {
  const part = useQuery({
    queryKey: ['code', 'plan-map'],
    queryFn: () => import('../map/PlanMap.tsx'),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const PlanMap = part.data?.default;
  if (PlanMap) return <PlanMap isPhone={isPhone} />;
  return part.error ? (
    <ErrorAlert error={part.error} title="The map could not be loaded" onRetry={part.refetch} />
  ) : (
    <Skeleton height="60vh" aria-label="Loading" />
  );
}

const TABS = ['moves', 'effects', 'conflicts', 'history'] as const;

function Parts() {
  const { loaded, moves, unsaved, store, conflict } = usePlan();
  const user = useSession();
  const isPhone = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const list = useListAddress(null, { tab: 'moves', map: 'shown' }, { field: '', dir: 'asc' });
  const tab = TABS.find((candidate) => candidate === list.filters.tab) ?? 'moves';
  const withMap = list.filters.map !== 'hidden';
  const readsHistory = user !== null && hasRole(user, 'systemadmin', 'salesadmin');
  useUnsaved(unsaved > 0, () => {
    // Saves while the prompt is open. The head shows a failure.
    store.saved().catch(() => {});
    return null;
  });

  return (
    <>
      <PlanHead isPhone={isPhone} />
      {isPhone ? (
        <Text size="sm" px="md" role="note">
          You can view plans on a phone. To change this plan, open it on a larger screen.
        </Text>
      ) : null}
      <section aria-label="Plan map">
        <Group justify="flex-end" px={{ base: 'md', sm: 0 }} mb={4}>
          <Switch
            size="sm"
            label="Map"
            checked={withMap}
            onChange={(event) => list.filter({ map: event.currentTarget.checked ? 'shown' : 'hidden' })}
          />
        </Group>
        {withMap ? <MapPart isPhone={isPhone} /> : null}
      </section>
      <section className="card" aria-label="Plan details">
        <Tabs value={tab} keepMounted={false} onChange={(next) => list.filter({ tab: next ?? 'moves' })}>
          <Tabs.List>
            <Tabs.Tab value="moves">Moves ({moves.length.toLocaleString('en-US')})</Tabs.Tab>
            <Tabs.Tab value="effects">Effects</Tabs.Tab>
            <Tabs.Tab value="conflicts">Conflicts ({loaded.conflicts.length.toLocaleString('en-US')})</Tabs.Tab>
            {readsHistory ? <Tabs.Tab value="history">History</Tabs.Tab> : null}
          </Tabs.List>
          <Tabs.Panel value="moves">
            <MovesPanel />
          </Tabs.Panel>
          <Tabs.Panel value="effects">
            <EffectsPanel />
          </Tabs.Panel>
          <Tabs.Panel value="conflicts">
            <ConflictsPanel />
          </Tabs.Panel>
          {readsHistory ? (
            <Tabs.Panel value="history" p="md" className={classes['history'] ?? ''}>
              <HistoryPanel type="territoryPlan" id={loaded.map.id} />
            </Tabs.Panel>
          ) : null}
        </Tabs>
      </section>
      {conflict ? (
        <ConflictDialog
          conflict={conflict}
          what="this plan"
          rows={[]}
          busy={false}
          onTakeTheirs={() => store.settle('theirs')}
          onKeepMine={() => store.settle('mine')}
        />
      ) : null}
    </>
  );
}

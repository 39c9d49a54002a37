// One territory plan: its moves, their effects, their conflicts, and the steps to publish it.
import { Anchor, Group, Skeleton, Stack, Switch, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { api } from '#api/client.web.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import { countOf } from '#shared/count-of.ts';
import { paths } from '#shared/paths.ts';
import { hasRole } from '#shared/roles.ts';
import { ConflictDialog } from '#ui/ConflictDialog.tsx';
import { NARROW } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useListAddress } from '#ui/list-address.web.ts';
import { PageTitle } from '#ui/PageTitle.tsx';
import { useUnsaved } from '#ui/unsaved.web.ts';
import { BalancePanel } from './BalancePanel.tsx';
import { CleanUpPanel } from './CleanUpPanel.tsx';
import { ConflictsPanel } from './ConflictsPanel.tsx';
import { EffectsPanel } from './EffectsPanel.tsx';
import { MovesPanel } from './MovesPanel.tsx';
import { PlanHead } from './PlanHead.tsx';
import { planStore } from './plan-store.ts';
import { PlanContext, usePlan } from './plan.web.ts';
import { NOTHING_SUGGESTED, type PlanView, PlanViewContext, type Suggested } from './plan-view.web.ts';
import type { ZipClash } from './unsaved-moves.ts';
import { some, territoryWords } from '../plan-words.ts';
import { type LoadedMap, TerritoryPlans } from '../territory-plans.contract.ts';
import classes from '../territory-plans.module.css';

/** How often the page looks for other people's moves, in milliseconds. */
const LOOK_AGAIN = 60_000;
const MOST_SHOWN = 20;

export default function PlanPage() {
  const { id } = useParams({ from: '/signed-in/tools/zipsAssignMapSaved/$id' });
  return <OnePlan key={id} id={Number(id)} />;
}

function OnePlan({ id }: { id: number }) {
  // Loads once. After that the store keeps the plan and takes over other people's changes.
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
        <ErrorAlert error={plan.error} title="This plan could not be loaded" />
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
          message: `${countOf(zips.length, 'ZIP')} ${zips.length === 1 ? 'is' : 'are'} where you want ${zips.length === 1 ? 'it' : 'them'} already: ${some(zips)}`,
          autoClose: 10_000,
        }),
    }),
  );
  useEffect(() => {
    // The next look retries after a failure. A person's own actions report their errors.
    const look = () => void store.catchUp().catch(() => {});
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), LOOK_AGAIN);
    const onVisible = () => document.visibilityState === 'visible' && look();
    document.addEventListener('visibilitychange', onVisible);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('focus', look);
      store.dispose();
    };
  }, [store]);
  return (
    <PlanContext value={store}>
      <WithView>
        <Parts />
      </WithView>
    </PlanContext>
  );
}

/** Joins the map of the plan with the tables below it. */
function WithView({ children }: { children: ReactNode }) {
  const [suggested, suggest] = useState<Suggested>(NOTHING_SUGGESTED);
  const [show, setShow] = useState<PlanView['show']>(undefined);
  // React calls a function passed to a state setter, so another function wraps it.
  const onMap = useCallback((next: PlanView['show']) => setShow(() => next), []);
  const view = useMemo(() => ({ suggested, suggest, show, onMap }), [suggested, show, onMap]);
  return <PlanViewContext value={view}>{children}</PlanViewContext>;
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

const TABS = ['moves', 'effects', 'conflicts', 'cleanUp', 'balance', 'history'] as const;

function Parts() {
  const { loaded, moves, unsaved, store, clashes, clashedWith } = usePlan();
  const user = useSession();
  const isPhone = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const list = useListAddress(null, { tab: 'moves', map: 'shown' }, { field: '', dir: 'asc' });
  const tab = TABS.find((one) => one === list.filters.tab) ?? 'moves';
  const withMap = list.filters.map !== 'hidden';
  const readsHistory = user !== null && hasRole(user, 'systemadmin', 'salesadmin');
  useUnsaved(unsaved > 0, () => {
    // Saves while the question is open. The head shows a failure.
    store.saved().catch(() => {});
    return null;
  });

  return (
    <>
      <PlanHead isPhone={isPhone} />
      {isPhone ? (
        <Text size="sm" px="md" role="note">
          On a phone you can look at a plan. To change it, open it on a wider screen.
        </Text>
      ) : null}
      <section aria-label="The plan on the map">
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
      <section className="card" aria-label="What the plan does">
        <Tabs value={tab} keepMounted={false} onChange={(next) => list.filter({ tab: next ?? 'moves' })}>
          <Tabs.List>
            <Tabs.Tab value="moves">Moves ({moves.length.toLocaleString('en-US')})</Tabs.Tab>
            <Tabs.Tab value="effects">Effects</Tabs.Tab>
            <Tabs.Tab value="conflicts">Conflicts ({loaded.conflicts.length.toLocaleString('en-US')})</Tabs.Tab>
            <Tabs.Tab value="cleanUp">Clean Up</Tabs.Tab>
            <Tabs.Tab value="balance">Balance</Tabs.Tab>
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
          <Tabs.Panel value="cleanUp">
            <CleanUpPanel mayEdit={loaded.allowed.edit && !isPhone} />
          </Tabs.Panel>
          <Tabs.Panel value="balance">
            <BalancePanel mayEdit={loaded.allowed.edit && !isPhone} />
          </Tabs.Panel>
          {readsHistory ? (
            <Tabs.Panel value="history" p="md" className={classes['history'] ?? ''}>
              <HistoryPanel type="territoryPlan" id={loaded.map.id} />
            </Tabs.Panel>
          ) : null}
        </Tabs>
      </section>
      {clashes.length > 0 ? (
        <ConflictDialog
          conflict={clashedWith}
          what={countOf(clashes.length, 'ZIP')}
          rows={clashRows(clashes)}
          busy={false}
          onTakeTheirs={() => store.settle('theirs')}
          onKeepMine={() => store.settle('mine')}
        />
      ) : null}
    </>
  );
}

function clashRows(clashes: readonly ZipClash[]) {
  const rows = clashes.slice(0, MOST_SHOWN).map(({ zip, theirs, mine }) => ({
    label: zip,
    theirs: theirs ? territoryWords(theirs.to) : 'Does not move',
    mine: mine ? territoryWords(mine.to) : 'Does not move',
  }));
  const more = clashes.length - MOST_SHOWN;
  return more > 0 ? [...rows, { label: `and ${more.toLocaleString('en-US')} more`, theirs: '', mine: '' }] : rows;
}

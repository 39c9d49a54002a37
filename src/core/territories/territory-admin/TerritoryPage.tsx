// One territory: its form, ZIPs, account overrides, open quotes, deactivation and history.
import { Anchor, Button, Group, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { ActiveChip } from '#platform/ui/Active.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { useMovingQuotes } from './moving-quotes/MoveQuotesDialog.tsx';
import { TerritoryQuotesPanel } from './moving-quotes/TerritoryQuotesPanel.tsx';
import { TerritoryOverridesPanel } from './overrides/TerritoryOverridesPanel.tsx';
import { worthInWords } from './TerritoriesPage.tsx';
import { TerritoryForm } from './TerritoryForm.tsx';
import { TerritoryAdmin, type TerritoryEditData } from './territory-admin.contract.ts';
import classes from './territory-admin.module.css';
import { TerritoryZipsPanel } from './zips/TerritoryZipsPanel.tsx';

export default function TerritoryPage() {
  const { id } = useParams({ from: '/signed-in/admin/territories/$id' });
  const territoryId = id === 'new' ? 0 : Number(id);
  return <OneTerritory key={id} id={territoryId} />;
}

function OneTerritory({ id }: { id: number }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = api(TerritoryAdmin).PopulateTerritoryEditModel.query(id ? { id } : {});
  const edit = useQuery({ ...query, ...READ_ANEW });
  const moving = useMovingQuotes(id || null);
  // Typed input survives a reload of the record. Only the user's own save resets the form.
  const [saves, setSaves] = useState(0);
  const title = id ? (edit.data?.territory.name ?? 'Territory') : 'Add Territory';
  const cancel = () => void navigate({ to: paths.territories });

  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.territories} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Territories
      </Anchor>
      <PageTitle>{title}</PageTitle>
      {edit.data ? (
        <>
          {id ? (
            <Head edit={edit.data} onMoveQuotes={moving.open} onSwitched={moving.check} />
          ) : (
            <Title order={1} px={{ base: 'md', sm: 0 }}>
              {title}
            </Title>
          )}
          <div className={id ? classes['columns'] : undefined}>
            <section className={`card ${classes['part']}`} aria-label="Territory">
              <TerritoryForm
                key={saves}
                edit={edit.data}
                {...(id ? {} : { onCancel: cancel })}
                onSaved={(territory) => {
                  notifications.show({ message: `${territory.name} is saved.` });
                  if (id) {
                    queries.setQueryData(query.queryKey, { ...edit.data, territory });
                    setSaves((count) => count + 1);
                    moving.check();
                  } else void navigate({ to: paths.territory(territory.id), replace: true });
                }}
              />
            </section>
            {id ? (
              <section className={`card ${classes['part']}`} aria-label="History of the territory">
                <Title order={2} size="h6" mb="xs">
                  History
                </Title>
                <div className={classes['history']}>
                  <HistoryPanel type="territory" id={id} />
                </div>
              </section>
            ) : null}
          </div>
          {id ? <Parts edit={edit.data} onChanged={moving.check} /> : null}
        </>
      ) : edit.error ? (
        <ErrorAlert error={edit.error} title="This territory could not be loaded" onRetry={edit.refetch} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
      {moving.dialog}
    </Stack>
  );
}

const TABS = ['zips', 'overrides', 'quotes'] as const;

/** The territory's assignments and quotes, each in a tab that the address names. */
function Parts({ edit, onChanged }: { edit: TerritoryEditData; onChanged: () => void }) {
  const { territory, facts, today } = edit;
  const list = useListAddress(
    `territory.${territory.id}`,
    { tab: 'zips', keyword: '', when: 'now' },
    { field: '', dir: 'asc' },
  );
  const tab = TABS.find((candidate) => candidate === list.filters.tab) ?? 'zips';
  const part = { territory, today, list, onChanged };
  const count = (value: number) => value.toLocaleString('en-US');
  return (
    <section className="card" aria-label="What the territory has">
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) => list.filter({ tab: next ?? 'zips', keyword: '', when: 'now' })}
      >
        <Tabs.List>
          <Tabs.Tab value="zips">ZIPs ({count(facts.zips)})</Tabs.Tab>
          <Tabs.Tab value="overrides">Account overrides ({count(facts.overrides)})</Tabs.Tab>
          <Tabs.Tab value="quotes">Open quotes ({count(facts.openQuotes)})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="zips">
          <TerritoryZipsPanel {...part} />
        </Tabs.Panel>
        <Tabs.Panel value="overrides">
          <TerritoryOverridesPanel {...part} />
        </Tabs.Panel>
        <Tabs.Panel value="quotes">
          <TerritoryQuotesPanel territoryId={territory.id} worth={worthInWords(facts.openValue)} list={list} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

function Head({
  edit,
  onMoveQuotes,
  onSwitched,
}: {
  edit: TerritoryEditData;
  onMoveQuotes: () => void;
  onSwitched: () => void;
}) {
  const { territory, active } = edit;
  const [asking, setAsking] = useState(false);
  const label = active ? 'Deactivate' : 'Activate';
  useKeys([
    { key: 'd', label, run: () => setAsking(true) },
    { key: 'm', label: 'Move Open Quotes', run: onMoveQuotes },
  ]);
  return (
    <Group justify="space-between" gap="xs" px={{ base: 'md', sm: 0 }}>
      <Group gap="sm">
        <Title order={1}>{territory.name}</Title>
        <ActiveChip active={active} />
      </Group>
      <Group gap="xs">
        <Button variant="default" onClick={onMoveQuotes}>
          Move Open Quotes
        </Button>
        <Button variant="default" onClick={() => setAsking(true)}>
          {label}
        </Button>
      </Group>
      {asking ? <SwitchDialog edit={edit} onSwitched={onSwitched} onClose={() => setAsking(false)} /> : null}
    </Group>
  );
}

/** Prompts for confirmation before deactivating or activating a territory, and shows what that affects. */
function SwitchDialog({
  edit,
  onSwitched,
  onClose,
}: {
  edit: TerritoryEditData;
  onSwitched: () => void;
  onClose: () => void;
}) {
  const { territory, active, facts } = edit;
  const toggle = useMutation({
    ...api(TerritoryAdmin).InactiveOrActiveTerritory.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${territory.name} is ${active ? 'inactive' : 'active'}.` });
      onClose();
      onSwitched();
    },
  });
  return (
    <ConfirmDialog
      title={`${active ? 'Deactivate' : 'Activate'} ${territory.name}?`}
      action={active ? 'Deactivate' : 'Activate'}
      harmful={active}
      busy={toggle.isPending}
      error={toggle.error}
      onConfirm={() => toggle.mutate({ id: territory.id, active: !active, version: territory.version })}
      onClose={onClose}
    >
      <Stack gap="xs">
        {(active ? offInWords(facts) : onInWords(facts)).map((line) => (
          <Text size="sm" key={line}>
            {line}
          </Text>
        ))}
      </Stack>
    </ConfirmDialog>
  );
}

function offInWords({ zips, zipsAlone, overrides, openQuotes, openValue }: TerritoryEditData['facts']): string[] {
  return [
    zipsAlone > 0
      ? `${countOf(zipsAlone, 'ZIP is', 'ZIPs are')} left without a territory: new quotes there name no representative.`
      : 'No ZIP is left without a territory.',
    zips > zipsAlone
      ? `${countOf(zips - zipsAlone, 'ZIP stays', 'ZIPs stay')} with another territory that has them too.`
      : '',
    overrides > 0 ? `${countOf(overrides, 'account override counts', 'account overrides count')} no longer.` : '',
    openQuotes > 0
      ? `${countOf(openQuotes, 'open quote')} worth ${worthInWords(openValue)} stay where they are, with their people, until they are moved.`
      : 'It has no open quotes.',
    'Nothing is deleted, and you can activate it again.',
  ].filter(Boolean);
}

function onInWords({ zips, overrides }: TerritoryEditData['facts']): string[] {
  return [
    `It serves ${countOf(zips, 'ZIP')} and ${countOf(overrides, 'account override')} again at once: new quotes there name its representatives.`,
  ];
}

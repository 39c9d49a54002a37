// Lists problems that a plan's moves cause, each with a move that would fix it; a person accepts or ignores it.
import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { api } from '#api/client.web.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import { type Fix, PlanHelp, type PlainOverride } from '#features/territories/plan-help/plan-help.contract.ts';
import { countOf } from '#shared/count-of.ts';
import { paths } from '#shared/paths.ts';
import { hasRole } from '#shared/roles.ts';
import { type Column, DataList } from '#ui/DataList.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { usePlan } from './plan.web.ts';
import { NOTHING_SUGGESTED, usePlanView } from './plan-view.web.ts';
import { some, territoryWords } from '../plan-words.ts';

const KIND_WORDS: Record<Fix['kind'], string> = {
  unassigned: 'No territory',
  island: 'Cut off from its territory',
  point: 'Apart from the area around',
};

const fixKey = ({ kind, zips, to }: Fix) => `${kind} ${zips[0]} ${to?.id}`;

export function CleanUpPanel({ mayEdit }: { mayEdit: boolean }) {
  const { loaded, store, moves } = usePlan();
  const { show, suggest } = usePlanView();
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const { id } = loaded.map;
  const found = useQuery({
    queryKey: [PlanHelp.cleanUpSavedMap.path, id],
    queryFn: async () => {
      await store.saved();
      return api(PlanHelp).cleanUpSavedMap({ id });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const planned = useMemo(() => new Map(moves.map(({ zip, to }) => [zip, to])), [moves]);
  const open = useMemo(
    () =>
      (found.data?.fixes ?? []).filter(
        (fix) => !refused.has(fixKey(fix)) && !(fix.to && fix.zips.every((zip) => planned.get(zip)?.id === fix.to?.id)),
      ),
    [found.data, refused, planned],
  );
  useEffect(() => {
    const drawn = open.flatMap(({ to, zips }) => (to ? zips.map((zip) => [zip, to] as const) : []));
    suggest(drawn.length > 0 ? new Map(drawn) : NOTHING_SUGGESTED);
  }, [open, suggest]);
  useEffect(() => () => suggest(NOTHING_SUGGESTED), [suggest]);
  const acceptable = open.filter(({ to }) => to !== null);
  const accept = (fixes: readonly Fix[]) => {
    const byTarget = Map.groupBy(fixes, ({ to }) => to?.id ?? 0);
    for (const [first, ...others] of byTarget.values())
      if (first?.to)
        store.move(
          [first, ...others].flatMap(({ zips }) => zips),
          first.to,
        );
  };
  if (found.error) return <ErrorAlert error={found.error} title="Not checked" onRetry={found.refetch} />;
  if (!found.data)
    return (
      <Text ta="center" py="xl" className="muted" role="status">
        Checking the territories …
      </Text>
    );
  const { fixes, total, overrides, overridesTotal } = found.data;
  const columns: Column<Fix>[] = [
    { title: 'What', width: 190, render: ({ kind }) => KIND_WORDS[kind] },
    {
      title: 'ZIPs',
      width: 340,
      render: ({ zips }) => (
        <span className="tabular" title={zips.slice(0, 100).join(', ')}>
          <b>{zips.length.toLocaleString('en-US')}</b>: {some(zips)}
        </span>
      ),
    },
    { title: 'From', width: 180, render: ({ from }) => territoryWords(from) },
    { title: 'Suggested', width: 180, render: ({ to }) => (to ? <b>{to.name}</b> : 'No territory lies beside') },
    {
      title: 'Do',
      render: (fix) => (
        <Group gap={6} wrap="nowrap">
          {show ? (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Show ${fix.zips[0]}`}
              onClick={() => show(fix.zips)}
            >
              Show
            </Button>
          ) : null}
          {mayEdit && fix.to ? (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Accept ${fix.zips[0]}`}
              onClick={() => accept([fix])}
            >
              Accept
            </Button>
          ) : null}
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Leave ${fix.zips[0]} as it is`}
            onClick={() => setRefused(new Set([...refused, fixKey(fix)]))}
          >
            Leave
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <Stack gap="sm" py="sm">
      <Group px="md" justify="space-between">
        <Text size="sm" role="status">
          {open.length === 0
            ? total === 0
              ? 'Every ZIP has a territory, no territory has islands, and points go with the area around them.'
              : 'Nothing left to decide.'
            : `${countOf(open.length, 'suggestion')}, ${show ? 'drawn on the map as if accepted' : 'show the map to see them'}.`}
          {total > fixes.length ? ` The first ${fixes.length} of ${total.toLocaleString('en-US')}.` : ''}
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={found.isFetching} onClick={() => void found.refetch()}>
            Check Again
          </Button>
          {mayEdit && acceptable.length > 0 ? (
            <Button variant="default" onClick={() => accept(acceptable)}>
              Accept All {acceptable.length.toLocaleString('en-US')}
            </Button>
          ) : null}
        </Group>
      </Group>
      {open.length > 0 ? (
        <DataList
          label="Problems"
          columns={columns}
          rows={open.slice(0, 100)}
          rowKey={fixKey}
          card={(fix) => (
            <Text size="sm">
              <b>{KIND_WORDS[fix.kind]}</b>: {countOf(fix.zips.length, 'ZIP')} ({some(fix.zips)}),{' '}
              {territoryWords(fix.from)} → {fix.to?.name ?? 'no suggestion'}
            </Text>
          )}
        />
      ) : null}
      {open.length > 100 ? (
        <Text size="sm" className="muted" px="md">
          The first 100 are shown; the others follow when these are decided.
        </Text>
      ) : null}
      <Overrides overrides={overrides} total={overridesTotal} />
    </Stack>
  );
}

/** A plan cannot end an account override. The page of its territory shows its reason and can end it. */
function Overrides({ overrides, total }: { overrides: readonly PlainOverride[]; total: number }) {
  const user = useSession();
  const opens = user !== null && hasRole(user, 'systemadmin', 'salesadmin');
  if (total === 0) return null;
  return (
    <Alert color="blue" mx="md" role="note">
      <Title order={3} size="h6">
        {countOf(total, 'account override')} {total === 1 ? 'has' : 'have'} become unnecessary
      </Title>
      <Text size="sm">
        The ZIP leads to the same territory. A plan moves ZIPs, not overrides: end them in their territory, once the
        plan is published.
      </Text>
      <ul>
        {overrides.slice(0, 20).map(({ id, facility, acctNo, zip, territory }) => (
          <li key={id}>
            <Text size="sm">
              {facility.name} ({acctNo}), {zip}:{' '}
              {opens ? (
                <Anchor component={Link} underline="always" c="inherit" to={paths.territory(territory.id)}>
                  {territory.name}
                </Anchor>
              ) : (
                territory.name
              )}
            </Text>
          </li>
        ))}
      </ul>
      {total > 20 ? <Text size="sm">and {(total - 20).toLocaleString('en-US')} more.</Text> : null}
    </Alert>
  );
}

// The list of territory plans: the user's own and shared ones, with the number of conflicts that prevent publishing each.
import { Anchor, Button, Checkbox, Group, Menu, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { AddButton } from '#platform/ui/AddButton.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { CopyDialog } from './page/PlanDialogs.tsx';
import { NewPlanDrawer } from './page/PlanForm.tsx';
import { STATE_TONES, STATE_WORDS } from './plan-words.ts';
import { PLAN_STATES, type SavedMapRow, TerritoryPlans } from './territory-plans.contract.ts';

export default function PlansPage() {
  const navigate = useNavigate();
  const user = useSession();
  const isAdmin = user !== null && hasRole(user, 'systemadmin', 'salesadmin');
  const list = useRecordList({
    name: 'territory-plans',
    filters: { keyword: '', state: '', own: '' },
    sort: { field: 'changedAt', dir: 'desc' },
    criteria: ({ keyword, state, own }) => ({
      keyword,
      state: PLAN_STATES.find((planState) => planState === state) ?? null,
      own: own === 'true' ? true : null,
    }),
    find: api(TerritoryPlans).getSavedMaps,
  });
  const [adding, setAdding] = useState(false);
  const [copying, setCopying] = useState<SavedMapRow | null>(null);
  const archive = useMutation({
    ...api(TerritoryPlans).archiveSavedMap.mutation(),
    onSuccess: ({ id, state: now }) => {
      const name = list.found.data?.records.find((row) => row.id === id)?.name ?? 'The plan';
      notifications.show({ message: now === 'Archived' ? `${name} is archived.` : `${name} is restored.` });
    },
  });
  const open = (id: number) => void navigate({ to: paths.savedMap(id) });
  const menu = (row: SavedMapRow) => (
    <RowMenu
      row={row}
      mayArchive={row.own || isAdmin}
      onCopy={() => setCopying(row)}
      onArchive={(archived) => archive.mutate({ id: row.id, version: row.version, archived })}
    />
  );
  const isFiltered = Object.values(list.filters).some(Boolean);

  return (
    <ListPage
      title="Territory Plans"
      hint="Plan ZIP moves between territories, see their effects on facilities, quotes and people, then publish the plan."
      noun={['plan', 'plans']}
      {...list.page}
      alert={<ErrorAlert error={archive.error} title="The plan could not be archived" onClose={archive.reset} />}
      actions={<AddButton label="New plan" onAdd={() => setAdding(true)} />}
      filters={
        <>
          <KeywordField label="Name, note or owner" {...list.field('keyword')} />
          <FilterSelect
            label="State"
            w={160}
            all="All except archived"
            choices={PLAN_STATES.map((planState) => ({ value: planState, label: STATE_WORDS[planState] }))}
            {...list.field('state')}
            value={list.criteria.state ?? ''}
          />
          <Checkbox
            label="Only mine"
            my={8}
            checked={list.criteria.own === true}
            onChange={(event) => list.filter({ own: event.currentTarget.checked ? 'true' : '' })}
          />
        </>
      }
    >
      <DataList
        label="Territory plans"
        columns={columnsOf(menu)}
        {...list.rows}
        rowHref={(row) => paths.savedMap(row.id)}
        onOpen={(row) => open(row.id)}
        card={(row) => <PlanCard row={row} menu={menu(row)} />}
        empty={
          isFiltered ? undefined : (
            <Stack align="center" gap="xs">
              <Text size="sm">No plans yet. A plan changes nothing until you publish it.</Text>
              <Button variant="default" onClick={() => setAdding(true)}>
                Create plan
              </Button>
            </Stack>
          )
        }
      />
      {adding ? <NewPlanDrawer onSaved={({ map }) => open(map.id)} onClose={() => setAdding(false)} /> : null}
      {copying ? (
        <CopyDialog plan={copying} onCopied={({ map }) => open(map.id)} onClose={() => setCopying(null)} />
      ) : null}
    </ListPage>
  );
}

const columnsOf = (menu: (row: SavedMapRow) => ReactNode): Column<SavedMapRow>[] => [
  { field: 'name', title: 'Plan', width: 280, render: (row) => <PlanLink row={row} /> },
  { field: 'state', title: 'State', render: (row) => <StateChip row={row} /> },
  {
    field: 'effectiveDay',
    title: 'Effective day',
    render: (row) => <span className="tabular">{formatDate(row.effectiveDay)}</span>,
  },
  { field: 'moves', title: 'Moves', figure: true, render: (row) => row.moves.toLocaleString('en-US') },
  { title: 'Conflicts', figure: true, render: (row) => <Conflicts row={row} /> },
  {
    field: 'owner',
    title: 'Owner',
    width: 200,
    render: (row) => <span title={row.owner.name}>{row.own ? 'You' : row.owner.name}</span>,
  },
  { title: 'Shared with', figure: true, render: (row) => row.sharedWith || <span className="muted">–</span> },
  {
    field: 'changedAt',
    title: 'Changed',
    width: 240,
    render: (row) => (
      <span className="tabular" title={row.changedBy}>
        {formatDate(row.changedAt)} by {row.changedBy}
      </span>
    ),
  },
  { title: 'More', render: menu },
];

function PlanLink({ row }: { row: SavedMapRow }) {
  return (
    <Anchor component={Link} to={paths.savedMap(row.id)} fw={600} title={row.note || row.name}>
      {row.name}
    </Anchor>
  );
}

/** Shows the plan's state, and whether a job is working on it. */
export function StateChip({ row }: { row: Pick<SavedMapRow, 'state' | 'working'> }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Chip tone={STATE_TONES[row.state]}>{STATE_WORDS[row.state]}</Chip>
      {row.working ? <Chip tone="orange">{row.working === 'Publish' ? 'Publishing' : 'Rolling back'}</Chip> : null}
    </Group>
  );
}

function Conflicts({ row }: { row: SavedMapRow }) {
  if (row.conflicts === 0) return <span className="muted">–</span>;
  return <b className="warning">{row.conflicts.toLocaleString('en-US')}</b>;
}

function RowMenu({
  row,
  mayArchive,
  onCopy,
  onArchive,
}: {
  row: SavedMapRow;
  mayArchive: boolean;
  onCopy: () => void;
  onArchive: (archived: boolean) => void;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" color="gray" aria-label={`More actions for ${row.name}`}>
          <IconDots size={16} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onCopy}>Copy</Menu.Item>
        {mayArchive ? (
          <Menu.Item onClick={() => onArchive(row.state !== 'Archived')}>
            {row.state === 'Archived' ? 'Restore' : 'Archive'}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function PlanCard({ row, menu }: { row: SavedMapRow; menu: ReactNode }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <PlanLink row={row} />
        <Group gap={4} wrap="nowrap">
          <StateChip row={row} />
          {menu}
        </Group>
      </Group>
      <Text size="sm" className="tabular">
        From {formatDate(row.effectiveDay)} · {countOf(row.moves, 'move')}
        {row.conflicts > 0 ? (
          <>
            {' · '}
            <b className="warning">{countOf(row.conflicts, 'conflict')}</b>
          </>
        ) : null}
      </Text>
      <Text size="sm" className="muted">
        {row.own ? 'Yours' : row.owner.name}
        {row.sharedWith > 0 ? `, shared with ${row.sharedWith}` : ''}
      </Text>
    </Stack>
  );
}

// The roster of a contract on a day: facilities with tier, days, children and letter of commitment.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { keepsContracts, readsAllContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, parseDate } from '#platform/shared/dates.ts';
import { cityAndState } from '#platform/shared/place-words.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateFilter } from '#platform/ui/DateFilter.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import listClasses from '#platform/ui/list-page.module.css';
import { type ContractProps, RosterDrawer } from './RosterDrawer.tsx';
import { childrenInWords, LETTER_TONES, ROSTER_FILTER_LABELS } from './roster-words.ts';
import { ROSTER_FILTERS, Roster, type RosterRow } from './rosters.contract.ts';

const PAGE_SIZE = 50;
const NOTHING_ASKED = { tab: '', keyword: '', tier: '', day: '', state: '' };

/** `more` contains other actions on the roster, shown before 'Add facility'. */
export function RosterPanel({ contractId, tiers, today, more }: ContractProps & { more?: ReactNode }) {
  const user = useSession();
  const list = useListAddress(null, NOTHING_ASKED, { field: 'facility', dir: 'asc' });
  const { keyword, tier, day: typedDay, state: askedState } = list.filters;
  const state = ROSTER_FILTERS.find((rosterFilter) => rosterFilter === askedState) ?? 'Current';
  const tierId = tiers.find(({ id }) => String(id) === tier)?.id ?? null;
  const day = parseDate(typedDay) ?? today;
  const criteria = { contractId, keyword, tierId, day, state, page: list.page, pageSize: PAGE_SIZE, sort: list.sort };
  const query = useQuery({ ...api(Roster).GetRoster.query(criteria), placeholderData: keepPreviousData });
  const [editing, setEditing] = useState<RosterRow | 'new' | null>(null);
  const keeps = user !== null && keepsContracts(user);
  const actions = (row: RosterRow) =>
    keeps ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Edit ${row.facility.name}`}
        onClick={() => setEditing(row)}
      >
        Edit
      </Button>
    ) : null;
  const none =
    user !== null && readsAllContracts(user)
      ? 'No facility is on the roster.'
      : 'None of your facilities has its own row.';
  const request = keyword !== '' || tierId !== null || state !== 'Current' || day !== today;
  return (
    <section className="card" aria-label="Roster">
      <Group px="md" py="xs" justify="space-between" gap="sm" align="end">
        <Group gap="sm" align="end" className={listClasses['filters']}>
          <KeywordField
            label="Facility or member id"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <FilterSelect
            label="Tier"
            w={170}
            all="All tiers"
            choices={tiers.map((entry) => ({ value: String(entry.id), label: `${entry.tierNo}. ${entry.name}` }))}
            value={tierId === null ? '' : String(tierId)}
            onChange={(next) => list.filter({ tier: next })}
          />
          <Select
            aria-label="State"
            w={150}
            allowDeselect={false}
            data={ROSTER_FILTERS.map((value) => ({ value, label: ROSTER_FILTER_LABELS[value] }))}
            value={state}
            onChange={(next) => list.filter({ state: next === 'Current' ? '' : (next ?? '') })}
          />
          <DateFilter
            label="On the day"
            value={day}
            onChange={(next) => list.filter({ day: next === today ? '' : next })}
          />
          <Text size="sm" className="muted" role="status" pb={8}>
            {query.data ? countOf(query.data.total, 'row') : ''}
          </Text>
        </Group>
        {keeps ? (
          <Group gap="xs">
            {more}
            <Button className="no-print" onClick={() => setEditing('new')}>
              Add facility
            </Button>
          </Group>
        ) : null}
      </Group>
      <div style={{ borderTop: '1px solid var(--app-line)' }}>
        <DataList
          label="Roster"
          columns={columnsOf(keeps ? actions : null)}
          {...pageShown(query, list, PAGE_SIZE)}
          rowKey={(row) => row.id}
          empty={request ? 'No row matches.' : none}
          card={(row) => <RowCard row={row} actions={actions(row)} />}
        />
      </div>
      {editing ? (
        <RosterDrawer
          row={editing === 'new' ? null : editing}
          contractId={contractId}
          tiers={tiers}
          today={today}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </section>
  );
}

function columnsOf(actions: ((row: RosterRow) => ReactNode) | null): Column<RosterRow>[] {
  return [
    {
      field: 'facility',
      title: 'Facility',
      width: 300,
      render: ({ facility }) => <FacilityLink id={facility.id} name={facility.name} />,
    },
    { title: 'Place', width: 150, render: ({ facility }) => cityAndState(facility) },
    { title: 'Account', render: ({ facility }) => <span className="tabular">{facility.acctNo}</span> },
    { field: 'memberId', title: 'Member id', render: ({ memberId }) => <span className="tabular">{memberId}</span> },
    { field: 'tier', title: 'Tier', render: (row) => <TierOf row={row} /> },
    { field: 'from', title: 'From', render: ({ from }) => <span className="tabular">{formatDate(from)}</span> },
    {
      field: 'to',
      title: 'To',
      render: ({ to }) => <span className="tabular">{formatDate(to) || <span className="muted">no end</span>}</span>,
    },
    { title: 'Children', render: childrenInWords },
    { title: 'Letter', render: (row) => <LetterOf row={row} /> },
    ...(actions ? [{ title: 'Actions', render: actions }] : []),
  ];
}

function TierOf({ row }: { row: RosterRow }) {
  return row.excluded ? <Chip tone="red">Excluded</Chip> : `${row.tierNo}. ${row.tierName}`;
}

/** Shows nothing if the tier needs no letter. */
function LetterOf({ row: { letter, needsLoc } }: { row: RosterRow }) {
  if (letter) return <Chip tone={LETTER_TONES[letter.state]}>{letter.state}</Chip>;
  return needsLoc ? <Chip tone="orange">Missing</Chip> : null;
}

function RowCard({ row, actions }: { row: RosterRow; actions: ReactNode }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <FacilityLink id={row.facility.id} name={row.facility.name} />
        {actions}
      </Group>
      <Group gap={6}>
        <Text size="sm">
          <TierOf row={row} />
        </Text>
        <LetterOf row={row} />
      </Group>
      <Text size="sm" className="muted tabular">
        {[
          row.facility.acctNo,
          cityAndState(row.facility),
          row.memberId,
          `${formatDate(row.from)} – ${formatDate(row.to) || 'no end'}`,
          childrenInWords(row),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </Stack>
  );
}

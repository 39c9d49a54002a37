// The audit screen: every change, newest first, filtered by day, user, kind, action and words.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ClearedNote } from '#platform/history/ClearedNote.tsx';
import { Changes, CLEARED_CHANGES } from '#platform/history/HistoryPanel.tsx';
import { PersonSelect } from '#platform/users/PersonSelect.tsx';
import type { Person } from '#platform/users/users.contract.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateFilter } from '#platform/ui/DateFilter.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { AUDIT_KINDS, Audit, type AuditEvent } from './audit.contract.ts';
import classes from './audit.module.css';
import { actionChoices, auditWords, kindLabel } from './audit-words.ts';
import { RecordLink, When } from './EventParts.tsx';

const PAGE_SIZE = 50;
const NONE = { text: '', from: '', to: '', person: '', kind: '', action: '' };

export default function AuditPage() {
  const list = useListAddress('audit', NONE, { field: 'at', dir: 'desc' });
  const { filters, filter } = list;
  const place = usePlace();
  const [chosen, setChosen] = useState<Person | null>(null);
  const kind = AUDIT_KINDS.find((auditKind) => auditKind === filters.kind) ?? null;
  const actions = actionChoices(kind);
  const criteria = {
    text: filters.text,
    from: filters.from,
    to: filters.to,
    userId: /^[1-9]\d{0,8}$/.test(filters.person) ? Number(filters.person) : null,
    kind,
    action: filters.action,
  };
  const query = useQuery({
    ...api(Audit).SearchAudit.query({ ...criteria, ...place.now, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    // Users open this screen to see what just happened, so it never shows cached data.
    staleTime: 0,
  });
  const exported = useMutation({ ...api(Audit).ExportAudit.mutation(), onSuccess: saveFile });
  const { data } = query;
  const timeZone = data?.timeZone;
  // A user who was just chosen is known before the answer arrives. After a reload the answer contains the user's name.
  const person = [chosen, data?.person].find((candidate) => candidate?.id === criteria.userId) ?? null;
  const filtered = Object.values(filters).some(Boolean);

  return (
    <ListPage
      title="Audit"
      hint={`Everything that was changed, newest first.${timeZone ? ` Days and times are in the time zone of the company, ${timeZone}.` : ''}`}
      noun={['event', 'events']}
      alert={
        <>
          <ClearedNote {...CLEARED_CHANGES} px="md" />
          <ClearedNote kind="sessions" what="Sign-ins last used" but="The last of each person stays." px="md" />
        </>
      }
      total={data?.total}
      more={data?.more ?? false}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      filters={
        <>
          <KeywordField
            label="Record, quote # or what changed"
            w={280}
            value={filters.text}
            onChange={(text) => filter({ text })}
          />
          <DateFilter label="From" value={filters.from} onChange={(from) => filter({ from })} />
          <DateFilter label="To" value={filters.to} onChange={(to) => filter({ to })} notBefore={filters.from} />
          <PersonSelect
            aria-label="Who"
            placeholder="Anyone"
            w={190}
            clearable
            clearButtonProps={{ 'aria-label': 'Anyone' }}
            roles={[]}
            inactive
            value={person}
            onChange={(next) => {
              setChosen(next);
              filter({ person: next ? String(next.id) : '' });
            }}
          />
          <FilterSelect
            label="Kind of record"
            w={170}
            all="All kinds"
            choices={AUDIT_KINDS.map((auditKind) => ({ value: auditKind, label: kindLabel(auditKind) }))}
            value={kind ?? ''}
            onChange={(next) => filter({ kind: next, action: '' })}
          />
          <Select
            aria-label="What was done"
            placeholder="Any action"
            w={240}
            clearable
            clearButtonProps={{ 'aria-label': 'Any action' }}
            searchable
            nothingFoundMessage="No Record Found"
            data={actions}
            value={filters.action || null}
            onChange={(next) => filter({ action: next ?? '' })}
          />
          {filtered ? (
            <Button variant="subtle" onClick={() => filter(NONE)}>
              Clear
            </Button>
          ) : null}
        </>
      }
    >
      <div className={classes['events']}>
        <DataList
          label="Events"
          columns={columnsOf(timeZone)}
          rows={data?.records}
          rowKey={(event) => event.place}
          card={(event) => <EventCard event={event} timeZone={timeZone} />}
          error={query.error}
          onRetry={() => void query.refetch()}
          refreshing={query.isPlaceholderData}
          pageSize={PAGE_SIZE}
          empty={filtered ? 'No Record Found' : 'No changes yet.'}
        />
      </div>
      {place.deep || data?.older ? (
        <Group
          component="nav"
          aria-label="Pages"
          justify="flex-end"
          gap="xs"
          p="xs"
          px="sm"
          className="no-print"
          style={{ borderTop: '1px solid var(--app-line)' }}
        >
          <Turn label="Newest" shown={place.deep} onTurn={() => place.go({})} />
          <Turn label="Newer" to={data?.newer} onTurn={(newer) => place.go({ newer })} />
          <Turn label="Older" to={data?.older} onTurn={(older) => place.go({ older })} />
        </Group>
      ) : null}
    </ListPage>
  );
}

/** Keeps the position in the list in the address only, so that a later visit starts with the newest event. */
function usePlace() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const { older, newer, ...others } = useAddress();
  return {
    now: { older: older ?? null, newer: newer ?? null },
    deep: Boolean(older ?? newer),
    go: (next: { older?: string; newer?: string }) =>
      void navigate({ to: pathname, search: { page: '1', ...others, ...next } }),
  };
}

function Turn({
  label,
  to,
  shown: visible = Boolean(to),
  onTurn,
}: {
  label: string;
  to?: string | null | undefined;
  shown?: boolean;
  onTurn: (to: string) => void;
}) {
  return (
    <Button variant="default" size="compact-md" disabled={!visible} onClick={() => onTurn(to ?? '')}>
      {label}
    </Button>
  );
}

const columnsOf = (timeZone: string | undefined): Column<AuditEvent>[] => [
  { title: 'When', render: (event) => <When at={event.at} timeZone={timeZone} /> },
  { title: 'Who', render: (event) => event.actor },
  { title: 'Kind', render: (event) => <span style={{ whiteSpace: 'nowrap' }}>{kindLabel(event.kind)}</span> },
  { title: 'Record', render: (event) => <RecordLink event={event} /> },
  {
    title: 'What was done',
    render: (event) => (
      <>
        <div>{auditWords(event)}</div>
        <Changes changes={event.changes} comment={event.comment} />
      </>
    ),
  },
];

function EventCard({ event, timeZone }: { event: AuditEvent; timeZone: string | undefined }) {
  return (
    <Stack gap={2}>
      <Text size="sm">
        <b>{event.actor}</b> {auditWords(event)}
      </Text>
      <Group justify="space-between" gap="0 8px">
        <Text size="sm">
          <span className="muted">{kindLabel(event.kind)}</span> <RecordLink event={event} />
        </Text>
        <Text size="sm" className="muted" component="span">
          <When at={event.at} timeZone={timeZone} />
        </Text>
      </Group>
      <Changes changes={event.changes} comment={event.comment} />
    </Stack>
  );
}

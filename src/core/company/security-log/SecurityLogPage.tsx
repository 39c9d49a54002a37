// The security log: failed sign-ins, lockouts, refusals, keys, permissions, settings and exports, newest first.
import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { RecordLink, When } from '#core/company/audit/EventParts.tsx';
import { Changes } from '#platform/history/HistoryPanel.tsx';
import { SECURITY_KINDS } from '#platform/security-events/security-kinds.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { DateFilter } from '#platform/ui/DateFilter.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { SecurityLog, type SecurityLine } from './security-log.contract.ts';
import { KIND_LABELS, KIND_TONES } from './security-words.ts';

const PAGE_SIZE = 50;
const NONE = { who: '', kind: '', from: '', to: '' };

export default function SecurityLogPage() {
  const list = useListAddress('security-log', NONE, { field: 'at', dir: 'desc' });
  const { filters, filter } = list;
  const kind = SECURITY_KINDS.find((securityKind) => securityKind === filters.kind) ?? null;
  const criteria = { ...filters, kind, sort: list.sort };
  const query = useQuery({
    ...api(SecurityLog).SearchSecurityLog.query({ ...criteria, page: list.page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
    // Users open this screen to see what just happened, so it never shows cached data.
    staleTime: 0,
  });
  const exported = useMutation({ ...api(SecurityLog).ExportSecurityLog.mutation(), onSuccess: saveFile });
  const { data } = query;
  const timeZone = data?.timeZone;
  const filtered = Object.values(filters).some(Boolean);
  return (
    <ListPage
      title="Security Log"
      hint={
        data
          ? `Security events, kept for ${data.keptDays} days. Days and times are in the time zone of the company, ${data.timeZone}.`
          : 'Security events.'
      }
      noun={['line', 'lines']}
      total={data?.total}
      more={data?.more ?? false}
      exported={{ ...exported, mutate: () => exported.mutate(criteria) }}
      filters={
        <>
          <KeywordField
            label="Name, email or IP address"
            w={240}
            value={filters.who}
            onChange={(who) => filter({ who })}
          />
          <FilterSelect
            label="Kind"
            w={170}
            all="All kinds"
            choices={SECURITY_KINDS.map((securityKind) => ({ value: securityKind, label: KIND_LABELS[securityKind] }))}
            value={kind ?? ''}
            onChange={(next) => filter({ kind: next })}
          />
          <DateFilter label="From" value={filters.from} onChange={(from) => filter({ from })} />
          <DateFilter label="To" value={filters.to} onChange={(to) => filter({ to })} notBefore={filters.from} />
          {filtered ? (
            <Button variant="subtle" onClick={() => filter(NONE)}>
              Clear
            </Button>
          ) : null}
        </>
      }
    >
      <DataList
        label="Lines"
        columns={columnsOf(timeZone)}
        {...pageShown(query, list, PAGE_SIZE)}
        rowKey={({ id }) => id}
        empty={filtered ? 'No Record Found' : 'No events yet.'}
        card={(line) => (
          <Stack gap={2}>
            <Group justify="space-between" gap="0 8px">
              <Kind line={line} />
              <Text size="sm" className="muted" component="span">
                <When at={line.at} timeZone={timeZone} />
              </Text>
            </Group>
            <Text size="sm" component="div">
              <Who line={line} /> <What line={line} />
            </Text>
            <Text size="sm" className="muted" component="div">
              <From line={line} />
            </Text>
          </Stack>
        )}
      />
    </ListPage>
  );
}

const columnsOf = (timeZone: string | undefined): Column<SecurityLine>[] => [
  { field: 'at', title: 'When', render: ({ at }) => <When at={at} timeZone={timeZone} /> },
  { title: 'Kind', render: (line) => <Kind line={line} /> },
  { title: 'Who', render: (line) => <Who line={line} /> },
  { title: 'What happened', render: (line) => <What line={line} /> },
  { title: 'From', render: (line) => <From line={line} /> },
];

function Kind({ line: { kind } }: { line: SecurityLine }) {
  return <Chip tone={KIND_TONES[kind]}>{KIND_LABELS[kind]}</Chip>;
}

function Who({ line: { who, account } }: { line: SecurityLine }) {
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {who ? <b>{who}</b> : <span className="muted">Unknown</span>}
      {account ? <div className="muted">{account}</div> : null}
    </div>
  );
}

function What({ line }: { line: SecurityLine }) {
  const { words, record, calls, times, comment, changes } = line;
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {words}
      {record ? (
        <>
          {' '}
          <RecordLink event={{ kind: record.type, recordId: record.id, name: record.name }} />
        </>
      ) : null}
      {times > 1 ? <div className="muted">{countOf(times, 'time')} within a minute</div> : null}
      {calls.length > 0 ? (
        <div className="muted">{calls.map((call) => call.replace('/api/', '')).join(', ')}</div>
      ) : null}
      <Changes changes={changes} comment={comment} />
    </div>
  );
}

function From({ line: { address, device } }: { line: SecurityLine }) {
  return (
    <>
      {address ? <span className="tabular">{address}</span> : null}
      {address && device ? ', ' : null}
      {device}
    </>
  );
}

// Lists all pushes of quotes to the CRM with their state and errors, and retries failed ones.
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { QuoteLink } from '#core/quoting/quotes/QuoteLink.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { StateFilter } from '#platform/ui/StateFilter.tsx';
import { WentWrong } from '#platform/ui/WentWrong.tsx';
import { Crm, type CrmPushRow, type CrmSettings, PUSH_STATES } from './crm.contract.ts';
import { KIND_LABELS, PUSH_LABELS, PUSH_TONES } from './crm-words.ts';

export default function CrmPushesPage() {
  const queries = useQueryClient();
  const list = useRecordList({
    name: 'crm-pushes',
    filters: { keyword: '', state: '' },
    sort: { field: 'askedAt', dir: 'desc' },
    criteria: ({ keyword, state }) => ({
      keyword,
      state: PUSH_STATES.find((pushState) => pushState === state) ?? null,
    }),
    find: api(Crm).SearchCrmPushes,
    pageSize: 20,
    every: 5_000,
  });
  const { found } = list;
  const again = () => void queries.invalidateQueries({ queryKey: api(Crm).SearchCrmPushes.key });
  const retry = useMutation({
    ...api(Crm).RetryCrmPushes.mutation(),
    onSuccess: ({ retried }) => {
      notifications.show({ message: retried === 1 ? 'It will be retried.' : `${retried} will be retried.` });
      again();
    },
  });
  const failed = found.data?.failed ?? 0;
  const columns = columnsOf((id) => retry.mutate({ id }), retry.isPending);
  return (
    <ListPage
      title="CRM Pushes"
      hint="Quotes and contacts on their way to Salesforce. Temporary failures are retried with growing pauses."
      noun={['push', 'pushes']}
      {...list.page}
      actions={
        failed > 0 ? (
          <Button loading={retry.isPending} onClick={() => retry.mutate({})}>
            Retry all that failed ({failed.toLocaleString('en-US')})
          </Button>
        ) : undefined
      }
      alert={
        <>
          {found.data?.connected === false ? (
            <Alert color="blue" variant="light" title="No CRM is connected" mx={{ base: 'md', sm: 0 }}>
              <Button component={Link} to={paths.crmSettings} size="compact-sm" variant="default">
                Connect Salesforce
              </Button>
            </Alert>
          ) : null}
          <Paused pause={found.data?.pause ?? null} onResumed={again} />
          <ErrorAlert error={retry.error} title="Not retried" onClose={retry.reset} />
        </>
      }
      filters={
        <>
          <KeywordField label="Quote # or facility" {...list.field('keyword')} />
          <StateFilter states={PUSH_STATES} labels={PUSH_LABELS} {...list.field('state')} />
        </>
      }
    >
      <DataList
        label="Pushes"
        columns={columns}
        {...list.rows}
        empty={
          Object.values(list.filters).some(Boolean)
            ? 'No Record Found'
            : 'No quote has been pushed yet. Push one from its board.'
        }
        card={(row) => (
          <Stack gap={4}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <Text size="sm">
                <QuoteLink id={row.quoteId} number={String(row.num)} /> {row.facilityName}
              </Text>
              <Chip tone={PUSH_TONES[row.state]}>{PUSH_LABELS[row.state]}</Chip>
            </Group>
            <Text size="sm" className="muted">
              <Record row={row} /> · {formatInstant(row.askedAt)} · {row.askedBy ?? 'by its status'}
            </Text>
            <WentWrong text={wrongOf(row)} />
            <Retry row={row} busy={retry.isPending} onRetry={(id) => retry.mutate({ id })} />
          </Stack>
        )}
      />
    </ListPage>
  );
}

/** Shows until when sending is paused, and lets the user resume it at once. */
export function Paused({ pause, onResumed }: { pause: CrmSettings['pause']; onResumed: () => void }) {
  const resume = useMutation({ ...api(Crm).ResumeCrm.mutation(), onSuccess: onResumed });
  if (!pause) return null;
  return (
    <Alert color="orange" variant="light" title={`Nothing is sent before ${formatInstant(pause.until)}`}>
      <Stack gap="xs" align="start">
        <Text size="sm">{pause.why} Nothing is lost; what waits goes out in order.</Text>
        <ErrorAlert error={resume.error} title="Not resumed" />
        <Button size="compact-sm" variant="default" loading={resume.isPending} onClick={() => resume.mutate({})}>
          Try now
        </Button>
      </Stack>
    </Alert>
  );
}

function columnsOf(onRetry: (id: number) => void, busy: boolean): Column<CrmPushRow>[] {
  return [
    { field: 'num', title: 'Quote', render: (row) => <QuoteLink id={row.quoteId} number={String(row.num)} /> },
    { title: 'Facility', width: 240, render: (row) => row.facilityName },
    { title: 'Record', render: (row) => <Record row={row} /> },
    {
      field: 'state',
      title: 'State',
      render: (row) => <Chip tone={PUSH_TONES[row.state]}>{PUSH_LABELS[row.state]}</Chip>,
    },
    {
      field: 'askedAt',
      title: 'Asked',
      render: (row) => <span className="tabular">{formatInstant(row.askedAt)}</span>,
    },
    { title: 'By', width: 160, render: (row) => row.askedBy ?? 'Its status' },
    { field: 'pushedAt', title: 'Pushed', render: (row) => (row.pushedAt ? formatInstant(row.pushedAt) : '') },
    { title: 'What went wrong', render: (row) => <WentWrong text={wrongOf(row)} /> },
    { title: 'Again', render: (row) => <Retry row={row} busy={busy} onRetry={onRetry} /> },
  ];
}

function Record({ row }: { row: CrmPushRow }) {
  const label = KIND_LABELS[row.what];
  if (!row.url) return <>{label}</>;
  return (
    <Anchor href={row.url} target="_blank" rel="noopener noreferrer" size="sm">
      {label}
    </Anchor>
  );
}

/** The latest error and the number of tries. Empty if there was none. */
function wrongOf({ error, tries }: CrmPushRow): string {
  return error && tries > 1 ? `${error} (${tries} tries)` : error;
}

function Retry({ row, busy, onRetry }: { row: CrmPushRow; busy: boolean; onRetry: (id: number) => void }) {
  if (row.state !== 'Failed') return null;
  return (
    <Group gap={0}>
      <Button
        size="compact-sm"
        variant="default"
        disabled={busy}
        aria-label={`Retry quote ${row.num}`}
        onClick={() => onRetry(row.id)}
      >
        Retry
      </Button>
    </Group>
  );
}

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
  const refresh = () => void queries.invalidateQueries({ queryKey: api(Crm).SearchCrmPushes.key });
  const retry = useMutation({
    ...api(Crm).RetryCrmPushes.mutation(),
    onSuccess: ({ retried }) => {
      notifications.show({
        message: retried === 1 ? 'The push will be retried.' : `${retried} pushes will be retried.`,
      });
      refresh();
    },
  });
  const failed = found.data?.failed ?? 0;
  const columns = columnsOf((id) => retry.mutate({ id }), retry.isPending);
  return (
    <ListPage
      title="CRM Pushes"
      hint="Quotes and contacts pushed to Salesforce. Temporary failures are retried automatically at increasing intervals."
      noun={['push', 'pushes']}
      {...list.page}
      actions={
        failed > 0 ? (
          <Button loading={retry.isPending} onClick={() => retry.mutate({})}>
            Retry all failed ({failed.toLocaleString('en-US')})
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
          <PausedAlert pause={found.data?.pause ?? null} onResumed={refresh} />
          <ErrorAlert error={retry.error} title="The pushes could not be retried" onClose={retry.reset} />
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
            : 'No quotes have been pushed yet. Push a quote from its board.'
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
              <RecordLink row={row} /> · {formatInstant(row.askedAt)} · {row.askedBy ?? 'status change'}
            </Text>
            <WentWrong text={errorTextOf(row)} />
            <Retry row={row} busy={retry.isPending} onRetry={(id) => retry.mutate({ id })} />
          </Stack>
        )}
      />
    </ListPage>
  );
}

/** Shows until when sending is paused, and lets the user resume it at once. */
export function PausedAlert({ pause, onResumed }: { pause: CrmSettings['pause']; onResumed: () => void }) {
  const resume = useMutation({ ...api(Crm).ResumeCrm.mutation(), onSuccess: onResumed });
  if (!pause) return null;
  return (
    <Alert color="orange" variant="light" title={`Pushes are paused until ${formatInstant(pause.until)}`}>
      <Stack gap="xs" align="start">
        <Text size="sm">{pause.why} Waiting pushes will be sent in order after the pause.</Text>
        <ErrorAlert error={resume.error} title="Pushes could not be resumed" />
        <Button size="compact-sm" variant="default" loading={resume.isPending} onClick={() => resume.mutate({})}>
          Resume now
        </Button>
      </Stack>
    </Alert>
  );
}

function columnsOf(onRetry: (id: number) => void, busy: boolean): Column<CrmPushRow>[] {
  return [
    { field: 'num', title: 'Quote', render: (row) => <QuoteLink id={row.quoteId} number={String(row.num)} /> },
    { title: 'Facility', width: 240, render: (row) => row.facilityName },
    { title: 'Record', render: (row) => <RecordLink row={row} /> },
    {
      field: 'state',
      title: 'State',
      render: (row) => <Chip tone={PUSH_TONES[row.state]}>{PUSH_LABELS[row.state]}</Chip>,
    },
    {
      field: 'askedAt',
      title: 'Requested',
      render: (row) => <span className="tabular">{formatInstant(row.askedAt)}</span>,
    },
    { title: 'Requested by', width: 160, render: (row) => row.askedBy ?? 'Status change' },
    { field: 'pushedAt', title: 'Pushed', render: (row) => (row.pushedAt ? formatInstant(row.pushedAt) : '') },
    { title: 'Error', render: (row) => <WentWrong text={errorTextOf(row)} /> },
    { title: 'Actions', render: (row) => <Retry row={row} busy={busy} onRetry={onRetry} /> },
  ];
}

function RecordLink({ row }: { row: CrmPushRow }) {
  const label = KIND_LABELS[row.what];
  if (!row.url) return <>{label}</>;
  return (
    <Anchor href={row.url} target="_blank" rel="noopener noreferrer" size="sm">
      {label}
    </Anchor>
  );
}

/** The last error, with the number of attempts if there were several. Empty if there was no error. */
function errorTextOf({ error, tries }: CrmPushRow): string {
  return error && tries > 1 ? `${error} (${tries} attempts)` : error;
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

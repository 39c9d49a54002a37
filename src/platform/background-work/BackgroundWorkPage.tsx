// The page of background work: jobs by state, final failures with their reasons, and retrying.
import { Button, Checkbox, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, cellOf, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ListPage } from '#platform/ui/ListPage.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import { BackgroundWork, WORK_STATES } from './background-work.contract.ts';

type Job = OutputOf<typeof BackgroundWork.GetJobs>['jobs'][number];

const STATES: Record<Job['state'], { label: string; tone: Tone }> = {
  created: { label: 'Waiting', tone: 'blue' },
  retry: { label: 'Retrying later', tone: 'orange' },
  active: { label: 'Running', tone: 'violet' },
  completed: { label: 'Done', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  cancelled: { label: 'Canceled', tone: 'red' },
};

export default function BackgroundWorkPage() {
  const queries = useQueryClient();
  const list = useListAddress('background-work', { state: 'failed', idle: '' }, { field: 'createdAt', dir: 'desc' });
  const state = WORK_STATES.find((workState) => workState === list.filters.state) ?? null;
  const idle = list.filters.idle === '1';
  const work = useQuery({ ...api(BackgroundWork).GetJobs.query({ state, idle }), refetchInterval: 5_000 });
  const retry = useMutation({
    ...api(BackgroundWork).RetryJobs.mutation(),
    onSuccess: ({ retried, undecided }) => {
      const again = retried === 1 ? 'It will be retried.' : `${retried} will be retried.`;
      const stay =
        undecided === 1
          ? 'One email that may have arrived is waiting'
          : `${undecided} emails that may have arrived are waiting`;
      const message = undecided > 0 ? `${again} ${stay} for a decision in the mailbox.` : again;
      notifications.show({ message });
      void queries.invalidateQueries({ queryKey: api(BackgroundWork).GetJobs.key });
    },
  });
  const countOf = (jobState: Job['state']) =>
    work.data?.counts.find((counted) => counted.state === jobState)?.count ?? 0;
  const visible = WORK_STATES.filter((workState) => workState !== 'cancelled' || countOf(workState) > 0);
  const columns = columnsOf((id) => retry.mutate({ id }), retry.isPending);
  return (
    <ListPage
      title="Background Work"
      hint="Mail, PDFs and imports run in the background. Work that fails is retried with increasing delays, then waits here."
      noun={['job', 'jobs']}
      total={
        work.data ? (state ? countOf(state) : work.data.counts.reduce((sum, { count }) => sum + count, 0)) : undefined
      }
      actions={
        countOf('failed') > 0 ? (
          <Button loading={retry.isPending} onClick={() => retry.mutate({})}>
            Retry all failed work
          </Button>
        ) : undefined
      }
      alert={<ErrorAlert error={retry.error} title="The jobs could not be retried" onClose={retry.reset} />}
      filters={
        <>
          <Select
            aria-label="State"
            w={220}
            allowDeselect={false}
            data={visible.map((entry) => ({ value: entry, label: `${STATES[entry].label} (${countOf(entry)})` }))}
            value={state ?? 'failed'}
            onChange={(next) => list.filter({ state: next ?? '' })}
          />
          <Checkbox
            label="Include runs with nothing to do"
            checked={idle}
            onChange={(event) => list.filter({ idle: event.currentTarget.checked ? '1' : '' })}
          />
        </>
      }
    >
      <DataList
        label="Background work"
        columns={columns}
        rows={work.data?.jobs}
        reading={{ of: JSON.stringify(list.filters), at: work.dataUpdatedAt, again: work.isFetching }}
        rowKey={(job) => job.id}
        card={(job) => (
          <Stack gap={4}>
            {columns.map((column) => (
              <div key={column.title}>{cellOf(column, job)}</div>
            ))}
          </Stack>
        )}
        error={work.error}
        onRetry={() => void work.refetch()}
      />
    </ListPage>
  );
}

const columnsOf = (onRetry: (id: string) => void, busy: boolean): Column<Job>[] => [
  { title: 'Work', render: (job) => <b>{job.name}</b> },
  { title: 'State', render: (job) => <Chip tone={STATES[job.state].tone}>{STATES[job.state].label}</Chip> },
  {
    title: 'Since',
    render: (job) => <span className="tabular">{formatInstant(job.createdAt)}</span>,
  },
  { title: 'Tries', figure: true, render: (job) => job.retries + 1 },
  {
    title: 'What went wrong',
    width: 420,
    render: (job) => (
      <Text size="sm" title={job.error} className="ellipsis">
        {job.error}
      </Text>
    ),
  },
  {
    title: 'Retry',
    render: (job) =>
      job.state === 'failed' ? (
        <Button variant="default" size="compact-sm" loading={busy} onClick={() => onRetry(job.id)}>
          Try again
        </Button>
      ) : null,
  },
];

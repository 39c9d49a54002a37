// Lists deliveries to webhooks, sent and waiting: the state, the endpoint's answer, and sending again.
import { Button, Code, Group, Select, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { WentWrong } from '#platform/ui/WentWrong.tsx';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES } from './webhook-events.ts';
import { DELIVERY_TONES } from './webhook-words.ts';
import { DELIVERY_STATES, type DeliveryRow, Webhook } from './webhooks.contract.ts';

export default function WebhookDeliveriesPage() {
  const queries = useQueryClient();
  const list = useRecordList({
    name: 'webhook-deliveries',
    filters: { keyword: '', state: '', type: '', webhook: '' },
    sort: { field: 'at', dir: 'desc' },
    criteria: ({ keyword, state, type, webhook }) => ({
      keyword,
      webhookId: /^[1-9]\d{0,8}$/.test(webhook) ? Number(webhook) : null,
      type,
      state: DELIVERY_STATES.find((deliveryState) => deliveryState === state) ?? null,
    }),
    find: api(Webhook).SearchWebhookDeliveries,
    pageSize: 20,
    every: 5_000,
  });
  const { webhookId } = list.criteria;
  const replay = useMutation({
    ...api(Webhook).ReplayWebhookDeliveries.mutation(),
    onSuccess: ({ replayed }) => {
      notifications.show({
        message: replayed === 1 ? 'The delivery will be sent again.' : `${replayed} deliveries will be sent again.`,
      });
      void queries.invalidateQueries({ queryKey: api(Webhook).SearchWebhookDeliveries.key });
    },
  });
  const [opened, setOpened] = useState<number | null>(null);
  const { failed = 0, webhooks = [], records = [] } = list.found.data ?? {};
  const open = records.find(({ id }) => id === opened);
  return (
    <ListPage
      title="Webhook Deliveries"
      hint="Each delivery is tried up to ten times over three days and kept for 30 days. Repeated deliveries keep their ID."
      noun={['delivery', 'deliveries']}
      {...list.page}
      actions={
        <>
          <Button component={Link} to={paths.webhooks} variant="default">
            Webhooks
          </Button>
          {failed > 0 ? (
            <Button loading={replay.isPending} onClick={() => replay.mutate({ webhookId })}>
              Send all failed again ({failed.toLocaleString('en-US')})
            </Button>
          ) : null}
        </>
      }
      alert={<ErrorAlert error={replay.error} title="Not sent again" onClose={replay.reset} />}
      filters={
        <>
          <KeywordField label="ID or payload" {...list.field('keyword')} />
          <Filter
            label="Webhook"
            {...list.field('webhook')}
            data={webhooks.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
          <Filter
            label="Event"
            {...list.field('type')}
            data={[...WEBHOOK_EVENT_NAMES, TEST_EVENT].map((webhookEventName) => ({
              value: webhookEventName,
              label: webhookEventName,
            }))}
          />
          <Filter
            label="State"
            {...list.field('state')}
            data={DELIVERY_STATES.map((deliveryState) => ({ value: deliveryState, label: deliveryState }))}
          />
        </>
      }
    >
      <DataList
        label="Deliveries"
        columns={columnsOf(setOpened)}
        {...list.rows}
        onOpen={({ id }) => setOpened(id)}
        empty={Object.values(list.filters).some(Boolean) ? 'No Record Found' : 'No deliveries in the last 30 days.'}
        card={(row) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" align="start">
              <RowLink name={row.type} onOpen={() => setOpened(row.id)} />
              <DeliveryChip row={row} />
            </Group>
            <Text size="sm" className="muted">
              {row.webhook} · {formatInstant(row.at)}
            </Text>
            <WentWrong text={wrongOf(row)} />
          </Stack>
        )}
      />
      {open ? (
        <RecordDrawer onClose={() => setOpened(null)} title={open.type} size="lg">
          <Delivery row={open} busy={replay.isPending} onReplay={() => replay.mutate({ id: open.id })} />
        </RecordDrawer>
      ) : null}
    </ListPage>
  );
}

type FilterProps = {
  label: string;
  value: string;
  data: { value: string; label: string }[];
  onChange: (next: string) => void;
};

function Filter({ label, value, data, onChange }: FilterProps) {
  const all = [{ value: '', label: 'All' }, ...data];
  return (
    <Select
      label={label}
      w={190}
      allowDeselect={false}
      data={all}
      // The address may name a webhook that no longer exists.
      value={all.some((candidate) => candidate.value === value) ? value : ''}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<DeliveryRow>[] => [
  { field: 'at', title: 'When', render: (row) => <span className="tabular">{formatInstant(row.at)}</span> },
  { title: 'Event', render: (row) => <RowLink name={row.type} onOpen={() => onOpen(row.id)} /> },
  { title: 'Webhook', width: 200, render: (row) => row.webhook },
  { title: 'State', render: (row) => <DeliveryChip row={row} /> },
  { title: 'Attempts', figure: true, render: (row) => row.tries },
  { title: 'Response', figure: true, render: (row) => row.status ?? '' },
  { title: 'Error', render: (row) => <WentWrong text={wrongOf(row)} /> },
];

function DeliveryChip({ row }: { row: DeliveryRow }) {
  return <Chip tone={DELIVERY_TONES[row.state]}>{row.state}</Chip>;
}

/** What went wrong, and when the next try is. Empty if nothing went wrong. */
function wrongOf(row: DeliveryRow): string {
  const next = row.off ? 'The webhook is off.' : row.nextAt ? `Next attempt: ${formatInstant(row.nextAt)}.` : '';
  // Errors from before the delivery no longer matter.
  return [row.state === 'Delivered' ? '' : row.error, next].filter(Boolean).join(' ');
}

function Delivery({ row, busy, onReplay }: { row: DeliveryRow; busy: boolean; onReplay: () => void }) {
  const facts: [string, string][] = [
    ['Webhook', row.webhook],
    ['ID', row.key],
    ['Event time', formatInstant(row.at)],
    ['Attempts', String(row.tries)],
    [
      'Last attempt',
      row.lastAt ? `${formatInstant(row.lastAt)}, ${(row.ms ?? 0).toLocaleString('en-US')} ms` : 'None yet',
    ],
    ['Response', row.status === null ? 'None' : String(row.status)],
  ];
  return (
    <Stack>
      <Group justify="space-between">
        <DeliveryChip row={row} />
        <Button variant="default" disabled={busy} onClick={onReplay}>
          Send again
        </Button>
      </Group>
      <WentWrong text={wrongOf(row)} />
      <Stack gap={4}>
        {facts.map(([label, value]) => (
          <Text size="sm" key={label} style={{ overflowWrap: 'anywhere' }}>
            <span className="muted">{label}: </span>
            {value}
          </Text>
        ))}
      </Stack>
      <Block title="Payload" text={row.body} />
      {row.answer ? <Block title="Response (first 500 bytes)" text={row.answer} /> : null}
    </Stack>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h6" mb="xs">
        {title}
      </Title>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {text}
      </Code>
    </section>
  );
}

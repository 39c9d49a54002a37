// Lists the endpoints that receive events, with a drawer to change, test, rotate and delete one.
import { Button, Checkbox, Group, Input, Select, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistorySection } from '#platform/history/HistoryPanel.tsx';
import { NewKeyDialog } from '#platform/api-keys/NewKeyDialog.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { WentWrong } from '#platform/ui/WentWrong.tsx';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.ts';
import { WebhookActions } from './WebhookActions.tsx';
import { WEBHOOK_TONES } from './webhook-words.ts';
import { Webhook, WEBHOOK_STATES, type WebhookEdit, WebhookInput, type WebhookRow } from './webhooks.contract.ts';

type Made = { name: string; secret: string };

export default function WebhooksPage() {
  const list = useRecordList({
    name: 'webhooks',
    filters: { keyword: '', state: '' },
    sort: { field: 'description', dir: 'asc' },
    criteria: ({ keyword, state }) => ({
      keyword,
      state: WEBHOOK_STATES.find((webhookState) => webhookState === state) ?? null,
    }),
    find: api(Webhook).SearchWebhooks,
  });
  const { keyword, state } = list.filters;
  const [editing, setEditing] = useState<number | null>(null);
  const [created, setCreated] = useState<Made | null>(null);
  useKeys([{ key: 'a', label: 'Add Webhook', run: () => setEditing(0) }]);

  return (
    <ListPage
      title="Webhooks"
      hint="Notify other systems when something happens to a quote. Prices are never sent."
      noun={['webhook', 'webhooks']}
      {...list.page}
      actions={
        <>
          <Button component={Link} to={paths.webhookDeliveries} variant="default">
            Deliveries
          </Button>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing(0)}>
            Add Webhook
          </Button>
        </>
      }
      filters={
        <>
          <KeywordField label="Description or address" {...list.field('keyword')} />
          <Select
            label="State"
            data={['All', ...WEBHOOK_STATES]}
            allowDeselect={false}
            value={state || 'All'}
            onChange={(next) => list.filter({ state: next === 'All' || next === null ? '' : next })}
          />
        </>
      }
    >
      <DataList
        label="Webhooks"
        columns={columnsOf(setEditing)}
        {...list.rows}
        onOpen={(row) => setEditing(row.id)}
        empty={keyword || state ? 'No Record Found' : 'No webhooks yet. Add one to notify another system.'}
        card={(row) => <WebhookCard row={row} onOpen={setEditing} />}
      />
      {editing === null ? null : (
        <WebhookDrawer
          id={editing}
          onMade={(next) => {
            setEditing(null);
            setCreated(next);
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {created ? <NewKeyDialog {...created} what="secret" onClose={() => setCreated(null)} /> : null}
    </ListPage>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<WebhookRow>[] => [
  {
    field: 'description',
    title: 'Description',
    render: (row) => <RowLink name={row.description} onOpen={() => onOpen(row.id)} />,
  },
  { title: 'State', render: (row) => <Chip tone={WEBHOOK_TONES[row.state]}>{row.state}</Chip> },
  { field: 'address', title: 'Address', width: 280, render: (row) => row.address },
  { title: 'Events', figure: true, render: (row) => row.events.length },
  { title: 'Waiting', figure: true, render: (row) => row.waiting.toLocaleString('en-US') },
  { title: 'Error', render: (row) => <WentWrong text={wrongOf(row)} /> },
];

/** What went wrong, and since when. Empty if nothing went wrong. */
function wrongOf({ problem, failingSince, state }: WebhookRow): string {
  return problem && failingSince && state === 'Failing' ? `${problem} Since ${formatInstant(failingSince)}.` : problem;
}

function WebhookCard({ row, onOpen }: { row: WebhookRow; onOpen: (id: number) => void }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <RowLink name={row.description} onOpen={() => onOpen(row.id)} />
        <Chip tone={WEBHOOK_TONES[row.state]}>{row.state}</Chip>
      </Group>
      <Text size="sm" className="muted" style={{ overflowWrap: 'anywhere' }}>
        {row.address} · {row.waiting.toLocaleString('en-US')} waiting
      </Text>
      <WentWrong text={wrongOf(row)} />
    </Stack>
  );
}

type DrawerProps = { id: number; onMade: (created: Made) => void; onClose: () => void };

function WebhookDrawer({ id, onMade, onClose }: DrawerProps) {
  const edit = useQuery({ ...api(Webhook).PopulateWebhookEditModel.query(id ? { id } : {}), ...READ_ANEW });
  const { data } = edit;
  return (
    <RecordDrawer onClose={onClose} title={id ? 'Edit Webhook' : 'Add Webhook'} size="lg">
      {edit.error ? (
        <ErrorAlert error={edit.error} title="This webhook could not be loaded" onRetry={edit.refetch} />
      ) : null}
      {data ? (
        <Stack>
          <ErrorAlert
            error={data.problem}
            title={data.webhook.active ? 'The last attempt failed' : 'This webhook is off'}
          />
          <WebhookForm
            record={data.webhook}
            onSaved={({ secret, description }) => {
              if (secret) return onMade({ name: description, secret });
              notifications.show({ message: `${description} is saved.` });
              onClose();
            }}
            onClose={onClose}
          />
          {id ? (
            <>
              <WebhookActions
                webhook={data.webhook}
                oldSecretUntil={data.oldSecretUntil}
                onMade={(secret) => onMade({ name: data.webhook.description, secret })}
                onClose={onClose}
              />
              <HistorySection type="webhook" id={id} />
            </>
          ) : null}
        </Stack>
      ) : edit.error ? null : (
        <Skeleton height={320} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

const LABELS = { description: 'Description', address: 'Address', events: 'Events', active: 'Active' };

type Saved = OutputOf<typeof Webhook.SaveWebhook>;
type FormProps = { record: WebhookEdit; onSaved: (saved: Saved) => void; onClose: () => void };

/** The form of a webhook: its address, its description, and the events that it receives. */
function WebhookForm({ record, onSaved, onClose }: FormProps) {
  const form = useRecordForm({
    record,
    schema: WebhookInput,
    save: api(Webhook).SaveWebhook,
    onSaved,
  });
  const { values, errors, set } = form;
  const field = fieldsOf(form, WebhookInput, LABELS);
  return (
    <RecordForm
      form={form}
      label="Webhook"
      labels={LABELS}
      inWords={(name, value) =>
        Array.isArray(value) ? value.join(', ') : name === 'active' ? (value ? 'Yes' : 'No') : String(value)
      }
      onCancel={onClose}
    >
      <TextInput {...field.text('description')} description="A name for this webhook." required data-autofocus />
      <TextInput
        {...field.text('address')}
        description="Events are posted to this address."
        placeholder="https://erp.example.com/hooks"
        required
        type="url"
        autoComplete="off"
      />
      <Switch
        {...field.check('active')}
        description="While the webhook is off, new events are not recorded. Waiting deliveries are kept."
      />
      <Events value={values.events} error={errors['events']} onChange={(events) => set({ events })} />
    </RecordForm>
  );
}

type EventsProps = { value: WebhookEvent[]; error: string | undefined; onChange: (events: WebhookEvent[]) => void };

function Events({ value, error, onChange }: EventsProps) {
  const all = value.length === WEBHOOK_EVENT_NAMES.length;
  return (
    <Input.Wrapper label="Events" required error={error} labelElement="div">
      <Stack gap="xs" mt={4} role="group" aria-label="Events">
        <Group justify="space-between">
          <Checkbox
            label="All events"
            checked={all}
            indeterminate={!all && value.length > 0}
            onChange={() => onChange(all ? [] : [...WEBHOOK_EVENT_NAMES])}
          />
          <Text size="sm" className="muted tabular">
            {value.length} of {WEBHOOK_EVENT_NAMES.length}
          </Text>
        </Group>
        {WEBHOOK_EVENT_NAMES.map((event) => (
          <Checkbox
            key={event}
            label={event}
            description={WEBHOOK_EVENTS[event]}
            checked={value.includes(event)}
            onChange={(changed) =>
              onChange(
                changed.currentTarget.checked ? [...value, event] : value.filter((candidate) => candidate !== event),
              )
            }
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

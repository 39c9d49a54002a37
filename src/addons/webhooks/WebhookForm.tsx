// The form of a webhook: its address, its description, and the events that it receives.
import { Checkbox, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.ts';
import { Webhook, type WebhookEdit, WebhookInput } from './webhooks.contract.ts';

const LABELS = { description: 'Description', address: 'Address', events: 'Events', active: 'Active' };

type Saved = OutputOf<typeof Webhook.SaveWebhook>;
type Props = { record: WebhookEdit; onSaved: (saved: Saved) => void; onClose: () => void };

export function WebhookForm({ record, onSaved, onClose }: Props) {
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
      <TextInput {...field.text('description')} description="What people call it." required data-autofocus />
      <TextInput
        {...field.text('address')}
        description="Each event is posted there."
        placeholder="https://erp.example.com/hooks"
        required
        type="url"
        autoComplete="off"
      />
      <Switch
        {...field.check('active')}
        description="While it is off, no new events are recorded for it, and waiting ones stay."
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
              onChange(changed.currentTarget.checked ? [...value, event] : value.filter((one) => one !== event))
            }
          />
        ))}
      </Stack>
    </Input.Wrapper>
  );
}

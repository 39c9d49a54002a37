// The settings for sending won quotes to the ERP: the keys that fetch them, the files, and the state of the folder.
import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Checkbox,
  Code,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Card } from '#platform/ui/Card.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { OrderRequests, type OrderSettings, OrderSettingsInput } from './order-requests.contract.ts';
import { FORMAT_LABELS } from './order-words.ts';
import { ORDER_FORMATS } from './order.ts';

const LABELS = {
  files: 'Write each order to the folder',
  format: 'Format',
  sender: 'Sender ID',
  receiver: 'Receiver ID',
  test: 'Mark files as a test',
  units: 'Unit codes',
};

export default function OrderSettingsPage() {
  const query = useQuery({ ...api(OrderRequests).GetOrderSettings.query({}), staleTime: 0 });
  const { data } = query;
  return (
    <FormPage title="Orders for the ERP">
      <ErrorAlert error={query.error} title="The settings could not be loaded" onRetry={query.refetch} />
      {data ? (
        <>
          <HandOverState ways={data.ways} />
          <Card title="Fetched by the ERP">
            <Keys keys={data.ways.keys} />
          </Card>
          <Card title="Files in a folder">
            <FilesForm data={data} />
          </Card>
          <Card title="History">
            <HistoryPanel type="orderSettings" id={1} />
          </Card>
        </>
      ) : query.error ? null : (
        <Skeleton height={320} radius="sm" />
      )}
    </FormPage>
  );
}

function HandOverState({ ways: { keys, files, folder, problem, pausedUntil } }: { ways: OrderSettings['ways'] }) {
  const connected = keys.length > 0 || (files && folder !== '');
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Chip tone={problem ? 'red' : connected ? 'green' : 'orange'}>
          {problem ? 'Not working' : connected ? 'Connected' : 'Not connected'}
        </Chip>
        <Anchor component={Link} to={paths.orderRequests} size="sm">
          Order requests
        </Anchor>
      </Group>
      {problem ? (
        <ErrorAlert
          error={`${problem} Next attempt: ${pausedUntil ? formatInstant(pausedUntil) : 'soon'}.`}
          title="Order files cannot be written"
        />
      ) : null}
      {connected ? null : (
        <Text size="sm" className="muted">
          No ERP is connected. Won quotes still create order requests, which wait until you connect one.
        </Text>
      )}
    </Stack>
  );
}

function Keys({ keys }: { keys: OrderSettings['ways']['keys'] }) {
  return (
    <Stack gap="xs">
      <Text size="sm">
        The ERP calls <Code>Order/GetOrderRequests</Code> to fetch new orders and <Code>Order/AcknowledgeOrder</Code> to
        report the result. Its <Link to={paths.apiKeys}>API key</Link> needs the scopes <Code>Order:read</Code> and{' '}
        <Code>Order:write</Code>.
      </Text>
      {keys.length === 0 ? (
        <Text size="sm" className="muted">
          No API key can fetch orders yet.
        </Text>
      ) : (
        keys.map(({ name, lastUsedAt }) => (
          <Text size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
            <b>{name}</b>{' '}
            <span className="muted">{lastUsedAt ? `last used ${formatInstant(lastUsedAt)}` : 'never used'}</span>
          </Text>
        ))
      )}
    </Stack>
  );
}

function FilesForm({ data: { settings, ways } }: { data: OrderSettings }) {
  const form = useRecordForm({
    record: settings,
    schema: OrderSettingsInput,
    save: (values) => api(OrderRequests).SaveOrderSettings(values),
    onSaved: () => {
      notifications.show({ message: 'The settings are saved.' });
    },
  });
  const { values, set, errors } = form;
  const field = fieldsOf(form, OrderSettingsInput, LABELS);
  const test = useMutation(api(OrderRequests).TestOrderFolder.mutation());
  const isX12 = values.format === 'x12';
  const setUnit = (index: number, change: Partial<(typeof values.units)[number]>) =>
    set({ units: values.units.map((unit, at) => (at === index ? { ...unit, ...change } : unit)) });
  return (
    <RecordForm
      form={form}
      label="Files"
      labels={LABELS}
      more={
        <Button variant="default" loading={test.isPending} disabled={!ways.folder} onClick={() => test.mutate({})}>
          Test folder
        </Button>
      }
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ways.folder ? (
          <>
            Orders are written to the folder that is set in <Code>{ways.folder}</Code> on the server.
          </>
        ) : (
          <>
            No order folder is configured. Set <Code>ORDER_FOLDER</Code> on the server, then restart it.
          </>
        )}
      </Text>
      <Checkbox {...field.check('files')} disabled={!ways.folder && !values.files} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <Select
          label={LABELS.format}
          description="The format of each file."
          allowDeselect={false}
          data={ORDER_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
          value={values.format}
          onChange={(format) => format && set({ format })}
        />
        <TextInput {...field.text('sender')} description="Required for X12. Up to 15 characters." />
        <TextInput {...field.text('receiver')} description="Required for X12. Up to 15 characters." />
      </SimpleGrid>
      <Checkbox {...field.check('test')} description="Sets the test indicator in X12 files." />
      {isX12 || values.units.length > 0 ? (
        <Stack gap="xs" role="group" aria-label={LABELS.units}>
          <Text size="sm" fw={500}>
            {LABELS.units}
          </Text>
          <Text size="sm" className="muted">
            Common X12 codes (EA, BX, PK, CA for CS, …) are built in. Add the units that have another code or none. An
            order with a unit that has no code waits until you add one.
          </Text>
          {values.units.map(({ unit, code }, index) => (
            <Group key={index} gap="xs" align="start" wrap="nowrap">
              <TextInput
                aria-label={`Unit ${index + 1}`}
                placeholder="Unit"
                maxLength={20}
                value={unit}
                error={errors[`units.${index}.unit`]}
                onChange={(event) => setUnit(index, { unit: event.currentTarget.value })}
              />
              <TextInput
                aria-label={`Code for unit ${index + 1}`}
                placeholder="Code"
                w={90}
                maxLength={2}
                value={code}
                error={errors[`units.${index}.code`]}
                onChange={(event) => setUnit(index, { code: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                size="lg"
                aria-label={`Remove unit ${unit || index + 1}`}
                onClick={() => set({ units: values.units.filter((_, at) => at !== index) })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => set({ units: [...values.units, { unit: '', code: '' }] })}
            >
              Add unit
            </Button>
          </Group>
        </Stack>
      ) : null}
      {test.error ? <ErrorAlert error={test.error} title="The folder could not be tested" /> : null}
      {test.data?.ok === false ? (
        <ErrorAlert error={test.data.sentence} title="The folder cannot be written to" />
      ) : null}
      {test.data?.ok ? (
        <Alert color="blue" variant="light" role="status" title="Folder test successful">
          <Text size="sm">{test.data.sentence}</Text>
        </Alert>
      ) : null}
    </RecordForm>
  );
}

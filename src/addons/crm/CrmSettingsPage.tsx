// The settings of the Salesforce connection: address, sign-in, connection test, and field mapping.
import {
  Alert,
  Anchor,
  Button,
  Code,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Card } from '#platform/ui/Card.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { CrmMappingForm } from './CrmMappingForm.tsx';
import { PausedAlert } from './CrmPushesPage.tsx';
import { Crm, CrmConnectionInput, type CrmSettings, METHODS } from './crm.contract.ts';

const LABELS = {
  address: 'Address',
  apiVersion: 'API version',
  method: 'Sign-in method',
  clientId: 'Client ID (consumer key)',
  userName: 'User name',
  secret: 'Secret',
  priceBook: 'Price book',
  customItem: 'Item number for custom items',
  keepCalls: 'API calls reserved for other apps',
};
const METHOD_LABELS = { ClientCredentials: 'Client credentials', JwtBearer: 'JWT bearer' };

export default function CrmSettingsPage() {
  const queries = useQueryClient();
  const settings = useQuery({ ...api(Crm).GetCrmSettings.query({}), staleTime: 0 });
  const [disconnecting, setDisconnecting] = useState(false);
  const again = () => void queries.invalidateQueries();
  const { data } = settings;
  return (
    <FormPage title="Salesforce">
      <ErrorAlert error={settings.error} title="The settings could not be loaded" onRetry={settings.refetch} />
      {data ? (
        <>
          <ConnectionState settings={data} />
          <PausedAlert pause={data.pause} onResumed={again} />
          <Card title="Connection">
            <ConnectionForm settings={data} onDisconnect={() => setDisconnecting(true)} />
          </Card>
          <Card title="Field mapping">
            <CrmMappingForm mapping={data.mapping} />
          </Card>
          <Card title="Connection history">
            <HistoryPanel type="crm" id={1} />
          </Card>
          <Card title="Field mapping history">
            <HistoryPanel type="crm" id={2} />
          </Card>
        </>
      ) : settings.error ? null : (
        <Skeleton height={320} radius="sm" />
      )}
      {disconnecting && data ? (
        <DisconnectDialog version={data.connection.version} onClose={() => setDisconnecting(false)} />
      ) : null}
    </FormPage>
  );
}

function ConnectionState({ settings: { source, problem, calls } }: { settings: CrmSettings }) {
  const connected = source !== 'none' && !problem;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Chip tone={connected ? 'green' : problem ? 'red' : 'orange'}>
          {connected ? 'Connected' : problem ? 'Not working' : 'Not connected'}
        </Chip>
        {calls ? (
          <Text size="sm" className="muted tabular">
            {calls.used.toLocaleString('en-US')} of {calls.limit.toLocaleString('en-US')} daily API calls used as of{' '}
            {formatInstant(calls.at)}
          </Text>
        ) : null}
        <Anchor component={Link} to={paths.crmPushes} size="sm">
          Pushes
        </Anchor>
      </Group>
      <ErrorAlert error={problem} title="Quotes cannot be pushed" />
      {source === 'environment' ? (
        <Alert color="blue" variant="light" title="Connected through environment variables">
          <Text size="sm">
            The server sets the address and the credentials with <Code>SALESFORCE_URL</Code>,{' '}
            <Code>SALESFORCE_CLIENT_ID</Code> and <Code>SALESFORCE_CLIENT_SECRET</Code>. They override the connection
            saved here. You can change all other settings on this screen.
          </Text>
        </Alert>
      ) : null}
      {source === 'none' ? (
        <Text size="sm" className="muted">
          Nothing is pushed until you connect Salesforce.
        </Text>
      ) : null}
    </Stack>
  );
}

function ConnectionForm({ settings, onDisconnect }: { settings: CrmSettings; onDisconnect: () => void }) {
  const { source, connection } = settings;
  const fixed = source === 'environment';
  const form = useRecordForm({
    record: { ...connection, secret: '' },
    // If the environment defines the connection, the fields are read-only.
    schema: CrmConnectionInput,
    save: (values) => api(Crm).SaveCrmConnection(values),
    onSaved: () => {
      notifications.show({ message: 'The connection is saved.' });
    },
  });
  const { values, set } = form;
  const test = useMutation(api(Crm).TestCrm.mutation());
  const refused = test.error instanceof HttpError ? (test.error.errors ?? []) : [];
  const errorOf = (field: string) => form.errors[field] ?? refused.find(({ path }) => path === field)?.message;
  const secretHint =
    source === 'screen' && connection.hasSecret ? 'Already stored. Enter a new one to replace it.' : '';
  return (
    <RecordForm
      form={form}
      label="Connection"
      labels={LABELS}
      action={source === 'none' ? 'Connect' : 'Save'}
      more={
        <>
          {source === 'screen' ? (
            <Button variant="subtle" color="red" onClick={onDisconnect}>
              Disconnect…
            </Button>
          ) : null}
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate(values)}>
            Test connection
          </Button>
        </>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={LABELS.address}
          description="In Salesforce, see Setup → My Domain."
          placeholder="https://company.my.salesforce.com"
          required
          disabled={fixed}
          maxLength={200}
          value={values.address}
          error={errorOf('address')}
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
        <TextInput
          label={LABELS.apiVersion}
          description="A version that your org supports."
          required
          maxLength={6}
          value={values.apiVersion}
          error={errorOf('apiVersion')}
          onChange={(event) => set({ apiVersion: event.currentTarget.value })}
        />
        <Select
          label={LABELS.method}
          description="For client credentials, the connected app needs a run-as user."
          allowDeselect={false}
          disabled={fixed}
          data={METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
          value={values.method}
          onChange={(method) => method && set({ method: method, secret: '' })}
        />
        <TextInput
          label={LABELS.clientId}
          description="From the connected app."
          required
          disabled={fixed}
          autoComplete="off"
          maxLength={500}
          value={values.clientId}
          error={errorOf('clientId')}
          onChange={(event) => set({ clientId: event.currentTarget.value })}
        />
      </SimpleGrid>
      {fixed ? null : <SecretFields values={values} storedHint={secretHint} errorOf={errorOf} onChange={set} />}
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          label={LABELS.priceBook}
          description="The name of the price book. Leave empty for the standard price book."
          maxLength={200}
          value={values.priceBook}
          error={errorOf('priceBook')}
          onChange={(event) => set({ priceBook: event.currentTarget.value })}
        />
        <TextInput
          label={LABELS.customItem}
          description="The Salesforce product for all custom items."
          maxLength={100}
          value={values.customItem}
          error={errorOf('customItem')}
          onChange={(event) => set({ customItem: event.currentTarget.value })}
        />
        <NumberField
          label={LABELS.keepCalls}
          description="Percentage of the org’s daily limit."
          suffix="%"
          min={0}
          max={90}
          decimals={0}
          value={values.keepCalls}
          error={errorOf('keepCalls')}
          onChange={(keepCalls) => set({ keepCalls })}
        />
      </SimpleGrid>
      <TestResult result={test.data} error={refused.length > 0 ? null : test.error} />
    </RecordForm>
  );
}

type SecretProps = {
  values: { method: string; userName: string; secret: string };
  /** The hint if a secret is stored. '' if none is. */
  storedHint: string;
  errorOf: (field: string) => string | undefined;
  onChange: (patch: { userName?: string; secret?: string }) => void;
};

function SecretFields({ values, storedHint, errorOf, onChange }: SecretProps) {
  if (values.method !== 'JwtBearer')
    return (
      <TextInput
        type="password"
        label="Client secret (consumer secret)"
        description={storedHint || 'Stored encrypted and never shown again.'}
        required={!storedHint}
        autoComplete="new-password"
        value={values.secret}
        error={errorOf('secret')}
        onChange={(event) => onChange({ secret: event.currentTarget.value })}
      />
    );
  return (
    <>
      <TextInput
        label={LABELS.userName}
        description="Quotes are pushed as this user."
        required
        autoComplete="off"
        maxLength={200}
        value={values.userName}
        error={errorOf('userName')}
        onChange={(event) => onChange({ userName: event.currentTarget.value })}
      />
      <Textarea
        label="Private key (PEM)"
        description={storedHint || 'The private key for the certificate of the connected app.'}
        required={!storedHint}
        autosize
        minRows={3}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        value={values.secret}
        error={errorOf('secret')}
        onChange={(event) => onChange({ secret: event.currentTarget.value })}
      />
    </>
  );
}

type Tested = OutputOf<typeof Crm.TestCrm>;

function TestResult({ result, error }: { result: Tested | undefined; error: Error | null }) {
  if (error) return <ErrorAlert error={error} title="The connection could not be tested" />;
  if (!result) return null;
  if (!result.ok) return <ErrorAlert error={result.sentence} title="Connection failed" />;
  const { problems } = result;
  return (
    <Alert
      color={problems.length > 0 ? 'orange' : 'blue'}
      variant="light"
      role="status"
      title={problems.length > 0 ? 'Connection successful, but some fields have problems' : 'Connection successful'}
    >
      <Text size="sm">{result.sentence}</Text>
      {problems.map(({ object, field, problem }, index) => (
        <Text size="sm" key={index} style={{ overflowWrap: 'anywhere' }}>
          <b>
            {object}.{field}
          </b>
          : {problem}
        </Text>
      ))}
    </Alert>
  );
}

function DisconnectDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const disconnect = useMutation({
    ...api(Crm).DisconnectCrm.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'Salesforce is disconnected.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Disconnect Salesforce?"
      action="Disconnect"
      harmful
      busy={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate({ version })}
      onClose={onClose}
    >
      The address and the secret are deleted. Pushed records stay in Salesforce. Waiting pushes continue when you
      connect an org again.
    </ConfirmDialog>
  );
}

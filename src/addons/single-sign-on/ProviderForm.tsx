// The form for the provider: its address, our client id and secret, the roles by claims, and whether passwords still work.
import {
  ActionIcon,
  Button,
  Checkbox,
  Code,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { SignOnAdmin, SignOnInput, type SignOnSettings } from './single-sign-on.contract.ts';

const LABELS = {
  issuer: 'Issuer',
  clientId: 'Client ID',
  secret: 'Client secret',
  scopes: 'Scopes',
  button: 'Button text on the login screen',
  makesPeople: 'Create accounts automatically for people with a role',
  localOff: 'Turn off password sign-in for everyone except one administrator',
  localAdminId: 'Administrator who can always sign in with a password',
  rows: 'Roles',
};

export function ProviderForm({ settings, more }: { settings: SignOnSettings; more: ReactNode }) {
  const { hasSecret, administrators, redirectUri, logoutUri } = settings;
  const form = useRecordForm({
    record: { ...settings, secret: '' },
    schema: SignOnInput,
    save: (values) => api(SignOnAdmin).SaveSignOnSettings(values),
    onSaved: () => {
      notifications.show({ message: 'Single sign-on is saved.' });
    },
  });
  const { values, set } = form;
  const test = useMutation(api(SignOnAdmin).TestSignOn.mutation());
  const refused = test.error instanceof HttpError ? (test.error.errors ?? []) : [];
  const errorOf = (field: string) => form.errors[field] ?? refused.find(({ path }) => path === field)?.message;
  const field = (name: 'issuer' | 'clientId' | 'scopes' | 'button') => ({
    label: LABELS[name],
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    value: values[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  return (
    <RecordForm
      form={form}
      label="Single sign-on"
      labels={LABELS}
      inWords={inWords}
      action={settings.issuer ? 'Save' : 'Set up'}
      more={
        <>
          {more}
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate(values)}>
            Test connection
          </Button>
        </>
      }
    >
      <div>
        <Text size="sm">At the provider, register a web application with these addresses:</Text>
        <Text size="sm" className="muted" style={{ overflowWrap: 'anywhere' }}>
          Redirect URI <Code>{redirectUri}</Code>
        </Text>
        <Text size="sm" className="muted" style={{ overflowWrap: 'anywhere' }}>
          Back-channel logout URI <Code>{logoutUri}</Code>
        </Text>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          {...field('issuer')}
          description="Enter it exactly as the provider publishes it."
          placeholder="https://login.example.com/tenant"
          maxLength={500}
        />
        <TextInput {...field('clientId')} description="From the application at the provider." maxLength={500} />
        <TextInput
          type="password"
          label={LABELS.secret}
          description={
            hasSecret ? 'Already stored. Enter a new one to replace it.' : 'Stored encrypted and never shown again.'
          }
          required={!hasSecret}
          autoComplete="new-password"
          maxLength={2000}
          value={values.secret}
          error={errorOf('secret')}
          onChange={(event) => set({ secret: event.currentTarget.value })}
        />
        <TextInput
          {...field('scopes')}
          description="openid and the scopes for email, name and groups."
          maxLength={500}
        />
        <TextInput {...field('button')} placeholder="Sign in with Example" maxLength={60} />
      </SimpleGrid>
      <RoleRows rows={values.rows} errors={form.errors} onChange={(rows) => set({ rows })} />
      <Checkbox
        label={LABELS.makesPeople}
        description="Otherwise, people link their account in My account, or a system administrator links it."
        checked={values.makesPeople}
        onChange={(event) => set({ makesPeople: event.currentTarget.checked })}
      />
      <Checkbox
        label={LABELS.localOff}
        checked={values.localOff}
        onChange={(event) => set({ localOff: event.currentTarget.checked })}
      />
      {values.localOff ? (
        <Select
          label={LABELS.localAdminId}
          description="A system administrator with a password, in case the provider is down."
          required
          data={administrators.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={values.localAdminId === null ? null : String(values.localAdminId)}
          error={errorOf('localAdminId')}
          onChange={(id) => set({ localAdminId: id === null ? null : Number(id) })}
        />
      ) : null}
      <Tested result={test.data} error={refused.length > 0 ? null : test.error} />
    </RecordForm>
  );
}

function Tested({ result, error }: { result: { ok: boolean; sentence: string } | undefined; error: Error | null }) {
  if (error) return <ErrorAlert error={error} title="The connection could not be tested" />;
  if (!result) return null;
  if (!result.ok) return <ErrorAlert error={result.sentence} title="Connection failed" />;
  return (
    <Stack gap={0} role="status">
      <Text size="sm" fw={600}>
        Connection successful
      </Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {result.sentence} The client ID and the secret are checked at the first sign-in.
      </Text>
    </Stack>
  );
}

function inWords(field: string, value: unknown): string {
  if (field === 'rows' && Array.isArray(value)) {
    const rows = value as SignOnSettings['rows'];
    return rows
      .map(({ claim, value: is, roles }) => `${claim} = ${is}: ${roles.map((role) => ROLE_LABELS[role]).join(', ')}`)
      .join('; ');
  }
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Rows = SignOnSettings['rows'];
type Props = { rows: Rows; errors: Record<string, string>; onChange: (rows: Rows) => void };

/** Rows that say who gets which roles: the value of a claim, and the roles for it. */
function RoleRows({ rows, errors, onChange }: Props) {
  const change = (index: number, patch: Partial<Rows[number]>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <section aria-label="Roles">
      <Title order={3} size="h5">
        Roles
      </Title>
      <Text size="sm" className="muted" mb={6}>
        People get the roles of every row that matches their claims, each time they sign in. People who match no row
        cannot sign in.
      </Text>
      <Stack gap={8}>
        {rows.map((row, index) => {
          const errorOf = (name: string) => errors[`rows.${index}.${name}`];
          const name = row.value || 'the new row';
          return (
            <Group key={index} gap="xs" align="start" wrap="nowrap">
              <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={6} flex={1}>
                <TextInput
                  aria-label="Claim"
                  placeholder="groups"
                  maxLength={200}
                  spellCheck={false}
                  value={row.claim}
                  error={errorOf('claim')}
                  onChange={(event) => change(index, { claim: event.currentTarget.value })}
                />
                <TextInput
                  aria-label={`Value of ${row.claim || 'the claim'}`}
                  placeholder="Value"
                  maxLength={200}
                  spellCheck={false}
                  value={row.value}
                  error={errorOf('value')}
                  onChange={(event) => change(index, { value: event.currentTarget.value })}
                />
                <MultiSelect
                  aria-label={`Roles for ${name}`}
                  placeholder={row.roles.length === 0 ? 'Roles' : ''}
                  data={ROLES.map((role) => ({ value: role, label: ROLE_LABELS[role] }))}
                  value={row.roles}
                  error={errorOf('roles')}
                  onChange={(chosen) => change(index, { roles: ROLES.filter((role) => chosen.includes(role)) })}
                />
              </SimpleGrid>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove ${name}`}
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          );
        })}
        <Group gap={0}>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...rows, { claim: rows.at(-1)?.claim ?? 'groups', value: '', roles: [] }])}
          >
            Add row
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

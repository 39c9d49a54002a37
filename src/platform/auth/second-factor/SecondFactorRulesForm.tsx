// The form that sets which roles must have a second factor, and how long a sign-in lasts.
import { Checkbox, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { SecondFactorAdmin, SecondFactorRules } from './second-factor-admin.contract.ts';

export function SecondFactorRulesForm() {
  const rules = useQuery({ ...api(SecondFactorAdmin).GetSecondFactorRules.query({}), staleTime: 0 });
  return (
    <section className="card" aria-label="Sign-in rules">
      <Stack p="md" gap="sm">
        <Title order={2}>Sign-in rules</Title>
        <Text size="sm" className="muted">
          People in these roles who sign in by password need an authenticator app and set it up at the next sign-in.
          Everyone else can add one under My account.
        </Text>
        <ErrorAlert error={rules.error} title="The rules could not be loaded" onRetry={rules.refetch} />
        {rules.data ? <RolesForm rules={rules.data} /> : null}
      </Stack>
    </section>
  );
}

function RolesForm({ rules }: { rules: SecondFactorRules }) {
  const form = useRecordForm({
    record: rules,
    schema: SecondFactorRules,
    save: (values) => api(SecondFactorAdmin).SaveSecondFactorRules(values),
    onSaved: () => {
      notifications.show({ message: 'The rules are saved.' });
    },
  });
  return (
    <RecordForm
      form={form}
      label="Sign-in rules"
      labels={{ roles: 'Roles with a second factor', sessionDays: 'Days until the next sign-in' }}
      inWords={(_field, value) => rulesInWords(value)}
    >
      <Checkbox.Group
        label="A second factor is required for"
        value={form.values.roles}
        onChange={(chosen) => form.set({ roles: ROLES.filter((role) => chosen.includes(role)) })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={ROLE_LABELS[role]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <NumberField
        label="Days until the next sign-in"
        description="After this, everyone has to sign in again, even if they were active in between."
        suffix="days"
        min={1}
        max={365}
        decimals={0}
        value={form.values.sessionDays}
        error={form.errors['sessionDays']}
        onChange={(sessionDays) => form.set({ sessionDays })}
      />
    </RecordForm>
  );
}

function rulesInWords(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) && value.length > 0 ? value.map((role: Role) => ROLE_LABELS[role]).join(', ') : 'None';
}

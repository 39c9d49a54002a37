// The form for which roles must have a second factor.
import { Checkbox, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ROLE_LABELS, ROLES, type Role } from '#shared/roles.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { SecondFactorAdmin, SecondFactorRules } from './second-factor-admin.contract.ts';

export function SecondFactorRulesForm() {
  const rules = useQuery({ ...api(SecondFactorAdmin).GetSecondFactorRules.query({}), staleTime: 0 });
  return (
    <section className="card" aria-label="Second factor">
      <Stack p="md" gap="sm">
        <Title order={2}>Second factor</Title>
        <Text size="sm" className="muted">
          People in these roles who sign in by password need an authenticator app and set it up at the next sign-in.
          Everybody else may have one: the name in the toolbar → My account.
        </Text>
        <ErrorAlert error={rules.error} title="The rules could not be loaded" />
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
      label="Second factor"
      labels={{ roles: 'Roles' }}
      inWords={(_field, value) => inWords(value)}
    >
      <Checkbox.Group
        label="Required for"
        value={form.values.roles}
        onChange={(chosen) => form.set({ roles: ROLES.filter((role) => chosen.includes(role)) })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          {ROLES.map((role) => (
            <Checkbox key={role} value={role} label={ROLE_LABELS[role]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </RecordForm>
  );
}

function inWords(value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? value.map((role: Role) => ROLE_LABELS[role]).join(', ') : 'None';
}

// Rows that say who gets which roles: the value of a claim, and the roles for it.
import { ActionIcon, Button, Group, MultiSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { ROLE_LABELS, ROLES } from '#platform/shared/roles.ts';
import type { SignOnSettings } from './single-sign-on.contract.ts';

type Rows = SignOnSettings['rows'];
type Props = { rows: Rows; errors: Record<string, string>; onChange: (rows: Rows) => void };

export function RoleRows({ rows, errors, onChange }: Props) {
  const change = (index: number, patch: Partial<Rows[number]>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <section aria-label="Roles">
      <Title order={3} size="h5">
        Roles
      </Title>
      <Text size="sm" className="muted" mb={6}>
        People with this value in this claim get these roles at each sign-in. People who match no row are refused.
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
            Add a row
          </Button>
        </Group>
      </Stack>
    </section>
  );
}

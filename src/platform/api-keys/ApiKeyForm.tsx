// The form of an API key: its owner, last day, rate limit and scopes.
import { Anchor, Checkbox, Group, Input, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { readPage } from '#platform/api/request.web.ts';
import { PersonSelect } from '#platform/users/PersonSelect.tsx';
import type { Person } from '#platform/users/users.contract.ts';
import type { Named } from '#platform/shared/wire.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { fieldsOf } from '#platform/ui/form-fields.web.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { openInTab } from '#platform/ui/open-in-tab.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ApiKey, type ApiKeyEdit, ApiKeyInput, type ScopeGroup } from './api-keys.contract.ts';

type Saved = ApiKeyEdit & { key: string | null };
type Props = { record: ApiKeyEdit; owner: Named | null; onSaved: (saved: Saved) => void; onClose: () => void };

const LABELS = {
  name: 'Name',
  ownerId: 'Calls on behalf of',
  expiresOn: 'Last day',
  callsPerMinute: 'Calls per minute',
  scopes: 'Scopes',
};

export function ApiKeyForm({ record, owner, onSaved, onClose }: Props) {
  const form = useRecordForm({ record, schema: ApiKeyInput, save: (key) => api(ApiKey).SaveApiKey(key), onSaved });
  const { values, errors, set } = form;
  const field = fieldsOf(form, ApiKeyInput, LABELS);
  const [person, setPerson] = useState<Person | null>(owner ? { ...owner, userName: '' } : null);
  return (
    <RecordForm
      form={form}
      label="API key"
      labels={LABELS}
      inWords={(field, value) =>
        Array.isArray(value)
          ? value.join(', ')
          : field === 'expiresOn'
            ? formatDate(String(value)) || 'None'
            : undefined
      }
      onCancel={onClose}
    >
      <TextInput
        {...field.text('name')}
        description="The program that uses the key. The history shows this name next to the owner's."
        data-autofocus
      />
      {record.id && owner ? (
        <Input.Wrapper label="Calls on behalf of">
          <Text>{owner.name}</Text>
        </Input.Wrapper>
      ) : (
        <PersonSelect
          label="Calls on behalf of"
          description="The key has the permissions that this person has now. It does not gain roles that the person gets later."
          required
          roles={[]}
          value={person}
          error={errors['ownerId']}
          onChange={(next) => {
            setPerson(next);
            set({ ownerId: next?.id ?? 0, scopes: [] });
          }}
        />
      )}
      <Group align="flex-start" grow>
        <DateField
          label="Last day"
          description="Leave empty for a key that works until it is revoked."
          value={values.expiresOn}
          error={errors['expiresOn']}
          onChange={(expiresOn) => set({ expiresOn })}
        />
        <NumberField
          label="Calls per minute"
          description="Further calls are rejected."
          required
          min={1}
          max={6000}
          decimals={0}
          value={values.callsPerMinute}
          error={errors['callsPerMinute']}
          onChange={(callsPerMinute) => set({ callsPerMinute })}
        />
      </Group>
      {values.ownerId ? (
        <Scopes
          ownerId={values.ownerId}
          keyId={record.id}
          value={values.scopes}
          error={errors['scopes']}
          onChange={(scopes) => set({ scopes })}
        />
      ) : null}
    </RecordForm>
  );
}

type ScopesProps = {
  ownerId: number;
  /** 0 for a new key. */
  keyId: number;
  value: string[];
  error: string | undefined;
  onChange: (scopes: string[]) => void;
};

function Scopes({ ownerId, keyId, value, error, onChange }: ScopesProps) {
  const list = useMutation({ mutationFn: () => openInTab(() => readPage('/api/docs')) });
  const groups = useQuery(api(ApiKey).GetScopesOf.query({ ownerId, id: keyId || null }));
  if (groups.error)
    return <ErrorAlert error={groups.error} title="The scopes could not be loaded" onRetry={groups.refetch} />;
  if (!groups.data) return <Skeleton height={200} aria-label="Loading" />;
  const offered = groups.data.flatMap(({ group, read, write }) => [
    ...(read.length > 0 ? [`${group}:read`] : []),
    ...(write.length > 0 ? [`${group}:write`] : []),
  ]);
  const lost = value.filter((scope) => !offered.includes(scope));
  const tick = (scope: string, ticked: boolean) =>
    onChange(ticked ? [...value, scope] : value.filter((candidate) => candidate !== scope));
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Input.Label required>Scopes</Input.Label>
        <Text size="sm" className="muted tabular">
          {value.length} of {offered.length}
        </Text>
      </Group>
      <Text size="xs" className="muted">
        Groups of calls, as in{' '}
        <Anchor component="button" type="button" underline="always" inherit onClick={() => list.mutate()}>
          the list of all calls
        </Anchor>
        . Select only what the program needs.
      </Text>
      <ErrorAlert error={list.error} title="The list could not be opened" />
      {error ? <Input.Error>{error}</Input.Error> : null}
      {lost.map((scope) => (
        <Checkbox
          key={scope}
          checked
          label={`${scope}: no longer available to the owner or to API keys`}
          onChange={() => tick(scope, false)}
        />
      ))}
      <Table layout="fixed" aria-label="Scopes">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Group</Table.Th>
            <Table.Th w={72}>Read</Table.Th>
            <Table.Th w={72}>Change</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.data.map((group) => (
            <ScopeRow key={group.group} {...group} value={value} onTick={tick} />
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

type RowProps = ScopeGroup & { value: string[]; onTick: (scope: string, ticked: boolean) => void };

function ScopeRow({ group, read, write, value, onTick }: RowProps) {
  const box = (kind: 'read' | 'write', calls: string[]) => {
    const scope = `${group}:${kind}`;
    return calls.length === 0 ? null : (
      <Checkbox
        aria-label={`${kind === 'read' ? 'Read' : 'Change'} ${group}`}
        checked={value.includes(scope)}
        onChange={(event) => onTick(scope, event.currentTarget.checked)}
      />
    );
  };
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {group}
        </Text>
        <Text size="xs" className="muted" style={{ overflowWrap: 'anywhere' }}>
          {[...read, ...write].join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>{box('read', read)}</Table.Td>
      <Table.Td>{box('write', write)}</Table.Td>
    </Table.Tr>
  );
}

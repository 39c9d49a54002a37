// The list of API keys with their owners and last use. Administrators create, change and revoke keys here.
import { Button, Group, Select, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { HistorySection } from '#platform/history/HistoryPanel.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import { formatDate, formatInstant } from '#platform/shared/dates.ts';
import { API_KEY_STATES, ApiKey, type ApiKeyEdit, type ApiKeyRow, type ApiKeyState } from './api-keys.contract.ts';
import { ApiKeyForm } from './ApiKeyForm.tsx';
import { NewKeyDialog } from './NewKeyDialog.tsx';

const TONES: Record<ApiKeyState, Tone> = {
  Active: 'green',
  Expired: 'orange',
  Revoked: 'red',
  'Owner inactive': 'orange',
};

export default function ApiKeysPage() {
  const list = useRecordList({
    name: 'api-keys',
    filters: { keyword: '', state: '' },
    sort: { field: 'name', dir: 'asc' },
    criteria: ({ keyword, state }) => ({
      keyword,
      state: API_KEY_STATES.find((apiKeyState) => apiKeyState === state) ?? null,
    }),
    find: api(ApiKey).SearchApiKeys,
  });
  const [editing, setEditing] = useState<number | null>(null);
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  useKeys([{ key: 'a', label: 'Add API Key', run: () => setEditing(0) }]);

  return (
    <ListPage
      title="API Keys"
      noun={['API key', 'API keys']}
      {...list.page}
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing(0)}>
          Add API Key
        </Button>
      }
      filters={
        <>
          <KeywordField label="Name or owner" {...list.field('keyword')} />
          <Select
            label="State"
            data={['All', ...API_KEY_STATES]}
            allowDeselect={false}
            value={list.filters.state || 'All'}
            onChange={(next) => list.filter({ state: next === 'All' || next === null ? '' : next })}
          />
        </>
      }
    >
      <DataList
        label="API keys"
        columns={columnsOf(setEditing)}
        {...list.rows}
        onOpen={(row) => setEditing(row.id)}
        card={(row) => <KeyCard row={row} onOpen={setEditing} />}
      />
      {editing === null ? null : (
        <KeyDrawer
          id={editing}
          onMade={(name, secret) => {
            setEditing(null);
            setCreated({ name, secret });
          }}
          onClose={() => setEditing(null)}
        />
      )}
      {created ? <NewKeyDialog {...created} onClose={() => setCreated(null)} /> : null}
    </ListPage>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<ApiKeyRow>[] => [
  { field: 'name', title: 'Name', render: (row) => <RowLink name={row.name} onOpen={() => onOpen(row.id)} /> },
  { title: 'State', render: (row) => <Chip tone={TONES[row.state]}>{row.state}</Chip> },
  { title: 'Begins with', render: (row) => <code>{row.prefix}</code> },
  { field: 'owner', title: 'Calls on behalf of', render: (row) => row.owner.name },
  { title: 'Scopes', figure: true, render: (row) => row.scopes.length },
  { field: 'expiresOn', title: 'Last day', render: (row) => (row.expiresOn ? formatDate(row.expiresOn) : 'None') },
  {
    field: 'lastUsedAt',
    title: 'Last used',
    render: (row) => (row.lastUsedAt ? formatInstant(row.lastUsedAt) : 'Never'),
  },
];

function KeyCard({ row, onOpen }: { row: ApiKeyRow; onOpen: (id: number) => void }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between">
        <RowLink name={row.name} onOpen={() => onOpen(row.id)} />
        <Chip tone={TONES[row.state]}>{row.state}</Chip>
      </Group>
      <Text size="sm" className="muted">
        {row.owner.name} · {row.lastUsedAt ? `last used ${formatInstant(row.lastUsedAt)}` : 'never used'}
      </Text>
    </Stack>
  );
}

type DrawerProps = { id: number; onMade: (name: string, secret: string) => void; onClose: () => void };

function KeyDrawer({ id, onMade, onClose }: DrawerProps) {
  const edit = useQuery({ ...api(ApiKey).PopulateApiKeyEditModel.query(id ? { id } : {}), ...READ_ANEW });
  const [asking, setAsking] = useState(false);
  const saved = ({ name, key }: ApiKeyEdit & { key: string | null }) => {
    if (key) return onMade(name, key);
    notifications.show({ message: `${name} is saved.` });
    onClose();
  };
  const data = edit.data;
  return (
    <RecordDrawer onClose={onClose} title={id ? 'Edit API Key' : 'Add API Key'} size="lg">
      {edit.error ? (
        <ErrorAlert error={edit.error} title="This API key could not be loaded" onRetry={edit.refetch} />
      ) : null}
      {data ? (
        <Stack>
          {data.state === 'Revoked' ? (
            <Text>This key is permanently revoked. If the program still needs access, create a new key.</Text>
          ) : (
            <ApiKeyForm record={data.key} owner={data.owner} onSaved={saved} onClose={onClose} />
          )}
          {id && data.state !== 'Revoked' ? (
            <Group>
              <Button variant="default" color="red" onClick={() => setAsking(true)}>
                Revoke
              </Button>
            </Group>
          ) : null}
          <HistorySection type="apiKey" id={id} />
          {asking ? <RevokeDialog edit={data.key} onClose={() => setAsking(false)} onRevoked={onClose} /> : null}
        </Stack>
      ) : edit.error ? null : (
        <Skeleton height={320} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

function RevokeDialog({ edit, onRevoked, onClose }: { edit: ApiKeyEdit; onRevoked: () => void; onClose: () => void }) {
  const revoke = useMutation({
    ...api(ApiKey).RevokeApiKey.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${edit.name} is revoked.` });
      onRevoked();
    },
  });
  return (
    <ConfirmDialog
      title="Revoke this key?"
      action="Revoke"
      harmful
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ id: edit.id, version: edit.version })}
      onClose={onClose}
    >
      {`The program that uses ${edit.name} loses access immediately. This cannot be undone.`}
    </ConfirmDialog>
  );
}

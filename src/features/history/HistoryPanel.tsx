// 'History' of a record: who changed what and when.
import { List, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { type FieldChange, History } from './history.contract.ts';
import type { RecordType } from './record-types.ts';

export function HistoryPanel({ type, id }: { type: RecordType; id: number }) {
  const history = useQuery({ ...api(History).GetHistory.query({ type, id }), staleTime: 0 });
  if (history.error) return <ErrorAlert error={history.error} title="The history could not be loaded" />;
  if (!history.data) return <Skeleton height={60} radius="sm" aria-label="Loading" />;
  if (history.data.length === 0) {
    return (
      <Text size="sm" className="muted">
        Nothing has been changed yet.
      </Text>
    );
  }
  return (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="History">
      {history.data.map((event) => (
        <li key={event.id}>
          <Text size="sm">
            <b>{event.actor}</b> · {event.action}{' '}
            <span className="muted tabular">{new Date(event.at).toLocaleString('en-US')}</span>
          </Text>
          {event.comment ? <Text size="sm">{event.comment}</Text> : null}
          <Changes changes={event.changes} />
        </li>
      ))}
    </Stack>
  );
}

/** Each change on a line: field, before → after. */
export function Changes({ changes }: { changes: FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <List size="sm" listStyleType="none" className="muted">
      {changes.map((change) => (
        <List.Item key={change.field}>
          {change.field}: {change.before || '–'} → {change.after || '–'}
        </List.Item>
      ))}
    </List>
  );
}

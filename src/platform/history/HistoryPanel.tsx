// Shows the 'History' of a record: who changed what, and when.
import { Button, List, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import type { FieldChange } from '#platform/shared/conflict.ts';
import { ClearedNote, useClearedBefore } from './ClearedNote.tsx';
import { History, type RecordEvent } from './history.contract.ts';
import type { RecordType } from './record-types.ts';
import { recordWords } from './record-words.ts';

/** The history below a form. A new record has none yet. */
export function HistorySection({ type, id }: { type: RecordType; id: number }) {
  if (id === 0) return null;
  return (
    <section>
      <Title order={2} size="h6" mb="xs">
        History
      </Title>
      <HistoryPanel type={type} id={id} />
    </section>
  );
}

export function HistoryPanel({ type, id }: { type: RecordType; id: number }) {
  const history = useQuery({ ...api(History).GetHistory.query({ type, id }), staleTime: 0 });
  if (history.error)
    return <ErrorAlert error={history.error} title="The history could not be loaded" onRetry={history.refetch} />;
  if (!history.data) return <Skeleton height={60} radius="sm" aria-label="Loading" />;
  if (history.data.length === 0) {
    return (
      <Text size="sm" className="muted">
        No changes yet.
      </Text>
    );
  }
  return (
    <>
      <EventList type={type} events={history.data} />
      <Cleared events={history.data} />
    </>
  );
}

/** Events of one record: who did what, when, and the changes. */
export function EventList({ type, events }: { type: RecordType; events: readonly RecordEvent[] }) {
  return (
    <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }} aria-label="History">
      {events.map((event) => (
        <li key={event.id}>
          <Text size="sm">
            <b>{event.actor}</b> {recordWords({ type, action: event.action })}{' '}
            <span className="muted tabular">{formatInstant(event.at)}</span>
          </Text>
          <Changes changes={event.changes} comment={event.comment} />
        </li>
      ))}
    </Stack>
  );
}

/** Notes that changes may be missing, unless the history begins with the creation of the record. */
function Cleared({ events }: { events: readonly RecordEvent[] }) {
  const before = useClearedBefore('recordEvents');
  const whole = events.some(({ action, at }) => action === 'Create' && before !== null && at.slice(0, 10) >= before);
  return whole ? null : <ClearedNote {...CLEARED_CHANGES} />;
}

export const CLEARED_CHANGES = {
  kind: 'recordEvents',
  what: 'Changes of records made',
  but: 'The newest of each kind of change stays.',
};

/** The number of changes, and the length of a text, that are shown before the user expands them. */
const SHOWN = 4;
const LONG = 160;

/** The comment, then each change on a line: field, before → after. Long texts are collapsed until opened. */
export function Changes({ changes, comment = '' }: { changes: FieldChange[]; comment?: string }) {
  const [whole, setWhole] = useState(false);
  const visible = whole ? changes : changes.slice(0, SHOWN);
  const hidden = changes.length - visible.length;
  const cut = (text: string) => (whole || text.length <= LONG ? text : `${text.slice(0, LONG).trimEnd()} …`);
  const long = [comment, ...changes.flatMap(({ before, after }) => [before, after])].some(
    ({ length }) => length > LONG,
  );
  return (
    <>
      {comment ? (
        <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {cut(comment)}
        </Text>
      ) : null}
      {visible.length > 0 ? (
        <List size="sm" listStyleType="none" className="muted" style={{ overflowWrap: 'anywhere' }}>
          {visible.map(({ field, before, after }, index) => (
            // The same field can occur twice.
            <List.Item key={`${index} ${field}`}>
              {field}: {cut(before) || '–'} → {cut(after) || '–'}
            </List.Item>
          ))}
        </List>
      ) : null}
      {long || changes.length > SHOWN ? (
        <Button
          variant="subtle"
          size="compact-xs"
          // Aligns the text of the button with the lines.
          ml={-8}
          style={{ alignSelf: 'start' }}
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? 'Show less' : hidden > 0 ? `Show ${hidden.toLocaleString('en-US')} more` : 'Show all'}
        </Button>
      ) : null}
    </>
  );
}

// The drawer under the bell: the user's notifications by quote, newest first, each with a link to its subject.
import { Anchor, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { since } from '#platform/shared/time-ago.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import classes from './notifications.module.css';
import { NotificationCalls, type NotificationRow } from './notifications.contract.ts';

const STEP = 30;
/** The largest page that the call returns. */
const MOST = 200;

export default function BellDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer opened={opened} onClose={onClose} title="Notifications" position="right" size={420}>
      <BellList onLeave={onClose} />
    </Drawer>
  );
}

/** `onLeave` is called when the user follows a link. */
function BellList({ onLeave }: { onLeave: () => void }) {
  const [pageSize, setPageSize] = useState(STEP);
  const query = useQuery({
    ...api(NotificationCalls).SearchNotifications.query({ page: 1, pageSize }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const mark = useMutation(api(NotificationCalls).MarkRead.mutation());
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorAlert error={query.error} title="The notifications could not be loaded" onRetry={query.refetch} />
    ) : (
      <Skeleton height={240} radius="sm" aria-label="Loading" />
    );
  }
  const groups = [
    ...Map.groupBy(data.records, ({ quoteId, id }) => (quoteId === null ? `own ${id}` : quoteId)).values(),
  ];
  return (
    <Stack gap="sm">
      <ErrorAlert error={query.error ?? mark.error} title="Not up to date" />
      <Group justify="space-between">
        <Anchor component={Link} to={paths.account} hash="notifications" size="sm" onClick={onLeave}>
          Notification settings
        </Anchor>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={data.unread === 0}
          loading={mark.isPending}
          onClick={() => mark.mutate({ all: true })}
        >
          Mark all read
        </Button>
      </Group>
      {groups.length === 0 ? (
        <Text size="sm" className="muted" ta="center" py="xl">
          No notifications yet. Approvals, questions and customer decisions will appear here.
        </Text>
      ) : (
        groups.map((rows) => (
          <NotificationGroup
            key={rows[0]?.id}
            rows={rows}
            now={query.dataUpdatedAt}
            onOpen={(row) => {
              if (!row.read) mark.mutate({ ids: [row.id] });
              onLeave();
            }}
          />
        ))
      )}
      {data.total > data.records.length && pageSize < MOST ? (
        <Button
          variant="default"
          loading={query.isFetching}
          onClick={() => setPageSize((size) => Math.min(MOST, size + STEP))}
        >
          Show older
        </Button>
      ) : null}
    </Stack>
  );
}

type GroupProps = { rows: NotificationRow[]; now: number; onOpen: (row: NotificationRow) => void };

function NotificationGroup({ rows, now, onOpen }: GroupProps) {
  const { history } = useRouter();
  const about = rows[0]?.about ?? '';
  const follow = (row: NotificationRow) => (event: MouseEvent) => {
    onOpen(row);
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.push(row.path);
  };
  return (
    <section className="card" aria-label={about || rows[0]?.title}>
      {about ? (
        <Text size="sm" fw={600} px="sm" pt="xs" className="ellipsis" title={about}>
          {about}
        </Text>
      ) : null}
      {rows.map((row) => (
        <a
          key={row.id}
          href={row.path}
          className={classes['row']}
          data-unread={row.read ? undefined : ''}
          onClick={follow(row)}
        >
          <Text size="sm" fw={row.read ? 400 : 600}>
            {row.read ? null : <span className="visually-hidden">Unread: </span>}
            {row.title}
          </Text>
          <Text size="xs" className="muted" title={formatInstant(row.at)}>
            {since(row.at, now)}
          </Text>
        </a>
      ))}
    </section>
  );
}

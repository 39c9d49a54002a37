// The panel of the account page where a user chooses how to receive each kind of notification. Each choice is saved at once.
import { Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { WAY_LABELS, WAYS } from './notification-kinds.ts';
import classes from './notifications.module.css';
import { NotificationCalls } from './notifications.contract.ts';

const START = 'start';

export function WaysPanel() {
  const query = useQuery({ ...api(NotificationCalls).GetWays.query({}), staleTime: 0 });
  const save = useMutation(api(NotificationCalls).SaveWay.mutation());
  const { hash } = useLocation();
  /** The link in a mail leads to this panel. */
  const show = (section: HTMLElement | null) => {
    if (hash === 'notifications') section?.scrollIntoView();
  };
  return (
    <section className="card" aria-label="Notifications" id="notifications">
      <Stack p="md" gap="sm">
        <Title order={2}>Notifications</Title>
        <Text size="sm" className="muted">
          How you are notified. Emails about one quote within five minutes are combined; approvals, questions and
          answers are sent immediately. The daily email comes at 7 AM and lists what you haven't read.
        </Text>
        <ErrorAlert error={query.error} title="Your choices could not be loaded" onRetry={query.refetch} />
        <ErrorAlert error={save.error} title="Your choice could not be saved" />
        {query.data ? (
          <div className={classes['ways']} ref={show}>
            {query.data.map(({ kind, label, chosen, start }) => (
              <Select
                key={kind}
                label={label}
                allowDeselect={false}
                disabled={save.isPending && save.variables.kind === kind}
                data={[
                  { value: START, label: `Default here: ${WAY_LABELS[start].toLowerCase()}` },
                  ...WAYS.map((way) => ({ value: way, label: WAY_LABELS[way] })),
                ]}
                value={(save.isPending && save.variables.kind === kind ? save.variables.way : chosen) ?? START}
                onChange={(way) => save.mutate({ kind, way: way === START ? null : way })}
              />
            ))}
          </div>
        ) : query.error ? null : (
          <Skeleton height={320} radius="sm" aria-label="Loading" />
        )}
      </Stack>
    </section>
  );
}

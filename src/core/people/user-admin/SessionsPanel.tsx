// The devices where a user is signed in, with 'Sign out' for each and for all.
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { History } from '#platform/history/history.contract.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { type Session, UserEdit } from './user-admin.contract.ts';
import { moment } from './user-words.tsx';

export function SessionsPanel({ user: { id, fullName } }: { user: { id: number; fullName: string } }) {
  const queries = useQueryClient();
  const query = api(UserEdit).GetUserSessions.query({ id });
  const sessions = useQuery({ ...query, staleTime: 0 });
  const [asking, setAsking] = useState(false);
  const signOut = useMutation({
    ...api(UserEdit).SignOutUser.mutation(),
    onSuccess: (left, { sessionId }) => {
      queries.setQueryData(query.queryKey, left);
      void queries.invalidateQueries({ queryKey: api(History).GetHistory.key });
      notifications.show({
        message: sessionId ? 'That device is signed out.' : `${fullName} is signed out everywhere.`,
      });
      setAsking(false);
    },
    // A session may have ended in the meantime. The reloaded list shows that.
    onError: () => void sessions.refetch(),
  });
  const others = (sessions.data ?? []).filter(({ current }) => !current);
  const ask = () => {
    signOut.reset();
    setAsking(true);
  };
  useKeys([{ key: 'o', label: 'Sign out everywhere', run: ask, disabled: others.length === 0 }]);
  const own = sessions.data?.some(({ current }) => current) ?? false;

  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h6">
          Signed in
        </Title>
        <Button variant="default" size="compact-sm" disabled={others.length === 0} onClick={ask}>
          Sign out everywhere
        </Button>
      </Group>
      {sessions.error ? (
        <ErrorAlert error={sessions.error} title="The sessions could not be loaded" onRetry={sessions.refetch} />
      ) : null}
      {asking ? null : <ErrorAlert error={signOut.error} title="Not signed out" onClose={signOut.reset} />}
      {sessions.data ? (
        sessions.data.length === 0 ? (
          <Text size="sm" className="muted">
            {fullName} is not signed in anywhere.
          </Text>
        ) : (
          <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Signed in">
            {sessions.data.map((session) => (
              <OneSession
                key={session.id}
                session={session}
                busy={signOut.isPending && signOut.variables.sessionId === session.id}
                onSignOut={() => signOut.mutate({ id, sessionId: session.id })}
              />
            ))}
          </Stack>
        )
      ) : sessions.error ? null : (
        <Skeleton height={40} aria-label="Loading" />
      )}
      {asking ? (
        <ConfirmDialog
          title="Sign out everywhere?"
          action="Sign out everywhere"
          harmful
          busy={signOut.isPending}
          error={signOut.error}
          onConfirm={() => signOut.mutate({ id })}
          onClose={() => setAsking(false)}
        >
          {own
            ? 'You stay signed in on this screen and are signed out everywhere else within a minute.'
            : `${fullName} is signed out on every device within a minute and can sign in again. They can save what they are typing after that.`}
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}

function OneSession({ session, busy, onSignOut }: { session: Session; busy: boolean; onSignOut: () => void }) {
  const { device, startedAt, lastUsedAt, current } = session;
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {device}
        </Text>
        <Text size="sm" className="muted tabular">
          Since {moment(startedAt)} · last used {moment(lastUsedAt)}
        </Text>
      </div>
      {current ? (
        <Text size="sm" className="muted" style={{ flexShrink: 0 }}>
          This screen
        </Text>
      ) : (
        <Button
          variant="subtle"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          loading={busy}
          aria-label={`Sign out ${device}, last used ${moment(lastUsedAt)}`}
          onClick={onSignOut}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}

// The page of a user: fields, invitation, sessions, activation, history.
import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { useRecentPlace } from '#platform/recent-records/recent-records.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { openParts } from '#platform/addons/door-parts.tsx';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { DeactivateDialog } from './leaving/DeactivateDialog.tsx';
import { userPanels } from './doors.web.ts';
import { SessionsPanel } from './SessionsPanel.tsx';
import { ResetSecondFactor } from './ResetSecondFactor.tsx';
import { UserForm } from './UserForm.tsx';
import { UserEdit, type UserEditData } from './user-admin.contract.ts';
import classes from './user-admin.module.css';
import { moment, StateChip, whenUsed } from './user-words.tsx';

export default function UserEditPage() {
  const { id } = useParams({ from: '/signed-in/admin/userEdit/$id' });
  return <OneUser key={id} id={Number(id)} />;
}

function OneUser({ id }: { id: number }) {
  const queries = useQueryClient();
  const query = api(UserEdit).GetUserEditData.query({ id });
  const edit = useQuery({ ...query, ...READ_ANEW });
  useRecentPlace('person', edit.data?.user.fullName, edit.data?.user.userName);
  // Typed input survives a reload of the record; only the administrator's own save resets the form.
  const [saves, setSaves] = useState(0);
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.users} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Users
      </Anchor>
      <PageTitle>{edit.data?.user.fullName ?? 'User'}</PageTitle>
      {edit.data ? (
        <>
          <Head edit={edit.data} />
          <div className={classes['columns']}>
            <section className={`card ${classes['part']}`} aria-label="User">
              <UserForm
                key={saves}
                edit={edit.data}
                onSaved={(user) => {
                  queries.setQueryData(query.queryKey, { ...edit.data, user });
                  setSaves((count) => count + 1);
                  notifications.show({ message: `${user.fullName} is saved.` });
                }}
              />
            </section>
            <Stack gap="md">
              <section className={`card ${classes['part']}`} aria-label="Sessions">
                <SessionsPanel user={edit.data.user} />
              </section>
              {openParts(userPanels).map(({ addon, Part }) => (
                <Part key={addon} user={edit.data.user} className={`card ${classes['part']}`} />
              ))}
              <section className={`card ${classes['part']}`} aria-label="Second factor">
                <ResetSecondFactor
                  user={edit.data.user}
                  since={edit.data.secondFactorSince}
                  passkeys={edit.data.passkeys}
                />
              </section>
              <section className={`card ${classes['part']}`} aria-label="History of the user">
                <Title order={2} size="h6" mb="xs">
                  History
                </Title>
                <HistoryPanel type="user" id={id} />
              </section>
            </Stack>
          </div>
        </>
      ) : edit.error ? (
        <ErrorAlert error={edit.error} title="This user could not be loaded" onRetry={edit.refetch} />
      ) : (
        <Skeleton height={400} aria-label="Loading" />
      )}
    </Stack>
  );
}

function Head({ edit }: { edit: UserEditData }) {
  const { user, active, invitation, hasPassword, keptBecause, supportedBy } = edit;
  const [asking, setAsking] = useState<'deactivate' | 'activate' | null>(null);
  const invite = useMutation({
    ...api(UserEdit).ResendInvitation.mutation(),
    onSuccess: () => {
      notifications.show({ message: `A new invitation is on its way to ${user.userName}.` });
    },
  });
  const toggle = useMutation({
    ...api(UserEdit).SetUserActive.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${user.fullName} is active.` });
      setAsking(null);
    },
  });
  const mayInvite = active && !hasPassword;
  const inviteLabel = invitation ? 'Resend Invitation' : 'Send Invitation';
  const ask = () => setAsking(active ? 'deactivate' : 'activate');
  useKeys([
    { key: 'd', label: active ? 'Deactivate' : 'Activate', run: ask, disabled: active && keptBecause !== '' },
    { key: 'i', label: inviteLabel, run: () => invite.mutate({ id: user.id }), disabled: !mayInvite },
  ]);

  return (
    <Stack gap={4} px={{ base: 'md', sm: 0 }}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={1}>{user.fullName}</Title>
          <StateChip active={active} hasPassword={hasPassword} invited={invitation !== null} />
        </Group>
        <Group gap="xs">
          {mayInvite ? (
            <Button variant="default" loading={invite.isPending} onClick={() => invite.mutate({ id: user.id })}>
              {inviteLabel}
            </Button>
          ) : null}
          <Button
            variant="default"
            disabled={active && keptBecause !== ''}
            aria-describedby={active && keptBecause ? 'kept-because' : undefined}
            onClick={ask}
          >
            {active ? 'Deactivate' : 'Activate'}
          </Button>
        </Group>
      </Group>
      <Text size="sm" className="muted">
        {mayInvite ? `${invitedWords(invitation)} ` : ''}Last used: {whenUsed(edit.lastUsedAt)}.
        {supportedBy.length > 0 ? ` Supported by ${supportedBy.map(({ name }) => name).join(', ')}.` : ''}
      </Text>
      {active && keptBecause ? (
        <Text size="sm" className="muted" id="kept-because">
          {keptBecause}
        </Text>
      ) : null}
      <ErrorAlert error={invite.error} title="The invitation could not be sent" onClose={invite.reset} />
      {asking === 'deactivate' ? <DeactivateDialog user={user} onClose={() => setAsking(null)} /> : null}
      {asking === 'activate' ? (
        <ConfirmDialog
          title={`Activate ${user.fullName}?`}
          action="Activate"
          busy={toggle.isPending}
          error={toggle.error}
          onConfirm={() => toggle.mutate({ id: user.id, active: true, version: user.version })}
          onClose={() => {
            toggle.reset();
            setAsking(null);
          }}
        >
          {hasPassword
            ? 'They can sign in again with their password. Quotes and territories that were handed over stay with their new owners.'
            : 'They have no password yet: send an invitation afterwards.'}
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}

function invitedWords(invitation: UserEditData['invitation']): string {
  if (!invitation) return 'No password and no open invitation. None was sent, or the address has changed since.';
  const { sentAt, expiresAt, expired } = invitation;
  if (expired) return `The invitation of ${moment(sentAt)} has expired.`;
  return `Invited ${moment(sentAt)}; the link works until ${moment(expiresAt)}.`;
}

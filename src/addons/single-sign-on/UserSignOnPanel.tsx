// The identity at the company's sign-in provider that a user is linked with. Administrators link it by hand and remove the link.
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import type { UserPanelProps } from '#core/people/user-admin/doors.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { SignOnAdmin, type UserSignOn } from './single-sign-on.contract.ts';

/** Hidden if no provider is set up and the user has no link. */
export default function UserSignOnPanel({ user, className }: UserPanelProps) {
  const queries = useQueryClient();
  const query = api(SignOnAdmin).GetUserSignOn.query({ id: user.id });
  const linked = useQuery({ ...query, staleTime: 0 });
  const [asking, setAsking] = useState<'link' | UserSignOn['links'][number] | null>(null);
  const take = (now: UserSignOn) => {
    queries.setQueryData(query.queryKey, now);
    notifications.show({ message: `${user.fullName} is saved.` });
    setAsking(null);
  };
  const unlink = useMutation({ ...api(SignOnAdmin).UnlinkUserSignOn.mutation(), onSuccess: take });
  if (linked.error)
    return <ErrorAlert error={linked.error} title="The links could not be loaded" onRetry={linked.refetch} />;
  if (!linked.data || (linked.data.issuer === '' && linked.data.links.length === 0)) return null;
  const { issuer, links } = linked.data;
  const isLinked = links.some((link) => link.issuer === issuer);
  return (
    <section className={className} aria-label="Single sign-on">
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h6">
            Single sign-on
          </Title>
          {issuer === '' || isLinked ? null : (
            <Button variant="default" size="compact-sm" onClick={() => setAsking('link')}>
              Link…
            </Button>
          )}
        </Group>
        {links.length === 0 ? (
          <Text size="sm" className="muted">
            Not linked with the provider. Signs in with a password only.
          </Text>
        ) : null}
        {links.map((link) => (
          <Group key={link.issuer} justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <Text size="sm" fw={600}>
                {link.subject}
              </Text>
              <Text size="sm" className="muted">
                {link.issuer === issuer ? '' : `${link.issuer} (no longer set up). `}
                Linked {formatInstant(link.linkedAt)}
                {link.lastUsedAt ? ` · last sign-in ${formatInstant(link.lastUsedAt)}` : ''}
              </Text>
            </div>
            <Button
              variant="subtle"
              size="compact-sm"
              style={{ flexShrink: 0 }}
              onClick={() => {
                unlink.reset();
                setAsking(link);
              }}
            >
              Unlink…
            </Button>
          </Group>
        ))}
      </Stack>
      {asking === 'link' ? <LinkDialog user={user} onLinked={take} onClose={() => setAsking(null)} /> : null}
      {asking && asking !== 'link' ? (
        <ConfirmDialog
          title={`Unlink ${user.fullName}?`}
          action="Unlink"
          harmful
          busy={unlink.isPending}
          error={unlink.error}
          onConfirm={() => unlink.mutate({ id: user.id, issuer: asking.issuer, subject: asking.subject })}
          onClose={() => setAsking(null)}
        >
          They can no longer sign in with the provider. Sessions that began with it end within a minute.
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

type LinkProps = { user: UserPanelProps['user']; onLinked: (now: UserSignOn) => void; onClose: () => void };

function LinkDialog({ user, onLinked, onClose }: LinkProps) {
  const [subject, setSubject] = useState('');
  const link = useMutation({ ...api(SignOnAdmin).LinkUserSignOn.mutation(), onSuccess: onLinked });
  const wrong = link.error instanceof HttpError ? link.error.errors?.[0]?.message : undefined;
  return (
    <ConfirmDialog
      title={`Link ${user.fullName}`}
      action="Link"
      busy={link.isPending}
      error={wrong ? null : link.error}
      onConfirm={() => link.mutate({ id: user.id, subject })}
      onClose={onClose}
    >
      <TextInput
        label="Subject (sub claim)"
        description="The provider's ID for this person, not an email address. From the next sign-in, the provider determines their roles."
        maxLength={300}
        spellCheck={false}
        autoComplete="off"
        value={subject}
        error={wrong}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}

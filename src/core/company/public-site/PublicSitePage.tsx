// The lock of the public site: whether sales representatives and sales support may sign in, and if not, since when and why.
import { Button, Group, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { dateProblem, formatInstant, instantOf, parseDate } from '#platform/shared/dates.ts';
import { Card } from '#platform/ui/Card.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { PublicSiteAdmin, type PublicSiteStatus } from './public-site.contract.ts';

export default function PublicSitePage() {
  const status = useQuery({ ...api(PublicSiteAdmin).GetPublicSiteStatus.query({}), staleTime: 0 });
  return (
    <FormPage title="Public Site">
      {status.error ? (
        <ErrorAlert error={status.error} title="The state could not be loaded" onRetry={status.refetch} />
      ) : null}
      {status.data ? <Status status={status.data} /> : status.error ? null : <Skeleton height={160} radius="sm" />}
      {status.data ? (
        <Card title="History">
          <HistoryPanel type="publicSite" id={1} />
        </Card>
      ) : null}
    </FormPage>
  );
}

function Status({ status }: { status: PublicSiteStatus }) {
  const [asking, setAsking] = useState(false);
  const unlock = useMutation({
    ...api(PublicSiteAdmin).UnlockPublicSite.mutation(),
    onSuccess: () => {
      setAsking(false);
      notifications.show({ message: 'The public site is unlocked.' });
    },
  });
  return (
    <Card title="State" hideTitle>
      <Group gap="sm">
        <Chip tone={status.locked ? 'red' : 'green'}>{status.locked ? 'Locked' : 'Unlocked'}</Chip>
        <Text size="sm">
          {status.locked
            ? `Locked by ${status.lockedBy ?? 'someone'} on ${formatInstant(status.lockedAt)}; ${status.lockedUntil ? `it opens automatically on ${formatInstant(status.lockedUntil)}` : 'until it is unlocked'}.`
            : `Sales representatives and sales support can sign in. ${status.signedIn === 1 ? '1 of them was' : `${status.signedIn} of them were`} working within the last hour.`}
        </Text>
      </Group>
      {status.locked ? (
        <>
          <div>
            <Text size="sm" className="muted">
              They see:
            </Text>
            <Text>{status.message}</Text>
          </div>
          <Group justify="flex-end">
            <Button onClick={() => setAsking(true)}>Unlock</Button>
          </Group>
        </>
      ) : (
        <LockForm signedIn={status.signedIn} />
      )}
      {asking ? (
        <ConfirmDialog
          title="Unlock the public site?"
          action="Unlock"
          busy={unlock.isPending}
          error={unlock.error}
          onConfirm={() => unlock.mutate({})}
          onClose={() => setAsking(false)}
        >
          Sales representatives and sales support can sign in again at once.
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

function LockForm({ signedIn }: { signedIn: number }) {
  const [message, setMessage] = useState('');
  const [date, setDate] = useState('');
  const [time, setTime] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const lock = useMutation({
    ...api(PublicSiteAdmin).LockPublicSite.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The public site is locked.' });
    },
  });
  const day = parseDate(date);
  const until = day ? instantOf(day, time || '00:00') : null;
  const server = lock.error instanceof HttpError ? (lock.error.errors ?? []) : [];
  const errors = {
    message: tried && !message.trim() ? 'This field is required' : undefined,
    date: (date || time) && !day ? dateProblem(date) : server.find(({ path }) => path === 'until')?.message,
  };
  return (
    <Form
      label="Lock the public site"
      onSubmit={() => {
        setTried(true);
        if (message.trim() && !((date || time) && !day)) setAsking(true);
      }}
    >
      <Stack>
        <Textarea
          label="Message"
          description="They see this message instead."
          required
          autosize
          minRows={2}
          maxLength={500}
          value={message}
          error={errors.message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Group align="start">
          <DateField label="Opens automatically on" value={date} error={errors.date} onChange={setDate} />
          <TextInput
            label="at"
            type="time"
            value={time}
            disabled={!day}
            onChange={(event) => setTime(event.currentTarget.value)}
          />
        </Group>
        <Group justify="flex-end">
          <Button type="submit" color="red">
            Lock
          </Button>
        </Group>
      </Stack>
      {asking ? (
        <ConfirmDialog
          title="Lock the public site?"
          action="Lock"
          harmful
          busy={lock.isPending}
          error={lock.error}
          onConfirm={() => lock.mutate({ message, until: until?.toISOString() ?? null })}
          onClose={() => setAsking(false)}
        >
          {`Sales representatives and sales support are signed out within a minute (${signedIn} working within the last hour) and cannot sign in ${until ? `before ${formatInstant(until.toISOString())}` : 'until it is unlocked'}. Everyone else can keep working, and customers can still open their quotes.`}
        </ConfirmDialog>
      ) : null}
    </Form>
  );
}

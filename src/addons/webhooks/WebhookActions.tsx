// Other actions on a webhook: send a test, rotate its secret, delete it.
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Webhook, type WebhookEdit } from './webhooks.contract.ts';

type Props = {
  webhook: WebhookEdit;
  oldSecretUntil: string | null;
  onMade: (secret: string) => void;
  onClose: () => void;
};
type Asked = 'rotate' | 'end' | 'delete';

export function WebhookActions({ webhook, oldSecretUntil, onMade, onClose }: Props) {
  const { id } = webhook;
  const [request, setAsked] = useState<Asked | null>(null);
  const test = useMutation(api(Webhook).TestWebhook.mutation());
  const close = () => setAsked(null);
  return (
    <Stack gap="sm">
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id })}>
          Send test event
        </Button>
        <Button component={Link} to={`${paths.webhookDeliveries}?webhook=${id}`} variant="default">
          Deliveries
        </Button>
        {oldSecretUntil ? null : (
          <Button variant="default" onClick={() => setAsked('rotate')}>
            Rotate secret…
          </Button>
        )}
        <Button variant="subtle" color="red" onClick={() => setAsked('delete')}>
          Delete…
        </Button>
      </Group>
      <ErrorAlert error={test.error} title="The test event could not be sent" />
      {test.data ? <Tested {...test.data} /> : null}
      {oldSecretUntil ? (
        <Alert color="blue" variant="light" title="Two secrets are active">
          <Stack gap="xs" align="start">
            <Text size="sm">
              The old secret is valid until {formatInstant(oldSecretUntil)}. Revoke it earlier if the receiver already
              uses the new one.
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => setAsked('end')}>
              Revoke old secret…
            </Button>
          </Stack>
        </Alert>
      ) : null}
      {request === 'rotate' ? <RotateDialog webhook={webhook} onMade={onMade} onClose={close} /> : null}
      {request === 'end' ? <EndDialog webhook={webhook} onClose={close} /> : null}
      {request === 'delete' ? <DeleteDialog webhook={webhook} onDeleted={onClose} onClose={close} /> : null}
    </Stack>
  );
}

function Tested({ ok, sentence, answer, ms }: { ok: boolean; sentence: string; answer: string; ms: number }) {
  return (
    <Stack gap="xs">
      {ok ? (
        <Alert color="blue" variant="light" role="status" title="Test event delivered">
          <Text size="sm">{`${sentence} It took ${ms.toLocaleString('en-US')} ms.`}</Text>
        </Alert>
      ) : (
        <ErrorAlert error={sentence} title="Test event not delivered" />
      )}
      {answer ? (
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {answer}
        </Code>
      ) : null}
    </Stack>
  );
}

type DialogProps = { webhook: WebhookEdit; onClose: () => void };

function RotateDialog({ webhook, onMade, onClose }: DialogProps & { onMade: (secret: string) => void }) {
  const { id, version, description } = webhook;
  const rotate = useMutation({
    ...api(Webhook).RotateWebhookSecret.mutation(),
    onSuccess: ({ secret }) => secret && onMade(secret),
  });
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      action="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ id, version })}
      onClose={onClose}
    >
      {`${description} gets a new secret. For 24 hours, events are signed with both secrets, so the receiver can switch without losing any.`}
    </ConfirmDialog>
  );
}

function EndDialog({ webhook: { id, version }, onClose }: DialogProps) {
  const end = useMutation({
    ...api(Webhook).EndOldWebhookSecret.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The old secret is revoked.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Revoke the old secret?"
      action="Revoke"
      harmful
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate({ id, version })}
      onClose={onClose}
    >
      Receivers that still check the old secret will reject new events.
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook, onDeleted, onClose }: DialogProps & { onDeleted: () => void }) {
  const { id, version, description } = webhook;
  const remove = useMutation({
    ...api(Webhook).DeleteWebhook.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${description} is deleted.` });
      onDeleted();
    },
  });
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete"
      harmful
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id, version })}
      onClose={onClose}
    >
      {`${description} gets no more events. Its waiting and past deliveries are also deleted.`}
    </ConfirmDialog>
  );
}

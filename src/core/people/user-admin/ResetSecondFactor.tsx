// Shows since when a user has had a second factor, and removes it for a user who has lost it.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { SecondFactorAdmin } from '#platform/auth/second-factor/second-factor-admin.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { UserEdit } from './user-admin.contract.ts';
import { moment } from './user-words.tsx';

type Props = { user: { id: number; fullName: string }; since: string | null; passkeys: number };

export function ResetSecondFactor({ user: { id, fullName }, since, passkeys }: Props) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reset = useMutation({
    ...api(SecondFactorAdmin).ResetSecondFactor.mutation(),
    onSuccess: () => {
      notifications.show({ message: `The second factor of ${fullName} is reset.` });
      setAsking(false);
    },
    // The user may have removed it in the meantime. The reloaded screen shows that.
    onError: () => void queries.invalidateQueries({ queryKey: api(UserEdit).GetUserEditData.key }),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h6">
          Second factor
        </Title>
        {since === null && passkeys === 0 ? null : (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              reset.reset();
              setAsking(true);
            }}
          >
            Reset…
          </Button>
        )}
      </Group>
      <Text size="sm" className="muted">
        {since === null && passkeys === 0
          ? 'None: a password is enough to sign in, unless a role requires more.'
          : [
              since === null ? '' : `An authenticator app, set up ${moment(since)}.`,
              passkeys === 0 ? '' : `${countOf(passkeys, 'passkey')}.`,
            ].join(' ')}
      </Text>
      {asking ? (
        <ConfirmDialog
          title={`Reset the second factor of ${fullName}?`}
          action="Reset"
          harmful
          busy={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate({ id })}
          onClose={() => setAsking(false)}
        >
          Make sure that it is {fullName} who asks. From then on the password alone signs them in; where a role requires
          a second factor, a new one is set up at the next sign-in. The old app, the passkeys and the old recovery codes
          are void.
        </ConfirmDialog>
      ) : null}
    </Stack>
  );
}

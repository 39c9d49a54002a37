// The panel for the user's own second factor: set up an app, create new recovery codes, remove it.
import { Box, Button, Code, Group, Modal, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { QrCode } from '#platform/ui/QrCode.tsx';
import type { GivenProof } from '../passkeys/proof.ts';
import { ProofDialog } from './ProofDialog.tsx';
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx';
import { FEW_CODES, SecondFactor, type SecondFactorState } from './second-factor.contract.ts';

type Asking = 'begin' | 'renew' | 'remove';
const ASKING = {
  begin: { title: 'Set up an authenticator app', action: 'Continue', harmful: false },
  renew: { title: 'New recovery codes', action: 'Create new codes', harmful: false },
  remove: { title: 'Remove the authenticator app?', action: 'Remove', harmful: true },
} as const;
const HINTS: Record<Asking, string> = {
  begin: 'Enter your password first, so that no one else can set it up on your screen.',
  renew: 'The old codes stop working as soon as you create new ones.',
  remove: 'You can no longer sign in with its codes. Without a passkey, you sign in with just your password.',
};

export function SecondFactorPanel({ onEnrolled }: { onEnrolled: () => Promise<void> }) {
  const queries = useQueryClient();
  const query = api(SecondFactor).GetSecondFactor.query({});
  const factor = useQuery({ ...query, staleTime: 0 });
  const [asking, setAsking] = useState<Asking | null>(null);
  const [setup, setSetup] = useState<{ secret: string; address: string } | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const readAgain = () => void queries.invalidateQueries({ queryKey: query.queryKey });

  async function prove(what: Asking, input: GivenProof) {
    if (what === 'begin') setSetup(await api(SecondFactor).BeginSecondFactor(input));
    else if (what === 'renew') setCodes((await api(SecondFactor).RenewRecoveryCodes(input)).recoveryCodes);
    else {
      await api(SecondFactor).RemoveSecondFactor(input);
      notifications.show({ message: 'Your authenticator app is removed.' });
    }
    setAsking(null);
    readAgain();
  }

  return (
    <section className="card" aria-label="Second factor">
      <Stack p="md" gap="sm">
        <Group gap="sm">
          <Title order={2}>Second factor</Title>
          {factor.data?.hasPassword ? (
            <Chip tone={isProtected(factor.data) ? 'green' : 'orange'}>
              {isProtected(factor.data) ? 'Set up' : 'Not set up'}
            </Chip>
          ) : null}
        </Group>
        <ErrorAlert error={factor.error} title="The second factor could not be loaded" onRetry={factor.refetch} />
        {factor.data ? (
          <FactorState state={factor.data} onAsk={setAsking} />
        ) : factor.error ? null : (
          <Skeleton height={60} aria-label="Loading" />
        )}
      </Stack>
      {asking ? (
        <ProofDialog
          {...ASKING[asking]}
          hint={HINTS[asking]}
          withCode={factor.data !== undefined && isProtected(factor.data)}
          prove={(input) => prove(asking, input)}
          withPasskey={(factor.data?.passkeys ?? 0) > 0}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {setup ? (
        <SetUpDialog
          setup={setup}
          onClose={() => setSetup(null)}
          onDone={(created) => {
            setSetup(null);
            setCodes(created);
            readAgain();
          }}
        />
      ) : null}
      {codes ? (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes(null);
            void onEnrolled();
          }}
        />
      ) : null}
    </section>
  );
}

const isProtected = ({ since, passkeys }: SecondFactorState) => since !== null || passkeys > 0;

function FactorState({ state, onAsk }: { state: SecondFactorState; onAsk: (what: Asking) => void }) {
  const { since, passkeys, recoveryCodesLeft, required, hasPassword } = state;
  if (!hasPassword) {
    return (
      <Text size="sm" className="muted">
        You have no password here: your company's sign-in decides whether you need a second factor.
      </Text>
    );
  }
  if (!isProtected(state)) {
    return (
      <>
        <Text size="sm" className="muted">
          With a passkey or an authenticator app, a stolen password is not enough to sign in as you.
        </Text>
        <Group>
          <Button onClick={() => onAsk('begin')}>Set up…</Button>
        </Group>
      </>
    );
  }
  return (
    <>
      <Text size="sm" className="muted">
        {since === null
          ? 'Your passkeys, no authenticator app.'
          : `An authenticator app, set up ${formatInstant(since)}.`}
        {required ? ' One of your roles requires a second factor.' : ''}
      </Text>
      <Text size="sm" {...(recoveryCodesLeft < FEW_CODES ? { c: 'red' } : { className: 'muted' })}>
        {recoveryCodesLeft} of 10 recovery codes left.
        {recoveryCodesLeft < FEW_CODES ? ' Create new ones before you run out.' : ''}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onAsk('renew')}>
          New recovery codes…
        </Button>
        <Button variant="default" onClick={() => onAsk('begin')}>
          {since === null ? 'Set up an app…' : 'Use another app…'}
        </Button>
        {since === null || (required && passkeys === 0) ? null : (
          <Button variant="subtle" color="red" onClick={() => onAsk('remove')}>
            Remove…
          </Button>
        )}
      </Group>
    </>
  );
}

type SetUpProps = {
  setup: { secret: string; address: string };
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
};

/** Shows the secret of an authenticator app, as a QR code and as letters, and prompts for the first code. */
function SetUpDialog({ setup, onDone, onClose }: SetUpProps) {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    ...api(SecondFactor).ConfirmSecondFactor.mutation(),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const wrong = confirm.error instanceof HttpError ? confirm.error.errors?.[0]?.message : undefined;
  return (
    <Modal opened onClose={onClose} title="Set up an authenticator app" closeOnClickOutside={false}>
      <Form label="Authenticator app" onSubmit={() => confirm.mutate({ code })}>
        <Stack>
          <Text size="sm">1. Scan this with an authenticator app on your phone, or type the letters into it.</Text>
          <Box w={200} mx="auto">
            <QrCode text={setup.address} label="QR code for the authenticator app" />
          </Box>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', textAlign: 'center' }}>
            {setup.secret.match(/.{1,4}/g)?.join(' ')}
          </Code>
          <ErrorAlert error={wrong ? null : confirm.error} />
          <TextInput
            label="2. Enter the code from the app"
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck={false}
            maxLength={40}
            data-autofocus
            value={code}
            error={wrong}
            aria-invalid={wrong ? true : undefined}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={confirm.isPending}>
              Confirm
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}

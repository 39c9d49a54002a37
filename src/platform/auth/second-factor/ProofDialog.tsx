// Prompts for the password, and for a code if there is a second factor, before an action that must not be possible on a borrowed screen.
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { hasPasskeys, proveByPasskey } from '../passkeys/passkeys.web.ts';
import type { GivenProof } from '../passkeys/proof.ts';
import { PasswordField } from '../screens/PasswordField.tsx';

type Props = {
  title: string;
  hint: string;
  action: string;
  harmful: boolean;
  withCode: boolean;
  /** Throws the server's refusal. */
  prove: (input: GivenProof) => Promise<void>;
  /** The user has a passkey, which is sufficient proof. */
  withPasskey?: boolean;
  onClose: () => void;
};

export function ProofDialog({ title, hint, action, harmful, withCode, withPasskey = false, prove, onClose }: Props) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const fields = failure instanceof HttpError ? (failure.errors ?? []) : [];
  const errorOf = (name: string) => fields.find(({ path }) => path === name)?.message;

  async function submit(proof: () => Promise<GivenProof> | GivenProof) {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await prove(await proof());
    } catch (refusal) {
      setFailure(refusal as Error);
      setBusy(false);
    }
  }

  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      <Form onSubmit={() => void submit(() => ({ password, code }))} label={title}>
        <Stack>
          <Text size="sm">{hint}</Text>
          <ErrorAlert error={fields.length > 0 ? null : failure} />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            data-autofocus
            value={password}
            error={errorOf('password')}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {withCode ? (
            <TextInput
              label="Code"
              description="From your app, or a recovery code."
              autoComplete="one-time-code"
              spellCheck={false}
              maxLength={40}
              value={code}
              error={errorOf('code')}
              aria-invalid={errorOf('code') ? true : undefined}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          ) : null}
          {withPasskey && hasPasskeys ? (
            <Button
              variant="default"
              fullWidth
              disabled={busy}
              onClick={() => void submit(async () => ({ passkey: await proveByPasskey() }))}
            >
              Use a passkey instead
            </Button>
          ) : null}
          <DialogButtons onCancel={onClose}>
            <Button type="submit" color={harmful ? 'red' : undefined} loading={busy}>
              {action}
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}

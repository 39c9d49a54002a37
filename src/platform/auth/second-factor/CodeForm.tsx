// The second step of signing in: the code of an authenticator app, a recovery code, or a passkey.
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { PasskeyButton } from '../passkeys/PasskeyButton.tsx';
import { confirmSignIn, type SessionUser } from '../sessions/session.web.ts';

type Props = {
  userName: string;
  challenge: string;
  onSignedIn: (user: SessionUser) => void;
  /** Returns to the password step, with a sentence if the challenge is no longer valid. */
  onBack: (why?: string) => void;
};

export function CodeForm({ userName, challenge, onSignedIn, onBack }: Props) {
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    // Over a page with unsaved work, the submit of that page must not run.
    event.stopPropagation();
    if (busy) return;
    if (!code.trim()) return field.current?.focus();
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await confirmSignIn(userName, challenge, code.trim()));
    } catch (refusal) {
      const sentence = `Login Failed. ${(refusal as Error).message}`;
      if (refusal instanceof HttpError && refusal.status === 410) return onBack(sentence);
      setError(sentence);
      setCode('');
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <ErrorAlert error={error} />
        <Text size="sm">Enter the code from your authenticator app or a recovery code, or use a passkey.</Text>
        <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
        <TextInput
          ref={field}
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth loading={busy}>
          Sign in
        </Button>
        <PasskeyButton
          label="Use a passkey"
          challenge={challenge}
          onSignedIn={onSignedIn}
          onRefused={(sentence, hasEnded) => (hasEnded ? onBack(sentence ?? undefined) : setError(sentence))}
        />
        <Button type="button" variant="subtle" fullWidth onClick={() => onBack()}>
          Back
        </Button>
      </Stack>
    </form>
  );
}

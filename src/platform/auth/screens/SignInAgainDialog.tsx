// Opens over a page with unsaved work when its session ends and the user pauses. After signing in again the work continues, and no typed text is
// lost. The shell loads it right after its first screen: by the time it is needed, the server may no longer have the files of this version.
import { Button, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useAfterPause } from '#platform/ui/pause.web.ts';
import { leaveEndedSession, signIn, useEndedSession } from '../sessions/session.web.ts';
import { CodeForm } from '../second-factor/CodeForm.tsx';
import { PasswordField } from './PasswordField.tsx';

export default function SignInAgainDialog() {
  const user = useEndedSession();
  // It opens after a pause, so that its password field does not receive letters typed into a cell.
  const mayOpen = useAfterPause(user !== null);
  const [password, setPassword] = useState('');
  const [authenticating, setAuthenticating] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<string | null>(null);
  if (!user || !mayOpen) return null;
  const { userName } = user;

  async function submit(event: FormEvent) {
    event.preventDefault();
    // Stops the event, because the page behind is still a form whose own submit must not run.
    event.stopPropagation();
    if (!password || authenticating) return;
    setAuthenticating(true);
    setError(null);
    try {
      await signIn(userName, password);
    } catch (refusal) {
      if (refusal instanceof HttpError && refusal.challenge) return setChallenge(refusal.challenge);
      setError(`Login Failed. ${(refusal as Error).message}`);
    } finally {
      setPassword('');
      setAuthenticating(false);
    }
  }

  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={1000}
      size="sm"
      title="Sign in again"
    >
      {challenge === null ? (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack gap="md">
            <Text size="sm">
              Your session has ended. Sign in again as {userName}; what you have typed is still here.
            </Text>
            <ErrorAlert error={error} />
            <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
            <PasswordField
              label="Password"
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" fullWidth loading={authenticating}>
              Sign in
            </Button>
            {appConfig.signOn ? (
              // Opens a new tab, so that this tab keeps the typed text. This tab continues when the other one has signed in.
              <Button component="a" href={paths.login} target="_blank" variant="default" fullWidth>
                {appConfig.signOn.button} (new tab)
              </Button>
            ) : null}
            <Button type="button" variant="subtle" color="red" fullWidth onClick={leaveEndedSession}>
              Leave without saving
            </Button>
          </Stack>
        </form>
      ) : (
        <CodeForm
          userName={userName}
          challenge={challenge}
          onSignedIn={() => setChallenge(null)}
          onBack={(why) => {
            setChallenge(null);
            setError(why ?? null);
          }}
        />
      )}
    </Modal>
  );
}

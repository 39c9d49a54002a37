// The button for the company's single sign-on below the form. If only one administrator may use the form, it links to the form.
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { beginSignOn } from './sign-on.web.ts';

type Props = { redirect: string | null; formShown: boolean; onShowForm: () => void };

export function SignOnButton({ redirect, formShown, onShowForm }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { signOn } = appConfig;
  if (!signOn) return null;

  async function begin() {
    setBusy(true);
    setError(null);
    try {
      await beginSignOn(redirect);
    } catch (refusal) {
      setError(`Login Failed. ${(refusal as Error).message}`);
      setBusy(false);
    }
  }

  return (
    <Stack gap="xs">
      <ErrorAlert error={error} />
      <Button variant={formShown ? 'default' : 'filled'} fullWidth loading={busy} onClick={() => void begin()}>
        {signOn.button}
      </Button>
      {formShown ? null : (
        <Button variant="subtle" fullWidth onClick={onShowForm}>
          Sign in as the local administrator
        </Button>
      )}
    </Stack>
  );
}

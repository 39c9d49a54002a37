// The button that signs in by a passkey, alone or as the second step. It is hidden if the browser or the user has none.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import type { SessionUser } from '../sessions/session.web.ts';
import { hasPasskeys, hasSecondPasskey, signInByPasskey } from './passkeys.web.ts';

type Props = {
  label: string;
  /** The challenge of the password step, if the passkey is the second step. */
  challenge?: string;
  onSignedIn: (user: SessionUser) => void;
  /** `hasEnded` means that the second step took too long and the user must start again with the password. */
  onRefused: (sentence: string | null, hasEnded: boolean) => void;
};

export function PasskeyButton({ label, challenge = '', onSignedIn, onRefused }: Props) {
  const [busy, setBusy] = useState(false);
  const [isVisible, setVisible] = useState(hasPasskeys && !challenge);
  useEffect(() => {
    if (!hasPasskeys || !challenge) return;
    // If the server does not answer, the user can still type a code.
    void hasSecondPasskey(challenge).then(setVisible, () => {});
  }, [challenge]);
  if (!isVisible) return null;

  async function begin() {
    setBusy(true);
    onRefused(null, false);
    try {
      onSignedIn(await signInByPasskey(challenge));
    } catch (refusal) {
      const hasEnded = refusal instanceof HttpError && refusal.status === 410;
      onRefused(`Login Failed. ${(refusal as Error).message}`, hasEnded);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button type="button" variant="default" fullWidth loading={busy} onClick={() => void begin()}>
      {label}
    </Button>
  );
}

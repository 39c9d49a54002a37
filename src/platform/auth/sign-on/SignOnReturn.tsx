// Finishes a sign-in when the provider has sent the browser back.
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import type { SessionUser } from '../sessions/session.web.ts';
import { completeSignOn } from './sign-on.web.ts';

type Props = {
  /** The query of the address to which the provider sent the browser. */
  search: string;
  onSignedIn: (user: SessionUser, redirect: string | null) => void;
  onRefused: (sentence: string) => void;
};

export function SignOnReturn({ search, onSignedIn, onRefused }: Props) {
  useEffect(() => {
    // Each return is completed once. Only the last effect handles the answer.
    let isLast = true;
    void completeSignOn(search).then(
      ({ user, redirect }) => {
        if (isLast) onSignedIn(user, redirect);
      },
      (refusal: unknown) => {
        if (isLast) onRefused(`Login Failed. ${(refusal as Error).message}`);
      },
    );
    return () => {
      isLast = false;
    };
  }, [search, onSignedIn, onRefused]);
  return <Text role="status">Signing you in …</Text>;
}

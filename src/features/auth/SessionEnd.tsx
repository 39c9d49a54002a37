// Loads 'Sign in again' only when a session ends under unsaved work; stands once, in the shell.
import { lazy, Suspense } from 'react';
import { useEndedSession } from './session.web.ts';

const SignInAgainDialog = lazy(() => import('./SignInAgainDialog.tsx'));

export function SessionEnd() {
  const ended = useEndedSession();
  if (!ended) return null;
  return (
    <Suspense fallback={null}>
      <SignInAgainDialog />
    </Suspense>
  );
}

// The frame of a visitor who is not signed in.
import { Anchor } from '@mantine/core';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { isPrintView } from '#platform/ui/printing.web.ts';
import { Frame } from './Frame.tsx';
import { SchemeButton } from './SchemeButton.tsx';

export function SignedOutShell() {
  const { search } = useLocation();
  if (isPrintView(search)) {
    return (
      <main id="main">
        <Outlet />
      </main>
    );
  }
  return (
    <Frame
      start={paths.login}
      toolbar={
        <>
          <SchemeButton />
          <Anchor component={Link} to={paths.login} size="sm">
            Sign in
          </Anchor>
        </>
      }
    />
  );
}

// The frame of a visitor who is not signed in.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { Frame } from './Frame.tsx';
import { SchemeButton } from './SchemeButton.tsx';

export function SignedOutShell() {
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

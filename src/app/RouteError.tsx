// Shown instead of a screen that could not load or render.
import { Button, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { isForbidden } from '#platform/api/http-error.ts';
import { messageOf } from '#platform/shared/message-of.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { NotOpenPage } from './NotOpenPage.tsx';

export function RouteError({ error, reset }: ErrorComponentProps) {
  if (isForbidden(error)) return <NotOpenPage error={error} onOpen={reset} />;
  const message = messageOf(error);
  return (
    <Stack align="center" py={80} gap="sm" role="alert">
      <PageTitle>Error</PageTitle>
      <Title order={1}>This screen couldn't be shown</Title>
      <Text className="muted" ta="center">
        {message}
      </Text>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </Stack>
  );
}

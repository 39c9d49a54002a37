// The page for an address that has no screen.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { paths } from '#platform/shared/paths.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';

export function NotFoundPage() {
  return (
    <Stack align="center" py={80} gap="xs">
      <PageTitle>Page not found</PageTitle>
      <Title order={1}>This page does not exist</Title>
      <Text className="muted">The link may be outdated or incomplete.</Text>
      <Anchor component={Link} to={paths.home}>
        Home
      </Anchor>
    </Stack>
  );
}

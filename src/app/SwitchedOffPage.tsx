// Shown instead of a screen whose feature is switched off.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole } from '#platform/shared/roles.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';

export default function SwitchedOffPage() {
  const user = useSession();
  const decides = user !== null && hasRole(user, 'systemadmin');
  return (
    <Stack align="center" py={80} px="md" gap="xs">
      <PageTitle>Switched off</PageTitle>
      <Title order={1} ta="center">
        This feature is switched off
      </Title>
      <Text className="muted" ta="center">
        {decides ? 'Its data is kept.' : 'A system administrator can switch it on. Its data is kept.'}
      </Text>
      <Anchor component={Link} to={decides ? paths.features : paths.home}>
        {decides ? 'Features' : 'Home'}
      </Anchor>
    </Stack>
  );
}

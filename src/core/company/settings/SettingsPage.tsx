// Settings: links to every administration screen that this user may open.
import { Anchor, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SecondFactorNotice } from '#platform/auth/second-factor/SecondFactorNotice.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { ADMIN_HINTS } from './admin-hints.ts';
import type { AdminPath } from './admin-screens.ts';
import { adminScreensOf } from './admin-screens.web.ts';
import classes from './settings.module.css';

export default function SettingsPage() {
  const user = useSession();
  const screens = (user ? adminScreensOf(user) : []).map((screen) =>
    'before' in screen
      ? { ...screen, group: ADMIN_HINTS[screen.before].group }
      : { ...screen, ...ADMIN_HINTS[screen.to as AdminPath] },
  );
  const groups = [...new Set(screens.map((screen) => screen.group))];
  return (
    <Stack p="md" gap="lg">
      <PageTitle>Settings</PageTitle>
      <Title order={1}>Settings</Title>
      <SecondFactorNotice />
      {groups.length === 0 ? <Text className="muted">You do not have access to any settings.</Text> : null}
      {groups.map((group) => (
        <section key={group} aria-label={group}>
          <Title order={2} size="h5" mb="xs">
            {group}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="sm">
            {screens
              .filter((screen) => screen.group === group)
              .map((screen) => (
                <Anchor key={screen.to} component={Link} to={screen.to} underline="never" className={classes['screen']}>
                  <Text fw={600}>{screen.label}</Text>
                  <Text size="sm" className="muted">
                    {screen.hint}
                  </Text>
                </Anchor>
              ))}
          </SimpleGrid>
        </section>
      ))}
    </Stack>
  );
}

// The frame around every screen: toolbar, menu, drawer on small screens, tabs by role, footer (specification section 2, Shell).
import {
  ActionIcon,
  Anchor,
  AppShell,
  Box,
  Burger,
  Drawer,
  Group,
  Menu,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { SignInAgainDialog } from '#features/auth/SignInAgainDialog.tsx';
import { signOut, useSession } from '#features/auth/session.web.ts';
import { APP_VERSION, COPYRIGHT_YEAR } from '#shared/app-info.ts';
import { paths } from '#shared/paths.ts';
import { isInternal } from '#shared/roles.ts';
import { appConfig } from '#ui/app-config.web.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { setGlobalError, useGlobalError } from '#ui/global-error.web.ts';
import { KeyList, showKeys, useKeys } from '#ui/keys.tsx';
import { Processing } from '#ui/Processing.tsx';
import { Logo } from './Logo.tsx';
import classes from './Shell.module.css';

type SessionUser = NonNullable<ReturnType<typeof useSession>>;
type Tab = { label: string; to: string; key: string };

/** The tab bar of a person (specification section 2, Home). Tabs whose screens do not exist yet are absent. */
function tabsOf(user: SessionUser): Tab[] {
  return [
    { label: 'Home', to: paths.home, key: 'g' },
    { label: 'New Quote', to: paths.newQuote, key: 'n' },
    { label: 'Find Quote', to: isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic, key: 'f' },
    { label: 'Item/Product Search', to: paths.itemSearch, key: 'i' },
  ].filter((tab) => tab.to !== paths.newQuote || !user.roles.every((role) => role === 'contractdept'));
}

export function Shell() {
  const user = useSession();
  const location = useLocation();
  const error = useGlobalError();
  const [drawer, { toggle, close }] = useDisclosure();
  const printView = 'printView' in location.search;
  // The customer's page has a head of its own and needs no account.
  const bare = printView || location.pathname.startsWith('/quote-doc/');

  if (bare) {
    return (
      <>
        <Outlet />
        <Processing />
      </>
    );
  }
  return (
    <AppShell header={{ height: user ? { base: 48, sm: 88 } : 48 }} padding={0}>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header className={classes['header']} withBorder={false}>
        <Group h={48} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            {user ? <Burger opened={drawer} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" /> : null}
            <Anchor component={Link} to={user ? paths.home : paths.login} underline="never" c="inherit">
              <Group gap={8} wrap="nowrap">
                <Logo />
                <Text fw={600} size="lg">
                  {appConfig.title}
                </Text>
              </Group>
            </Anchor>
          </Group>
          <Toolbar user={user} />
        </Group>
        {user ? <Tabs user={user} /> : null}
      </AppShell.Header>
      {user ? (
        <Drawer opened={drawer} onClose={close} title={appConfig.title} size="xs" hiddenFrom="sm">
          <Stack gap={4} component="nav" aria-label="Screens">
            {tabsOf(user).map((tab) => (
              <Anchor
                key={tab.to}
                component={Link}
                to={tab.to}
                onClick={close}
                className={classes['drawerLink']}
                underline="never"
              >
                {tab.label}
              </Anchor>
            ))}
            <UnstyledButton className={classes['drawerLink']} onClick={() => void signOut()}>
              Signout
            </UnstyledButton>
          </Stack>
        </Drawer>
      ) : null}
      <AppShell.Main id="main" className={classes['main']}>
        {error ? (
          <Box px="md" pt="sm">
            <ErrorAlert error={error} onClose={() => setGlobalError(null)} />
          </Box>
        ) : null}
        <Box className={classes['content']}>
          <Outlet />
        </Box>
        <Footer user={user} />
      </AppShell.Main>
      <Processing />
      <SignInAgainDialog />
      <KeyList />
    </AppShell>
  );
}

function Toolbar({ user }: { user: SessionUser | null }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const dark =
    colorScheme === 'dark' || (colorScheme === 'auto' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={dark ? 'Light' : 'Dark'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={dark ? 'Use light colours' : 'Use dark colours'}
          onClick={() => setColorScheme(dark ? 'light' : 'dark')}
        >
          {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
        </ActionIcon>
      </Tooltip>
      {user ? (
        <>
          <Tooltip label="Keys (?)">
            <ActionIcon variant="subtle" color="gray" aria-label="Keys" onClick={showKeys} visibleFrom="sm">
              <IconKeyboard size={18} />
            </ActionIcon>
          </Tooltip>
          <Anchor component={Link} to={paths.home} size="sm" visibleFrom="sm">
            Home
          </Anchor>
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <UnstyledButton aria-label={`Account of ${user.fullName}`}>
                <Group gap={4} wrap="nowrap">
                  <Text size="sm" className="ellipsis" maw={{ base: 88, sm: 160 }}>
                    {user.fullName}
                  </Text>
                  <IconChevronDown size={14} aria-hidden />
                </Group>
              </UnstyledButton>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{user.userName}</Menu.Label>
              <Menu.Item component={Link} to={paths.changePassword}>
                Change password
              </Menu.Item>
              <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
                Signout
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </>
      ) : (
        <Anchor component={Link} to={paths.login} size="sm">
          Sign in
        </Anchor>
      )}
    </Group>
  );
}

function Tabs({ user }: { user: SessionUser }) {
  const navigate = useNavigate();
  const tabs = tabsOf(user);
  useKeys(tabs.map((tab) => ({ key: tab.key, label: tab.label, run: () => void navigate({ to: tab.to }) })));
  return (
    <Group component="nav" aria-label="Screens" gap={0} px="md" h={40} visibleFrom="sm" className={classes['tabs']}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} activeOptions={{ exact: true, includeSearch: false }} className={classes['tab']}>
          {tab.label}
        </Link>
      ))}
    </Group>
  );
}

function Footer({ user }: { user: SessionUser | null }) {
  return (
    <Group component="footer" justify="space-between" px="md" py="sm" className={`${classes['footer']} no-print muted`}>
      <Text size="xs">{user ? `Hello, ${user.fullName}` : ''}</Text>
      <Text size="xs">
        Version {APP_VERSION} · © {COPYRIGHT_YEAR} {appConfig.companyName}
      </Text>
    </Group>
  );
}

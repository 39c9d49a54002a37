// The frame of signed-in people: toolbar, menu, drawer on small screens, tabs by role (specification section 2, Shell).
import '@mantine/notifications/styles.css';
import { ActionIcon, Anchor, Burger, Drawer, Group, Menu, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { IconChevronDown, IconKeyboard, IconLogout } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { SignInAgainDialog } from '#features/auth/SignInAgainDialog.tsx';
import { signOut, useSession } from '#features/auth/session.web.ts';
import { paths } from '#shared/paths.ts';
import { isInternal } from '#shared/roles.ts';
import { appConfig } from '#ui/app-config.web.ts';
import { KeyList, showKeys, useKeys } from '#ui/keys.tsx';
import { Processing } from '#ui/Processing.tsx';
import { Frame } from './Frame.tsx';
import { SchemeButton } from './SchemeButton.tsx';
import classes from './SignedInShell.module.css';

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

export default function SignedInShell() {
  const user = useSession();
  const location = useLocation();
  const [drawer, { toggle, close }] = useDisclosure();
  const overlays = (
    <>
      <Notifications position="bottom-right" autoClose={4000} limit={3} />
      <Processing />
    </>
  );

  if ('printView' in location.search) {
    return (
      <>
        <Outlet />
        {overlays}
      </>
    );
  }
  return (
    <>
      <Frame
        start={user ? paths.home : paths.login}
        menu={
          user ? <Burger opened={drawer} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" /> : undefined
        }
        toolbar={user ? <Toolbar user={user} /> : undefined}
        tabs={user ? <Tabs user={user} /> : undefined}
        hello={user ? `Hello, ${user.fullName}` : ''}
      />
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
      {overlays}
      <SignInAgainDialog />
      <KeyList />
    </>
  );
}

function Toolbar({ user }: { user: SessionUser }) {
  return (
    <>
      <SchemeButton Hint={Tooltip} />
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

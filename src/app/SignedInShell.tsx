// The frame of signed-in people: toolbar, menu, drawer on small screens, tabs by role (specification section 2, Shell).
import '@mantine/notifications/styles.css';
import {
  ActionIcon,
  Anchor,
  Box,
  Burger,
  Drawer,
  Group,
  Menu,
  Stack,
  Text,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { IconChevronDown, IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { adminScreensOf } from '#features/company/settings/admin-screens.ts';
import { LinkWord } from '#features/operations/live/LinkWord.tsx';
import { Bell } from '#features/operations/notifications/Bell.tsx';
import { Palette, type PaletteScreen } from '#features/operations/palette/Palette.tsx';
import { useStartViews } from '#features/operations/saved-views/start-views.web.ts';
import { ViewsButton } from '#features/operations/saved-views/ViewsButton.tsx';
import { signOut, useSession } from '#features/people/auth/sessions/session.web.ts';
import { CONTRACT_LISTS } from '#features/prices/contracts/list/ContractLists.tsx';
import { paths } from '#shared/paths.ts';
import { APPROVER_ROLES, hasRole, isInternal, startsQuotes } from '#shared/roles.ts';
import { appConfig } from '#ui/app-config.web.ts';
import { KeyList, showKeys, useKeys } from '#ui/keys.tsx';
import { later } from '#ui/later.tsx';
import { ListToolsOfFrame, type ListToolsProps } from '#ui/list-tools.tsx';
import { Processing } from '#ui/Processing.tsx';
import { Frame } from './Frame.tsx';
import { SchemeButton, useScheme } from './SchemeButton.tsx';
import classes from './SignedInShell.module.css';

const SignInAgainDialog = later(() => import('#features/people/auth/screens/SignInAgainDialog.tsx'), {
  loading: <></>,
  failed: 'A part of this page could not be loaded. Check the network and reload the page.',
});

type SessionUser = NonNullable<ReturnType<typeof useSession>>;
type Tab = { label: string; to: string; key: string };

/** A tab is active for every address that starts with its own, except that Home matches exactly. */
const activeFor = ({ to }: Tab) => ({ exact: to === paths.home, includeSearch: false });

/** The tab bar of a person (specification section 2, Home). Tabs whose screens do not exist yet are absent. */
function tabsOf(user: SessionUser): Tab[] {
  return [
    { label: 'Home', to: paths.home, key: 'g' },
    { label: 'New Quote', to: paths.newQuote, key: 'n' },
    { label: 'Find Quote', to: isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic, key: 'f' },
    { label: 'Item/Product Search', to: paths.itemSearch, key: 'i' },
    ...(isInternal(user) ? [{ label: 'Find My Rep', to: paths.findRep, key: 'r' }] : []),
    ...(hasMapTab(user) ? [{ label: 'Map Tool', to: paths.territoryMap, key: 'm' }] : []),
    ...(user.gpoTabHidden ? [] : [{ label: 'GPO Contracts', to: paths.contracts, key: 'o' }]),
    { label: 'Reports', to: paths.reports, key: 'p' },
  ].filter((tab) => tab.to !== paths.newQuote || startsQuotes(user));
}

/** Every screen that a person may open without choosing a record. */
function screensOf(user: SessionUser, tabs: Tab[]): PaletteScreen[] {
  const screens = [
    ...tabs,
    ...(user.gpoTabHidden ? [] : CONTRACT_LISTS),
    ...adminScreensOf(user),
    ...(adminScreensOf(user).length > 0 ? [{ label: 'Settings', to: paths.settings }] : []),
    ...(startsQuotes(user) ? [SAVINGS] : []),
    ...(hasRole(user, ...APPROVER_ROLES) ? [ABSENCES] : []),
    MY_ACCOUNT,
    CHANGE_PASSWORD,
  ];
  return [...new Map(screens.toReversed().map(({ label, to }) => [to, { label, to }])).values()].toReversed();
}

const SAVINGS = { label: 'Savings Analyses', to: paths.savingsAnalyses };
const ABSENCES = { label: 'Absences', to: paths.absences };
const MY_ACCOUNT = { label: 'My account', to: paths.account };
const CHANGE_PASSWORD = { label: 'Change password', to: paths.changePassword };

/** Only system administrators and sales support have the tab, on the internal site. Others use the Settings menu or Home. */
function hasMapTab(user: SessionUser): boolean {
  return appConfig.internalSite && hasRole(user, 'systemadmin', 'salessupport');
}

const viewsOf = (list: ListToolsProps) => <ViewsButton {...list} />;

export default function SignedInShell() {
  const user = useSession();
  const location = useLocation();
  const [drawer, { toggle, close }] = useDisclosure();
  // A person who must choose a password or set up a second factor first has no tabs.
  const ways = user && !user.mustChangePassword && !user.mustEnroll ? tabsOf(user) : [];
  useStartViews(user && ways.length > 0 ? user.id : null);
  const overlays = (
    <>
      <Notifications position="bottom-right" autoClose={4000} limit={3} className={classes['toasts'] ?? ''} />
      <Processing />
    </>
  );

  if ('printView' in location.search) {
    return (
      <>
        <main id="main">
          <Outlet />
        </main>
        {overlays}
      </>
    );
  }
  return (
    <ListToolsOfFrame value={viewsOf}>
      <Frame
        start={user ? paths.home : paths.login}
        menu={
          ways.length > 0 ? (
            <Burger opened={drawer} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
          ) : undefined
        }
        toolbar={
          user ? (
            <>
              {ways.length > 0 ? (
                <>
                  <LinkWord userId={user.id} />
                  <Palette userId={user.id} screens={screensOf(user, ways)} />
                  <Bell />
                </>
              ) : null}
              <Toolbar user={user} />
            </>
          ) : undefined
        }
        tabs={ways.length > 0 ? <Tabs tabs={ways} /> : undefined}
        hello={user ? `Hello, ${user.fullName}` : ''}
        back={
          user && adminScreensOf(user).some(({ to }) => to === location.pathname) ? (
            <Anchor component={Link} to={paths.settings} size="sm">
              ‹ Settings
            </Anchor>
          ) : undefined
        }
      />
      {user ? (
        <Drawer opened={drawer} onClose={close} title={appConfig.title} size="xs" hiddenFrom="sm">
          <Stack gap={4} component="nav" aria-label="Screens">
            {ways.map((tab) => (
              <Anchor
                key={tab.to}
                component={Link}
                to={tab.to}
                activeOptions={activeFor(tab)}
                onClick={close}
                className={classes['drawerLink']}
                underline="never"
              >
                {tab.label}
              </Anchor>
            ))}
            {adminScreensOf(user).length > 0 ? (
              <Anchor
                component={Link}
                to={paths.settings}
                onClick={close}
                className={classes['drawerLink']}
                underline="never"
              >
                Settings
              </Anchor>
            ) : null}
            <UnstyledButton className={classes['drawerLink']} onClick={() => void signOut()}>
              Signout
            </UnstyledButton>
          </Stack>
        </Drawer>
      ) : null}
      {overlays}
      <SignInAgainDialog />
      <KeyList />
    </ListToolsOfFrame>
  );
}

function Toolbar({ user }: { user: SessionUser }) {
  const scheme = useScheme();
  return (
    <>
      <Box visibleFrom="sm">
        <SchemeButton Hint={Tooltip} />
      </Box>
      <Tooltip label="Keys (?)">
        <ActionIcon variant="subtle" color="gray" aria-label="Keys" onClick={showKeys} visibleFrom="sm">
          <IconKeyboard size={18} />
        </ActionIcon>
      </Tooltip>
      <Anchor component={Link} to={paths.home} size="sm" className={classes['toolbarLink']}>
        Home
      </Anchor>
      {adminScreensOf(user).length > 0 ? (
        <Anchor component={Link} to={paths.settings} size="sm" className={classes['toolbarLink']}>
          Settings
        </Anchor>
      ) : null}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <UnstyledButton aria-label={`Account of ${user.fullName}`} className={classes['account']}>
            <Text size="sm" className="ellipsis" maw={160} visibleFrom="sm">
              {user.fullName}
            </Text>
            <Box hiddenFrom="sm" display="flex">
              <IconUserCircle size={22} aria-hidden />
            </Box>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            {user.fullName}
            <br />
            {user.userName}
          </Menu.Label>
          <Menu.Item component={Link} to={CHANGE_PASSWORD.to}>
            {CHANGE_PASSWORD.label}
          </Menu.Item>
          {user.mustChangePassword ? null : (
            <Menu.Item component={Link} to={MY_ACCOUNT.to}>
              {MY_ACCOUNT.label}
            </Menu.Item>
          )}
          {hasRole(user, ...APPROVER_ROLES) && !user.mustChangePassword && !user.mustEnroll ? (
            <Menu.Item component={Link} to={ABSENCES.to}>
              {ABSENCES.label}
            </Menu.Item>
          ) : null}
          <Menu.Item hiddenFrom="sm" onClick={scheme.change}>
            {scheme.dark ? 'Use light colors' : 'Use dark colors'}
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
            Signout
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function Tabs({ tabs }: { tabs: Tab[] }) {
  const navigate = useNavigate();
  useKeys(tabs.map((tab) => ({ key: tab.key, label: tab.label, run: () => void navigate({ to: tab.to }) })));
  return (
    <Group component="nav" aria-label="Screens" gap={0} px="md" visibleFrom="sm" className={classes['tabs']}>
      {tabs.map((tab) => (
        <Link key={tab.to} to={tab.to} activeOptions={activeFor(tab)} className={classes['tab']}>
          {tab.label}
        </Link>
      ))}
    </Group>
  );
}

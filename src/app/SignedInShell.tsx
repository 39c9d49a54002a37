// The frame for signed-in users: toolbar, menu, drawer on small screens, tabs by role (specification section 2, Shell).
import { ActionIcon, Anchor, Box, Burger, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconKeyboard, IconUserCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { openEntries, useSwitchedOff } from '#platform/addons/addon.web.ts';
import { adminScreensOf } from '#core/company/settings/admin-screens.web.ts';
import { type MenuTab, menuTabs, paletteScreens } from '#core/company/settings/doors.web.ts';
import { LiveStatus } from '#platform/live/LiveStatus.tsx';
import { Bell } from '#platform/notifications/Bell.tsx';
import { Palette, type PaletteScreen } from '#core/company/palette/Palette.tsx';
import { useStartViews } from '#platform/saved-views/start-views.web.ts';
import { ViewsButton } from '#platform/saved-views/ViewsButton.tsx';
import { type SessionUser, useSession } from '#platform/auth/sessions/session.web.ts';
import { contractListsNow } from '#core/prices/contracts/list/ContractLists.tsx';
import { paths } from '#platform/shared/paths.ts';
import { APPROVER_ROLES, hasRole, isInternal, startsQuotes } from '#platform/shared/roles.ts';
import { Hint } from '#platform/ui/Hint.tsx';
import { KeyList, showKeys, useKeys } from '#platform/ui/keys.tsx';
import { later, laterMenu, laterOver } from '#platform/ui/later.tsx';
import { beginSoon } from '#platform/ui/after-first-screen.web.ts';
import { ListToolsOfFrame, type ListToolsProps } from '#platform/ui/list-tools.tsx';
import type { AccountMenuProps } from './AccountMenu.tsx';
import { Frame } from './Frame.tsx';
import { SchemeButton } from './SchemeButton.tsx';
import classes from './SignedInShell.module.css';

const FAILED = 'A part of this page could not be loaded. Check the network and reload the page.';
/** Parts that appear automatically later. By then the server may no longer have the files of this version, so they load soon. */
const SOON = { soon: true, loading: <></>, failed: FAILED };
const SignInAgainDialog = later(() => import('#platform/auth/screens/SignInAgainDialog.tsx'), SOON);
const Messages = later(() => import('./Messages.tsx'), SOON);
const FormGuard = later(() => import('#platform/ui/FormGuard.tsx'), SOON);
const ScreensDrawer = laterOver(() => import('./ScreensDrawer.tsx'), FAILED);
const AccountMenu = laterMenu<AccountMenuProps>(() => import('./AccountMenu.tsx'), FAILED);

/** A tab is active for every address that starts with its own, except that Home matches exactly. */
const activeFor = ({ to }: MenuTab) => ({ exact: to === paths.home, includeSearch: false });

/** Returns the tabs of a user (specification section 2, Home). */
function tabsOf(user: SessionUser): MenuTab[] {
  return [
    { label: 'Home', to: paths.home, key: 'g h' },
    { label: 'New Quote', to: paths.newQuote, key: 'g n' },
    { label: 'Find Quote', to: isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic, key: 'g f' },
    { label: 'Item/Product Search', to: paths.itemSearch, key: 'g i' },
    ...(isInternal(user) ? [{ label: 'Find My Rep', to: paths.findRep, key: 'g r' }] : []),
    ...(user.gpoTabHidden ? [] : [{ label: 'GPO Contracts', to: paths.contracts, key: 'g o' }]),
    ...openEntries(menuTabs).filter(({ isShown }) => isShown(user)),
  ].filter((tab) => tab.to !== paths.newQuote || startsQuotes(user));
}

/** Returns every screen that a user may open without choosing a record. */
function screensOf(user: SessionUser, tabs: MenuTab[]): PaletteScreen[] {
  const screens = [
    ...tabs,
    ...(user.gpoTabHidden ? [] : contractListsNow()),
    ...adminScreensOf(user),
    ...settingsOf(user),
    ...openEntries(paletteScreens).filter(({ isShown }) => isShown(user)),
    ...(hasRole(user, ...APPROVER_ROLES) ? [ABSENCES] : []),
    MY_ACCOUNT,
    CHANGE_PASSWORD,
  ];
  return [...new Map(screens.toReversed().map(({ label, to }) => [to, { label, to }])).values()].toReversed();
}

const ABSENCES = { label: 'Absences', to: paths.absences };
const MY_ACCOUNT = { label: 'My account', to: paths.account };
const CHANGE_PASSWORD = { label: 'Change password', to: paths.changePassword };

/** Returns the link to the settings for a user who administers something. */
const settingsOf = (user: SessionUser) =>
  adminScreensOf(user).length > 0 ? [{ label: 'Settings', to: paths.settings }] : [];

const viewsOf = (list: ListToolsProps) => <ViewsButton {...list} />;

export default function SignedInShell() {
  const user = useSession();
  useSwitchedOff();
  const location = useLocation();
  const [drawer, { toggle, close }] = useDisclosure();
  // A user who must choose a password or set up a second factor first has no tabs.
  const ways = user && !user.mustChangePassword && !user.mustEnroll ? tabsOf(user) : [];
  useStartViews(user && ways.length > 0 ? user.id : null);
  const queries = useQueryClient();
  const router = useRouter();
  useEffect(() => beginSoon(() => router.state.isLoading || queries.isFetching() > 0), [router, queries]);

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
                  <LiveStatus userId={user.id} />
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
      {user ? <ScreensDrawer opened={drawer} onClose={close} screens={[...ways, ...settingsOf(user)]} /> : null}
      <Messages />
      <FormGuard />
      <SignInAgainDialog />
      <KeyList />
    </ListToolsOfFrame>
  );
}

function Toolbar({ user }: { user: SessionUser }) {
  return (
    <>
      <Box visibleFrom="sm">
        <SchemeButton Hint={Hint} />
      </Box>
      <Hint label="Keys (?)">
        <ActionIcon variant="subtle" color="gray" aria-label="Shortcuts" onClick={showKeys} visibleFrom="sm">
          <IconKeyboard size={18} />
        </ActionIcon>
      </Hint>
      <Anchor component={Link} to={paths.home} size="sm" className={classes['toolbarLink']}>
        Home
      </Anchor>
      {adminScreensOf(user).length > 0 ? (
        <Anchor component={Link} to={paths.settings} size="sm" className={classes['toolbarLink']}>
          Settings
        </Anchor>
      ) : null}
      <AccountMenu
        user={user}
        screens={[
          CHANGE_PASSWORD,
          ...(user.mustChangePassword ? [] : [MY_ACCOUNT]),
          ...(hasRole(user, ...APPROVER_ROLES) && !user.mustChangePassword && !user.mustEnroll ? [ABSENCES] : []),
        ]}
        button={
          <UnstyledButton
            aria-label={`Account of ${user.fullName}`}
            aria-haspopup="menu"
            aria-expanded={false}
            className={classes['account']}
          >
            <Text size="sm" className="ellipsis" maw={160} visibleFrom="sm">
              {user.fullName}
            </Text>
            <Box hiddenFrom="sm" display="flex">
              <IconUserCircle size={22} aria-hidden />
            </Box>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        }
      />
    </>
  );
}

function Tabs({ tabs }: { tabs: MenuTab[] }) {
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

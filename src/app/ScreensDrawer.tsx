// The drawer of small screens: the links of the tabs, and signing out.
import { Anchor, Drawer, Stack, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { signOut } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import classes from './SignedInShell.module.css';

type Props = { opened: boolean; onClose: () => void; screens: { label: string; to: string }[] };

export default function ScreensDrawer({ opened, onClose, screens }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title={appConfig.title} size="xs" hiddenFrom="sm">
      <Stack gap={4} component="nav" aria-label="Screens">
        {screens.map(({ label, to }) => (
          <Anchor
            key={to}
            component={Link}
            to={to}
            activeOptions={{ exact: to === paths.home, includeSearch: false }}
            onClick={onClose}
            className={classes['drawerLink']}
            underline="never"
          >
            {label}
          </Anchor>
        ))}
        <UnstyledButton className={classes['drawerLink']} onClick={() => void signOut()}>
          Signout
        </UnstyledButton>
      </Stack>
    </Drawer>
  );
}

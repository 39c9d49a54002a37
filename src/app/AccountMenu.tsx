// The account menu of the user.
import { Menu } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { signOut, type useSession } from '#platform/auth/sessions/session.web.ts';
import type { OfButton } from '#platform/ui/later.tsx';
import { useScheme } from './SchemeButton.tsx';

export type AccountMenuProps = {
  user: NonNullable<ReturnType<typeof useSession>>;
  screens: { label: string; to: string }[];
};

export default function AccountMenu({ user, screens, button, opened, onChange }: AccountMenuProps & OfButton) {
  const scheme = useScheme();
  return (
    <Menu position="bottom-end" width={220} opened={opened} onChange={onChange}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.fullName}
          <br />
          {user.userName}
        </Menu.Label>
        {screens.map(({ label, to }) => (
          <Menu.Item key={to} component={Link} to={to}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Item hiddenFrom="sm" onClick={scheme.change}>
          {scheme.dark ? 'Use light colors' : 'Use dark colors'}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Signout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

// The bell in the header of every screen, with the number of unread notifications. Its list loads soon after the screen.
import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Hint } from '#platform/ui/Hint.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { laterOver } from '#platform/ui/later.tsx';
import { setTabCount } from '#platform/ui/tab-count.web.ts';
import { NotificationCalls } from './notifications.contract.ts';
import classes from './notifications.module.css';

/** The highest number that is shown. */
const MAX_UNREAD = 100;

const BellDrawer = laterOver(
  () => import('./BellDrawer.tsx'),
  'The notifications could not be loaded. Check the network and reload the page.',
);

export function Bell() {
  const [opened, { open, close }] = useDisclosure();
  const unread = useUnread();
  const count = unread >= MAX_UNREAD ? `${MAX_UNREAD - 1}+` : String(unread);
  useKeys([{ key: 'b', label: 'Notifications', run: open }]);
  return (
    <>
      <Hint label="Notifications (b)">
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes['bell'] ?? ''}
          aria-label={unread > 0 ? `Notifications, ${count} unread` : 'Notifications'}
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconBell size={20} />
          {unread > 0 ? (
            <span className={classes['count']} aria-hidden>
              {count}
            </span>
          ) : null}
        </ActionIcon>
      </Hint>
      <BellDrawer opened={opened} onClose={close} />
    </>
  );
}

/** Returns the number of unread notifications. The title of the browser tab shows it as well. */
function useUnread(): number {
  const { data } = useQuery(api(NotificationCalls).CountUnread.query({}));
  const unread = data?.unread ?? 0;
  useEffect(() => {
    setTabCount(unread >= MAX_UNREAD ? `${MAX_UNREAD - 1}+` : unread > 0 ? String(unread) : '');
    return () => setTabCount('');
  }, [unread]);
  return unread;
}

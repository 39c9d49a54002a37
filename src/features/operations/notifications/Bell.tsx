// The bell in the head of every screen: how much is unread. Its list loads when it is first opened.
import { ActionIcon, Drawer, Skeleton, Stack, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useKeys } from '#ui/keys.tsx';
import { later } from '#ui/later.tsx';
import classes from './notifications.module.css';
import { MOST_UNREAD, useUnread } from './unread.web.ts';

const BellList = later(() => import('./BellList.tsx'), {
  loading: (
    <Stack aria-label="Loading">
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  ),
  failed: 'The list could not be loaded. Reload the page.',
});

export function Bell() {
  const [opened, { open, close }] = useDisclosure();
  const unread = useUnread();
  const count = unread >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : String(unread);
  useKeys([{ key: 'b', label: 'Notifications', run: open }]);
  return (
    <>
      <Tooltip label="Notifications (b)">
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
      </Tooltip>
      <Drawer opened={opened} onClose={close} title="Notifications" position="right" size={420}>
        <BellList onLeave={close} />
      </Drawer>
    </>
  );
}

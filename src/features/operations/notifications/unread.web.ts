// How many notifications are unread, for the bell and the title of the tab.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#api/client.web.ts';
import { setTabCount } from '#ui/tab-count.web.ts';
import { NotificationCalls } from './notifications.contract.ts';

/** Counting stops here. */
export const MOST_UNREAD = 100;

export function useUnread(): number {
  const { data } = useQuery(api(NotificationCalls).CountUnread.query({}));
  const unread = data?.unread ?? 0;
  useEffect(() => {
    setTabCount(unread >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : unread > 0 ? String(unread) : '');
    return () => setTabCount('');
  }, [unread]);
  return unread;
}

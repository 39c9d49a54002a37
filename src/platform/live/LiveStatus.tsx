// Listens while a user is signed in, and shows when the data on the screen may be outdated.
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { listenFor, useLinkState } from './live.web.ts';

export function LiveStatus({ userId }: { userId: number }) {
  const state = useLinkState();
  useEffect(() => listenFor(userId), [userId]);
  return (
    <Text size="xs" className="muted" role="status">
      {state === 'away' ? 'Reconnecting…' : ''}
    </Text>
  );
}

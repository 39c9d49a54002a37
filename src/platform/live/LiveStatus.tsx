// Listens while somebody is signed in, and says when what is shown may be old.
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

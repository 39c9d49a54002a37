// Whether what was typed is on the server.
import { Anchor, Text } from '@mantine/core';
import { useBoard } from './board.web.ts';

export function SaveState() {
  const { pending, queue, savedAt } = useBoard();
  const failed = pending.filter((entry) => entry.state === 'failed');
  if (failed.length > 0) {
    return (
      <Text size="sm" c="red" role="status">
        {failed.length} {failed.length === 1 ? 'change' : 'changes'} not saved, kept here.{' '}
        <Anchor component="button" size="sm" onClick={queue.retry}>
          Try again
        </Anchor>{' '}
        <Anchor component="button" size="sm" onClick={() => failed.forEach((entry) => queue.drop(entry.target))}>
          Discard
        </Anchor>
      </Text>
    );
  }
  return (
    <Text size="sm" className="muted tabular" role="status">
      {pending.length > 0 ? 'Saving…' : savedAt ? `Saved ${savedAt.toLocaleTimeString('en-US')}` : ''}
    </Text>
  );
}

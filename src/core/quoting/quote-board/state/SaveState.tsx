// Shows whether typed input is saved.
import { Anchor, Text } from '@mantine/core';
import { formatTime } from '#platform/shared/dates.ts';
import { useBoard } from './board.web.ts';
import { FIELD_WORDS, refusalWords, valueWords } from '#core/quoting/quote-edit/settle/field-words.ts';

export function SaveState() {
  const { pending, savedAt, items, store } = useBoard();
  const { queue } = store;
  const failed = pending.filter((entry) => entry.state === 'failed');
  // A removed line has no row, so this place shows its typed input.
  const homeless = failed.filter(({ target }) => target !== 'quote' && !items.some(({ id }) => id === target));
  if (failed.length > 0) {
    return (
      <Text component="div" size="sm" c="red" role="status">
        {failed.length === 1
          ? '1 change not saved yet. It is kept on this page.'
          : `${failed.length} changes not saved yet. They are kept on this page.`}{' '}
        <Anchor component="button" size="sm" onClick={queue.retry}>
          Try again
        </Anchor>{' '}
        <Anchor component="button" size="sm" onClick={() => failed.forEach((entry) => queue.drop(entry.target))}>
          Discard
        </Anchor>
        {homeless.map(({ target, patch, error }) => (
          <Text key={target} size="sm">
            {error ? refusalWords(error) : ''} You entered:{' '}
            {Object.entries(patch)
              .map(([field, value]) => `${FIELD_WORDS[field] ?? field} ${valueWords(field, value)}`)
              .join(', ')}
          </Text>
        ))}
      </Text>
    );
  }
  return (
    <Text size="sm" className="muted tabular" role="status">
      {pending.length > 0 ? 'Saving…' : savedAt ? `Saved ${formatTime(savedAt)}` : ''}
    </Text>
  );
}

// Shows the error of one row of a list, in a column or on its card.
import { Text } from '@mantine/core';

/** Shows nothing for an empty text. */
export function WentWrong({ text }: { text: string }) {
  if (!text) return null;
  return (
    <Text size="sm" className="warning" style={{ overflowWrap: 'anywhere', whiteSpace: 'normal', minWidth: 200 }}>
      {text}
    </Text>
  );
}

// The name of a record in its row of a list. A press opens the record on the same screen.
import { Anchor } from '@mantine/core';

/** `truncate` keeps a long name on one line. */
export function RowLink({ name, onOpen, truncate }: { name: string; onOpen: () => void; truncate?: boolean }) {
  const oneLine = truncate ? ({ truncate: true, maw: '100%', display: 'block' } as const) : {};
  return (
    <Anchor component="button" type="button" fw={600} ta="left" {...oneLine} onClick={onOpen}>
      {name}
    </Anchor>
  );
}

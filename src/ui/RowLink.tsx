// The name of a record in its row of a list: a press opens it on the same screen.
import { Anchor } from '@mantine/core';

export function RowLink({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <Anchor component="button" type="button" fw={600} ta="left" truncate maw="100%" display="block" onClick={onOpen}>
      {name}
    </Anchor>
  );
}

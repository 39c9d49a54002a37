// The name of a row as a button that opens the row in a drawer.
import { Anchor } from '@mantine/core';

export function OpenLink({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <Anchor component="button" type="button" fw={600} ta="left" onClick={onOpen}>
      {name}
    </Anchor>
  );
}

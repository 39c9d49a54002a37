// The end of a dialog: Cancel, and beside it the button for the action.
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

export function DialogButtons({ onCancel, children }: { onCancel: () => void; children: ReactNode }) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      {children}
    </Group>
  );
}

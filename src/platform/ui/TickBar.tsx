// The bar above a list with the actions for all selected rows and the undo of the last change.
import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  /** The number of selected rows, or the last change. */
  message: string | undefined;
  isTicked: boolean;
  onClear: () => void;
  /** Undefined if there is nothing to undo. */
  onUndo: (() => void) | undefined;
  isUndoing: boolean;
  /** The buttons for the selected rows. */
  children: ReactNode;
};

export function TickBar({ message, isTicked, onClear, onUndo, isUndoing, children }: Props) {
  return (
    <Group px="md" py="xs" gap="xs" justify="space-between">
      <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      <Group gap="xs">
        {isTicked ? (
          <>
            {children}
            <Button size="compact-sm" variant="subtle" onClick={onClear}>
              Deselect
            </Button>
          </>
        ) : onUndo ? (
          <Button size="compact-sm" variant="default" loading={isUndoing} onClick={onUndo}>
            Undo
          </Button>
        ) : null}
      </Group>
    </Group>
  );
}

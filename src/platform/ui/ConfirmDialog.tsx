// Prompts for confirmation before a consequential action and describes what the action affects. A failure is shown in the dialog.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from './ErrorAlert.tsx';

type Props = {
  title: string;
  /** What the action affects. */
  children: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  /** The action is hard to undo, so the button is red. */
  harmful?: boolean;
  busy?: boolean;
  error?: Error | null;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({ title, children, action, harmful, busy, error, onConfirm, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size="sm">
      <Stack>
        {typeof children === 'string' ? <Text size="sm">{children}</Text> : children}
        <ErrorAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus={harmful ? true : undefined}>
            Cancel
          </Button>
          <Button
            color={harmful ? 'red' : undefined}
            loading={busy ?? false}
            onClick={onConfirm}
            data-autofocus={harmful ? undefined : true}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

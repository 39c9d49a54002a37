// A small form over the page: its question, its error, and the buttons to cancel or to continue.
import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from './ErrorAlert.tsx';
import { Form } from './Form.tsx';

type Props = {
  title: string;
  size?: string;
  /** The label of the button that continues. */
  action: string;
  disabled?: boolean;
  busy?: boolean;
  error?: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
};

export function AskDialog(props: Props) {
  const { title, size, action, disabled = false, busy = false, error, onSubmit, onClose, children } = props;
  return (
    <Modal opened onClose={onClose} title={title} {...(size ? { size } : {})}>
      <Form label={action} onSubmit={() => (disabled || busy ? undefined : onSubmit())}>
        <Stack>
          {children}
          <ErrorAlert error={error} title="Something went wrong" />
          <Group justify="flex-end" className="dialog-foot">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

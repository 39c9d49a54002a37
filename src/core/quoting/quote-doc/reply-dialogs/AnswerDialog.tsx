// The frame of the customer's three response dialogs: a dialog on a desktop, full screen on a phone. Errors stay until fixed.
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useRef, useState } from 'react';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import type { Sending } from './sending.web.ts';

type Props = {
  title: string;
  /** The label of the only filled button. */
  button: string;
  color?: string;
  sending: Sending;
  onClose: () => void;
  children: ReactNode;
};

export function AnswerDialog({ title, button, color, sending, onClose, children }: Props) {
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false });
  const fields = useRef<HTMLDivElement>(null);
  const [begin] = useState(() => (node: HTMLDivElement | null) => {
    fields.current = node;
    // On a phone the keyboard would cover what the customer agrees to.
    if (!phone) node?.querySelector('input:not([type="checkbox"]), textarea')?.setAttribute('data-autofocus', 'true');
  });
  const submit = () => {
    sending.send();
    // After the errors render, focus the first field that has one.
    setTimeout(() => fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      fullScreen={phone}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form onSubmit={submit}>
        <Stack ref={begin}>
          {children}
          <ErrorAlert error={sending.failure} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={sending.sending} {...(color ? { color } : {})}>
              {button}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

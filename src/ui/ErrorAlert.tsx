// Shows a failure where it happened until it is fixed or dismissed.
import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type Props = { error: Error | string | null | undefined; title?: string; onClose?: () => void; children?: ReactNode };

export function ErrorAlert({ error, title, onClose, children }: Props) {
  if (!error) return null;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle size={18} />}
      role="alert"
      title={title}
      {...(onClose ? { withCloseButton: true, onClose, closeButtonLabel: 'Dismiss' } : {})}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
        {typeof error === 'string' ? error : error.message}
      </Text>
      {children}
    </Alert>
  );
}

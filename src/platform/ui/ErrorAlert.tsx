// Shows a failure where it happened until it is fixed or dismissed.
import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isPassingStatus } from '#platform/shared/passing-status.ts';

type Props = {
  error: Error | string | null | undefined;
  title?: string;
  onClose?: () => void;
  /** Repeats the failed action. Not offered if a repetition would be refused again. */
  onRetry?: () => unknown;
  children?: ReactNode;
};

export function ErrorAlert({ error, title, onClose, onRetry, children }: Props) {
  if (!error) return null;
  // Only errors of calls have a status.
  const status = typeof error === 'object' && 'status' in error ? Number(error.status) : 0;
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
      {onRetry && isPassingStatus(status) ? (
        <Button
          mt="xs"
          size="xs"
          variant="default"
          onClick={() => {
            onRetry();
          }}
        >
          Try again
        </Button>
      ) : null}
      {children}
    </Alert>
  );
}

// Prompts for the last day of assignments. The server removes those that begin after it.
import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DateField } from '#platform/ui/DateField.tsx';

type Props = {
  /** 'ZIP 60601', '12 ZIPs' */
  what: string;
  today: string;
  /** Explains what stays unchanged. */
  hint?: string;
  end: (lastDay: string) => Promise<{ ended: number; removed: number }>;
  onEnded?: () => void;
  onClose: () => void;
};

export function EndDialog({
  what,
  today,
  hint = 'Open quotes stay until they are moved.',
  end,
  onEnded,
  onClose,
}: Props) {
  const [lastDay, setLastDay] = useState(today);
  const ending = useMutation({
    mutationFn: end,
    onSuccess: ({ ended, removed }) => {
      const words = [ended > 0 ? `${ended} ended` : '', removed > 0 ? `${removed} removed` : ''].filter(Boolean);
      notifications.show({ message: `${what}: ${words.join(', ') || 'already ended by then'}.` });
      onClose();
      onEnded?.();
    },
  });
  const refused = ending.error instanceof HttpError ? ending.error.errors?.[0]?.message : undefined;
  return (
    <ConfirmDialog
      title={`End ${what}?`}
      action="End"
      harmful
      busy={ending.isPending}
      error={refused ? null : ending.error}
      onConfirm={() => ending.mutate(lastDay)}
      onClose={onClose}
    >
      <Text size="sm">
        Past assignments do not change. Assignments that have not begun by the last day are removed. {hint}
      </Text>
      <DateField label="Last day" required value={lastDay} error={refused} onChange={setLastDay} />
    </ConfirmDialog>
  );
}

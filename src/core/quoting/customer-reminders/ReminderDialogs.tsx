// The dialogs that change and stop a reminder to the customer. The parent component keeps the typed input.
import { Text } from '@mantine/core';
import { formatDate } from '#platform/shared/dates.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import type { Reminder, ReminderInput } from './customer-reminders.contract.ts';
import ReminderFields from './ReminderFields.tsx';
import { daysWords, isComplete } from './reminder-day.ts';

type Props = {
  open: 'change' | 'stop';
  /** The reminder as it was when the dialog opened. */
  opened: Reminder;
  /** The current reminder. Null after it was sent or stopped. */
  now: Reminder | null;
  typed: ReminderInput;
  onType: (typed: ReminderInput) => void;
  busy: boolean;
  error: Error | null;
  onChange: () => void;
  onStop: () => void;
  onClose: () => void;
};

export default function ReminderDialogs(props: Props) {
  const { open, opened, now, typed, onType, busy, error, onChange, onStop, onClose } = props;
  if (open === 'stop') {
    return (
      <ConfirmDialog
        title="Stop the reminder?"
        action="Stop Reminder"
        harmful
        busy={busy}
        error={error}
        onConfirm={onStop}
        onClose={onClose}
      >
        {`The customer will not get an email on ${formatDate(opened.day)}. You can set another reminder when you resend the quote.`}
      </ConfirmDialog>
    );
  }
  return (
    <AskDialog
      title="Reminder to the customer"
      size="lg"
      action="Save"
      disabled={!isComplete(typed, opened, opened.days)}
      busy={busy}
      error={error}
      onSubmit={onChange}
      onClose={onClose}
    >
      {now?.id === opened.id && now.version === opened.version ? null : (
        <Text size="sm" role="status">
          {now
            ? `${now.setBy} changed it to ${daysWords(now.days)}. Saving overwrites that change.`
            : 'It has already been sent or stopped.'}
        </Text>
      )}
      <ReminderFields draft={opened} to={opened.to} value={typed} daysSet={opened.days} onChange={onType} />
    </AskDialog>
  );
}

// The fields of a reminder to the customer: how many days before the quote expires, its text, and a preview.
import { Anchor, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { formatDate } from '#platform/shared/dates.ts';
import { NumberField } from '#platform/ui/NumberField.tsx';
import type { ReminderDraft, ReminderInput } from './customer-reminders.contract.ts';
import { dayProblem, filledReminder, HOUR, QUOTE_LINK, reminderDay, VALID_UNTIL } from './reminder-day.ts';

type Props = {
  draft: Pick<ReminderDraft, 'today' | 'validUntil' | 'subject'>;
  to: readonly string[];
  value: ReminderInput;
  onChange: (value: ReminderInput) => void;
  /** The saved number of days. It remains valid even when its day has come. */
  daysSet?: number;
};

export default function ReminderFields({ draft: { today, validUntil, subject }, to, value, onChange, daysSet }: Props) {
  const [preview, setPreview] = useState(false);
  const { days, text } = value;
  const problem = days === daysSet ? '' : dayProblem(validUntil, days, today);
  return (
    <Stack gap="xs">
      <NumberField
        label="Days before the quote expires"
        required
        maw={280}
        data-autofocus={daysSet === undefined ? undefined : true}
        min={1}
        decimals={0}
        value={days}
        error={problem}
        onChange={(now) => onChange({ ...value, days: now })}
      />
      {problem ? null : (
        <Text size="xs" className="muted">
          Sent on {formatDate(reminderDay(validUntil, days))} at {HOUR} AM
          {to.length > 0 ? ` to ${to.join(', ')}` : ''}, unless the customer accepts, declines or asks a question first.
        </Text>
      )}
      <Textarea
        label="Reminder text"
        required
        description={`${VALID_UNTIL} is replaced with the date, ${QUOTE_LINK} with the link to the customer’s page.`}
        autosize
        minRows={5}
        maxRows={12}
        maxLength={10_000}
        value={text}
        onChange={(event) => onChange({ ...value, text: event.currentTarget.value })}
      />
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="start"
        aria-expanded={preview}
        onClick={() => setPreview(!preview)}
      >
        {preview ? 'Hide the preview' : 'Preview the reminder'}
      </Anchor>
      {preview ? (
        <Paper withBorder p="sm" role="region" aria-label="Preview of the reminder">
          <Text size="sm" fw={600} mb="xs">
            {subject}
          </Text>
          <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {filledReminder(text, { validUntil, link: '(link to the customer’s page)' })}
          </Text>
        </Paper>
      ) : null}
    </Stack>
  );
}

// When people are reminded of an approval that awaits them, and when those above them are asked.
import { NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { ApprovalRules, ReminderInput, type Reminders } from './approval-rules.contract.ts';

const LABELS = { remindAfterHours: 'Remind after hours', escalateAfterHours: 'Ask those above after hours' };

export function RemindersCard({ reminders }: { reminders: Reminders }) {
  const queries = useQueryClient();
  const form = useRecordForm({
    record: reminders,
    schema: ReminderInput,
    save: (values) => api(ApprovalRules).SaveApprovalReminders(values),
    onSaved: () => {
      notifications.show({ message: 'The reminders are saved.' });
      void queries.invalidateQueries({ queryKey: api(ApprovalRules).GetApprovalRules.key });
    },
  });
  const { values, errors, set } = form;
  const hours = (next: number | string) => (next === '' ? Number.NaN : Number(next));
  return (
    <section className="card" aria-labelledby="reminders-title">
      <Stack p="md" gap="sm" maw={720}>
        <div>
          <Title order={2} id="reminders-title">
            Reminders
          </Title>
          <Text size="sm" className="muted">
            By mail, once each, counted from the request: to the people who are awaited, then to those above them. 0
            means never.
          </Text>
        </div>
        <RecordForm form={form} label="Reminders" labels={LABELS}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label={LABELS.remindAfterHours}
              required
              allowDecimal={false}
              allowNegative={false}
              value={values.remindAfterHours}
              error={errors['remindAfterHours']}
              onChange={(next) => set({ remindAfterHours: hours(next) })}
            />
            <NumberInput
              label={LABELS.escalateAfterHours}
              required
              allowDecimal={false}
              allowNegative={false}
              value={values.escalateAfterHours}
              error={errors['escalateAfterHours']}
              onChange={(next) => set({ escalateAfterHours: hours(next) })}
            />
          </SimpleGrid>
        </RecordForm>
        <HistoryPanel type="approvalReminder" id={1} />
      </Stack>
    </section>
  );
}

// Sets when approvers are reminded of a pending approval, and when the users above them are notified.
import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { FORM_WIDTH } from '#platform/ui/FormPage.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ApprovalRules, ReminderInput, type Reminders } from './approval-rules.contract.ts';

const LABELS = { remindAfterHours: 'Remind after (hours)', escalateAfterHours: 'Escalate after (hours)' };

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
  return (
    <section className="card" aria-labelledby="reminders-title">
      <Stack p="md" gap="sm" maw={FORM_WIDTH}>
        <div>
          <Title order={2} id="reminders-title">
            Reminders
          </Title>
          <Text size="sm" className="muted">
            Sent by email, once each, counted from the request: first to the approvers, then to the people above them. 0
            turns a reminder off.
          </Text>
        </div>
        <RecordForm form={form} label="Reminders" labels={LABELS}>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberField
              label={LABELS.remindAfterHours}
              required
              min={0}
              max={2000}
              decimals={0}
              value={values.remindAfterHours}
              error={errors['remindAfterHours']}
              onChange={(remindAfterHours) => set({ remindAfterHours })}
            />
            <NumberField
              label={LABELS.escalateAfterHours}
              required
              min={0}
              max={2000}
              decimals={0}
              value={values.escalateAfterHours}
              error={errors['escalateAfterHours']}
              onChange={(escalateAfterHours) => set({ escalateAfterHours })}
            />
          </SimpleGrid>
        </RecordForm>
        <HistoryPanel type="approvalReminder" id={1} />
      </Stack>
    </section>
  );
}

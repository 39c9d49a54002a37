// The company's defaults for how users receive each kind of notification. They apply to users without their own choice.
import { Select, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { Card } from '#platform/ui/Card.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { BY_ROLE, KINDS, NOTIFICATION_KINDS, WAY_LABELS, WAYS, type Way } from './notification-kinds.ts';
import { CompanyWaysInput, NotificationSettings } from './notification-settings.contract.ts';

type Kept = OutputOf<typeof NotificationSettings.GetCompanyWays>;

const LABELS = Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, KINDS[kind].label]));

export default function NotificationSettingsPage() {
  const stored = useQuery({ ...api(NotificationSettings).GetCompanyWays.query({}), staleTime: 0 });
  return (
    <FormPage title="Notifications">
      <ErrorAlert error={stored.error} title="The settings could not be loaded" onRetry={stored.refetch} />
      {stored.data ? (
        <>
          <Card title="How people are notified">
            <Text size="sm" className="muted">
              Everyone can choose differently in their own account. By default, people who decide, sell or process are
              emailed about what waits for them, and sales representatives get one email a day about what expires or is
              at risk.
            </Text>
            <WaysForm kept={stored.data} />
          </Card>
          <Card title="History">
            <HistoryPanel type="notificationSettings" id={1} />
          </Card>
        </>
      ) : stored.error ? null : (
        <Skeleton height={480} radius="sm" aria-label="Loading" />
      )}
    </FormPage>
  );
}

function WaysForm({ kept }: { kept: Kept }) {
  const form = useRecordForm({
    record: kept,
    schema: CompanyWaysInput,
    save: (ways) => api(NotificationSettings).SaveCompanyWays(ways),
    onSaved: () => {
      notifications.show({ message: 'The settings are saved.' });
    },
  });
  const { values, set } = form;
  return (
    <RecordForm
      form={form}
      label="How people are notified"
      labels={LABELS}
      inWords={(_, value) => (value === null ? BY_ROLE : WAY_LABELS[value as Way])}
    >
      {NOTIFICATION_KINDS.map((kind) => (
        <Select
          key={kind}
          label={KINDS[kind].label}
          allowDeselect={false}
          maw={360}
          data={[{ value: '', label: BY_ROLE }, ...WAYS.map((way) => ({ value: way, label: WAY_LABELS[way] }))]}
          value={values[kind] ?? ''}
          onChange={(way) => set({ [kind]: way || null })}
        />
      ))}
    </RecordForm>
  );
}

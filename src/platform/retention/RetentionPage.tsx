// The retention screen: how many months each group of records is kept, and what would be cleared now.
import { Alert, Divider, List, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { Card } from '#platform/ui/Card.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { type Months, type Preview, Retention, RetentionInput } from './retention.contract.ts';
import { MAX_MONTHS, NOUNS, RETENTION, RETENTION_GROUPS, type RetentionGroup } from './retention-groups.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';

type Kept = OutputOf<typeof Retention.GetRetention>;
type Values = Months & { version: number };

const LABELS = Object.fromEntries(RETENTION_GROUPS.map((group) => [group, RETENTION[group].label]));

export default function RetentionPage() {
  const settings = useQuery({ ...api(Retention).GetRetention.query({}), staleTime: 0 });
  const { data } = settings;
  return (
    <FormPage title="Retention">
      <ErrorAlert error={settings.error} title="The settings could not be loaded" onRetry={settings.refetch} />
      {data ? (
        <>
          {data.held ? (
            <Alert color="orange" title="Deletion is paused">
              <Text size="sm">
                This database was restored from a backup, and its mail is on hold. Deletion starts when the mail is
                released in Settings → Mailbox.
              </Text>
            </Alert>
          ) : null}
          <Card title="Retention periods">
            <Text size="sm" className="muted">
              Older records are deleted once a day and can be restored only from a backup. Quotes are always kept, with
              their lines, revisions, PDFs and history. The server setting SECURITY_LOG_DAYS determines how long the
              security log is kept.
            </Text>
            <MonthsForm data={data} />
          </Card>
          <Card title="History">
            <HistoryPanel type="retention" id={1} />
          </Card>
        </>
      ) : settings.error ? null : (
        <Skeleton height={480} radius="sm" aria-label="Loading" />
      )}
    </FormPage>
  );
}

function MonthsForm({ data }: { data: Kept }) {
  /** What to do once the user has confirmed what will be cleared. */
  const [asking, setAsking] = useState<(() => void) | null>(null);
  const record: Values = { version: data.version, ...data.months };
  const form = useRecordForm({
    record,
    schema: RetentionInput,
    save: ({ version, ...months }) => api(Retention).SaveRetention({ version, months }),
    onSaved: () => {
      notifications.show({ message: 'The settings are saved.' });
    },
  });
  const { values, set, errors } = form;
  const saved: Months = form.conflict?.current ?? data.months;
  const shorter = RETENTION_GROUPS.filter((group) => isShorter(values[group], saved[group]));
  const ask = (next: () => void) => () => {
    if (shorter.length > 0 && RetentionInput.safeParse(values).success) setAsking(() => next);
    else next();
  };
  return (
    <RecordForm
      form={{ ...form, submit: ask(form.submit), keepMine: ask(form.keepMine) }}
      label="Retention periods"
      labels={LABELS}
      inWords={(_, value) => (typeof value === 'number' ? countOf(value, 'month') : 'Forever')}
    >
      {RETENTION_GROUPS.map((group, index) => (
        <Fragment key={group}>
          {index > 0 ? <Divider /> : null}
          <GroupFields
            group={group}
            months={values[group]}
            error={errors[group]}
            onChange={(months) => set({ [group]: months })}
          />
        </Fragment>
      ))}
      {asking ? (
        <ConfirmDialog
          title="Shorten the retention period?"
          action="Save"
          harmful
          onConfirm={() => {
            setAsking(null);
            asking();
          }}
          onClose={() => setAsking(null)}
        >
          <Text size="sm">The next daily run (within about a day) will delete:</Text>
          <List size="sm">
            {shorter.map((group) => (
              <List.Item key={group}>
                {RETENTION[group].label}: <Going group={group} months={values[group]} />
              </List.Item>
            ))}
          </List>
          <Text size="sm">
            <b>This cannot be undone.</b> To keep everything, save a longer period before the run starts.
          </Text>
        </ConfirmDialog>
      ) : null}
    </RecordForm>
  );
}

function isShorter(months: number | null, before: number | null): boolean {
  return months !== null && (before === null || months < before);
}

type FieldsProps = {
  group: RetentionGroup;
  months: number | null;
  error: string | undefined;
  onChange: (months: number | null) => void;
};

function GroupFields({ group, months, error, onChange }: FieldsProps) {
  const { label, what, least } = RETENTION[group];
  const [request] = useDebouncedValue(months, 300);
  return (
    <Stack gap={4}>
      <NumberField
        label={label}
        description={what}
        placeholder="Forever"
        suffix="months"
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        styles={{ wrapper: { maxWidth: 180 } }}
        min={least}
        max={MAX_MONTHS}
        decimals={0}
        value={months ?? Number.NaN}
        error={error}
        onChange={onChange}
        onClear={() => onChange(null)}
      />
      <Text size="sm" className="muted">
        {months === null ? 'Kept forever. ' : ''}Minimum: {countOf(least, 'month')}. Leave empty to keep forever.
      </Text>
      <Text size="sm" role="status" aria-label={`What would be deleted now: ${label}`}>
        <Going group={group} months={request} />
      </Text>
    </Stack>
  );
}

/** Shows what would be cleared now, in words. */
function Going({ group, months }: { group: RetentionGroup; months: number | null }) {
  const isValid =
    months !== null && Number.isInteger(months) && months >= RETENTION[group].least && months <= MAX_MONTHS;
  const preview = api(Retention).PreviewRetention.query({ group, months });
  const result = useQuery({ ...preview, staleTime: 0, enabled: isValid });
  if (months === null) return 'Nothing would be deleted.';
  if (!isValid) return 'Enter a valid number of months to see the count.';
  if (result.error) return `The records to delete could not be counted: ${result.error.message}`;
  return result.data ? goingWords(result.data) : 'Counting…';
}

function goingWords({ before, going }: Preview): string {
  const from = `from before ${formatDate(before)}`;
  const affected = going.filter(({ rows, more }) => rows > 0 || more);
  return affected.length === 0
    ? `Nothing ${from} can be deleted now.`
    : `${affected.map(({ kind, ...count }) => countWords(count, NOUNS[kind])).join(', ')} ${from}.`;
}

function countWords({ rows, more }: { rows: number; more: boolean }, [singular, plural]: [string, string]): string {
  if (more && rows === 0) return `none of the oldest 100,000 ${plural}`;
  return more ? `${rows.toLocaleString('en-US')}+ ${plural}` : countOf(rows, singular, plural);
}

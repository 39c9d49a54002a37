// The retention screen: how many days each kind is kept, how much of it there is, and what would go now.
import { Alert, Divider, List, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { api } from '#api/client.web.ts';
import { HistoryPanel } from '#features/operations/history/HistoryPanel.tsx';
import { countOf } from '#shared/count-of.ts';
import { formatDate } from '#shared/dates.ts';
import { Card } from '#ui/Card.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { FormPage } from '#ui/FormPage.tsx';
import { NumberField } from '#ui/NumberField.tsx';
import { RecordForm } from '#ui/RecordForm.tsx';
import { useRecordForm } from '#ui/record-form.web.ts';
import { type Days, type Preview, Retention, RetentionInput } from './retention.contract.ts';
import { MOST_DAYS, RETENTION, RETENTION_KINDS, type RetentionKind } from './retention-limits.ts';
import type { OutputOf } from '#api/endpoint.ts';

type Kept = OutputOf<typeof Retention.GetRetention>;
type Values = Days & { version: number };

const LABELS = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, RETENTION[kind].label]));

export default function RetentionPage() {
  const found = useQuery({ ...api(Retention).GetRetention.query({}), staleTime: 0 });
  const { data } = found;
  return (
    <FormPage title="Retention">
      <ErrorAlert error={found.error} title="The settings could not be loaded" />
      {data ? (
        <>
          {data.held ? (
            <Alert color="orange" title="Nothing is cleared now">
              <Text size="sm">
                This database was restored from a backup and its mail is held. Clearing begins when the mail is released
                in Settings → Mailbox.
              </Text>
            </Alert>
          ) : null}
          <Card title="How long it is kept">
            <Text size="sm" className="muted">
              What is older is deleted once a day and cannot be brought back, except from a backup. Quotes with their
              lines, revisions, PDFs and history always stay. The security log is kept as long as SECURITY_LOG_DAYS of
              the server says.
            </Text>
            <DaysForm data={data} />
          </Card>
          <Card title="History">
            <HistoryPanel type="retention" id={1} />
          </Card>
        </>
      ) : found.error ? null : (
        <Skeleton height={480} radius="sm" aria-label="Loading" />
      )}
    </FormPage>
  );
}

function DaysForm({ data }: { data: Kept }) {
  /** What is done once the person has read what goes. */
  const [asking, setAsking] = useState<(() => void) | null>(null);
  const record: Values = { version: data.version, ...data.days };
  const form = useRecordForm({
    record,
    schema: RetentionInput,
    save: ({ version, ...days }) => api(Retention).SaveRetention({ version, days }),
    onSaved: () => {
      notifications.show({ message: 'The settings are saved.' });
    },
  });
  const { values, set, errors } = form;
  const saved: Days = form.conflict?.current ?? data.days;
  const shorter = RETENTION_KINDS.filter((kind) => isShorter(values[kind], saved[kind]));
  const ask = (next: () => void) => () => {
    if (shorter.length > 0 && RetentionInput.safeParse(values).success) setAsking(() => next);
    else next();
  };
  return (
    <RecordForm
      form={{ ...form, submit: ask(form.submit), keepMine: ask(form.keepMine) }}
      label="How long it is kept"
      labels={LABELS}
      inWords={(_, value) => (typeof value === 'number' ? countOf(value, 'day') : 'Forever')}
    >
      {data.kinds.map(({ kind, ...there }, index) => (
        <Fragment key={kind}>
          {index > 0 ? <Divider /> : null}
          <KindFields
            kind={kind}
            there={there}
            days={values[kind]}
            error={errors[kind]}
            onChange={(days) => set({ [kind]: days })}
          />
        </Fragment>
      ))}
      {asking ? (
        <ConfirmDialog
          title="Keep it for a shorter time?"
          action="Save"
          harmful
          onConfirm={() => {
            setAsking(null);
            asking();
          }}
          onClose={() => setAsking(null)}
        >
          <Text size="sm">The next daily run, within about a day, deletes:</Text>
          <List size="sm">
            {shorter.map((kind) => (
              <List.Item key={kind}>
                {RETENTION[kind].label}: <Going kind={kind} days={values[kind]} />
              </List.Item>
            ))}
          </List>
          <Text size="sm">
            <b>This cannot be undone.</b> Until the run begins, saving a longer time keeps everything.
          </Text>
        </ConfirmDialog>
      ) : null}
    </RecordForm>
  );
}

function isShorter(days: number | null, before: number | null): boolean {
  return days !== null && (before === null || days < before);
}

type FieldsProps = {
  kind: RetentionKind;
  there: Omit<Kept['kinds'][number], 'kind'>;
  days: number | null;
  error: string | undefined;
  onChange: (days: number | null) => void;
};

function KindFields({ kind, there, days, error, onChange }: FieldsProps) {
  const { label, what, least, noun } = RETENTION[kind];
  const [asked] = useDebouncedValue(days, 300);
  return (
    <Stack gap={4}>
      <NumberField
        label={label}
        description={what}
        placeholder="Forever"
        suffix="days"
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        styles={{ wrapper: { maxWidth: 180 } }}
        min={least}
        max={MOST_DAYS}
        decimals={0}
        value={days ?? Number.NaN}
        error={error}
        onChange={onChange}
        onClear={() => onChange(null)}
      />
      <Text size="sm" className="muted">
        {days === null ? 'Kept forever. ' : ''}At least {least} days; empty means forever.{' '}
        {there.rows === 0
          ? `There are no ${noun[1]}.`
          : `There ${there.rows === 1 && !there.more ? 'is' : 'are'} ${countWords(there, noun)}, the oldest of ${formatDate(there.oldest)}.`}
        {there.clearedBefore ? ` Cleared so far: from before ${formatDate(there.clearedBefore)}.` : ''}
      </Text>
      <Text size="sm" role="status" aria-label={`What would be deleted now: ${label}`}>
        <Going kind={kind} days={asked} examples />
      </Text>
    </Stack>
  );
}

/** What would go now, in words. */
function Going({ kind, days, examples = false }: { kind: RetentionKind; days: number | null; examples?: boolean }) {
  const { least, noun } = RETENTION[kind];
  const isValid = days !== null && Number.isInteger(days) && days >= least && days <= MOST_DAYS;
  const found = useQuery({ ...api(Retention).PreviewRetention.query({ kind, days }), staleTime: 0, enabled: isValid });
  if (days === null) return 'Nothing would be deleted.';
  if (!isValid) return 'The count appears once the days are valid.';
  if (found.error) return `What would be deleted could not be counted: ${found.error.message}`;
  return found.data ? goingWords(found.data, noun, examples) : 'Counting …';
}

function goingWords({ before, examples, ...count }: Preview, noun: [string, string], withExamples: boolean): string {
  const from = `from before ${formatDate(before)}`;
  if (count.rows === 0)
    return count.more
      ? `Among the oldest 100,000 ${noun[1]} ${from} none can be deleted. Later ones were not looked at.`
      : `${withExamples ? 'Nothing would be deleted now' : 'nothing now'}: no ${noun[1]} ${from} can be deleted.`;
  const such = examples.map(({ name, at }) => `${name || 'without a name'} (${formatDate(at)})`).join(', ');
  return `${countWords(count, noun)} ${from}${withExamples ? ` would go now, the oldest: ${such}` : ''}.`;
}

function countWords({ rows, more }: { rows: number; more: boolean }, [one, many]: [string, string]): string {
  return more ? `${rows.toLocaleString('en-US')} and more ${many}` : countOf(rows, one, many);
}

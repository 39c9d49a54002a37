// The input fields of a step with many quotes: representatives, a day, or a reason.
import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { dayIn, formatDate, type IsoDate, parseDate } from '#platform/shared/dates.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import type { QuoteChange } from './many-quotes.contract.ts';
import type { Kind } from './step-words.ts';

type Props = {
  kind: Kind;
  busy: boolean;
  error: Error | null;
  /** `words` describes the change. */
  onCheck: (change: QuoteChange, words: string) => void;
  onClose: () => void;
  /** The earlier input, when the user comes back to the form. */
  given: QuoteChange | null;
};

const REPS = [
  ['salesRepId', 'salesReps', 'Sales Rep.'],
  ['csRepId', 'csReps', 'CS Rep.'],
  ['isRepId', 'isReps', 'IS Rep.'],
] as const;
type Reps = Partial<Record<(typeof REPS)[number][0], number>>;

export function StepFields({ kind, busy, error, onCheck, onClose, given }: Props) {
  const [reps, setReps] = useState<Reps>(given?.kind === 'assign' ? repsIn(given) : {});
  const [until, setUntil] = useState(given?.kind === 'extend' ? given.validUntil : '');
  const [reason, setReason] = useState(given?.kind === 'cancel' ? given.reason : '');
  const people = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({}),
    staleTime: 60_000,
    enabled: kind === 'assign',
  });
  const isPast = isBeforeToday(parseDate(until));
  const change = changeOf();
  function changeOf(): QuoteChange | null {
    if (kind === 'assign') return Object.keys(reps).length > 0 ? { kind, ...reps } : null;
    if (kind === 'cancel') return reason.trim() ? { kind, reason: reason.trim() } : null;
    const validUntil = parseDate(until);
    return validUntil && !isPast ? { kind, validUntil } : null;
  }
  function wordsOf(): string {
    if (kind === 'cancel') return `Reason: ${reason.trim()}`;
    if (kind === 'extend') return `Valid until ${formatDate(parseDate(until))}`;
    return REPS.flatMap(([field, choices, label]) => {
      const chosen = people.data?.[choices].find(({ id }) => id === reps[field]);
      return chosen ? [`${label} ${chosen.name}`] : [];
    }).join(' · ');
  }
  return (
    <Form label="What to do" onSubmit={() => (change && !busy ? onCheck(change, wordsOf()) : undefined)}>
      <Stack>
        {kind === 'assign' ? <RepFields people={people} reps={reps} onChange={setReps} /> : null}
        {kind === 'extend' ? (
          <>
            <Text size="sm" className="muted">
              A quote cannot be valid longer than its prices. Quotes that are already valid longer do not change.
            </Text>
            <DateField
              data-autofocus
              label="Valid until"
              required
              w={180}
              value={until}
              error={isPast ? 'Choose today or a later date' : undefined}
              onChange={setUntil}
            />
          </>
        ) : null}
        {kind === 'cancel' ? (
          <Textarea
            data-autofocus
            label="Reason"
            description="Recorded in the history of each quote."
            required
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        ) : null}
        <ErrorAlert error={error} title="The quotes could not be checked" />
        {busy ? null : (
          <Group justify="flex-end" className="dialog-foot">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" disabled={change === null} title="Makes no changes yet">
              Check
            </Button>
          </Group>
        )}
      </Stack>
    </Form>
  );
}

function isBeforeToday(day: IsoDate | null): boolean {
  return day !== null && day < dayIn(appConfig.timeZone || undefined, new Date());
}

function repsIn({ salesRepId, csRepId, isRepId }: Extract<QuoteChange, { kind: 'assign' }>): Reps {
  return { ...(salesRepId ? { salesRepId } : {}), ...(csRepId ? { csRepId } : {}), ...(isRepId ? { isRepId } : {}) };
}

type People = {
  data: OutputOf<typeof QuoteEdit.PopulateQuoteEditLookups> | undefined;
  error: Error | null;
  refetch: () => unknown;
};

function RepFields({ people, reps, onChange }: { people: People; reps: Reps; onChange: (reps: Reps) => void }) {
  return (
    <>
      <ErrorAlert
        error={people.error}
        title="The representatives could not be loaded"
        onRetry={() => people.refetch()}
      />
      {REPS.map(([field, choices, label], at) => (
        <Select
          key={field}
          {...(at === 0 ? { 'data-autofocus': true } : {})}
          // The open list would hide the other fields.
          openOnFocus={false}
          label={label}
          placeholder="No change"
          data={(people.data?.[choices] ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={reps[field] === undefined ? null : String(reps[field])}
          onChange={(id) => {
            const { [field]: _before, ...others } = reps;
            onChange(id === null ? others : { ...others, [field]: Number(id) });
          }}
          clearable
          clearButtonProps={{ 'aria-label': `Clear ${label}` }}
          searchable
          nothingFoundMessage="No Record Found"
        />
      ))}
    </>
  );
}

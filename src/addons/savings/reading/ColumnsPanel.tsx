// Shows how each column of the customer's file is read. The user confirms this, or changes it and has the file read again.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FileColumns, HeaderLine } from '#platform/data-import/screen/FileColumns.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { type Analysis, Savings } from '../savings.contract.ts';
import { USAGE_FIELDS, USAGE_LABELS, type UsageField } from '../savings-words.ts';

type Props = { analysis: Analysis; onChange: (analysis: Analysis) => void };
type FileColumn = Analysis['columns'][number] & { at: number };

/** Remounted for another sheet or header line. */
export function ColumnsPanel({ analysis, onChange }: Props) {
  const { id, version, state, counts } = analysis;
  const [fields, setFields] = useState(() => analysis.columns.map(({ field }) => field));
  const [months, setMonths] = useState(analysis.months);
  const [asking, setAsking] = useState(false);
  const set = useMutation({ ...api(Savings).SetUsageColumns.mutation(), onSuccess: onChange });
  const isRead = state !== 'columns' && state !== 'failed';
  const isQuoted = state === 'quoted';
  const isChanged = months !== analysis.months || analysis.columns.some(({ field }, at) => field !== fields[at]);
  useUnsaved(isChanged);
  const read = () => set.mutate({ id, version, fields, months });
  /** Only one column can have a field, so its previous column loses it. */
  const choose = (at: number, field: UsageField | null) =>
    setFields((all) => all.map((entry, index) => (index === at ? field : entry === field ? null : entry)));
  const select = ({ at, heading }: FileColumn) => (
    <Select
      aria-label={`Import ${heading || `Column ${at + 1}`} as`}
      placeholder="Not used"
      data={USAGE_FIELDS.map((field) => ({ value: field, label: USAGE_LABELS[field] }))}
      value={fields[at] ?? null}
      onChange={(field) => choose(at, USAGE_FIELDS.find((usageField) => usageField === field) ?? null)}
      clearable
      clearButtonProps={{ 'aria-label': 'Not used' }}
      searchable
      nothingFoundMessage="No matching field"
      disabled={isQuoted || set.isPending}
      size="xs"
      w={{ base: '100%', xs: 240 }}
    />
  );
  const decided = counts.noBid + counts.taken - counts.certain;
  return (
    <section className="card" aria-label="File columns">
      <Stack p="md" gap="sm">
        <Text size="sm">
          {analysis.fileName}: {fields.filter(Boolean).length} of {countOf(fields.length, 'column')} used.{' '}
          {isRead ? '' : 'Check how each column is read, then match the rows.'}
        </Text>
        {state === 'columns' && analysis.problem ? (
          <Text size="sm" className="warning" role="status">
            {analysis.problem}
          </Text>
        ) : null}
        {analysis.notes.map((note) => (
          <Text key={note} size="sm" className="warning">
            {note}
          </Text>
        ))}
        <Group align="end" gap="sm">
          {analysis.sheets.length > 1 ? (
            <Select
              label="Sheet"
              data={analysis.sheets}
              value={analysis.sheet}
              allowDeselect={false}
              disabled={isQuoted || set.isPending}
              onChange={(sheet) => sheet && sheet !== analysis.sheet && set.mutate({ id, version, sheet })}
            />
          ) : null}
          <HeaderLine
            line={analysis.headerLine}
            busy={isQuoted || set.isPending}
            onChange={(headerLine) => set.mutate({ id, version, headerLine })}
          />
          <NumberField
            label="Months covered"
            w={180}
            min={1}
            max={60}
            decimals={0}
            suffix="months"
            disabled={isQuoted}
            value={months}
            onChange={setMonths}
          />
        </Group>
        <ErrorAlert error={set.error} title="The file was not read" onClose={set.reset} />
        <FileColumns columns={analysis.columns} select={select} />
        <Group justify="flex-end">
          <Button
            variant={isRead ? 'default' : 'filled'}
            loading={set.isPending}
            disabled={isQuoted || Number.isNaN(months) || (isRead && !isChanged)}
            title={
              isQuoted ? 'A quote was created from this analysis' : isRead && !isChanged ? 'No changes' : undefined
            }
            onClick={() => (isRead ? setAsking(true) : read())}
          >
            {isRead ? 'Read again' : 'Match rows'}
          </Button>
        </Group>
      </Stack>
      {asking ? (
        <ConfirmDialog
          title="Read the file again?"
          action="Read again"
          harmful={decided > 0}
          busy={set.isPending}
          error={set.error}
          onConfirm={read}
          onClose={() => setAsking(false)}
        >
          {decided > 0
            ? `This reopens ${countOf(decided, 'decided row')}. Remembered numbers are kept.`
            : 'All rows are read and matched again.'}
        </ConfirmDialog>
      ) : null}
    </section>
  );
}

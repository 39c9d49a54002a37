// The results of the comparison by class and by manufacturer, the levers that change it, the prices behind it, and the resulting quotes.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { type Analysis, Savings, type SavingsSums } from '../savings.contract.ts';
import { freightText, percentText } from '../savings-labels.ts';
import classes from '../savings.module.css';
import { PricesPanel } from './PricesPanel.tsx';
import { QuotesPanel } from './QuotesPanel.tsx';
import { TierPanel } from './TierPanel.tsx';

type Props = { analysis: Analysis; onChange: (analysis: Analysis) => void };
type Part = SavingsSums & { name: string };

export function ComparisonPanel({ analysis, onChange }: Props) {
  const { currnIdx } = analysis.totals;
  return (
    <Stack gap="md">
      <Levers analysis={analysis} onChange={onChange} />
      <Text size="sm" className="muted" px={{ base: 'md', sm: 0 }}>
        Prices are based on one month's quantity and exclude tax. {freightText(analysis.freightTerms)}
      </Text>
      <div className={classes['sides']}>
        <Sums title="By class" noun="Class" parts={analysis.byClass} currnIdx={currnIdx} />
        <Sums title="By manufacturer" noun="Manufacturer" parts={analysis.byMaker} currnIdx={currnIdx} />
      </div>
      <PricesPanel analysis={analysis} onChange={onChange} />
      <TierPanel analysis={analysis} />
      <QuotesPanel analysis={analysis} />
    </Stack>
  );
}

function Levers({ analysis, onChange }: Props) {
  const { id, totals, counts } = analysis;
  const [least, setLeast] = useState(analysis.minimumSavingPct ?? 0);
  const set = useMutation({
    ...api(Savings).SetRows.mutation(),
    onSuccess: (changed) => onChange(changed.analysis),
  });
  const isChanged = least !== (analysis.minimumSavingPct ?? 0);
  return (
    <section className="card" aria-label="Adjustments">
      <Stack p="md" gap="sm">
        <Title order={2}>Adjustments</Title>
        <Text size="sm">
          {totals.dearerRows === 0
            ? 'We do not cost more in any included row.'
            : `We cost more in ${countOf(totals.dearerRows, 'included row')}.`}{' '}
          {counts.leftOut === 0 ? '' : `${countOf(counts.leftOut, 'row is', 'rows are')} left out.`}{' '}
          {counts.notCompared === 0
            ? ''
            : `${countOf(counts.notCompared, 'matched row')} cannot be compared because a price, quantity or pack size is missing.`}
        </Text>
        <Group align="end" gap="sm">
          <Button
            variant="default"
            loading={set.isPending && set.variables.dearer === 'leave-out'}
            disabled={totals.dearerRows === 0}
            title={totals.dearerRows === 0 ? 'We do not cost more in any row' : undefined}
            onClick={() => set.mutate({ id, dearer: 'leave-out' })}
          >
            Leave out rows where we cost more
          </Button>
          <Button
            variant="default"
            loading={set.isPending && set.variables.dearer === 'take-in'}
            disabled={counts.leftOut === 0}
            title={counts.leftOut === 0 ? 'No rows are left out' : undefined}
            onClick={() => set.mutate({ id, dearer: 'take-in' })}
          >
            Include them again
          </Button>
          <Form
            label="Minimum savings"
            onSubmit={() => {
              if (isChanged && !Number.isNaN(least)) set.mutate({ id, minimumSavingPct: least === 0 ? null : least });
            }}
          >
            <Group align="end" gap="xs">
              <NumberField
                label="Minimum savings"
                w={130}
                min={0}
                max={100}
                suffix="%"
                value={least}
                onChange={setLeast}
                onClear={() => setLeast(0)}
              />
              <Button type="submit" variant="default" disabled={!isChanged || Number.isNaN(least)}>
                Apply
              </Button>
            </Group>
          </Form>
        </Group>
        <ErrorAlert error={set.error} title="The change was not saved" onClose={set.reset} />
      </Stack>
    </section>
  );
}

type SumsProps = { title: string; noun: string; parts: Part[]; currnIdx: number };

function Sums({ title, noun, parts, currnIdx }: SumsProps) {
  return (
    <section className="card" aria-label={title}>
      <Title order={2} px="md" py="xs">
        {title}
      </Title>
      <DataList
        label={title}
        columns={columnsOf(noun, currnIdx)}
        rows={parts}
        rowKey={({ name }) => name}
        empty="No rows compared yet."
        card={(part) => (
          <Stack gap={2}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={600} className="ellipsis">
                {part.name || 'Not specified'}
              </Text>
              <Text size="sm" className="tabular" style={{ whiteSpace: 'nowrap' }}>
                <Difference part={part} currnIdx={currnIdx} />
              </Text>
            </Group>
            <Text size="sm" className="muted tabular">
              {countOf(part.rows, 'row')} · {formatAmount(part.theirs, currnIdx)} → {formatAmount(part.ours, currnIdx)}
            </Text>
          </Stack>
        )}
      />
    </section>
  );
}

const columnsOf = (noun: string, currnIdx: number): Column<Part>[] => [
  { title: noun, grows: 120, render: ({ name }) => <span title={name}>{name || 'Not specified'}</span> },
  { title: 'Rows', figure: true, render: ({ rows }) => rows.toLocaleString('en-US') },
  { title: 'Current spend', figure: true, render: ({ theirs }) => formatAmount(theirs, currnIdx) },
  { title: 'Spend with us', figure: true, render: ({ ours }) => formatAmount(ours, currnIdx) },
  { title: 'Savings', figure: true, render: (part) => <Difference part={part} currnIdx={currnIdx} /> },
];

function Difference({ part, currnIdx }: { part: Part; currnIdx: number }) {
  return (
    <span className={part.difference < 0 ? classes['dearer'] : undefined}>
      {formatAmount(part.difference, currnIdx)} <span className="muted">{percentText(part.differencePct)}</span>
    </span>
  );
}

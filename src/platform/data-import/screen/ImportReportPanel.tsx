// The report of a check or an import: figures, the effect on quotes, refusals with reasons, and the first records of each outcome.
import { Group, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import type { ImportKindView, ImportView, QuoteEffect, ScreenReport } from '../data-import.contract.ts';
import classes from './data-import.module.css';
import { type HeldPicker, HeldRowsPanel } from './HeldRowsPanel.tsx';
import { RefusedRowsPanel } from './RefusedRowsPanel.tsx';

type Props = {
  view: ImportView;
  report: ScreenReport;
  words: ImportKindView['heldWords'] | undefined;
  onChange: (view: ImportView) => void;
  picker?: HeldPicker | undefined;
  /** The next actions, below the figures and above long lists. */
  children?: ReactNode;
};

export function ImportReportPanel({ view, report, words, onChange, picker, children }: Props) {
  return (
    <Stack gap="md">
      <dl className={classes['figures']} aria-label="Figures">
        <Figure label="Rows" count={report.rows} />
        {report.figures.map((figure) => (
          <Figure key={figure.label} {...figure} />
        ))}
      </dl>
      <Text size="sm" role="status">
        {sumOf(report)}
      </Text>
      {report.notes.map((note) => (
        <Text key={note} size="sm" className="muted">
          {note}
        </Text>
      ))}
      <EffectPanel view={view} />
      {children}
      {(report.held ?? 0) + view.accepted > 0 ? (
        <HeldRowsPanel view={view} report={report} words={words} onChange={onChange} picker={picker} />
      ) : null}
      {report.refused > 0 ? <RefusedRowsPanel view={view} report={report} /> : null}
      {report.lists.map((list) => (
        <Records key={list.title} list={list} />
      ))}
      {report.conclusion?.notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
      {report.conclusion?.lists.map((list) => (
        <Records key={list.title} list={list} />
      ))}
    </Stack>
  );
}

/** Returns a text such as '12 rows: 9 read, 2 refused, 1 skipped.' Reports of older versions have no such counts. */
function sumOf({ rows, read, refused, held, skipped }: ScreenReport): string {
  const words = { read, refused, held, skipped };
  const parts = Object.entries(words).flatMap(([word, count]) =>
    count > 0 || word === 'read' ? [`${(count ?? 0).toLocaleString('en-US')} ${word}`] : [],
  );
  return read === undefined ? '' : `${countOf(rows, 'row')}: ${parts.join(', ')}.`;
}

function Figure({ label, count, tone, note }: ScreenReport['figures'][number]) {
  return (
    <div title={note}>
      <dt className="muted">{label}</dt>
      <dd className="tabular" data-tone={count > 0 ? tone : undefined}>
        {count.toLocaleString('en-US')}
      </dd>
    </div>
  );
}

function Records({ list: { title, headings, rows, total } }: { list: ScreenReport['lists'][number] }) {
  const columns = headings.map(
    (heading, at): Column<string[]> => ({
      title: heading,
      width: at === headings.length - 1 ? 640 : 240,
      render: (row) => <span title={row[at]}>{row[at]}</span>,
    }),
  );
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb="xs">
        {title}
        {total > rows.length ? `: the first ${rows.length} of ${total.toLocaleString('en-US')}` : ''}
      </Title>
      <DataList
        label={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => rows.indexOf(row)}
        card={(row) => (
          <Stack gap={0}>
            {headings.map((heading, at) => (
              <Text key={heading} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <span className="muted">{heading}:</span> {row[at]}
              </Text>
            ))}
          </Stack>
        )}
      />
    </section>
  );
}

type EffectPart = QuoteEffect['kinds'][number];

/** Shows the effect of a checked file on quotes, in money, before it is applied. */
function EffectPanel({ view }: { view: ImportView }) {
  const { effect } = view;
  if (!effect || view.state !== 'Checked') return null;
  return (
    <section aria-label="Effect on quotes">
      <Title order={3} size="h6" mb="xs">
        Effect on quotes
      </Title>
      {effect.state === 'working' ? (
        <Group gap="xs" role="status">
          <Loader size={16} />
          <Text size="sm">Calculating… You can apply the file without waiting.</Text>
        </Group>
      ) : effect.of === null ? (
        <Text size="sm" role="status">
          The effect on quotes could not be calculated. The check is still valid. To retry, check the file again.
        </Text>
      ) : (
        <Worked of={effect.of} held={view.report?.held ?? 0} accepted={view.accepted} />
      )}
    </section>
  );
}

function Worked({ of, held, accepted }: { of: QuoteEffect; held: number; accepted: number }) {
  const undecided = held - accepted;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {of.open + of.sent === 0 ? 'No open quotes would change.' : `${effectInWords(of)}.`}
      </Text>
      {of.kinds.map((part) => (
        <Group key={`${part.kind} ${part.currnIdx}`} gap="sm">
          <Chip tone="blue">{part.kind}</Chip>
          <Text size="sm" className="tabular">
            {partInWords(part)}
          </Text>
        </Group>
      ))}
      <Text size="xs" className="muted">
        Amounts are new prices minus quoted prices, as of today or the first day of the new price. Sent quotes do not
        change.
        {held > 0
          ? ` Included: ${countOf(accepted, 'accepted held row')}. Not included: ${countOf(undecided, 'other held row')}.`
          : ''}
      </Text>
    </Stack>
  );
}

/** Returns a text such as '3 open quotes change by +$12.00, 1 sent quote would by −$4.00.' */
function effectInWords({ open, sent, kinds }: QuoteEffect): string {
  const sum = (key: 'openMoney' | 'sentMoney') => {
    const byCurrency = new Map<number, number>();
    for (const part of kinds) byCurrency.set(part.currnIdx, (byCurrency.get(part.currnIdx) ?? 0) + part[key]);
    const all = [...byCurrency].filter(([, value]) => value !== 0).map(([index, value]) => signedAmount(value, index));
    return all.join(' and ') || formatAmount(0, kinds[0]?.currnIdx);
  };
  return [
    ...(open > 0 ? [`${countOf(open, 'open quote')} ${open === 1 ? 'changes' : 'change'} by ${sum('openMoney')}`] : []),
    ...(sent > 0 ? [`${countOf(sent, 'sent quote')} would change by ${sum('sentMoney')}`] : []),
  ].join(', ');
}

function partInWords({ open, sent, openMoney, sentMoney, currnIdx }: EffectPart): string {
  return [
    ...(open > 0 ? [`${countOf(open, 'open quote')}: ${signedAmount(openMoney, currnIdx)}`] : []),
    ...(sent > 0 ? [`${countOf(sent, 'sent quote')}: ${signedAmount(sentMoney, currnIdx)}`] : []),
  ].join(' · ');
}

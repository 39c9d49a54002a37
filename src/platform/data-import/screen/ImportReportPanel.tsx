// The report of a check or an import: figures, refusals with reasons, and the first records of each outcome.
import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import type { ImportKindView, ImportView, ScreenReport } from '../data-import.contract.ts';
import classes from './data-import.module.css';
import { EffectPanel } from './EffectPanel.tsx';
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

/** '12 rows: 9 read, 2 refused, 1 skipped.' Reports of older versions have no such sum. */
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
